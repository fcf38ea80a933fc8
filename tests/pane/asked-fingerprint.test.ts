import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dialogView } from "../../monitor/_pane/dialog.ts";
import { readScreen, rowTexts } from "../../monitor/_pane/facts.ts";

/** What a screen of the real program asks. */
function asked(version: string, name: string) {
	const dir = `${import.meta.dir}/../fixtures/claude-code/${version}`;
	const facts = readScreen(readFileSync(`${dir}/${name}.ansi`, "utf8"));
	if (facts === null) throw new Error(`${name} is no screen`);
	const dialog = dialogView(rowTexts(facts), facts.overlay?.kind ?? null);
	return dialog?.kind === "question" ? dialog.asked : dialog?.kind;
}

const VERSIONS = ["2.1.119-100x30", "2.1.332-60x16"];

test.each(VERSIONS)(
	"in %s a question stays itself while the cursor moves and boxes are ticked, and the next one is another",
	(version) => {
		const one = asked(version, "question");
		expect(one).toMatch(/^[0-9a-f]{12}$/);
		expect(asked(version, "question-second")).toEqual(one);
		const many = asked(version, "question-many");
		expect(many).toMatch(/^[0-9a-f]{12}$/);
		expect(asked(version, "question-many-checked")).toEqual(many);
		const two = asked(version, "question-two");
		expect(asked(version, "question-two-next")).not.toEqual(two);
		expect(many).not.toEqual(one);
	},
);
