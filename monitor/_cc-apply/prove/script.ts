/** What the model says while a candidate is proven. Values only. */
import type { ModelScript } from "../../_nexus/demo/model/script.ts";

/** A turn that goes on until this gate is opened. */
export const GATE = "proof-turn";

export const HELLO = "proof step: hello";
export const WORK = "proof step: work on";
export const ASK = "proof step: ask me";

export const PROOF_SCRIPT: ModelScript = {
	rules: [
		{ when: HELLO, replies: [{ kind: "text", text: "Hello." }] },
		{ when: WORK, replies: [{ kind: "gate", gate: GATE, text: "Done." }] },
		{
			when: ASK,
			replies: [
				{
					kind: "tool",
					name: "AskUserQuestion",
					input: {
						questions: [
							{
								question: "Which way?",
								header: "Way",
								multiSelect: false,
								options: [
									{ label: "Left", description: "The left one" },
									{ label: "Right", description: "The right one" },
								],
							},
						],
					},
				},
			],
		},
	],
	otherwise: "Noted.",
};

/** A report of several lines with tabs and letters beyond ASCII, signed as the watcher signs. */
export function proofReport(step: string, iso: string, nonce: string): string {
	return [
		`${step} (${nonce})`,
		"a line\twith a tab, an umlaut ü and a check ✓",
		"- one",
		"- two",
		`--- nexus-emit-sig ${iso} ${nonce} ---`,
	].join("\n");
}
