/** Turns: running, waiting, failing, over. */
import {
	type Act,
	clear,
	command,
	dismissAll,
	IDLE,
	lose,
	pause,
	press,
	release,
	rule,
	say,
	see,
	text,
	tool,
	type,
} from "../scene.ts";

const LOOP = "for i in $(seq 300); do echo tick $i; sleep 0.3; done";
const bash = (command: string, more = {}) =>
	tool("Bash", { command, description: "Waiting a while", ...more });
const todos = [
	{ content: "Read the file", status: "completed", activeForm: "Reading" },
	{ content: "Fix the bug", status: "in_progress", activeForm: "Fixing it" },
	{ content: "Run the tests", status: "pending", activeForm: "Testing" },
];

export const TURNS: Act = {
	name: "turns",
	rules: [
		rule("slow answer", {
			kind: "text",
			text: "Working through the plan step by step until it is done. ".repeat(
				4,
			),
			paceMs: 120,
		}),
		rule("hang", { kind: "hang", text: "Thinking about it.\n\nSo" }),
		rule("gate", { kind: "gate", gate: "door", text: "Through the door." }),
		rule("run slow", bash(LOOP), text("It ended.")),
		rule(
			"run behind",
			bash("sleep 600", { run_in_background: true }),
			text("It runs behind."),
		),
		rule("plan todos", tool("TodoWrite", { todos }), {
			kind: "hang",
			text: "Next",
		}),
		rule(
			"long answer",
			text(
				Array.from({ length: 60 }, (_, i) => `Line ${i} of the answer.`).join(
					"\n\n",
				),
			),
		),
		rule(
			"ask a helper",
			tool("Task", {
				description: "Look around",
				prompt: "hang in there",
				subagent_type: "general-purpose",
			}),
			text("Helped."),
		),
	],
	scenes: [
		{
			name: "busy-streaming",
			want: ["busy"],
			play: [say("slow answer please"), see(/…/), pause(700)],
		},
		{
			name: "busy-queued",
			want: ["busy"],
			play: [say("and one more thing"), pause(500)],
		},
		{
			name: "busy-queued-draft",
			want: ["user-typing", "busy"],
			keys: { input: "typed" },
			play: [type("half typed"), pause(400)],
			leave: [...clear, lose(/esc to interrupt/), pause(2500)],
		},
		{
			name: "idle-after-turn",
			want: IDLE,
			play: [lose(/esc to interrupt|…/), pause(1500)],
		},
		{
			name: "busy-hang",
			want: ["busy"],
			play: [say("hang now"), see(/Thinking about it|…/), pause(500)],
		},
		{
			name: "busy-menu",
			want: ["user-typing", "busy"],
			keys: { menu: "1" },
			play: [type("/"), pause(900)],
			leave: [...clear],
		},
		{
			name: "interrupted",
			want: IDLE,
			play: [press("Escape"), see(/Interrupted/), pause(600)],
			leave: clear,
		},
		{
			name: "busy-first-seconds",
			want: ["busy"],
			play: [say("gate please"), pause(400)],
			leave: [release("door"), see(/Through the door/), pause(800)],
		},
		{
			name: "idle-long-answer",
			want: IDLE,
			play: [say("long answer"), see(/Line 59/), pause(1500)],
		},
		{
			name: "busy-tool",
			want: ["busy"],
			play: [say("run slow"), see(/ctrl\+b|tick \d|Running/), pause(900)],
			leave: [press("Escape"), see(/Interrupted/), pause(800), ...clear],
		},
		{
			name: "busy-todos",
			want: ["busy"],
			play: [say("plan todos"), see(/Next|Read the file|…/), pause(1200)],
			leave: [press("Escape"), see(/Interrupted/), pause(800), ...clear],
		},
		{
			name: "background-shell",
			want: ["working-background"],
			play: [say("run behind"), see(/It runs behind/), pause(1500)],
		},
		{
			name: "background-shell-draft",
			want: ["user-typing"],
			play: [type("meanwhile"), pause(300)],
			leave: clear,
		},
		{
			name: "background-busy",
			want: ["busy"],
			play: [say("hang now"), pause(1200)],
			leave: [press("Escape"), pause(800), ...clear],
		},
		{
			name: "background-tasks-view",
			want: ["blocked"],
			play: [...command("/tasks"), pause(500)],
			leave: dismissAll,
		},
		{
			name: "exit-with-background",
			want: ["blocked"],
			play: [...command("/exit"), see(/Background work|running/)],
			leave: dismissAll,
		},
		{
			name: "busy-subagent",
			want: ["busy"],
			play: [say("ask a helper"), pause(2500)],
			leave: [press("Escape"), see(/Interrupted/), pause(800), ...clear],
		},
	],
};

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

/** The same turn under settings that change how it is drawn. */
function drawn(name: string, settings: Readonly<Record<string, unknown>>): Act {
	return {
		name: `drawn-${name}`,
		options: { settings },
		rules: [
			rule("hang", { kind: "hang", text: "Thinking about it.\n\nSo" }),
			rule("hello", text("Hello to you.")),
		],
		scenes: [
			{
				name: `idle-${name}`,
				want: IDLE,
				play: [say("hello"), see(/Hello to you/), pause(1500)],
			},
			{
				name: `busy-${name}`,
				want: ["busy"],
				play: [say("hang now"), pause(2500)],
			},
			{
				name: `busy-draft-${name}`,
				want: ["user-typing"],
				play: [type("half typed"), pause(400)],
				leave: [...clear, press("Escape"), pause(800), ...clear],
			},
		],
	};
}

export const DRAWN: readonly Act[] = [
	drawn("still", { prefersReducedMotion: true }),
	drawn("light", { theme: "light" }),
	drawn("ansi", { theme: "dark-ansi" }),
	drawn("inline", { tui: "default" }),
	drawn("fullscreen", { tui: "fullscreen" }),
];
