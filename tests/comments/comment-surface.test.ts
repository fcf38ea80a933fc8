/** The fast path of comments, and how it shares them with the report. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	composeNudge,
	nudgeSources,
} from "../../monitor/watcher/_compose_nudge.ts";
import { STATE } from "../emit/emit-rig.ts";
import {
	type CommentsRig,
	comment,
	commentsRig,
	mention,
	QUEUE,
} from "./comments-rig.ts";

describe("one eligible comment", () => {
	test("is one paste of five parts, without a look at any pane", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		const calls = rig.tmux.calls.length;
		await rig.surface();
		expect(rig.tmux.calls.length).toBe(calls);
		expect(rig.pasted).toHaveLength(1);
		const iso = rig.clock.iso();
		expect(rig.pasted[0]?.replace(/[0-9a-f]{6} ---\n$/, "NONCE ---\n")).toBe(
			[
				`=== nexus state changed at ${iso} (comments) ===`,
				"*If unsure how to proceed: see CLAUDE.md.*",
				"--- eligible github comments ---",
				"issue=9 id=1 author=op",
				"  body: please do",
				`--- nexus-emit-sig ${iso} NONCE ---`,
				"",
			].join("\n"),
		);
	});

	test("is archived with its tag, logged as the fast path, and leaves the last report alone", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		await rig.surface();
		expect(rig.archives()).toEqual([expect.stringMatching(/_comments\.md$/)]);
		expect(rig.log.messages()).toContainEqual(
			expect.stringMatching(
				/^emit archive=\S+_comments\.md reason=comments \(comment-surface fast path\)$/,
			),
		);
		expect(rig.state("last-change.txt")).toBeNull();
	});

	test("teaches what a delivery teaches", async () => {
		const rig = commentsRig();
		rig.files.seed(join(STATE, "respawn-history.txt"), "1 x\n");
		await rig.queue(comment(1));
		await rig.surface();
		expect(rig.state("emit-history/comment-1.meta")).toMatch(
			/^ts=\d+\nbody_sha=[0-9a-f]{64}\n$/,
		);
		expect(rig.state("watcher-last-emit-delivery.ts")).not.toBeNull();
		expect(rig.state("last-emit-stable-hash.ring")).not.toBeNull();
		expect(rig.state("respawn-history.txt") ?? "").toBe("");
		await rig.surface();
		expect(rig.pasted).toHaveLength(1);
	});

	test("that nobody is to hear makes no archive and no line", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1, "x", "mallory"));
		await rig.surface();
		expect(rig.archives()).toEqual([]);
		expect(rig.log.messages()).toEqual([]);
	});
});

describe("a paste that fails", () => {
	test("is counted, teaches nothing, and the block is back in the queue", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		rig.ends.push(4);
		await rig.surface();
		expect(rig.state("watcher-emit-delivery-fail.count")?.trim()).toBe("1");
		expect(rig.state("emit-history/comment-1.meta")).toBeNull();
		expect(rig.state("last-emit-stable-hash.ring")).toBeNull();
		expect(rig.queued()).toBe(comment(1));
		await rig.surface();
		expect(rig.pasted).toHaveLength(1);
		expect(rig.queued()).toBe("");
	});

	test.each([2, 5, 7] as const)(
		"with code %p is a fact about the orchestrator",
		async (rc) => {
			const rig = commentsRig();
			await rig.queue(comment(1));
			rig.ends.push(rc);
			await rig.surface();
			expect(rig.state("watcher-emit-delivery-fail.count")).toBeNull();
			expect(rig.queued()).toBe(comment(1));
		},
	);

	test("is tried with a fresh body, archived once however often", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		rig.ends.push(7, 7, 7);
		for (let i = 0; i < 3; i++) {
			await rig.surface();
			rig.clock.stall(15_000);
		}
		expect(rig.archives()).toHaveLength(1);
		expect(new Set(rig.tried).size).toBe(3);
		await rig.queue(comment(2));
		rig.ends.push(7);
		await rig.surface();
		expect(rig.archives()).toHaveLength(2);
		await rig.surface();
		expect(rig.pasted).toHaveLength(1);
	});

	test("also when the scratch folder is gone", async () => {
		const rig = commentsRig();
		rig.files.removeTree(rig.ctx.scratchDir);
		await rig.queue(comment(1));
		rig.ends.push(7);
		await rig.surface();
		await rig.surface();
		expect(rig.pasted).toHaveLength(1);
	});
});

test("while the orchestrator is over its limit comments are held, archived once, and come after", async () => {
	let over = true;
	const rig = commentsRig({ isHeld: () => over });
	await rig.queue(comment(1));
	for (let i = 0; i < 3; i++) await rig.surface();
	expect(rig.archives()).toHaveLength(1);
	expect(rig.tried).toEqual([]);
	expect(rig.held).toHaveLength(3);
	over = false;
	await rig.surface();
	expect(rig.pasted).toHaveLength(1);
});

test("an aborted run puts back what it took", async () => {
	const rig = commentsRig();
	await rig.queue(comment(1));
	const end = new AbortController();
	end.abort();
	expect((await rig.surface(end.signal)).rc).toBe(1);
	expect(rig.queued()).toBe(comment(1));
	expect(rig.tried).toEqual([]);
});

describe("with the report beside it", () => {
	test("a comment comes on one of the two ways", async () => {
		const rig = commentsRig();
		await rig.seed();
		rig.stage(comment(1));
		await rig.surface();
		await rig.cycle();
		rig.stage(comment(2));
		await rig.cycle();
		await rig.surface();
		expect(rig.pasted.map((body) => /id=(\d)/.exec(body)?.[1])).toEqual([
			"1",
			"2",
		]);
	});

	test("also when both are on their way at once", async () => {
		const rig = commentsRig();
		await rig.seed();
		await rig.queue(comment(1) + mention(2));
		await rig.snapshot();
		await Promise.all([rig.surface(), rig.compose(), rig.surface()]);
		expect(rig.pasted).toHaveLength(1);
	});
});

describe("with a cooldown of 0 and nobody to paste to", () => {
	const config = {
		"monitor.emit_cooldown_seconds": 0,
		// Pastes that fail would have the watcher replaced, and that would be news.
		"monitor.watcher.self_heal_enabled": false,
	};
	/** A watcher that makes one pass: its first report, and one ordinary one. */
	async function once(rig: CommentsRig, staged: string): Promise<void> {
		rig.stage(staged);
		rig.ends.push(1, 1);
		await rig.sweep();
		rig.clock.stall(1000);
		await rig.snapshot();
		await rig.compose();
	}

	test("each pass archives the comment twice, and leaves the baseline alone", async () => {
		let rig = commentsRig({ config });
		await rig.seed();
		const baseline = () => rig.files.stat(join(STATE, "last-snapshot.txt"));
		const before = baseline();
		for (const pass of [1, 2]) {
			await once(rig, comment(1));
			const tags = rig.archives().map((p) => p.endsWith("_resurface.md"));
			expect(tags).toHaveLength(2 * pass);
			expect(tags.filter(Boolean)).toHaveLength(pass);
			rig = rig.restart();
		}
		await once(rig, "");
		expect(rig.archives()).toHaveLength(4);
		expect(baseline()).toEqual(before);
	});
});

test("a report that is held for five cycles is archived once, a new row makes a second, and after the hold it comes once", async () => {
	let over = true;
	const rig = commentsRig({ isHeld: () => over });
	await rig.seed();
	rig.stage(comment(1));
	for (let i = 0; i < 5; i++) {
		await rig.cycle();
		rig.clock.stall(60_000);
	}
	expect(rig.archives()).toHaveLength(1);
	rig.stage(comment(1) + comment(2));
	await rig.cycle();
	expect(rig.archives()).toHaveLength(2);
	over = false;
	await rig.cycle();
	await rig.cycle();
	expect(rig.pasted).toHaveLength(1);
});

describe("the startup sweep", () => {
	test("asks GitHub first, and tells what is open in its report", async () => {
		let rig = commentsRig();
		rig = commentsRig({
			after: rig.doors,
			pollSources: async (_place, run) => {
				run.doors.log.info("asked GitHub");
				await rig.queue(comment(1));
				rig.stage(comment(1) + comment(2));
			},
		});
		await rig.sweep();
		const [body = ""] = rig.pasted;
		expect(body).toContain("(startup-sweep)");
		expect(
			[...body.matchAll(/^issue=9 id=(\d)/gm)].map(([, id]) => id),
		).toEqual(["1", "2"]);
		await rig.surface();
		expect(rig.pasted).toHaveLength(1);
	});

	test("that cannot be pasted leaves everything to the first cycle", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		rig.ends.push(2);
		await rig.sweep();
		expect(rig.queued()).toBe(comment(1));
		await rig.surface();
		expect(rig.pasted).toHaveLength(1);
	});
});

describe("the nudge", () => {
	function nudging() {
		const rig = commentsRig();
		const fired: string[] = [];
		const nudge = composeNudge(rig.files, nudgeSources(rig.ctx), {
			fireNow: (name) => fired.push(name),
			override: () => 0,
			skipUntil: () => 0,
			nextFireOf: () => null,
			isRegistered: (name) => name === "comment_surface",
			wake: () => {},
		});
		return { rig, fired, nudge };
	}

	test("follows what is queued, once", async () => {
		const { rig, fired, nudge } = nudging();
		await rig.queue(comment(1));
		nudge();
		nudge();
		expect(fired).toEqual(["comment_surface"]);
	});

	test("does not follow what was put back, however often there was a tick in between", async () => {
		const { rig, fired, nudge } = nudging();
		await rig.queue(comment(1));
		nudge();
		rig.clock.stall(1000);
		const view = await rig.view();
		nudge();
		expect(rig.files.has(QUEUE)).toBe(false);
		await view.release();
		nudge();
		expect(fired).toEqual(["comment_surface"]);
		rig.clock.stall(1000);
		await rig.queue(comment(2));
		nudge();
		expect(fired).toHaveLength(2);
	});
});
