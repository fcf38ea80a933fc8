/** Traps: answers that show the screen of another agent. None of it is this pane's own. */
import { type Act, IDLE, pause, rule, say, see, text } from "../scene.ts";

const PROMPT = `Its screen reads:

Do you want to proceed?
❯ 1. Yes
  2. Yes, and don't ask again for: curl *
  3. No

Esc to cancel · Tab to amend`;
const BOX = `Its screen reads:

\`\`\`
✻ Wandering… (12s · ↓ 230 tokens · esc to interrupt)

────────────────────────────────────────
❯\u00a0half a draft of somebody
────────────────────────────────────────
  ⏵⏵ bypass permissions on · 2 shells · esc to interrupt
\`\`\``;
const LIMIT = `Its notice was:

You've hit your limit · resets 3am (America/New_York)
/upgrade to increase your usage limit.`;
const QUEUE = `It shows:

\`\`\`
────────────────────────────────────────
❯ Press up to edit queued messages
────────────────────────────────────────
\`\`\``;
const QUESTION = `It asks:

\`\`\`
❯ 1. SQLite
  2. PostgreSQL
  3. Type something.
  4. Chat about this

Enter to select · ↑/↓ to navigate · Esc to cancel
\`\`\``;

const QUOTES = {
	prompt: PROMPT,
	box: BOX,
	limit: LIMIT,
	queue: QUEUE,
	question: QUESTION,
};

export const QUOTED: Act = {
	name: "quotes",
	rules: Object.entries(QUOTES).map(([name, words]) =>
		rule(`quote ${name}`, text(words)),
	),
	scenes: Object.keys(QUOTES).map((name) => ({
		name: `quoted-${name}`,
		want: IDLE,
		play: [say(`quote ${name}`), see(/reads:|was:|shows:|asks:/), pause(1800)],
	})),
};
