/** The nine hops: what each lets through, and what a delivery teaches. */
import { describe, expect, test } from "bun:test";
import {
	type Claims,
	claim,
	type StampLooks,
	stampLooks,
	writeStamps,
} from "../../monitor/_emit/comment-claims.ts";
import {
	type PipelineFacts,
	runPipeline,
} from "../../monitor/_emit/pipeline.ts";
import {
	parseBlocks,
	renderForEmit,
} from "../../monitor/_state/emit-blocks.ts";
import { fakeDoors } from "../fakes/doors.ts";

const NOW = 1_785_000_000;
const NO_STAMPS: StampLooks = {
	mention: () => null,
	alert: () => null,
	comment: () => null,
};
const FACTS: PipelineFacts = {
	operator: "op",
	home: "acme/hub",
	crossRepo: { surface: "mention_only", bot: "hub-bot" },
	suppressed: new Set(),
	processed: new Set(),
	stamps: NO_STAMPS,
	mentionBackoff: 300,
	alertCooldown: 900,
	emitCooldown: 300,
	now: NOW,
};

function run(text: string, facts: Partial<PipelineFacts> = {}) {
	const items = parseBlocks(text).map((block) => ({ block }));
	const passed = runPipeline(
		items,
		{ ...FACTS, ...facts },
		{ isOver: () => false, claim: () => {} },
	);
	return (passed?.passed ?? [])
		.map(({ item }) => renderForEmit(item.block))
		.join("");
}
const passes = (text: string, facts: Partial<PipelineFacts> = {}) =>
	run(text, facts) !== "";

const comment = (id: number | string, body = "x", author = "op") =>
	`issue=9 id=${id} author=${author}\n  body: ${body}\n`;
const mention = (id: number | string, body = "@hub-bot x") =>
	`mention=acme/other kind=issue n=7 id=${id} author=op\n  body: ${body}\n`;
const alert = (kind: string, held = 0) =>
	`watcher_alert=${kind} surface=pr_comments held_s=${held}\n  body: it fails\n`;

describe("hop 1: only the operator is heard", () => {
	const SHAPES = [
		"issue=1 id=1",
		"pr=2 id=2",
		"pr_review=3 id=3 path=a.ts",
		"issue_new=4 id=4",
		"mention=acme/other kind=issue n=5 id=5",
		"cross_repo=acme/far kind=issue n=6 id=6",
	];
	const written = (author: string) =>
		SHAPES.map((header) => {
			const [first, ...rest] = header.split(" path=");
			const path = rest.length > 0 ? ` path=${rest}` : "";
			return `${first} author=${author}${path}\n  body: @hub-bot go\n`;
		}).join("");

	test("in every shape", () => {
		const text =
			written("other-bot[bot]") + written("hub-bot[bot]") + written("op");
		expect(run(text)).toBe(written("op"));
	});

	test.each([
		["op", true],
		["OP", true],
		["op-staging", false],
		["op[bot]", false],
		["op2", false],
		["", false],
	])("%p is the operator: %p", (author, heard) => {
		expect(passes(comment(1, "x", author))).toBe(heard);
	});

	test("an alert passes, and without an operator nobody does", () => {
		expect(run(comment(1) + alert("rate-limit"), { operator: "" })).toBe(
			alert("rate-limit"),
		);
	});

	test("a name in the body, or a second one in the header, counts for nothing", () => {
		expect(
			passes("issue=1 id=1 author=eve author=op\n  body: author=op\n"),
		).toBe(false);
	});
});

describe("hop 2: a comment that asks not to be heard", () => {
	test.each([
		["/skip", false],
		["/SKIP note", false],
		["   /nexus-skip x", false],
		["a <!-- nexus:skip --> b", false],
		["/skipfoo", true],
		["/skip-x", true],
		["/skip: later", true],
		["text /skip", true],
		["<!--nexus:skip-->", true],
	])("%p passes: %p", (body, heard) => {
		expect(passes(comment(1, body))).toBe(heard);
	});

	test("also behind its preview, in all shapes", () => {
		expect(passes("issue=9 id=1 author=op _skip=1\n  body: x\n")).toBe(false);
		expect(passes(mention(1, "@hub-bot <!-- nexus:skip -->"))).toBe(false);
	});
});

describe("hop 3: another repository", () => {
	test.each([
		["@hub-bot, do", true],
		["(@Hub-Bot)", true],
		["`@hub-bot`", true],
		["@hub-bot[bot]", true],
		["@hub-botx", false],
		["@hub-bot-2", false],
		["@hub-bot_x", false],
		["me@hub-bot.example", false],
		["nobody in particular", false],
	])("%p passes: %p", (body, heard) => {
		expect(passes(mention(1, body))).toBe(heard);
	});

	const quiet = mention(1, "no name");
	test.each([
		[
			"the name behind the preview",
			"mention=a/b kind=pr n=1 id=2 author=op _addr=1\n  body: x\n",
			{},
			true,
		],
		["no body", "mention=a/b kind=pr n=1 id=2 author=op\n", {}, false],
		["no bot", mention(1), { surface: "mention_only", bot: "" }, false],
		["author_only", quiet, { surface: "author_only", bot: "" }, true],
		["off", mention(1), { surface: "off", bot: "hub-bot" }, false],
		[
			"at home no name is needed",
			comment(1),
			{ surface: "off", bot: "" },
			true,
		],
	])("%s", (_name, text, rule, heard) => {
		const crossRepo = { ...FACTS.crossRepo, ...rule };
		expect(passes(text, { crossRepo })).toBe(heard);
	});

	test("what only filters need is not shown", () => {
		expect(
			run("mention=a/b kind=pr n=1 id=2 author=op _addr=1\n  body: x\n"),
		).toBe("mention=a/b kind=pr n=1 id=2 author=op\n  body: x\n");
	});
});

describe("hop 4: one thing once", () => {
	test("the first wins, with its text", () => {
		expect(run(comment(5, "first") + comment(5, "second"))).toBe(
			comment(5, "first"),
		);
	});

	test("a body that quotes an id already seen is not one", () => {
		const text = comment(5) + comment(6, "see id=5 above");
		expect(run(text)).toBe(text);
	});

	test("issue 7 of two repositories is two things", () => {
		const opening = (repo: string) =>
			`mention=${repo} kind=issue_new n=7 id=7 author=op src=body\n  body: @hub-bot x\n`;
		const text = opening("acme/a") + opening("acme/b");
		expect(run(text)).toBe(text);
	});

	test("an opening is one thing, by its number or by its id", () => {
		const delivered =
			"mention=acme/a kind=issue_new n=7 id=7 author=op src=body\n  body: @hub-bot x\n";
		const searched =
			"mention=Acme/A kind=issue n=7 id=990 author=op src=body\n  body: @hub-bot x\n";
		expect(run(delivered + searched)).toBe(delivered);
	});

	test("two reviews as a whole, which have no reactions, are two things", () => {
		const review = (id: number) =>
			`pr_review=3 id=${id} author=op path=?\n  body: x\n`;
		expect(run(review(1) + review(2) + review(1))).toBe(review(1) + review(2));
	});

	test.each([
		["author", comment(5, "x", "eve"), comment(5, "heard")],
		["skip", comment(5, "/skip"), comment(5, "heard")],
		["cross-repo", mention(5, "for nobody"), mention(5, "@hub-bot heard")],
	])(
		"what the hop `%s` in front has dropped was never first",
		(_, first, then) => {
			expect(run(first + then)).toBe(then);
		},
	);
});

describe("the skip marker is looked for behind the author and before everything else; opted out is", () => {
	const optedOut = (text: string) => {
		const items = parseBlocks(text).map((block) => ({ block }));
		const ran = runPipeline(items, FACTS, {
			isOver: () => false,
			claim: () => {},
		});
		return ran?.optedOut.map(({ block }) => renderForEmit(block));
	};
	test.each([
		["the operator's", comment(1, "/skip"), true],
		["a stranger's", comment(1, "/skip", "eve"), false],
		["one elsewhere that names nobody", mention(1, "/skip"), true],
	])("%s, %j: %p", (_, text, isOptedOut) => {
		expect(optedOut(text)).toEqual(isOptedOut ? [text] : []);
	});
});

describe("hops 5 and 6: lists", () => {
	test("a suppressed id is not told, anywhere", () => {
		const suppressed = new Set(["100"]);
		expect(passes(comment(100), { suppressed })).toBe(false);
		expect(passes(mention(100), { suppressed })).toBe(false);
		expect(passes(comment(1001), { suppressed })).toBe(true);
	});

	test.each([
		["id=1001 is not 100", comment(1001), true],
		["100 is", comment(100), false],
		["elsewhere the registry knows better", mention(100), true],
		[
			"the opening of a handled issue",
			"issue_new=9 id=9 author=op\n  body: x\n",
			false,
		],
		["a comment on it", "issue=9 id=5 author=op\n  body: x\n", true],
	])("%s", (_name, text, heard) => {
		const processed = new Set(["comment:100", "issue:9"]);
		expect(passes(text, { processed })).toBe(heard);
	});
});

/** Runs that share a disk; `deliver: false` is a paste that failed. */
function station(facts: Partial<PipelineFacts> = {}) {
	const doors = fakeDoors({ now: NOW });
	const claims: Claims = new Map();
	let inFlight: (() => void)[] = [];
	return {
		doors,
		run: (text: string, opts: { deliver?: boolean; hold?: boolean } = {}) => {
			const items = parseBlocks(text).map((block) => ({ block }));
			const now = doors.clock.now();
			const ends: (() => void)[] = [];
			const result = runPipeline(
				items,
				{ ...FACTS, ...facts, now, stamps: stampLooks(doors, "/s", claims) },
				{
					isOver: () => false,
					claim: (stamps) => ends.push(claim(claims, stamps, now)),
				},
			);
			const passed = result?.passed ?? [];
			if (opts.hold) inFlight = ends;
			else {
				if (opts.deliver ?? true)
					writeStamps(
						doors,
						"/s",
						passed.flatMap((p) => p.stamps),
						now,
					);
				for (const end of ends) end();
			}
			return passed.length;
		},
		release: () => {
			for (const end of inFlight) end();
		},
		wait: (seconds: number) => doors.clock.stall(seconds * 1000),
	};
}

describe("hop 9: the same comment with the same text", () => {
	test("once in five minutes; an edited one at once", () => {
		const s = station();
		expect(s.run(comment(1, "a"))).toBe(1);
		s.wait(299);
		expect(s.run(comment(1, "a"))).toBe(0);
		expect(s.run(comment(1, "b"))).toBe(1);
		s.wait(300);
		expect(s.run(comment(1, "b"))).toBe(1);
	});

	test("is off at 0, and then writes no stamp", () => {
		const s = station({ emitCooldown: 0 });
		expect(s.run(comment(1))).toBe(1);
		expect(s.run(comment(1))).toBe(1);
		expect(s.doors.files.paths("/s")).toEqual([]);
	});

	test("whose paste failed has left no trace", () => {
		const s = station();
		expect(s.run(comment(1), { deliver: false })).toBe(1);
		expect(s.doors.files.paths("/s")).toEqual([]);
		expect(s.run(comment(1))).toBe(1);
	});

	test("is carried by one view at a time, until that one ends", () => {
		const s = station();
		expect(s.run(comment(1), { hold: true })).toBe(1);
		expect(s.run(comment(1))).toBe(0);
		s.release();
		expect(s.run(comment(1))).toBe(1);
	});

	test.each(["", "hello", "ts=1\n", "ts=x\nbody_sha=y\n"])(
		"a stamp that says %p mutes nobody, and is set aside",
		(text) => {
			const s = station();
			s.doors.files.seed("/s/emit-history/comment-1.meta", text);
			expect(s.run(comment(1))).toBe(1);
			expect(s.doors.files.paths("/s/emit-history")).toHaveLength(2);
		},
	);

	test("a stamp of next year mutes nobody", () => {
		const s = station();
		s.run(comment(1));
		s.doors.clock.stepWall(-365 * 86_400_000);
		expect(s.run(comment(1))).toBe(1);
	});
});

describe("hop 7: a comment elsewhere", () => {
	test("once in five minutes, whatever its text", () => {
		const s = station();
		expect(s.run(mention(1, "@hub-bot a"))).toBe(1);
		expect(s.run(mention(1, "@hub-bot b"))).toBe(0);
		s.wait(300);
		expect(s.run(mention(1, "@hub-bot b"))).toBe(1);
	});

	test("is off at 0: then an edited one passes at once", () => {
		const s = station({ mentionBackoff: 0 });
		expect(s.run(mention(1, "@hub-bot a"))).toBe(1);
		expect(s.run(mention(1, "@hub-bot b"))).toBe(1);
		expect(s.doors.files.has("/s/reemit-backoff")).toBe(false);
	});

	test("keeps its stamp under a name that nobody can lead astray", () => {
		const s = station({ crossRepo: { surface: "author_only", bot: "" } });
		s.run(
			"mention=acme/o kind=issue n=../../x id=../../y author=op src=body\n  body: x\n",
		);
		expect(s.doors.files.paths("/s")).toEqual([
			"/s/emit-history/issue-acme_o-.._.._x.meta",
			"/s/reemit-backoff/issue-acme_o-.._.._x.ts",
		]);
	});
});

describe("hop 8: an alert", () => {
	test("that is staged is read six times and told once", () => {
		const s = station();
		const told = Array.from({ length: 6 }, () => s.run(alert("rate-limit")));
		expect(told).toEqual([1, 0, 0, 0, 0, 0]);
		s.wait(900);
		expect(s.run(alert("rate-limit"))).toBe(1);
	});

	test("that says something new, or is of another kind, passes", () => {
		const s = station();
		s.run(alert("ingest-degraded", 1800));
		expect(s.run(alert("ingest-degraded", 2700))).toBe(1);
		expect(s.run(alert("rate-limit"))).toBe(1);
	});

	test.each([
		"",
		"hello\n",
		`ts=${NOW}\nkind=rate-limit\n`,
		"ts=x\nkind=rate-limit\nsha=y\n",
	])("is muted by no history that says %j", (text) => {
		const s = station();
		s.doors.files.seed("/s/alert-history/alert-pr_comments.meta", text);
		expect(s.run(alert("rate-limit"))).toBe(1);
		expect(s.run(alert("rate-limit"))).toBe(0);
	});

	test("of two kinds of one surface, staged together, does not take turns", () => {
		const s = station();
		const both = alert("rate-limit") + alert("ingest-degraded");
		expect(s.run(both)).toBe(2);
		expect(s.run(both)).toBe(0);
	});

	test("twice in one text passes once", () => {
		expect(station().run(alert("rate-limit") + alert("rate-limit"))).toBe(1);
	});

	test("of a recovery does not wait for its own alert, nor the next alert for the recovery", () => {
		const s = station();
		const [down, up] = [alert("ingest-degraded"), alert("ingest-recovered")];
		for (const text of [down, up, down, up]) expect(s.run(text)).toBe(1);
		expect(s.run(up)).toBe(0);
	});

	test("is never held back at 0, nor without a kind", () => {
		const s = station({ alertCooldown: 0 });
		for (let i = 0; i < 6; i++) expect(s.run(alert("rate-limit"))).toBe(1);
		const t = station();
		for (let i = 0; i < 2; i++) expect(t.run("watcher_alert= x=1\n")).toBe(1);
	});
});

test("what is no block passes in its place", () => {
	const text = `hello\n${comment(1)}  body: an orphan\n`;
	expect(run(text)).toBe(text);
});

test("the time is looked at between two blocks", () => {
	const items = parseBlocks(comment(1) + comment(2)).map((block) => ({
		block,
	}));
	let looks = 0;
	const done = runPipeline(items, FACTS, {
		isOver: () => ++looks > 1,
		claim: () => {},
	});
	expect(done).toBeNull();
});
