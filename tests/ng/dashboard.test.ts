/** The dashboard (contract 05 §10). */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sizeWarning } from "../../monitor/_github/issue-body.ts";
import { checkHeadings } from "../../monitor/_ng/dashboard/headings.ts";
import {
	END,
	findMarkers,
	middleOf,
	START,
	splice,
} from "../../monitor/_ng/dashboard/region.ts";
import { scaffold } from "../../monitor/_ng/dashboard/sections.ts";
import { oversize, sectionSizes } from "../../monitor/_ng/dashboard/size.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { type HubRig, hubRig, S } from "./hub-rig.ts";

const open: HubRig[] = [];
const around = (middle: string) => `pre\n${START}\n${middle}${END}\npost`;

/** Issue 1 is the overview; its text is `body`. */
function rigOf(body: string, opts: Parameters<typeof hubRig>[0] = {}) {
	const rig = hubRig(opts);
	open.push(rig);
	const issue = rig.standIn.acts.openIssue(REPO, {
		user: OPERATOR,
		title: "O",
		body,
		labels: ["nexus:overview"],
	});
	return {
		...rig,
		issue,
		patches: () => rig.writes().filter((l) => l.startsWith("PATCH")),
	};
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});

describe("put", () => {
	for (const [name, given] of [
		["with", "new\n"],
		["without", "new"],
	] as const)
		test(`replaces the middle alone, ${name} a final line end`, async () => {
			const rig = rigOf(around("old\n"));
			const ran = await rig.ngWith(given, "dashboard", "put");
			expect(ran.rc).toBe(0);
			expect(ran.out).toEndWith("/acme/hub/issues/1");
			expect(rig.issue.body).toBe(around("new\n"));
			expect(rig.state("dashboard.md")).toBe("new\n");
			expect(rig.state("dashboard-updated.ts")).toMatch(
				/^\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d\n$/,
			);
		});

	test("warns of missing sections, unless they stand elsewhere in the text, and writes", async () => {
		const rig = rigOf(`## Services\n${around("old\n")}\n## Nexus Identity\n`);
		const ran = await rig.ngWith("## Infra\n- x\n", "dashboard", "put");
		expect(ran.rc).toBe(0);
		for (const heading of [
			"## In-flight",
			"## Awaiting operator",
			"## Recent landings",
		])
			expect(ran.err).toContain(`WARNING: missing section: ${heading}`);
		expect(ran.err).not.toMatch(
			/missing section: ## (?:Services|Identity|Infra)/,
		);
		expect(rig.patches()).toHaveLength(1);
	});

	test("of a text that is too long warns with a remedy, and writes it whole", async () => {
		const rig = rigOf(around("old\n"));
		const text = `## In-flight\n${"- window\n".repeat(30)}`;
		const ran = await rig.ngWith(text, "dashboard", "put");
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("## In-flight has 30 entries (budget 24)");
		expect(ran.err).toContain("tmux list-windows");
		expect(rig.issue.body).toContain(text);
	});

	test("that changes nothing writes nothing, and buys no freshness", async () => {
		const rig = rigOf(around("same\n"));
		const ran = await rig.ngWith("same", "dashboard", "put");
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("UNCHANGED");
		expect(rig.patches()).toEqual([]);
		expect(rig.state("dashboard.md")).toBe("same\n");
		expect(rig.state("dashboard-updated.ts")).toBe("");
	});

	const bodies: readonly (readonly [string, string, string])[] = [
		[
			"END missing",
			`pre\n${START}\nold\n`,
			"dashboard markers missing (START: 1, END: 0); nothing was sent",
		],
		[
			"two pairs",
			`${around("a\n")}\n${around("b\n")}`,
			"dashboard markers not unique: START 2 (line 2, 7), END 2 (line 4, 9); repair the issue's text by hand; nothing was sent",
		],
		[
			"in the wrong order",
			`${END}\nx\n${START}\n`,
			"dashboard markers are in the wrong order: START in line 3, END in line 1; repair the issue's text by hand; nothing was sent",
		],
		["an empty text", "", "has an empty text; nothing was sent"],
	];
	for (const [name, body, says] of bodies)
		test(`refuses a live text with ${name}`, async () => {
			const rig = rigOf(body);
			const ran = await rig.ngWith("new", "dashboard", "put");
			expect(ran).toMatchObject({ rc: 1, out: "" });
			expect(ran.err).toContain(says);
			expect(rig.patches()).toEqual([]);
		});

	for (const [answer, rc, says] of [
		[{}, 1, "the PATCH was not taken"],
		[{ html_url: "u" }, 4, "unverified: GitHub did not say what it stored"],
		[{ html_url: "u", body: "x" }, 1, "is not what was to be sent"],
	] as const)
		test(`a write that is answered by ${JSON.stringify(answer)}: exit ${rc}`, async () => {
			const rig = rigOf(around("old\n"));
			rig.standIn.faults.add({
				on: /^PATCH /,
				fault: { kind: "answer", status: 200, body: answer },
			});
			const ran = await rig.ngWith("new", "dashboard", "put");
			expect([ran.rc, ran.out]).toEqual([rc, ""]);
			expect(ran.err).toContain(says);
			expect(rig.state("dashboard-updated.ts")).toBe("");
		});

	test("from nine tenths of what GitHub stores on it warns", async () => {
		const rig = rigOf(`${"x".repeat(235_930)}\n${around("old\n")}`);
		const ran = await rig.ngWith("new", "dashboard", "put");
		expect(ran.rc).toBe(0);
		expect(ran.err).toMatch(
			/WARNING: the issue's text has \d+ of 262144 bytes/,
		);
		expect(sizeWarning("x".repeat(235_929))).toBeNull();
	});

	test("of a section twice warns, and writes", async () => {
		const rig = rigOf(around("old\n"));
		const ran = await rig.ngWith("## A\n## A\n", "dashboard", "put");
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain(
			"WARNING: duplicate section: ## A stands 2 times",
		);
	});

	test("refuses a text with a marker in it, and an empty one, before any request", async () => {
		const rig = rigOf(around("old\n"));
		expect((await rig.ngWith(around("x\n"), "dashboard", "put")).rc).toBe(1);
		expect((await rig.ngWith("", "dashboard", "put")).rc).toBe(1);
		expect(rig.asked()).toEqual([]);
	});

	test("a fetch that fails says that nothing was sent", async () => {
		const rig = rigOf(around("old\n"));
		rig.standIn.faults.add({
			on: /^GET .*issues\/1$/,
			fault: { kind: "server" },
		});
		const ran = await rig.ngWith("new", "dashboard", "put");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("nothing was sent");
	});

	test("a write that did not land is no success: no copy, no stamp", async () => {
		const rig = rigOf(around("old\n"));
		rig.standIn.faults.add({
			on: /^PATCH /,
			fault: {
				kind: "answer",
				status: 200,
				body: { html_url: "u", body: around("new\n") },
			},
		});
		const ran = await rig.ngWith("new", "dashboard", "put");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("THE WRITE DID NOT LAND");
		expect(rig.state("dashboard.md") + rig.state("dashboard-updated.ts")).toBe(
			"",
		);
	});

	test("a text that GitHub would drop in silence is refused with the excess", async () => {
		const rig = rigOf(`${"x".repeat(262_100)}\n${around("old\n")}`);
		const ran = await rig.ngWith("new text that is longer", "dashboard", "put");
		expect(ran.rc).toBe(1);
		expect(ran.err).toMatch(/\d+ bytes too many/);
		expect(rig.patches()).toEqual([]);
	});

	test("a write that nobody can read again is unverified: exit 4", async () => {
		const rig = rigOf(around("old\n"));
		rig.standIn.faults.add({
			on: /^GET .*issues\/1$/,
			fault: { kind: "server" },
			after: 1,
		});
		const ran = await rig.ngWith("new", "dashboard", "put");
		expect(ran.rc).toBe(4);
		expect(rig.state("dashboard-updated.ts")).toBe("");
	});

	test("always goes to the home repository, wherever it is called from", async () => {
		const rig = rigOf(around("old\n"));
		rig.cloneOf("https://github.com/acme/code.git");
		expect((await rig.ngWith("new", "dashboard", "put")).rc).toBe(0);
	});
});

describe("get", () => {
	test("prints and keeps the middle; what is too large is said on stderr", async () => {
		const rig = rigOf(around(`## In-flight\n${"- w\n".repeat(25)}`));
		const ran = await rig.ng("dashboard", "get");
		expect(ran.rc).toBe(0);
		expect(ran.out).toBe(`## In-flight\n${"- w\n".repeat(25)}`.trimEnd());
		expect(ran.err).toContain("25 entries");
		for (const words of [
			"reconcile In-flight with tmux list-windows",
			"ng report-init",
			"an Awaiting item is shortened, never dropped",
			"archive first: ng dashboard get, and ng upload",
			"DASH_MAX_ constants",
		])
			expect(ran.err).toContain(words);
		expect(`${ran.out}\n`).toBe(rig.state("dashboard.md"));
	});

	test("--stat prints sizes, and marks what is over", async () => {
		const rig = rigOf(around(`## A\n- x\n## In-flight\n${"- w\n".repeat(25)}`));
		const { out } = await rig.ng("dashboard", "get", "--stat");
		expect(out).toStartWith(
			"dashboard #1: 122 bytes, 28 lines, 2 sections (budget 12000 bytes)\n\n",
		);
		expect(out).toMatch(/\n {8}9 +2 +1 +4 {2}## A\n!/);
		expect(out).toEndWith(`cache: ${S}/dashboard.md`);
	});

	test("a fetch that fails is no verdict about the dashboard", async () => {
		const rig = rigOf(around("x\n"));
		rig.standIn.faults.add({
			on: /^GET .*issues\/1$/,
			fault: { kind: "server" },
		});
		expect((await rig.ng("dashboard", "get")).err).toContain(
			"says nothing about the dashboard",
		);
	});
});

describe("validate", () => {
	const good = scaffold();
	test("the scaffold passes", async () => {
		const rig = rigOf(around("x\n"));
		const { out } = await rig.ng("dashboard", "scaffold");
		const ran = await rig.ngWith(
			out,
			"dashboard",
			"validate",
			"--body-file",
			"-",
		);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain(
			"all 6 required sections present, each exactly once",
		);
		expect(ran.err).toMatch(/^size: \d+ bytes/);
		expect((await rig.ng("dashboard", "scaffold", "x")).rc).toBe(1);
	});

	test("without a file it is about the live one, and keeps no copy", async () => {
		const rig = rigOf(around(good));
		expect((await rig.ng("dashboard", "validate")).rc).toBe(0);
		expect(rig.state("dashboard.md")).toBe("");
	});

	test.each([
		[
			"30 items",
			good.replace("_one line a live window_", "- w\n".repeat(30)),
			1,
			"## In-flight has 30 entries (budget 24)",
		],
		[
			"30 rows",
			good.replace(
				"_one line a live window_",
				`| h |\n|---|\n${"| a |\n".repeat(30)}`,
			),
			1,
			"## In-flight has 31 entries (budget 24)",
		],
		[
			"one item with a long tail",
			good.replace("_one line a live window_", `- w\n${"t".repeat(900)}`),
			0,
			"",
		],
		[
			"one item that is too long",
			good.replace("_one line a live window_", `- w\n${"t".repeat(1600)}`),
			1,
			"has a single entry of",
		],
		[
			"a section twice",
			`${good}\n## In-flight\n${"- w\n".repeat(20)}`,
			1,
			"## In-flight stands 2 times",
		],
		[
			"a foreign section twice",
			`${good}\n## Mine\n\n## Mine\n`,
			1,
			"## Mine stands 2 times",
		],
		[
			"a missing one",
			good.replace("## Infra", "## Infrastructure"),
			1,
			"NOTE: only the region was seen",
		],
		[
			"a near miss",
			good.replace("## Infra", "## 🔧 infra — hosts"),
			1,
			"## Infra (near miss in line 5: ## 🔧 infra — hosts)",
		],
		[
			"only in a code block",
			good.replace("## Infra", "```\n## Infra\n```"),
			1,
			"missing section: ## Infra",
		],
		[
			"whole text, the section outside",
			`## Infra\n${around(good.replace("## Infra", "## Else"))}`,
			0,
			"",
		],
		[
			"whole text with two pairs",
			`${around(good)}${around(good)}`,
			1,
			"not unique",
		],
	])("%s", async (_, text, rc, says) => {
		const rig = rigOf(around("x\n"));
		const ran = await rig.ngWith(
			text,
			"dashboard",
			"validate",
			"--body-file",
			"-",
		);
		expect([ran.rc, ran.err]).toEqual([rc, expect.stringContaining(says)]);
	});

	test("sections that read alike are a note, and no unqualified OK", async () => {
		const rig = rigOf(around("x\n"));
		const ran = await rig.ngWith(
			`${good}\n## ✅ Services: more\n`,
			"dashboard",
			"validate",
			"--body-file",
			"-",
		);
		expect(ran.rc).toBe(0);
		expect(ran.out).not.toContain("OK");
		expect(ran.err).toContain("read alike: ## Services / ## ✅ Services: more");
	});

	test("the generated identity block above and the pointer below are no duplicate", () => {
		expect(
			checkHeadings(good, `## Nexus Identity\n${around(good)}`).duplicate,
		).toEqual([]);
	});
});

describe("the overview's number", () => {
	const lookups = (rig: HubRig) =>
		rig.asked().filter((l) => l.includes("labels=")).length;

	test("is found by the label, with patience, and kept", async () => {
		const rig = rigOf(around("x\n"));
		rig.standIn.faults.add({
			on: /labels=/,
			fault: { kind: "answer", status: 200, body: [] },
			times: 2,
		});
		expect((await rig.ng("dashboard", "get")).rc).toBe(0);
		expect(lookups(rig)).toBe(3);
		expect(rig.state("overview-number")).toBe("1");
		await rig.ng("dashboard", "get");
		expect(lookups(rig)).toBe(3);
	});

	test("a pinned one wins over a kept one, without a look-up", async () => {
		const rig = rigOf(around("x\n"), { over: { overview_issue_number: "99" } });
		rig.doors.files.seed(`${S}/overview-number`, "111");
		await rig.ng("dashboard", "get");
		expect(rig.asked()).toEqual([`GET /repos/${REPO}/issues/99`]);
	});

	test("what is kept and no number is set aside, and looked up anew", async () => {
		const rig = rigOf(around("x\n"));
		rig.doors.files.seed(`${S}/overview-number`, "oops");
		expect((await rig.ng("dashboard", "get")).rc).toBe(0);
		expect(
			rig.doors.files
				.paths(S)
				.some((p) => p.includes("overview-number.damaged.")),
		).toBe(true);
	});

	test("none: the verb ends, naming the attempts and the key", async () => {
		const rig = rigOf(around("x\n"));
		rig.issue.labels = [];
		const ran = await rig.ng("dashboard", "get");
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toMatch(/3 attempts.*github\.overview_issue_number/);
	});
});

describe("sizes", () => {
	test.each([
		["## A\n- one\n  cont\n- two\n\ntext\n", ["## A 30 6 2 13"]],
		[
			"## B\n| h | v |\n|---|:-:|\n| a | b |\n1. x\n2) y\n* z\n+ w\n  - nested\n",
			["## B 64 9 6 20"],
		],
		["## A ✅\n- ✅ ok\n", ["## A ✅ 18 2 1 9"]],
		["## A\n### sub\n- a\n##B\n- b\n", ["## A 25 5 2 8"]],
		["intro\n## A\n", ["(preamble) 6 1 0 0", "## A 5 1 0 0"]],
		["", []],
	])("of %j", (middle, rows) => {
		expect(
			sectionSizes(middle).map(
				(s) =>
					`${s.heading} ${s.bytes} ${s.lines} ${s.entries} ${s.largestEntry}`,
			),
		).toEqual(rows);
	});
	test("each limit has its line", () => {
		expect(oversize(`## A\n${"x".repeat(12_000)}\n`)).toEqual([
			"whole dashboard is 12006 bytes (budget 12000)",
			"## A is 12006 bytes (budget 4000)",
		]);
	});
});

test("the text around the region survives byte for byte", () => {
	const text = fc.string({
		unit: fc.constantFrom("a", "\n", "\r\n", "é", "<!--", " "),
	});
	fc.assert(
		fc.property(text, text, text, text, (before, old, fresh, after) => {
			const body = `${before}\n${START}\n${old}\n${END}${after}`;
			const markers = findMarkers(body);
			if (markers.kind !== "ok") throw new Error(markers.message);
			const made = splice(body, markers, `${fresh}\n`);
			expect(made).toBe(`${before}\n${START}\n${fresh}\n${END}${after}`);
			const again = findMarkers(made);
			expect(again.kind === "ok" && middleOf(made, again)).toBe(`${fresh}\n`);
		}),
	);
});

for (const argv of [["dashboard"], ["dashboard", "nope"]])
	test(`ng ${argv.join(" ")} is a usage error`, async () => {
		const ran = await rigOf(around("x\n")).ng(...argv);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("usage: ng dashboard");
	});
