/** Views that a person opens: they take the keys, so a paste would be lost. */
import {
	type Act,
	command,
	dismissAll,
	IDLE,
	pause,
	press,
	rule,
	type Scene,
	say,
	see,
	text,
	type,
} from "../scene.ts";

function view(name: string, keys?: Scene["keys"]): Scene {
	return {
		name: `view-${name}`,
		want: ["blocked"],
		bySession: true,
		keys,
		play: [...command(`/${name}`), pause(900)],
		leave: [...dismissAll, press("C-u", "C-u")],
	};
}

export const VIEWS: Act = {
	name: "views",
	rules: [rule("hello", text("Hello to you."))],
	scenes: [
		{
			name: "idle-hello",
			want: IDLE,
			play: [say("hello"), see(/Hello to you/), pause(1200)],
		},
		view("model"),
		view("status"),
		view("config"),
		view("permissions"),
		view("help"),
		view("mcp"),
		view("agents"),
		view("hooks"),
		view("memory"),
		view("theme"),
		view("resume"),
		view("export"),
		view("rewind"),
		view("plugin"),
		view("skills"),
		view("effort"),
		view("usage"),
		view("stats"),
		view("diff"),
		view("output-style"),
		view("add-dir"),
		view("tasks"),
		view("login"),
		{
			name: "view-transcript",
			want: ["blocked"],
			play: [press("C-o"), pause(900)],
			leave: [press("C-o"), pause(600)],
		},
		{
			name: "view-history-search",
			want: ["blocked"],
			play: [press("C-r"), pause(900)],
			leave: dismissAll,
		},
		{
			name: "view-rewind-by-escape",
			want: ["blocked"],
			play: [press("Escape", "Escape"), pause(900)],
			leave: dismissAll,
		},
		{
			name: "view-model-by-key",
			want: ["blocked"],
			play: [press("M-p"), pause(900)],
			leave: dismissAll,
		},
		{
			name: "todos-toggled",
			want: IDLE,
			play: [press("C-t"), pause(600)],
			leave: [press("C-t"), pause(300)],
		},
		{
			name: "side-question",
			want: ["blocked", "busy", ...IDLE],
			play: [...command("/btw hello"), pause(1500)],
			leave: dismissAll,
		},
		{
			name: "idle-context",
			want: IDLE,
			play: [...command("/context"), pause(2500)],
		},
		{
			name: "idle-after-views",
			want: IDLE,
			play: [pause(900)],
		},
	],
};

export const AGENTS: Act = {
	name: "agents",
	scenes: [
		{
			name: "agents-view",
			want: ["blocked", ...IDLE],
			bySession: false,
			play: [press("Left"), pause(1800)],
		},
		{
			name: "agents-view-draft",
			want: ["blocked", "user-typing"],
			play: [type("a task for another"), pause(600)],
		},
	],
};
