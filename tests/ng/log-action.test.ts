import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderEvent } from "../../monitor/_state/action-log-append.ts";
import { ngRig, S } from "./rig.ts";

const LOG = `${S}/action-log.jsonl`;

/** The line of one call, without its time. */
async function line(...argv: string[]): Promise<string> {
	const rig = ngRig();
	const ran = await rig.ng("log-action", ...argv);
	expect(ran).toMatchObject({ rc: 0, out: "" });
	const text = rig.doors.files.text(LOG);
	expect(text).toStartWith(`{"ts":"${rig.doors.clock.iso()}",`);
	expect(text).toEndWith("}\n");
	return text.replace(/^\{"ts":"[^"]+",/, "{").trimEnd();
}

describe("an event is one compact line", () => {
	test.each([
		["a=x=y", '{"agent":"v","event":"q","a":"x=y"}'],
		["issue=42", '{"agent":"v","event":"q","issue":"42"}'],
		["=orphan", '{"agent":"v","event":"q"}'],
		["empty=", '{"agent":"v","event":"q","empty":""}'],
		["7=first", '{"agent":"v","event":"q","7":"first"}'],
		["note=x", '{"agent":"v","event":"q"}'],
		["ts=1970", '{"agent":"v","event":"q"}'],
		["__proto__=x", '{"agent":"v","event":"q","__proto__":"x"}'],
		['a=\n"é"', '{"agent":"v","event":"q","a":"\\n\\"é\\""}'],
	])("--extra %j", async (extra, expected) => {
		expect(await line("v", "--event", "q", "--extra", extra)).toBe(expected);
	});

	test("with its note before its extras, which keep their order; of a key that comes again the last value counts", async () => {
		const args = ["--extra", "b=1", "--extra", "a=2", "--extra", "b=3"];
		expect(await line("v", "--event", "q", ...args, "--note", "-h")).toBe(
			'{"agent":"v","event":"q","note":"-h","b":"3","a":"2"}',
		);
	});

	test("without a note where the note is empty", async () => {
		expect(await line("v", "--event", "q", "--note", "")).toBe(
			'{"agent":"v","event":"q"}',
		);
	});

	test("of strings, whatever is given", () => {
		const extras = fc.array(fc.tuple(fc.string(), fc.string()));
		fc.assert(
			fc.property(extras, fc.string(), (pairs, note) => {
				const text = renderEvent("T", {
					agent: "a",
					event: "e",
					note,
					extras: pairs,
				});
				expect(text).not.toContain("\n");
				const values = Object.values(JSON.parse(text));
				expect(values.every((value) => typeof value === "string")).toBe(true);
			}),
		);
	});
});

test("calls append, in order; a torn line costs only itself", async () => {
	const rig = ngRig();
	rig.doors.files.seed(LOG, '{"a":1}\n{"event":"sp');
	for (const name of ["one", "two"])
		await rig.ng("log-action", "v", "--event", name);
	const lines = rig.doors.files.text(LOG).split("\n");
	expect(lines.slice(0, 2)).toEqual(['{"a":1}', '{"event":"sp']);
	expect(lines.slice(2, 4).map((l) => JSON.parse(l).event)).toEqual([
		"one",
		"two",
	]);
});

test("an extra that would hide the event's own fields is skipped with a warning", async () => {
	const rig = ngRig();
	const args = ["v", "--event", "q", "--extra", "agent=x"];
	expect((await rig.ng("log-action", ...args)).err).toContain("--extra agent");
});

test.each([
	[["v"], 1],
	[["--event", "q"], 1],
	[["v", "w", "--event", "q"], 1],
	[["v", "--event"], 64],
	[["v", "--event", ""], 64],
	[["v", "--event", "q", "--note"], 64],
	[["v", "--event", "q", "--extra", "k"], 1],
	[["v", "--event", "q", "--extra"], 64],
	[["v", "--event", "q", "--bogus"], 1],
])("%j: exit %i, and the file is untouched", async (argv, rc) => {
	const rig = ngRig();
	const ran = await rig.ng("log-action", ...argv);
	expect(ran.rc).toBe(rc);
	expect(ran.err).not.toBe("");
	expect(rig.doors.files.has(LOG)).toBe(false);
});

test("without the environment the configuration says where; one that cannot be used refuses", async () => {
	const named = ngRig({ NEXUS_ROOT: undefined });
	named.doors.files.seed(
		"/code/config/nexus.yml",
		"nexus:\n  root: /other\ngithub:\n  repo: a/b\n  user_login: c\n",
	);
	expect((await named.ng("log-action", "v", "--event", "q")).rc).toBe(0);
	expect(named.doors.files.has("/other/monitor/.state/action-log.jsonl")).toBe(
		true,
	);
	const torn = ngRig({ NEXUS_ROOT: undefined });
	torn.doors.files.seed("/code/config/nexus.yml", "nexus: [\n");
	expect((await torn.ng("log-action", "v", "--event", "q")).rc).toBe(1);
	expect(torn.doors.files.paths("/").filter((p) => /jsonl/.test(p))).toEqual(
		[],
	);
});

test("a disk that is full is told of", async () => {
	const rig = ngRig();
	rig.doors.files.faults.freeBytes = 0;
	const ran = await rig.ng("log-action", "v", "--event", "q");
	expect(ran.rc).toBe(1);
	expect(ran.err).toContain("could not be written");
});
