/** A hand-off of which one step fails (contract 05 §8.6, §8.7). */
import { afterEach, describe, expect, test } from "bun:test";
import type { FaultRow } from "../github/stand-in/faults.ts";
import { S } from "./hub-rig.ts";
import { closeRigs, REPORT, wrapUpRig } from "./wrap-up-rig.ts";

afterEach(closeRigs);

describe("a failure of one step leaves the others, and a repetition never doubles the comment", () => {
	const faults: readonly (readonly [string, FaultRow, string])[] = [
		[
			"the blob",
			{ on: /git\/blobs$/, fault: { kind: "forbidden" } },
			"uploaded: FAILED\nposted comment: SKIPPED (upload failed)",
		],
		[
			"the comment is refused",
			{ on: /^POST .*issues\/1\/comments$/, fault: { kind: "forbidden" } },
			"posted comment: FAILED",
		],
		[
			"the comment's answer is lost",
			{
				on: /^POST .*issues\/1\/comments$/,
				fault: { kind: "server" },
				executed: true,
			},
			"posted comment: FAILED",
		],
		[
			"the comment's answer is torn",
			{
				on: /^POST .*issues\/1\/comments$/,
				fault: { kind: "truncated" },
			},
			"posted comment: FAILED",
		],
		[
			"the comment never arrives",
			{ on: /^POST .*issues\/1\/comments$/, fault: { kind: "server" } },
			"posted comment: FAILED",
		],
		["the rocket", { on: /reactions$/, fault: { kind: "server" } }, ": FAILED"],
	];
	for (const [name, row, says] of faults)
		test(name, async () => {
			const rig = wrapUpRig();
			const args = ["wrap-up", "1", REPORT, "--trigger-comment", rig.trigger];
			const heal = rig.standIn.faults.add(row);
			const first = await rig.ng(...args);
			expect(first.rc).toBe(1);
			expect(first.out).toContain(says);
			expect(first.err).toContain(
				"ng wrap-up: partial failure — retry the failed steps:\n  ",
			);
			expect(rig.wrapUps()).toHaveLength(1);
			if (name !== "the rocket")
				expect(first.out).toContain(`\nrocketed comment ${rig.trigger}\n`);
			heal();
			const second = await rig.ng(...args);
			expect(second.rc).toBe(0);
			expect(rig.said()).toHaveLength(1);
			const third = await rig.ng(...args);
			expect(third.out).toContain("posted comment: unchanged");
			expect(rig.said()).toHaveLength(1);
			expect(
				rig.triggerComment.reactions.filter((r) => r.content === "rocket"),
			).toHaveLength(1);
		});

	test("the process dies at any change of the disk", async () => {
		for (let at = 0; at < 12; at++) {
			const rig = wrapUpRig();
			const args = ["wrap-up", "1", REPORT, "--trigger-comment", rig.trigger];
			rig.doors.files.faults.crashAt(at);
			await rig.ng(...args).catch(() => {});
			rig.doors.files.reboot();
			const again = await rig.ng(...args);
			expect([at, again.rc, rig.said().length]).toEqual([at, 0, 1]);
		}
	});

	test("a comment whose answer was lost is found though the lists lag, or our clock was an hour ahead", async () => {
		for (const trouble of ["lag", "clock"]) {
			const rig = wrapUpRig();
			rig.standIn.faults.add({
				on: /^POST .*issues\/1\/comments$/,
				executed: true,
				times: 1,
				fault: { kind: "server" },
			});
			expect((await rig.ng("wrap-up", "1", REPORT)).rc).toBe(1);
			const { clock, files } = rig.doors;
			if (trouble === "lag")
				rig.standIn.faults.add({
					on: /^GET .*issues\/1\/comments\?/,
					times: 1,
					fault: { kind: "answer", status: 200, body: [] },
				});
			else
				for (const path of files.paths(`${S}/wrap-up-posting`)) {
					const note = files.text(path);
					const at = `at=${clock.now() + 3600}`;
					files.seed(path, note.replace(/^at=\d+/, at));
				}
			expect(await rig.ng("wrap-up", "1", REPORT)).toMatchObject({ rc: 0 });
			expect(rig.said()).toHaveLength(1);
		}
	});

	test("two that run at once: the second waits for the first, and finds all of it done", async () => {
		const rig = wrapUpRig();
		const args = ["wrap-up", "1", REPORT, "--trigger-comment", rig.trigger];
		const both = await Promise.all([rig.ng(...args), rig.ng(...args)]);
		expect(both.map(({ rc }) => rc)).toEqual([0, 0]);
		expect(rig.said()).toHaveLength(1);
		expect(both.map(({ out }) => out).join()).toContain("unchanged");
	});

	test("one that never ends: the next one gives up, with nothing touched", async () => {
		const rig = wrapUpRig();
		const dir = `${S}/wrap-up-posting`;
		for (const digit of "0123456789abcdef")
			rig.doors.locks.takenElsewhere(`${dir}/lock.${digit}`);
		const ran = await rig.ng("wrap-up", "1", REPORT);
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain("another one of this report is still at it");
		expect(rig.standIn.requests).toEqual([]);
	});

	test("a text by hand whose answer was lost is not posted twice beside the first", async () => {
		const rig = wrapUpRig();
		await rig.ng("wrap-up", "1", REPORT);
		rig.doors.files.seed("/b", "By hand.");
		const heal = rig.standIn.faults.add({
			on: /^POST .*issues\/1\/comments$/,
			fault: { kind: "server" },
			executed: true,
		});
		const args = ["wrap-up", "1", REPORT, "--comment-body-file", "/b"];
		expect((await rig.ng(...args)).rc).toBe(1);
		heal();
		expect((await rig.ng(...args)).rc).toBe(0);
		expect(rig.said()).toHaveLength(2);
	});

	test("a run that fails before the comment does not forget one that was lost before", async () => {
		const rig = wrapUpRig();
		const lost = rig.standIn.faults.add({
			on: /^POST .*issues\/1\/comments$/,
			fault: { kind: "server" },
			executed: true,
		});
		await rig.ng("wrap-up", "1", REPORT);
		lost();
		rig.rewrite("The thing was built and measured. It holds again.");
		const down = rig.standIn.faults.add({
			on: /git\/blobs$/,
			fault: { kind: "forbidden" },
		});
		await rig.ng("wrap-up", "1", REPORT);
		down();
		await rig.ng("wrap-up", "1", REPORT);
		expect(rig.said()).toHaveLength(1);
	});

	test("an action log that cannot be read: nothing is posted, since nobody knows what was", async () => {
		const rig = wrapUpRig();
		rig.doors.files.seedDir(`${S}/action-log.jsonl`);
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--trigger-comment",
			rig.trigger,
		);
		expect(ran.rc).toBe(1);
		expect(ran.out).toContain("uploaded: http");
		expect(ran.out).toContain("posted comment: FAILED");
		expect(ran.out).toContain(`rocketed comment ${rig.trigger}\n`);
		expect(ran.out).toContain("logged action: FAILED");
		expect(rig.posts()).toEqual([]);
	});

	test("a summary that says nothing: exit 3, nothing told, nothing rocketed", async () => {
		const rig = wrapUpRig();
		rig.rewrite("BLOCK.");
		const ran = await rig.ng(
			"wrap-up",
			"1",
			REPORT,
			"--trigger-comment",
			rig.trigger,
		);
		expect(ran.rc).toBe(3);
		expect(rig.posts()).toEqual([]);
		expect(rig.triggerComment.reactions).toEqual([]);
		expect(rig.wrapUps()).toMatchObject([
			{ comment: "degenerate-teaser", rocket: "skipped-nothing-published" },
		]);
	});

	test("--no-comment: the thread is not even looked at", async () => {
		const rig = wrapUpRig();
		const ran = await rig.ng("wrap-up", "1", REPORT, "--no-comment");
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain("posted comment: SKIPPED (--no-comment)");
		expect(rig.asked().some((l) => l.includes("/issues/"))).toBe(false);
	});
});
