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
