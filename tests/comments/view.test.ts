/** Queue, staging and registry as one view: what it tells, and that nothing is lost, however it ends. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { quoteBodies } from "../../monitor/_emit/quote.ts";
import { STAGE, STATE } from "../emit/emit-rig.ts";
import { alert, comment, commentsRig, mention, QUEUE } from "./comments-rig.ts";

const OTHER = `pr=3 id=77 author=op\n  body: and this\n`;

describe("a view", () => {
	test("tells what was queued, then what the searches staged, each once", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1) + comment(2));
		rig.stage(comment(2) + OTHER + alert("rate-limit"));
		const view = await rig.view();
		expect(view.text).toBe(
			comment(1) + comment(2) + OTHER + alert("rate-limit"),
		);
		await view.commit();
		expect((await rig.view()).text).toBe("");
		expect(rig.queued()).toBe("");
	});

	test("shows an edited comment at once", async () => {
		const rig = commentsRig();
		rig.stage(comment(1, "a"));
		await (await rig.view()).commit();
		rig.stage(comment(1, "b"));
		expect((await rig.view()).text).toBe(comment(1, "b"));
	});

	test("learns from an earlier report only what stands in it: quoted or not, and not what was edited since", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1) + comment(2) + comment(3, "now"));
		rig.stage(mention(4));
		const view = await rig.view();
		const told = comment(1) + comment(3, "before") + mention(4);
		const body = `--- eligible github comments ---\n${quoteBodies(told, "0a1b2c", (login) => login === "op")}`;
		await view.commitTold(body);
		expect(rig.queued()).toBe(comment(2) + comment(3, "now"));
		expect((await rig.view()).text).toBe(comment(2) + comment(3, "now"));
	});

	test("does not read what a predecessor staged", async () => {
		const rig = commentsRig();
		rig.stage(comment(1));
		expect((await rig.restart().view()).text).toBe("");
	});

	test("consumes what nobody is to hear", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1, "x", "mallory") + comment(2, "/skip"));
		const view = await rig.view();
		expect(view.text).toBe("");
		await view.release();
		expect(rig.queued()).toBe("");
		expect(rig.files.paths(STATE).filter((p) => p.includes("drain"))).toEqual(
			[],
		);
		// Only who asked for silence is named.
		expect(rig.log.messages()).toEqual([
			expect.stringContaining(
				"[skip-marker] dropped emit (opt-out): issue=9 id=2",
			),
		]);
	});

	test("says once of a comment that its author asked for silence, however often it is staged", async () => {
		const rig = commentsRig();
		rig.stage(comment(2, "/skip"));
		for (let i = 0; i < 3; i++) await (await rig.view()).release();
		expect(rig.log.messages()).toEqual([
			"[skip-marker] dropped emit (opt-out): issue=9 id=2 author=op",
		]);
	});

	test("reads everything that is open in a large repository", async () => {
		const rig = commentsRig();
		const strangers = comment(1, "x".repeat(400), "mallory").repeat(42_000);
		expect(strangers.length).toBeGreaterThan(17 * 1024 * 1024);
		rig.stage(strangers + comment(2));
		await rig.queue(strangers + comment(3));
		expect((await rig.view()).text).toBe(comment(3) + comment(2));
	});

	test("says so when what the searches found cannot be read, and tells it as soon as it can", async () => {
		const rig = commentsRig();
		rig.stage(comment(2));
		await rig.queue(comment(3));
		rig.files.faults.fail({
			path: `${STAGE}/github_poll.out`,
			ops: ["read"],
			code: "EIO",
			times: 1,
		});
		const view = await rig.view();
		expect(view.text).toStartWith(
			`${comment(3)}watcher_alert=search-unreadable surface=github_poll\n  body: `,
		);
		expect(view.text).toContain("not lost");
		await view.commit();
		expect((await rig.view()).text).toBe(comment(2));
	});

	test("tells lines of a search that are no comment once, as an alert, and beside them what is one", async () => {
		const rig = commentsRig();
		rig.stage(`}}%$ not a comment\n${comment(2)}nor this\n`);
		const view = await rig.view();
		expect(view.text).toBe(
			`${comment(2)}watcher_alert=search-damaged surface=github_poll\n  body: What the searches found has 2 line(s) that are no comment, as after a crash; the next search replaces them. The first: }}%$ not a comment\n`,
		);
		await view.commit();
		expect((await rig.view()).text).toBe("");
	});

	test.each([
		["zeros, as a power cut leaves them", "\0".repeat(512), /zeros in it/],
		["zeros behind a comment", `${comment(2)}\0\0\0`, /zeros in it/],
		["other characters that nobody sees", "\u0001\u0002\n\u007f\n", /^$/],
	])("makes no empty report of %s", async (_, staged, told) => {
		const rig = commentsRig();
		rig.stage(staged);
		for (let i = 0; i < 4; i++) await rig.surface();
		const text = rig.pasted.join("");
		expect(rig.pasted.length).toBe(told.test("") ? 0 : 1);
		expect(text).toMatch(told);
	});

	test("drops a queued line that nobody could see", async () => {
		const rig = commentsRig();
		rig.files.seed(QUEUE, `\u0007\u0000\n${comment(1)}`);
		expect((await rig.view()).text).toBe(comment(1));
	});

	test("keeps a torn block to itself", async () => {
		const rig = commentsRig();
		rig.files.seed(QUEUE, "issue=9 id=3 auth");
		await rig.queue(comment(1));
		expect((await rig.view()).text).toBe(comment(1));
	});

	test("tells no half of a comment: it was never queued, and comes again", async () => {
		const torn = comment(3, "delete the old ones, but not those of May");
		for (let kept = 0; kept < torn.length; kept++) {
			const rig = commentsRig();
			rig.files.seed(QUEUE, comment(2) + torn.slice(0, kept));
			await rig.queue(comment(1));
			const { text } = await rig.view();
			expect(text).not.toContain("  body: delete");
			expect(text).toStartWith(comment(2));
			expect(text).toEndWith(comment(1));
			const drained = commentsRig();
			drained.files.seed(QUEUE, comment(2) + torn.slice(0, kept));
			expect((await drained.view()).text).not.toContain("  body: delete");
		}
	});
});

describe("a view that is released", () => {
	test("puts what was drained back in front, with the time it had", async () => {
		const rig = commentsRig();
		rig.files.seed(QUEUE, comment(1) + comment(5, "x", "mallory"), {
			mtime: 1000,
		});
		const view = await rig.view();
		await view.release();
		// What passed goes back; what was dropped stays dropped.
		expect(rig.queued()).toBe(comment(1));
		const found = rig.files.stat(QUEUE);
		expect(found.kind === "ok" && found.stat.mtimeMs).toBe(1_000_000);
	});

	test("puts it in front of what came meanwhile, which is news", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		const view = await rig.view();
		rig.clock.stall(5000);
		await rig.queue(comment(2));
		const before = rig.files.stat(QUEUE);
		await view.release();
		expect(rig.queued()).toBe(comment(1) + comment(2));
		expect(rig.files.stat(QUEUE)).toMatchObject({
			stat: { mtimeMs: before.kind === "ok" ? before.stat.mtimeMs : 0 },
		});
	});

	test("has written no stamp", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1) + mention(2));
		await (await rig.view()).release();
		expect(
			rig.files.paths(STATE).map((p) => p.replace(`${STATE}/`, "")),
		).toEqual([
			"deliveries-queue.lines",
			"deliveries-queue.lock",
			"unacked-mentions.lines",
			"unacked-mentions.lock",
		]);
	});
});

describe("while a view is on its way", () => {
	test("no other one carries the same block, from whichever source", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		rig.stage(comment(1));
		const first = await rig.view();
		expect((await rig.view()).text).toBe("");
		await first.release();
		expect((await rig.view()).text).toBe(comment(1));
	});

	test("another one that drained a copy keeps it until the first has arrived", async () => {
		const rig = commentsRig();
		rig.stage(comment(1));
		const first = await rig.view();
		await rig.queue(comment(1));
		const second = await rig.view();
		expect(second.text).toBe("");
		await second.release();
		// The search does not show it any more, and the paste fails.
		rig.stage("");
		await first.release();
		const third = await rig.view();
		expect(third.text).toBe(comment(1));
		await third.commit();
		expect(rig.queued()).toBe("");
	});

	test("of a process that is killed, nothing is lost", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		await rig.view();
		await rig.queue(comment(2));
		const next = rig.restart();
		const view = await next.view();
		expect(view.text).toBe(comment(1) + comment(2));
		await view.commit();
		expect(next.files.paths(STATE).filter((p) => p.includes("drain"))).toEqual(
			[],
		);
	});

	test("whose run is abandoned, it counts as released after a while, and not before", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		const run = new AbortController();
		await rig.view(run.signal);
		run.abort();
		expect((await rig.view()).text).toBe("");
		await rig.clock.advance(15_000);
		expect((await rig.view()).text).toBe(comment(1));
	});
});

describe("nothing is lost when", () => {
	test("the filters take too long", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1) + comment(2));
		const heal = rig.files.faults.before((op, path) => {
			if (op === "read" && path.includes("emit-history"))
				rig.clock.stall(31_000);
		});
		expect((await rig.view()).text).toBe("");
		expect(rig.log.messages("warn")).toEqual([
			"comments: the filters took too long; nothing is lost",
		]);
		heal();
		expect((await rig.view()).text).toBe(comment(1) + comment(2));
	});

	test("a filter throws", async () => {
		const rig = commentsRig();
		await rig.queue(comment(1));
		const heal = rig.files.faults.before((op, path) => {
			if (op === "read" && path.includes("emit-history"))
				throw new Error("boom");
		});
		expect((await rig.view()).text).toBe("");
		expect(rig.log.messages("warn")[0]).toContain("boom");
		heal();
		expect((await rig.view()).text).toBe(comment(1));
	});

	test.each(["write", "rename", "read"] as const)(
		"the disk refuses to %s the queue for a while",
		async (op) => {
			const rig = commentsRig();
			await rig.queue(comment(1));
			const heal = rig.files.faults.fail({
				path: /deliveries-queue/,
				ops: [op],
				code: "EIO",
			});
			await (await rig.view()).release();
			heal();
			const view = await rig.view();
			expect(view.text).toBe(comment(1));
		},
	);
});

test("lists that are edited by hand are read with patience", async () => {
	const rig = commentsRig();
	rig.files.seed(
		join(STATE, "processed-comments.txt"),
		"\n# handled\n  comment:1 \nunknown:3\n",
	);
	rig.files.seed(
		join(STATE, "emit-suppression.lines"),
		"# quiet\n comment:2\n",
	);
	rig.stage([1, 2, 3, 11].map((id) => comment(id)).join(""));
	expect((await rig.view()).text).toBe(comment(3) + comment(11));
});
