/** What can stand in the input box, and the menus that open at it. */
import {
	type Act,
	clear,
	command,
	dismiss,
	IDLE,
	paste,
	pause,
	press,
	type Step,
	see,
	type,
} from "../scene.ts";

const typed = { input: "typed" };
const newline: readonly Step[] = [type("\\"), press("Enter"), pause(120)];

function lines(...texts: string[]): readonly Step[] {
	return texts.flatMap((t, i) => [
		...(i > 0 ? newline : []),
		type(t),
		pause(80),
	]);
}

const DIALOG = [
	"Do you want to proceed?",
	"❯ 1. Yes",
	"  2. No",
	"",
	"Esc to cancel · Tab to amend",
];

export const BOX: Act = {
	name: "box",
	scenes: [
		{ name: "idle-fresh", want: IDLE, play: [pause(800)] },
		{
			name: "draft",
			want: ["user-typing"],
			keys: typed,
			play: [type("please look at the failing test"), see(/failing test/)],
			leave: clear,
		},
		{
			name: "draft-one-letter",
			want: ["user-typing"],
			keys: typed,
			play: [type("x"), pause(300)],
			leave: clear,
		},
		{
			name: "draft-cursor-inside",
			want: ["user-typing"],
			keys: typed,
			play: [type("one two three"), press("Left", "Left", "Left", "Left")],
			leave: [press("C-e"), ...clear],
		},
		{
			name: "draft-wide",
			want: ["user-typing"],
			keys: typed,
			play: [type("修复测试 😀 👩‍💻 ok"), pause(300)],
			leave: clear,
		},
		{
			name: "draft-two-lines",
			want: ["user-typing"],
			keys: typed,
			play: [...lines("first line", "second line"), see(/second line/)],
			leave: [...clear, ...clear, press("BSpace"), ...clear],
		},
		{
			name: "draft-wrapped",
			want: ["user-typing"],
			keys: typed,
			play: [type("word ".repeat(90)), pause(500)],
			leave: [...clear, ...clear, ...clear, ...clear, ...clear],
		},
		{
			name: "draft-tall",
			want: ["user-typing"],
			keys: typed,
			play: [
				...lines(...Array.from({ length: 24 }, (_, i) => `line ${i}`)),
				see(/line 23/),
			],
			leave: [press("C-c"), pause(1200)],
		},
		{
			name: "draft-tall-top",
			want: ["user-typing"],
			keys: typed,
			play: [
				...lines(...Array.from({ length: 24 }, (_, i) => `line ${i}`)),
				press(...Array.from({ length: 24 }, () => "Up")),
				pause(300),
			],
			leave: [press("C-c"), pause(1200)],
		},
		{
			name: "draft-quoting-dialog",
			want: ["user-typing"],
			keys: typed,
			play: [...lines(...DIALOG), see(/Tab to amend/)],
			leave: [press("C-c"), pause(1200)],
		},
		{
			name: "draft-quoting-box",
			want: ["user-typing"],
			keys: typed,
			play: [...lines("it shows", "❯\u00a0nothing", "and more")],
			leave: [press("C-c"), pause(1200)],
		},
		{
			name: "pasted-collapsed",
			want: ["user-typing"],
			keys: typed,
			play: [
				paste(Array.from({ length: 40 }, (_, i) => `row ${i}`).join("\n")),
				see(/Pasted text #/),
			],
			leave: [press("C-c"), pause(1200)],
		},
		{
			name: "pasted-two-lines",
			want: ["user-typing"],
			keys: typed,
			play: [paste("alpha\nbeta"), see(/beta/)],
			leave: [press("C-c"), pause(1200)],
		},
		{
			name: "shell-mode",
			want: ["user-typing"],
			keys: typed,
			play: [type("!"), pause(300), type("ls -la"), pause(300)],
			leave: [...clear, ...dismiss, press("BSpace"), pause(200)],
		},
		{
			name: "memory-mode",
			want: ["user-typing"],
			keys: typed,
			play: [type("# remember this"), pause(400)],
			leave: [...clear, press("BSpace"), pause(200)],
		},
		{
			name: "background-mode",
			want: ["user-typing"],
			keys: typed,
			play: [type("& do this"), pause(400)],
			leave: [...clear, press("BSpace"), pause(200)],
		},
		{
			name: "menu-slash",
			want: ["user-typing"],
			keys: { ...typed, menu: "1" },
			play: [type("/"), pause(900)],
			leave: [...clear, ...dismiss],
		},
		{
			name: "menu-slash-word",
			want: ["user-typing"],
			keys: { ...typed, menu: "1" },
			play: [type("/sta"), pause(900)],
			leave: [...clear, ...dismiss],
		},
		{
			name: "menu-file",
			want: ["user-typing"],
			keys: { ...typed, menu: "1" },
			play: [type("look at @"), pause(1200)],
			leave: [...clear, ...dismiss],
		},
		{
			name: "no-menu-slash-inside",
			want: ["user-typing"],
			keys: typed,
			play: [type("and/or "), pause(500)],
			leave: clear,
		},
		{
			name: "exit-hint",
			want: IDLE,
			play: [press("C-c"), see(/again to exit/i)],
			leave: [pause(1500)],
		},
		{
			name: "escape-hint",
			want: ["user-typing"],
			play: [type("draft"), press("Escape"), pause(200)],
			leave: [pause(1500), ...clear],
		},
		{
			name: "stashed",
			want: IDLE,
			play: [type("put aside"), press("C-s"), pause(500)],
			leave: [press("C-s"), pause(300), ...clear],
		},
		{
			name: "shortcuts",
			want: IDLE,
			play: [type("?"), pause(500)],
			leave: [press("BSpace"), ...dismiss],
		},
		{
			name: "mode-cycled",
			want: IDLE,
			play: [press("BTab"), pause(500)],
			leave: [],
		},
		{
			name: "cleared",
			want: IDLE,
			play: command("/clear"),
		},
	],
};
