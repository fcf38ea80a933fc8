/** A change that is too long for one report: the rest of it is told by the next. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { sectionLines } from "../../monitor/_emit/sections.ts";
import { toldPart } from "../../monitor/_emit/told-part.ts";
import { fakeDiff } from "../fakes/diff.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { emitRig, ROOT, STATE } from "./emit-rig.ts";

const SINCE = "# snapshot-format=v2\n--- tmux ---\na bell=0\nb bell=0\n";
const NOW =
	"# snapshot-format=v2\n--- tmux ---\na bell=1\nc bell=0\nd bell=0\n";
const DIFF = `--- /s/old\t2026-05-11
+++ /s/new\t2026-05-11
@@ -1,4 +1,5 @@
 # snapshot-format=v2
 --- tmux ---
-a bell=0
-b bell=0
+a bell=1
+c bell=0
+d bell=0
`;
const HEAD = "# snapshot-format=v2\n--- tmux ---\n";

test.each([
	[10, "everything", NOW],
	[9, "all but one row", `${HEAD}a bell=1\nc bell=0\n`],
	[8, "one row more", `${HEAD}a bell=1\n`],
	[7, "what went, and nothing of what came", HEAD],
	[6, "one of what went", `${HEAD}b bell=0\n`],
	[5, "context alone, which is no change to wait for", NOW],
	[0, "nothing", NOW],
])("of %d lines its reader knows %s", (shown, _, told) => {
	expect(toldPart(SINCE, NOW, DIFF, shown)).toBe(told);
});

test("behind what was shown the older rows stand", () => {
	const many = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, i) => `r${from + i}.md\n`).join("");
	const since = many(10, 90);
	const diff =
		"--- o\t1\n+++ n\t1\n@@ -2,2 +2,2 @@\n r11.md\n-r12.md\n+x.md\n@@ -70,1 +70,1 @@\n-r79.md\n+y.md\n";
	expect(toldPart(since, "other\n", diff, 6)).toBe(
		since.replace("r12.md", "x.md"),
	);
});

const rows = fc
	.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 })
	.map((ns) =>
		["# snapshot-format=v2", ...ns.toSorted().map((n) => `r${n}.md`), ""].join(
			"\n",
		),
	);

test("report for report every row that came or went is told, once, and then there is nothing left", () => {
	fc.assert(
		fc.property(
			rows,
			rows,
			fc.integer({ min: 8, max: 30 }),
			(before, now, shown) => {
				const doors = fakeDoors();
				const told: string[] = [];
				let since = before;
				for (let reports = 0; since !== now; reports++) {
					expect(reports).toBeLessThan(130);
					doors.files.seed("/old", since);
					doors.files.seed("/new", now);
					const ran = fakeDiff(doors, "/old", "/new");
					const diff = ran.kind === "exited" ? ran.stdout : "";
					const lines = diff.trimEnd().split("\n").slice(0, shown);
					told.push(...lines.filter((line) => /^[+-]r/.test(line)));
					since = toldPart(since, now, diff, shown);
				}
				const of = (text: string) => text.split("\n").slice(1, -1);
				const came = of(now).filter((row) => !of(before).includes(row));
				const went = of(before).filter((row) => !of(now).includes(row));
				expect(told.toSorted()).toEqual(
					[...came.map((r) => `+${r}`), ...went.map((r) => `-${r}`)].toSorted(),
				);
			},
		),
		{ numRuns: 300 },
	);
});

const names = Array.from(
	{ length: 14 },
	(_, i) => `r${i + 10}_2026-05-11_1.md`,
);

test.each([
	["arrives", []],
	["fails first", [4]],
] as const)(
	"reports of new reports that are cut name all of them when the first %s",
	async (_, ends) => {
		const rig = emitRig({ config: { MONITOR_EMIT_SECTION_MAX_LINES: 12 } });
		await rig.seed();
		for (const name of names) rig.files.seed(`${ROOT}/reports/${name}`, "x");
		rig.ends.push(...ends);
		for (let i = 0; i < 5; i++) await rig.cycle();
		const told = rig.pasted.flatMap((body) =>
			sectionLines(body, "localDiff").filter((line) => /^\+r/.test(line)),
		);
		expect(told.toSorted()).toEqual(
			["+reports-total: 14", ...names.map((name) => `+${name}`)]
				.toSorted()
				.map((line) => expect.stringContaining(line)),
		);
		expect(rig.pasted.length).toBeGreaterThan(1);
		expect(rig.state("last-snapshot.txt")).toContain("r23_2026-05-11_1.md");
		expect(rig.files.has(`${STATE}/untold-baseline.txt`)).toBe(false);
	},
);
