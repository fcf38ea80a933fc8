/** The list of what is handled (contract 02 §9): an entry that a crash tore off speaks of nothing, now and later. */
import { describe, expect, test } from "bun:test";
import { parseBlocks } from "../../monitor/_state/emit-blocks.ts";
import {
	addProcessed,
	isHandled,
	readProcessed,
	trimProcessedComments,
} from "../../monitor/_state/processed-comments.ts";
import { fakeDoors } from "../fakes/doors.ts";

const PATH = "/s/processed-comments.txt";

function listOf(text: string) {
	const { files } = fakeDoors();
	files.seedDir("/s");
	files.seed(PATH, text);
	return files;
}

test("blank lines, blanks around, `#` lines and repositories in any case are read as people write them", () => {
	const files = listOf("\n# by hand\n  comment:5 \nissue:Acme/App:7\nother\n");
	expect([...readProcessed(files, "/s")]).toEqual([
		"comment:5",
		"issue:acme/app:7",
		"other",
	]);
});

describe("handled is", () => {
	const HOME = (header: string) => `${header} author=op\n  body: x\n`;
	const AWAY = (kind: string, rest: string) =>
		`mention=Acme/App kind=${kind} n=7 ${rest} author=op\n  body: x\n`;
	test.each([
		["comment:5", HOME("issue=7 id=5"), true],
		["comment:5", HOME("issue=7 id=50"), false],
		["issue:7", HOME("issue_new=7 id=7"), true],
		["issue:7", HOME("issue=7 id=5"), false],
		["issue:7", HOME("pr=7 id=5"), false],
		["comment:5", AWAY("issue", "id=5"), true],
		["comment:acme/app:5", AWAY("pr", "id=5"), true],
		["comment:acme/other:5", AWAY("pr", "id=5"), false],
		["issue:acme/app:7", AWAY("issue_new", "id=7"), true],
		["issue:acme/app:7", AWAY("issue", "id=5"), false],
		["issue:7", AWAY("issue_new", "id=7"), false],
		["issue:acme/app:7", HOME("issue_new=7 id=7"), false],
	])("by %s: %j: %p", (entry, text, handled) => {
		const [block] = parseBlocks(text);
		if (block?.kind !== "comment") throw new Error("no comment");
		expect(isHandled(block, new Set([entry]))).toBe(handled);
	});
});

describe("a torn tail", () => {
	test("is no entry: `issue:1` of `issue:12` is another issue", () => {
		const files = listOf("comment:5\nissue:1");
		expect([...readProcessed(files, "/s")]).toEqual(["comment:5"]);
	});

	test("never becomes one", () => {
		const files = listOf("comment:5\nissue:1");
		addProcessed(files, "/s", ["issue:12"]);
		expect(files.text(PATH)).toBe("comment:5\n# torn: issue:1\nissue:12\n");
		expect([...readProcessed(files, "/s")]).toEqual(["comment:5", "issue:12"]);
	});

	test("is left to whoever writes next by a trim within the limit, and falls to one beyond it", () => {
		const files = listOf("comment:5\ncomment:6\nissue:1");
		trimProcessedComments(files, "/s", 2);
		expect(files.text(PATH)).toBe("comment:5\ncomment:6\nissue:1");
		trimProcessedComments(files, "/s", 1);
		expect(files.text(PATH)).toBe("comment:6\n");
	});
});

test("an entry is written once, whatever its case, and all of a call in one append", () => {
	const files = listOf("comment:5\n");
	addProcessed(files, "/s", ["comment:5"]);
	addProcessed(files, "/s", ["issue:acme/app:7", "comment:5", "rocket:5"]);
	addProcessed(files, "/s", ["issue:Acme/App:7"]);
	expect(files.text(PATH)).toBe("comment:5\nissue:acme/app:7\nrocket:5\n");
});

test("0 keeps all", () => {
	const files = listOf("a\nb\n");
	trimProcessedComments(files, "/s", 0);
	expect(files.text(PATH)).toBe("a\nb\n");
});
