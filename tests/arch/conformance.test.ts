/** The fake doors may stand for the real ones because both pass one suite; a method that no suite tries is a guess. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

const read = (path: string) => readFileSync(join(CODE_ROOT, path), "utf8");

/** Each door, where its type stands, and the suite that the real one and the fake pass. */
const DOORS = [
	["Clock", "monitor/_sys/doors.ts", "tests/sys/clock.conformance.test.ts"],
	["Locks", "monitor/_sys/doors.ts", "tests/sys/lock.conformance.test.ts"],
	["Net", "monitor/_sys/doors.ts", "tests/sys/net.conformance.test.ts"],
	["Random", "monitor/_sys/doors.ts", "tests/sys/random.conformance.test.ts"],
	[
		"EverydayFiles",
		"monitor/_sys/doors-files.ts",
		"tests/sys/files.conformance.test.ts",
	],
	[
		"Files",
		"monitor/_sys/doors-files.ts",
		"tests/sys/files.conformance.test.ts",
	],
	["Proc", "monitor/_sys/doors-proc.ts", "tests/sys/proc.conformance.test.ts"],
	["Tmux", "monitor/_sys/doors-tmux.ts", "tests/tmux/tmux.conformance.test.ts"],
] as const;
/** Nothing comes back through it. */
const SILENT = ["Log"];

const bodyOf = (path: string, door: string): string =>
	new RegExp(
		`^export interface ${door}(?: extends \\w+)? \\{\n([\\s\\S]*?)^\\}`,
		"m",
	).exec(read(path))?.[1] ?? "";
const methodsOf = (body: string): readonly string[] =>
	[...body.matchAll(/^\t(\w+)\(/gm)].map(([, name = ""]) => name);

test.each(DOORS)("each method of %s is in its suite", (door, path, suite) => {
	const methods = methodsOf(bodyOf(path, door));
	const tried = read(suite);
	expect(methods).not.toEqual([]);
	expect(methods.filter((m) => !tried.includes(`.${m}(`))).toEqual([]);
});

test("each command of tmux is in its suite", () => {
	const type = /export type TmuxCommand =([\s\S]*?);\n\n/.exec(
		read("monitor/_sys/doors-tmux.ts"),
	)?.[1];
	const kinds = [...(type ?? "").matchAll(/kind: "([\w-]+)"/g)].map(
		(m) => m[1],
	);
	const tried = read("tests/tmux/tmux.conformance.test.ts");
	expect(kinds.length).toBeGreaterThan(10);
	expect(kinds.filter((kind) => !tried.includes(`"${kind}"`))).toEqual([]);
});

test("every door has one", () => {
	const body = bodyOf("monitor/_sys/doors.ts", "Doors");
	const doors = [...body.matchAll(/: (\w+);/g)].map(([, type]) => type ?? "");
	const known: readonly string[] = [...DOORS.map(([door]) => door), ...SILENT];
	expect(doors).toContain("Tmux");
	expect(doors.filter((door) => !known.includes(door))).toEqual([]);
});
