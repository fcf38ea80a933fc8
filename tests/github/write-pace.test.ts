import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { decideWrite } from "../../monitor/_github/write-pace.ts";
import { gitHubWritesLockPath } from "../../monitor/_state/github-writes.ts";
import { NOW, OPERATOR, openRig, REPO, type Rig } from "./rig.ts";

const COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
const HUB = { owner: "acme", repo: "hub", issue_number: 1 };
const T = NOW * 1000;

/** Waits of so many writes at one moment, from what was on disk before. */
function waits(count: number, before: number | null = null): readonly number[] {
	let paid = before;
	return Array.from({ length: count }, () => {
		const turn = decideWrite(paid, T);
		paid = turn.paidAtMs;
		return turn.waitMs;
	});
}

describe("a write waits", () => {
	test("not at all, nor do twenty after a rest; from then on they go by the second", () => {
		expect(waits(20).every((ms) => ms === 0)).toBe(true);
		expect(waits(24).slice(20)).toEqual([1000, 2000, 3000, 4000]);
		expect(waits(21, T - 3_600_000).at(-1)).toBe(1000);
	});

	test("a minute at the most", () => {
		expect(Math.max(...waits(200))).toBe(60_000);
	});

	test("for no stamp that a turn cannot have left: the clock went back", () => {
		expect(decideWrite(T + 3_600_000, T)).toEqual({
			waitMs: 0,
			paidAtMs: T + 1000,
		});
	});
});

describe("on disk", () => {
	let rig: Rig;
	beforeEach(() => {
		rig = openRig();
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	});
	afterEach(() => rig.close());

	const agent = () => rig.another({ pacing: { kind: "command", retryMs: 1 } });
	const post = () =>
		rig.inTime(
			agent().rest(
				COMMENT,
				{ ...HUB, body: "b" },
				{ deadlineMs: 30_000, read: (data) => data },
			),
		);

	test("the pace is everybody's: the twenty-first write of as many processes waits, and its deadline does not run meanwhile", async () => {
		rig.doors.files.seed(
			"/s/github-writes",
			`paid_at_ms=${rig.doors.clock.nowMs() + 59_000}\n`,
		);
		const from = rig.doors.clock.monoMs();
		expect((await post()).kind).toBe("ok");
		expect(rig.doors.clock.monoMs() - from).toBeGreaterThanOrEqual(39_000);
	});

	test("a single write leaves its mark and does not wait; reading costs nothing", async () => {
		const from = rig.doors.clock.monoMs();
		await agent().get("repos/acme/hub", {
			deadlineMs: 30_000,
			read: (data) => data,
		});
		expect(rig.state("github-writes")).toBe("");
		expect((await post()).kind).toBe("ok");
		expect(rig.doors.clock.monoMs() - from).toBeLessThan(1000);
		expect(rig.state("github-writes")).toMatch(/^paid_at_ms=\d{13}\n$/);
	});

	test("whoever waits for its turn holds nobody up: the lock is only for the file", async () => {
		const { clock, files, locks } = rig.doors;
		files.seed("/s/github-writes", `paid_at_ms=${clock.nowMs() + 59_000}\n`);
		const posted = post();
		await clock.sleep(20_000);
		expect(locks.heldPaths()).toEqual([]);
		expect((await posted).kind).toBe("ok");
		expect(locks.heldPaths()).toEqual([]);
	});

	test("a lock that nobody gives back costs two seconds", async () => {
		rig.doors.locks.takenElsewhere(gitHubWritesLockPath("/s"));
		const from = rig.doors.clock.monoMs();
		expect((await post()).kind).toBe("ok");
		expect(rig.doors.clock.monoMs() - from).toBeWithin(2000, 15_000);
	});

	test("a state dir that takes nothing does not hold a write back", async () => {
		rig.doors.files.faults.readOnly = true;
		expect((await post()).kind).toBe("ok");
	});
});
