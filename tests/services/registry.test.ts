import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
	parseRegistry,
	type RegistryResult,
	readRegistry,
	servicesRegistryPath,
} from "../../monitor/_state/services-registry.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { fakeDoors } from "../fakes/doors.ts";

const GROUND = {
	root: "/nexus",
	home: "/home/op",
	defaultPolicy: "auto-restart",
} as const;
const parse = (text: string) => parseRegistry(text, GROUND);

function rowsOf(result: RegistryResult) {
	if (result.kind !== "rows") throw new Error(result.kind);
	return result;
}
const one = (line: string) => rowsOf(parse(line)).rows[0];
const warned = (text: string) => rowsOf(parse(text)).warnings;

describe("a row", () => {
	test("has six columns, the last two with defaults", () => {
		expect(one("api\t/srv/api\t./api-supervised\tcurl -f x")).toEqual({
			name: "api",
			workdir: "/srv/api",
			launch: "./api-supervised",
			healthcheck: "curl -f x",
			logfile: "/srv/api/serve.log",
			policy: "auto-restart",
		});
	});

	for (const [rule, line, expected] of [
		[
			"an empty column between two tabs stays empty, or emit-only would become the log file",
			"a\t/w\tl\th\t\temit-only",
			{ logfile: "/w/serve.log", policy: "emit-only" },
		],
		[
			"a relative log lies below the workdir",
			"a\t/srv/x\tl\th\trel/a.log",
			{ logfile: "/srv/x/rel/a.log" },
		],
		[
			"a leading ~ is the home, $NEXUS_ROOT the root, wherever it stands",
			"a\t~/w\tl\th\t$NEXUS_ROOT/log/$NEXUS_ROOT_X",
			{ workdir: "/home/op/w", logfile: "/nexus/log/$NEXUS_ROOT_X" },
		],
		[
			"launch and check are verbatim, quotes, pipes and dollars alike",
			`a\t/w\tbash -c 'x | y' "$HOME" ~\tcurl "$URL" | grep ok`,
			{
				launch: `bash -c 'x | y' "$HOME" ~`,
				healthcheck: 'curl "$URL" | grep ok',
			},
		],
		[
			"one trailing CR is taken off",
			"a\t/w\tl\th\t\temit-only\r",
			{ policy: "emit-only" },
		],
		[
			"blanks around a policy do not count",
			"a\t/w\tl\th\t\t emit-only ",
			{ policy: "emit-only" },
		],
		[
			"columns beyond the sixth are ignored",
			"a\t/w\tl\th\tlog\temit-only\tmore\tand more",
			{ logfile: "/w/log", policy: "emit-only" },
		],
	] as const)
		test(rule, () => {
			expect(one(line)).toMatchObject(expected);
			expect(warned(line)).toEqual([]);
		});

	test("an unknown policy is the default, with one line that says so", () => {
		expect(one("a\t/w\tl\th\t\tbogus")?.policy).toBe("auto-restart");
		expect(warned("a\t/w\tl\th\t\tbogus")).toEqual([
			`line 1: 'a': unknown policy "bogus"; auto-restart it is`,
		]);
	});
});

describe("a bad row is skipped, its line is named, and the others stay", () => {
	for (const [what, bad, says] of [
		["three columns", "b\t/w\tl", "healthcheck is empty (3 of at least 4"],
		["blanks for tabs", "b /w l h", "workdir is empty (1 of at least 4"],
		["an empty launch", "b\t/w\t\th", "launch is empty"],
		["a slash in the name", "b/c\t/w\tl\th", "cannot be a name"],
		["dots in the name", "..\t/w\tl\th", "cannot be a name"],
		["a blank in the name", "b c\t/w\tl\th", "cannot be a name"],
		["a control character", "b\u001b[2J\t/w\tl\th", "cannot be a name"],
		["the watcher's name", "watcher\t/w\tl\th", "not a service's name"],
		["a name twice", "first\t/v\tl\th2", "the first row counts"],
	] as const)
		test(what, () => {
			const text = `first\t/w\tl\th1\n# a comment\n\n${bad}\nlast\t/w\tl\th3`;
			const { rows, warnings } = rowsOf(parse(text));
			expect(rows.map((r) => [r.name, r.workdir])).toEqual([
				["first", "/w"],
				["last", "/w"],
			]);
			expect(warnings).toHaveLength(1);
			expect(warnings[0]).toStartWith("line 4: ");
			expect(warnings[0]).toContain(says);
			expect(warnings[0]).not.toContain("\u001b");
		});
});

test("two services behind one healthcheck are kept and warned of: either's answer makes both look well", () => {
	const { rows, warnings } = rowsOf(
		parse("a\t/w\tl\tcurl :80\nb\t/w\tm\tcurl :80\n"),
	);
	expect(rows.map((r) => r.name)).toEqual(["a", "b"]);
	expect(warnings[0]).toContain("line 2: 'b' has the healthcheck of 'a'");
});

describe("the registry gives three answers", () => {
	test("no file: there are no services", () => {
		expect(readRegistry(fakeDoors().files, "/r", GROUND)).toEqual({
			kind: "absent",
		});
	});
	test("only comments: rows, none of them", () => {
		expect(parse("# nothing yet\n\n")).toEqual({
			kind: "rows",
			rows: [],
			warnings: [],
		});
	});
	test("zero bytes, NULs, a folder in its place: not readable, never an empty list", () => {
		const { files } = fakeDoors();
		expect(parse("").kind).toBe("unreadable");
		expect(parse("a\t/w\tl\t\0").kind).toBe("unreadable");
		files.seedDir("/r");
		expect(readRegistry(files, "/r", GROUND).kind).toBe("unreadable");
	});
});

test("whatever stands in it, parsing never throws, and no name escapes its folder", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), fc.string(), (a, b) => {
			const result = parse(`${a}\t/w\tl\th\n${b}`);
			if (result.kind !== "rows") return;
			for (const { name } of result.rows) {
				expect(name).not.toMatch(/[/\s]|\.\./);
				expect(name).not.toBe("");
			}
		}),
	);
});

test("the example's rows, their mark of comment taken off, are whole", () => {
	const example = readFileSync(
		join(CODE_ROOT, "monitor/services.registry.example"),
		"utf8",
	);
	const rows = example.split("\n").filter((l) => l.includes("\t"));
	const text = rows.map((l) => l.replace(/^#/, "")).join("\n");
	expect(rowsOf(parse(example))).toMatchObject({ rows: [], warnings: [] });
	expect(rowsOf(parse(text))).toMatchObject({
		rows: [{ policy: "auto-restart" }, { policy: "emit-only" }],
		warnings: [],
	});
});

test("its place is the environment's, else below the root", () => {
	expect(servicesRegistryPath({}, "/nexus")).toBe(
		"/nexus/monitor/services.registry",
	);
	expect(servicesRegistryPath({ NEXUS_SERVICES_REGISTRY: "/r" }, "/x")).toBe(
		"/r",
	);
});
