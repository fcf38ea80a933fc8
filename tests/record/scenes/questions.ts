/** The question tool: one question, several, several answers, previews. */
import {
	type Act,
	IDLE,
	pause,
	press,
	rule,
	say,
	see,
	tool,
	type,
} from "../scene.ts";

const askuq = { overlay: "askuq" };

const option = (label: string) => ({ label, description: `${label} it is` });
const question = (header: string, multiSelect: boolean, labels: string[]) => ({
	question: `Which ${header.toLowerCase()} should we take for this project?`,
	header,
	multiSelect,
	options: labels.map(option),
});
const one = question("Database", false, ["SQLite", "PostgreSQL"]);
const two = question("Region", false, ["EU", "US", "APAC"]);
const many = question("Parts", true, ["A", "B", "C"]);
const withPreview = {
	...one,
	options: one.options.map((o) => ({
		...o,
		preview: `+--+\n|${o.label}|\n+--+`,
	})),
};

export const QUESTIONS: Act = {
	name: "questions",
	rules: [
		rule("ask one", tool("AskUserQuestion", { questions: [one] })),
		rule("ask two", tool("AskUserQuestion", { questions: [one, two] })),
		rule("ask many", tool("AskUserQuestion", { questions: [many] })),
		rule("ask shown", tool("AskUserQuestion", { questions: [withPreview] })),
	],
	scenes: [
		{
			name: "question",
			want: ["blocked"],
			keys: askuq,
			play: [say("ask one"), see(/Chat about this|Type something/), pause(400)],
		},
		{
			name: "question-second",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down"), pause(300)],
		},
		{
			name: "question-other-typed",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down"), pause(300), type("my own answer"), pause(300)],
		},
		{
			name: "question-chat",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down"), pause(300)],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "question-declined",
			want: IDLE,
			play: [see(/[Dd]eclined/), pause(600)],
		},
		{
			name: "question-two",
			want: ["blocked"],
			keys: askuq,
			play: [say("ask two"), see(/Chat about this|Type something/), pause(400)],
		},
		{
			name: "question-two-next",
			want: ["blocked"],
			keys: askuq,
			play: [press("Enter"), see(/APAC/), pause(400)],
		},
		{
			name: "question-two-review",
			want: ["blocked"],
			keys: askuq,
			play: [
				press("Enter"),
				see(/Submit answers|Ready to submit|Review/),
				pause(400),
			],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "question-many",
			want: ["blocked"],
			keys: askuq,
			play: [
				say("ask many"),
				see(/Chat about this|Type something/),
				pause(400),
			],
		},
		{
			name: "question-many-checked",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down", "Enter"), pause(400)],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "question-preview",
			want: ["blocked"],
			keys: askuq,
			play: [say("ask shown"), see(/SQLite/), pause(600)],
			leave: [press("Escape"), pause(900)],
		},
	],
};
