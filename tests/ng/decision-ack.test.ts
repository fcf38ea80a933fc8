/** Acknowledging questions (contract 05 §13.1). */
import { describe, expect, test } from "bun:test";
import { ngRig, S } from "./rig.ts";

const FP = "0123456789ab";
const OTHER = "ba9876543210";
const live = (window: string, fp: string) =>
	`${S}/decisions/${window}.${fp}.json`;
const handled = (window: string, fp: string) =>
	`${S}/decisions/${window}.${fp}.handled.json`;

function rigWith(...paths: string[]) {
	const rig = ngRig();
	for (const path of paths) rig.doors.files.seed(path, "{}\n");
	const events = () =>
		rig.doors.files.has(`${S}/action-log.jsonl`)
			? rig.doors.files
					.text(`${S}/action-log.jsonl`)
					.trim()
					.split("\n")
					.map((line) => JSON.parse(line))
			: [];
	return { ...rig, events, has: rig.doors.files.has };
}

describe("decision-ack", () => {
	test("turns the record into its tombstone and says so", async () => {
		const rig = rigWith(live("w", FP));
		const ran = await rig.ng("decision-ack", "w", FP);
		expect(ran).toEqual({
			rc: 0,
			out: `decision-ack: ${live("w", FP)} → ${handled("w", FP)}\ndecision-ack: 1 acked for w`,
			err: "",
		});
		expect(rig.has(live("w", FP))).toBe(false);
		expect(rig.has(handled("w", FP))).toBe(true);
		expect(rig.events()).toMatchObject([
			{
				event: "decision-ack",
				window: "w",
				count: "1",
				fp: FP,
				reason: "acked",
			},
		]);
	});

	test("only the tombstone: done before, no event", async () => {
		const rig = rigWith(handled("w", FP));
		const ran = await rig.ng("decision-ack", "w", FP);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("already acked (tombstone present)");
		expect(rig.events()).toEqual([]);
	});

	test("neither", async () => {
		const ran = await rigWith().ng("decision-ack", "w", FP);
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).toContain(`no decision ${FP} of w`);
	});

	test.each([[[]], [["w"]], [["w", FP, "x"]], [["", "--all"]]])(
		"%j is no call: exit 1",
		async (args) => {
			const rig = rigWith(live("w", FP));
			expect(await rig.ng("decision-ack", ...args)).toMatchObject({
				rc: 1,
				out: "",
			});
			expect(rig.has(live("w", FP))).toBe(true);
		},
	);

	test("--all where the folder cannot be read is not nothing to do", async () => {
		const rig = rigWith();
		rig.doors.files.seedDir(`${S}/decisions`);
		rig.doors.files.faults.fail({
			path: `${S}/decisions`,
			ops: ["list"],
			code: "EIO",
		});
		const ran = await rig.ng("decision-ack", "w", "--all");
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).toContain("could not look for w");
	});

	test("an event that cannot be logged is told; the ack holds", async () => {
		const rig = rigWith(live("w", FP));
		rig.doors.files.faults.fail({ path: /action-log/, code: "ENOSPC" });
		const ran = await rig.ng("decision-ack", "w", FP);
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("the action log could not be written");
		expect(rig.has(handled("w", FP))).toBe(true);
	});

	test("a fingerprint of another shape: it says where to copy it from", async () => {
		const ran = await rigWith(live("w", FP)).ng("decision-ack", "w", "XYZ");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("copy fp= from the row");
	});

	test("the path of the row", async () => {
		const rig = rigWith(live("a.b", FP));
		expect((await rig.ng("decision-ack", live("a.b", FP))).rc).toBe(0);
		expect(rig.has(handled("a.b", FP))).toBe(true);
		const again = await rig.ng("decision-ack", handled("a.b", FP));
		expect(again.out).toContain("already acked");
	});

	for (const path of [
		"/elsewhere/w.0123456789ab.json",
		`${S}/decisions/w.json`,
		`${S}/decisions/../watcher.${FP}.json`,
	])
		test(`a path of another shape or folder is refused: ${path}`, async () => {
			const rig = rigWith(live("w", FP), path);
			expect((await rig.ng("decision-ack", path)).rc).toBe(1);
			expect(rig.has(path)).toBe(true);
		});

	test.each([
		[[], "needs a window"],
		[["w"], "needs a fingerprint, or --all"],
		[["w", "--all", FP], "--all takes no fingerprint"],
		[["w", "0123"], "not a fingerprint"],
	])("%j acks nothing and says what it wants", async (words, wants) => {
		const rig = rigWith(live("w", FP));
		const ran = await rig.ng("decision-ack", ...words);
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).toContain(wants);
		expect(rig.has(live("w", FP))).toBe(true);
	});

	test("acked is acked when the action log cannot be written", async () => {
		const rig = rigWith(live("w", FP));
		rig.doors.files.seedDir(`${S}/action-log.jsonl`);
		const ran = await rig.ng("decision-ack", "w", FP);
		expect([ran.rc, rig.has(handled("w", FP))]).toEqual([0, true]);
		expect(ran.err).toContain("the action log could not be written");
	});

	test("a window's name cannot lead out of the folder", async () => {
		const rig = rigWith(live("w", FP), `${S}/x.${FP}.json`);
		expect((await rig.ng("decision-ack", "../x", FP)).rc).toBe(1);
		expect(rig.has(`${S}/x.${FP}.json`)).toBe(true);
	});

	test("--all takes every one of that window, and none of a.b for a", async () => {
		const rig = rigWith(live("a", FP), live("a", OTHER), live("a.b", FP));
		const ran = await rig.ng(
			"decision-ack",
			"a",
			"--all",
			"--reason",
			"cleared",
		);
		expect(ran.rc).toBe(0);
		expect(rig.has(live("a.b", FP))).toBe(true);
		expect(rig.events()).toMatchObject([{ count: "2", reason: "cleared" }]);
		expect(rig.events()[0]).not.toHaveProperty("fp");
	});

	test("--all with nothing there is no failure; with a fingerprint it is", async () => {
		const ran = await rigWith().ng("decision-ack", "a", "--all");
		expect(ran).toMatchObject({
			rc: 0,
			out: "decision-ack: nothing to do for a",
		});
		expect((await rigWith().ng("decision-ack", "a", FP, "--all")).rc).toBe(1);
	});

	test("a rename that does not take is a failure, and no event", async () => {
		const rig = rigWith(live("w", FP));
		rig.doors.files.faults.fail({
			path: live("w", FP),
			ops: ["rename"],
			code: "EROFS",
		});
		const ran = await rig.ng("decision-ack", "w", FP);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("is not acked");
		expect(rig.events()).toEqual([]);
	});
});
