/** Comments of other repositories are told until somebody answers them. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	gc,
	type LookKind,
	mentionKey,
	pending,
	type ReemitRules,
	register,
} from "../../monitor/_emit/reemit.ts";
import type { MentionLook } from "../../monitor/_github/mention-look.ts";
import {
	parseUnackedMentions,
	renderUnackedMention,
} from "../../monitor/_state/unacked-mentions.ts";
import { STATE } from "../emit/emit-rig.ts";
import { type CommentsRig, commentsRig, mention } from "./comments-rig.ts";

const FILE = "unacked-mentions.lines";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A rig whose GitHub says what the test sets, and counts how often it was asked. */
function answering(config: Parameters<typeof commentsRig>[0] = {}) {
	const asked: string[] = [];
	let says: MentionLook = { kind: "none" };
	const rig = commentsRig({
		...config,
		look: async (block) => {
			asked.push(block.id);
			return says;
		},
	});
	return {
		...rig,
		asked,
		say: (look: MentionLook) => {
			says = look;
		},
	};
}
const deliver = async (rig: Pick<CommentsRig, "view">) => {
	const view = await rig.view();
	await view.commit();
	return view.text;
};
const entries = (rig: CommentsRig) =>
	parseUnackedMentions(rig.state(FILE) ?? "");

describe("a mention", () => {
	test("is entered before it is told, and told again every five minutes", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		const told = [];
		for (let minute = 0; minute < 11; minute++) {
			told.push((await deliver(rig)) === "" ? "-" : "told");
			rig.clock.stall(MINUTE);
		}
		expect(told.join(" ")).toBe("told - - - - told - - - - told");
		const [entry] = entries(rig);
		expect(entry).toMatchObject({ id: "1", repo: "acme/other", direct: true });
	});

	test("whose paste fails is told at the next try, also by another process", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await (await rig.view()).release();
		rig.files.remove(join(STATE, "deliveries-queue.lines"));
		expect((await rig.restart().view()).text).toBe(mention(1));
	});

	test("with the bot's eyes on it waits for six hours", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		rig.say({ kind: "eyes" });
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe("");
		expect(entries(rig)[0]?.tier).toBe("slow");
		rig.clock.stall(6 * HOUR);
		expect(await deliver(rig)).toBe(mention(1));
	});

	test("that the bot's own list shows as reacted on waits, too", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		rig.files.seed(join(STATE, "processed-comments.txt"), "comment:1\n");
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe("");
		expect(entries(rig)[0]?.tier).toBe("slow");
	});

	test.each([
		[
			"slow",
			"mention=acme/other kind=issue_new n=7 id=7 author=op src=body\n  body: @hub-bot x\n",
		],
		["fast", mention(1)],
	])(
		"waits (%s) by its issue in the bot's own list only when it is the issue's opening",
		async (tier, text) => {
			const rig = answering();
			await rig.queue(text);
			await deliver(rig);
			rig.files.seed(
				join(STATE, "processed-comments.txt"),
				"issue:acme/other:7\n",
			);
			rig.clock.stall(5 * MINUTE);
			await deliver(rig);
			expect(entries(rig)[0]?.tier).toBe(tier as "slow");
		},
	);

	test("found by two sources in one turn is entered once", async () => {
		const rig = answering();
		await rig.queue(mention(1) + mention(1, "@hub-bot please, edited"));
		await deliver(rig);
		expect(entries(rig)).toHaveLength(1);
	});

	test.each<[string, MentionLook, string]>([
		["a rocket", { kind: "rocket" }, "rocket"],
		["eyes on what is closed", { kind: "eyes-closed" }, "eyes-closed"],
	])("with %s is over", async (_name, look, reason) => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		rig.say(look);
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe("");
		expect(rig.state(FILE)).toBeNull();
		expect(rig.log.messages()).toContain(
			`reemit-gc: evicted id=1 reason=${reason}`,
		);
	});

	test("with a rocket in the bot's own list is over, and not entered again", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		rig.files.seed(join(STATE, "processed-comments.txt"), "rocket:1\n");
		await deliver(rig);
		expect(rig.state(FILE)).toBeNull();
		await rig.queue(mention(1));
		await deliver(rig);
		expect(rig.state(FILE)).toBeNull();
	});

	test("is given up after three days", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		rig.clock.stall(72 * HOUR);
		expect(await deliver(rig)).toBe("");
		expect(rig.log.messages()).toContain("reemit-gc: evicted id=1 reason=age");
	});

	test("that was put back and answered meanwhile is told once more at most, and not entered again", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await (await rig.view()).release();
		rig.say({ kind: "rocket" });
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe(mention(1));
		expect(rig.state(FILE)).toBeNull();
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe("");
	});
});

describe("not entered is", () => {
	test.each([
		["a comment at home", "issue=9 id=1 author=op\n  body: x\n"],
		["one that hop 3 drops", mention(1, "nobody is named")],
		[
			"one without an id",
			"mention=a/b kind=issue n=7 author=op\n  body: @hub-bot\n",
		],
	])("%s", async (_name, text) => {
		const rig = answering();
		await rig.queue(text);
		await deliver(rig);
		expect(rig.state(FILE)).toBeNull();
	});

	test("what can only be read, which would be told for days", async () => {
		const rig = answering({
			config: { "monitor.cross_repo_surface": "author_only" },
		});
		await rig.queue(
			"cross_repo=a/b kind=issue n=1 id=2 author=op\n  body: x\n",
		);
		expect(await deliver(rig)).not.toBe("");
		expect(rig.state(FILE)).toBeNull();
	});

	test("anything, when it is switched off", async () => {
		const rig = answering({ config: { "monitor.reemit_enabled": false } });
		await rig.queue(mention(1));
		expect(await deliver(rig)).toBe(mention(1));
		expect(rig.state(FILE)).toBeNull();
	});
});

test("a stranger's mention is kept, but never told and never asked about", async () => {
	const rig = answering();
	await rig.queue(mention(1, "@hub-bot hi", "mallory"));
	for (let i = 0; i < 3; i++) {
		expect(await deliver(rig)).toBe("");
		rig.clock.stall(10 * MINUTE);
	}
	expect(entries(rig)[0]).toMatchObject({ id: "1", direct: false });
	expect(rig.asked).toEqual([]);
	rig.clock.stall(72 * HOUR);
	await deliver(rig);
	expect(rig.state(FILE)).toBeNull();
});

describe("GitHub is asked", () => {
	test("once in five minutes for each, by its last look and not by its last emit", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		for (let i = 0; i < 20; i++) {
			rig.clock.stall(30_000);
			await deliver(rig);
		}
		expect(rig.asked).toEqual(["1", "1"]);
	});

	test("no more for a minute when it does not answer; the mentions are told all the same", async () => {
		const rig = answering();
		for (let id = 1; id <= 3; id++) await rig.queue(mention(id));
		await deliver(rig);
		rig.say({ kind: "unknown" });
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe(mention(1) + mention(2) + mention(3));
		expect(rig.asked).toEqual(["1"]);
		rig.clock.stall(59_000);
		await deliver(rig);
		expect(rig.asked).toEqual(["1"]);
		rig.clock.stall(1_000);
		await deliver(rig);
		expect(rig.asked).toEqual(["1", "2"]);
		expect(rig.log.messages("warn")).toEqual([]);
	});

	test("in vain for one that is lost, which is said once and evicts nothing", async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		rig.say({ kind: "lost", target: "comment:1" });
		for (let i = 0; i < 3; i++) {
			rig.clock.stall(5 * MINUTE);
			expect(await deliver(rig)).toBe(mention(1));
		}
		expect(rig.log.messages("warn")).toEqual([
			"reemit: reactions of id=1 repo=acme/other target=comment:1 cannot be asked for: it stays until it is too old",
		]);
		expect(entries(rig)).toHaveLength(1);
	});

	test("not at all when that is switched off", async () => {
		const rig = answering({ config: { "monitor.reemit_live_recheck": false } });
		await rig.queue(mention(1));
		await deliver(rig);
		rig.clock.stall(5 * MINUTE);
		expect(await deliver(rig)).toBe(mention(1));
		expect(rig.asked).toEqual([]);
	});
});

describe("the file", () => {
	const text = `# meta id=1 repo=acme/other first_seen=5 tier=slow last_reemit=6 direct=yes last_recheck=7\n${mention(1)}`;

	test("reads as it is written, with what only filters need", () => {
		const [entry] = parseUnackedMentions(text);
		if (entry === undefined) throw new Error("no entry");
		expect(renderUnackedMention(entry)).toBe(text);
		const addressed = { ...entry, block: { ...entry.block, addressed: true } };
		const again = parseUnackedMentions(renderUnackedMention(addressed))[0];
		expect(again?.block.addressed).toBe(true);
	});

	test("loses no more than the entry that is torn", () => {
		const torn = `# meta id=2 repo=a/b\n${mention(2)}${text}# meta id=3 repo=a/b first_seen=1 tier=fa`;
		expect(parseUnackedMentions(torn).map((e) => e.id)).toEqual(["1"]);
	});

	test("without one good entry is set aside, and what comes is entered", async () => {
		const rig = answering();
		rig.files.seed(join(STATE, FILE), "");
		await rig.queue(mention(1));
		await deliver(rig);
		expect(entries(rig).map((e) => e.id)).toEqual(["1"]);
		expect(
			rig.files.paths(STATE).some((p) => p.includes(`${FILE}.damaged.`)),
		).toBe(true);
	});

	test("that cannot be read is not overwritten", async () => {
		const rig = answering();
		rig.files.seed(join(STATE, FILE), text);
		const heal = rig.files.faults.fail({
			path: join(STATE, FILE),
			ops: ["read"],
			code: "EIO",
		});
		await rig.queue(mention(2));
		expect(await deliver(rig)).toBe(mention(2));
		heal();
		expect(rig.state(FILE)).toBe(text);
	});
});

describe("an entry", () => {
	const NOW = 1_000_000;
	const RULES: ReemitRules = {
		fastSeconds: 300,
		slowSeconds: 21_600,
		maxAgeSeconds: 259_200,
		recheckSeconds: 300,
	};
	const entry = async () => {
		const rig = answering();
		await rig.queue(mention(1));
		await deliver(rig);
		const [found] = entries(rig);
		if (found === undefined) throw new Error("not entered");
		return { ...found, firstSeen: NOW - 10, lastReemit: 0, lastRecheck: null };
	};

	test("is due to the second by its tier, and never when it is nobody's to answer", async () => {
		const one = await entry();
		const due = (over: Partial<typeof one>) =>
			pending([{ ...one, ...over }], NOW, RULES).length;
		expect([
			due({ lastReemit: NOW - 299 }),
			due({ lastReemit: NOW - 300 }),
			due({ tier: "slow", lastReemit: NOW - 21_599 }),
			due({ tier: "slow", lastReemit: NOW - 21_600 }),
			due({ direct: false }),
		]).toEqual([0, 1, 0, 1, 0]);
	});

	test.each([
		["of age", { firstSeen: NOW - 259_200 }, undefined, "age"],
		["a second younger", { firstSeen: NOW - 259_199 }, undefined, null],
		["with a rocket", {}, "rocket", "rocket"],
		["with a failed look", {}, "unknown", null],
		["that is context only, with a rocket", { direct: false }, "rocket", null],
		[
			"that is context only, of age",
			{ direct: false, firstSeen: NOW - 259_200 },
			undefined,
			"age",
		],
	] as const)("%s is over by %p", async (_what, over, look, reason) => {
		const one = { ...(await entry()), ...over };
		const looks = new Map(
			look === undefined ? [] : [[mentionKey(one), look as LookKind]],
		);
		const { evicted } = gc([one], looks, new Set(), NOW, RULES);
		expect(evicted[0]?.reason ?? null).toBe(reason);
	});

	test("is made of a comment that has an id and a repository, and no rocket of ours", async () => {
		const { block } = await entry();
		const facts = { operator: "op", processed: new Set<string>(), now: NOW };
		const made = (over: Partial<typeof block>, processed: string[] = []) =>
			register([], [{ ...block, ...over }], {
				...facts,
				processed: new Set(processed),
			}).map(({ direct }) => direct);
		expect(made({})).toEqual([true]);
		expect(made({ author: "OP" })).toEqual([true]);
		expect(made({ author: "somebody" })).toEqual([false]);
		expect(made({ id: "" })).toEqual([]);
		expect(made({ repo: "" })).toEqual([]);
		expect(made({}, ["rocket:1"])).toEqual([]);
		expect(made({}, ["comment:1"])).toEqual([true]);
	});
});
