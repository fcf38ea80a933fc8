/** Turns that fail, wait to be tried again, or sum the session up. */
import {
	type Act,
	clear,
	command,
	IDLE,
	lose,
	pause,
	press,
	release,
	rule,
	say,
	see,
	text,
	type,
} from "../scene.ts";

const COMPACT_GATE = "compacted";
export const COMPACTING: Act = {
	name: "compacting",
	rules: [
		rule("hello", text("Hello to you.")),
		rule("summary", {
			kind: "gate",
			gate: COMPACT_GATE,
			text: "<summary>All.</summary>",
		}),
	],
	scenes: [
		{
			name: "busy-compacting",
			want: ["busy"],
			play: [
				say("hello"),
				see(/Hello to you/),
				pause(800),
				...command("/compact"),
				pause(600),
			],
			leave: [release(COMPACT_GATE), pause(2500)],
		},
		{ name: "idle-compacted", want: IDLE, play: [pause(500)] },
	],
};

const error = (status: 400 | 401 | 429 | 500 | 529, message?: string) =>
	({ kind: "error", status, ...(message ? { message } : {}) }) as const;

export const ERRORS: Act = {
	name: "errors",
	rules: [
		rule("fail 500", error(500)),
		rule("fail 529", error(529)),
		rule("fail 429", error(429)),
		rule("fail 401", error(401)),
		rule("fail 400", error(400)),
	],
	scenes: [500, 529, 429, 401, 400].map((status) => ({
		name: `api-error-${status}`,
		want: IDLE,
		play: [
			say(`fail ${status}`),
			see(/Error|login/),
			lose(/esc to interrupt/),
			pause(2500),
		],
	})),
};

export const RETRYING: Act = {
	name: "retrying",
	options: { env: { CLAUDE_CODE_MAX_RETRIES: "10" } },
	rules: [rule("fail", error(529))],
	scenes: [
		{
			name: "busy-retrying",
			want: ["busy"],
			play: [say("fail"), see(/[Rr]etrying|attempt/), pause(300)],
		},
		{
			name: "busy-retrying-draft",
			want: ["user-typing"],
			play: [type("a draft"), pause(300)],
			leave: [...clear, press("Escape"), pause(600)],
		},
	],
};
