/** The delivery log over HTTP: what is told, in which order, and where the cursor stands after each way to fail. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { OPERATOR, REPO } from "./rig.ts";
import {
	LISTING,
	OTHER,
	openSources,
	PAYLOAD,
	type SourceRig,
	type SourceRigOptions,
} from "./source-rig.ts";
import { redeliver } from "./stand-in/events.ts";
import type { Fault } from "./stand-in/faults.ts";

let rig: SourceRig;
beforeEach(() => {
	rig = openSources();
});
afterEach(async () => {
	await rig.close();
	expect(rig.standIn.problems).toEqual([]);
});

/** A rig whose issue 1 is old news. */
async function after(opts: SourceRigOptions = {}): Promise<SourceRig> {
	await rig.close();
	rig = openSources(opts);
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	await rig.deliveries();
	await rig.drain();
	rig.forget();
	return rig;
}
const say = (body: string, user = OPERATOR, repo = REPO) =>
	rig.standIn.acts.comment(repo, 1, user, body);
const bodiesIn = (text: string) =>
	[...text.matchAll(/^ {2}body: (.*)$/gm)].map(([, body]) => body);

describe("a poll", () => {
	test("fetches what can be a comment, oldest first, and puts the cursor on the newest", async () => {
		const { acts } = rig.standIn;
		acts.openIssue(REPO, { user: OPERATOR, title: "One", body: "first" });
		acts.commitFile(REPO, "a.txt", "a");
		say("second");
		const { text, rc } = await rig.deliveries();
		expect(rc).toBe(0);
		expect(bodiesIn(text)).toEqual(["first", "second"]);
		expect(rig.asked(PAYLOAD)).toHaveLength(2);
		expect(rig.cursor()).toBe(rig.newest());
		expect(await rig.drain()).toBe(text);
	});

	test("with nothing new asks for one page and nothing else", async () => {
		await after();
		await rig.deliveries();
		expect(rig.asked()).toEqual(["GET /app/hook/deliveries?per_page=100"]);
		expect(await rig.drain()).toBe("");
	});

	test("of nothing that can be a comment fetches nothing, and puts the cursor on the newest all the same", async () => {
		await after();
		rig.standIn.acts.commitFile(REPO, "a.txt", "a");
		expect(await rig.deliveries()).toEqual({ text: "", rc: 0 });
		expect(rig.asked(PAYLOAD)).toEqual([]);
		expect(rig.cursor()).toBe(rig.newest());
	});

	test("whose cursor cannot be written goes no further: it would be told twice", async () => {
		await after();
		const cursor = rig.cursor();
		for (const n of [1, 2]) say(`c${n}`);
		rig.doors.files.faults.fail({
			path: /last-delivery-cursor/,
			ops: ["write"],
			code: "ENOSPC",
		});
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c1"]);
		expect(rig.cursor()).toBe(cursor);
		expect(rig.doors.log.messages().join()).toContain("no cursor written");
	});

	test("leaves the blocks of the poll before in the queue", async () => {
		await after();
		say("hello");
		await rig.deliveries();
		await rig.deliveries();
		expect(bodiesIn(await rig.drain())).toEqual(["hello"]);
		expect(await rig.drain()).toBe("");
	});

	test("stops at its cap, and takes up the rest next time", async () => {
		await after({ config: { "monitor.deliveries.max_fetch_per_cycle": 2 } });
		for (const n of [1, 2, 3, 4, 5]) say(`c${n}`);
		const polls = [];
		for (let i = 0; i < 4; i++)
			polls.push(bodiesIn((await rig.deliveries()).text));
		expect(polls).toEqual([["c1", "c2"], ["c3", "c4"], ["c5"], []]);
		expect(rig.doors.log.messages().join("\n")).toContain(
			"per-cycle fetch cap (2) reached",
		);
	});

	test("stops at its budget of time, and takes up the rest next time", async () => {
		await after({ config: { "monitor.deliveries.cycle_budget_seconds": 10 } });
		for (const n of [1, 2, 3]) say(`c${n}`);
		// Each write of the cursor takes six seconds.
		const hook = rig.doors.files.faults.before((op, path) => {
			if (op === "write" && path.includes("last-delivery-cursor"))
				rig.doors.clock.stall(6_000);
		});
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c1", "c2"]);
		hook();
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c3"]);
	});

	test("walks page by page, by the cursor of the next page alone", async () => {
		await after();
		for (let n = 0; n < 250; n++) say(`c${n}`, "stranger");
		rig.standIn.faults.add({
			on: LISTING,
			fault: { kind: "foreign-links", origin: "http://127.0.0.1:1" },
		});
		await rig.deliveries();
		expect(rig.asked(LISTING)).toHaveLength(3);
		expect(rig.asked(LISTING).at(-1)).toMatch(/cursor=v1_\d+/);
		expect(rig.asked(PAYLOAD)).toHaveLength(25);
	});

	test("that reaches its last page before the cursor says so", async () => {
		await after({ config: { DELIVERIES_MAX_PAGES: 2 } });
		for (let n = 0; n < 250; n++) say(`c${n}`, "stranger");
		await rig.deliveries();
		expect(rig.asked(LISTING)).toHaveLength(2);
		expect(rig.doors.log.messages().join("\n")).toContain(
			"page cap (2) hit before reaching cursor",
		);
	});

	test("that reaches its last page without a cursor to look for says nothing", async () => {
		await rig.close();
		rig = openSources({ config: { DELIVERIES_MAX_PAGES: 1 } });
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
		for (let n = 0; n < 110; n++) say(`c${n}`, "stranger");
		await rig.deliveries();
		expect(rig.asked(LISTING)).toHaveLength(1);
		expect(rig.doors.log.messages().join()).not.toContain("page cap");
	});

	test("is not led astray by a redelivery at the top of the log", async () => {
		await after();
		const [known] = rig.standIn.place.state.deliveries;
		say("between");
		redeliver(rig.standIn.place, known?.id ?? "");
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["between"]);
		expect(bodiesIn((await rig.deliveries()).text)).toEqual([]);
	});

	test("that is ended in the middle keeps what is done, and its place", async () => {
		await after();
		for (const n of [1, 2, 3]) say(`c${n}`);
		const end = new AbortController();
		rig.standIn.faults.add({
			on: PAYLOAD,
			after: 1,
			times: 1,
			fault: { kind: "no-answer" },
		});
		const polling = rig.deliveries(end.signal);
		await Bun.sleep(0);
		while (rig.asked(PAYLOAD).length < 2) await Bun.sleep(1);
		end.abort();
		expect(bodiesIn((await polling).text)).toEqual(["c1"]);
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c2", "c3"]);
		expect(rig.doors.log.messages().join("\n")).not.toContain("failed");
	});
});

describe("what is told", () => {
	test("of the configured repository, in its shapes", async () => {
		const { acts } = rig.standIn;
		acts.openIssue(REPO, { user: OPERATOR, title: "One", body: "open" });
		acts.openPull(REPO, {
			user: OPERATOR,
			title: "Two",
			body: "pull",
			head: "work",
		});
		const c1 = acts.comment(REPO, 1, OPERATOR, "on an issue");
		const c2 = acts.comment(REPO, 2, OPERATOR, "on a pull request");
		const c3 = acts.reviewComment(REPO, 2, OPERATOR, {
			body: "inline",
			path: "src/a b.ts",
		});
		const c4 = acts.submitReview(REPO, 2, OPERATOR, { body: "as a whole" });
		const { text } = await rig.deliveries();
		expect(text.split("\n").filter((line) => !/^ /.test(line))).toEqual([
			"issue_new=1 id=1 author=op",
			expect.stringMatching(/^pr=2 id=\d+ author=op$/),
			`issue=1 id=${c1.id} author=op`,
			`pr=2 id=${c2.id} author=op`,
			`pr_review=2 id=${c3.id} author=op path=src/a%20b.ts`,
			`pr_review=2 id=${c4.id} author=op path=?`,
			"",
		]);
	});

	test("of another repository, as mentions", async () => {
		const { acts } = rig.standIn;
		acts.openIssue(OTHER, { user: OPERATOR, title: "One", body: "open" });
		acts.openPull(OTHER, { user: OPERATOR, title: "Two", head: "work" });
		const c = acts.comment(OTHER, 1, OPERATOR, "hello");
		const r = acts.reviewComment(OTHER, 2, OPERATOR, {
			body: "inline",
			path: "src/a.ts",
		});
		const { text } = await rig.deliveries();
		const headers = text.split("\n").filter((line) => /^\S/.test(line));
		expect(headers[0]).toBe(
			`mention=${OTHER} kind=issue_new n=1 id=1 author=op src=body`,
		);
		expect(headers[1]).toMatch(
			/^mention=acme\/other kind=pr n=2 id=\d+ author=op src=body$/,
		);
		expect(headers.slice(2)).toEqual([
			`mention=${OTHER} kind=issue n=1 id=${c.id} author=op`,
			`mention=${OTHER} kind=pr_review n=2 id=${r.id} author=op path=src/a.ts`,
		]);
	});

	test("of strangers as well: who counts is judged later, for every source", async () => {
		await after();
		say("hi", "mallory");
		expect((await rig.deliveries()).text).toContain("author=mallory");
	});

	test("not what the bot has reacted on since, nor what is switched off; the cursor goes on", async () => {
		await after();
		const done = say("done");
		rig.seed("processed-comments.txt", `comment:${done.id}\n`);
		rig.standIn.acts.openIssue(OTHER, { user: OPERATOR, title: "x" });
		const home = {
			...rig.config,
			"monitor.deliveries.bot_mention_enabled": false,
		};
		expect((await rig.deliveries(undefined, home)).text).toBe("");
		expect(rig.cursor()).toBe(rig.newest());
		const none = { ...home, "monitor.deliveries.asset_enabled": false };
		say("off");
		expect((await rig.deliveries(undefined, none)).text).toBe("");
		expect(rig.cursor()).toBe(rig.newest());
	});
});

describe("without a cursor", () => {
	test("the backlog is told", async () => {
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
		say("old");
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["", "old"]);
	});

	const SEED = { "monitor.deliveries.seed_on_first_run": true } as const;

	test("and with seeding it is skipped, but nothing that comes after", async () => {
		await rig.close();
		rig = openSources({ config: SEED });
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
		expect((await rig.deliveries()).text).toBe("");
		expect(rig.cursor()).toBe(rig.newest());
		expect(rig.asked(PAYLOAD)).toEqual([]);
		expect(rig.doors.log.messages().join()).toContain("backlog is skipped");
		say("new");
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["new"]);
	});

	test("an empty log is seeded, too: the first comment ever is no backlog", async () => {
		await rig.close();
		rig = openSources({ config: SEED });
		await rig.deliveries();
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "x", body: "b" });
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["b"]);
	});

	test.each([
		["of zero bytes", ""],
		["of two lines", "a\nb\n"],
	])(
		"a cursor %s is not none: the log is walked, whatever the seed says",
		async (_name, text) => {
			await rig.close();
			rig = openSources({ config: SEED });
			rig.standIn.acts.openIssue(REPO, {
				user: OPERATOR,
				title: "x",
				body: "a",
			});
			say("b");
			rig.seed("last-delivery-cursor.txt", text);
			rig.standIn.faults.add({
				on: LISTING,
				times: 1,
				fault: { kind: "server" },
			});
			expect((await rig.deliveries()).text).toBe("");
			expect(bodiesIn((await rig.deliveries()).text)).toEqual(["a", "b"]);
			expect(rig.alerts()).toHaveLength(1);
		},
	);
});

describe("a listing that fails costs a poll and nothing else:", () => {
	const rows: [string, Fault, number][] = [
		["a page of HTML", { kind: "server" }, 0],
		["half an answer", { kind: "truncated" }, 0],
		["an empty one", { kind: "empty" }, 0],
		["something else", { kind: "answer", status: 200, body: { a: 1 } }, 0],
		["a refusal", { kind: "forbidden" }, 0],
		["401", { kind: "unauthorized" }, 0],
		["the hour's limit", { kind: "primary" }, 75],
		["a secondary limit", { kind: "secondary" }, 75],
		["an abuse page", { kind: "abuse-page" }, 75],
	];
	test.each(rows)("%s", async (_name, fault, rc) => {
		await after();
		const cursor = rig.cursor();
		say("late");
		const cure = rig.standIn.faults.add({ on: LISTING, fault });
		expect(await rig.deliveries()).toEqual({
			text: "",
			rc: rc === 75 ? 75 : 0,
		});
		await rig.deliveries();
		expect(rig.cursor()).toBe(cursor);
		const said = rig.doors.log
			.messages()
			.filter((line) => line.includes("skipping cycle (non-fatal)"));
		expect(said).toHaveLength(1);
		if (rc === 0) {
			await rig.doors.clock.advance(600_000);
			await rig.deliveries();
			const again = rig.doors.log.messages();
			expect(again.filter((line) => line.includes("non-fatal"))).toHaveLength(
				2,
			);
		}
		cure();
		await rig.doors.clock.advance(901_000);
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["late"]);
	});

	test("a server that does not answer, at its deadline", async () => {
		await after();
		const cure = rig.standIn.faults.add({
			on: LISTING,
			fault: { kind: "no-answer" },
		});
		expect(await rig.inTime(rig.deliveries())).toEqual({ text: "", rc: 0 });
		expect(rig.doors.log.messages().join("\n")).toContain("timeout");
		cure();
	});

	test("no key", async () => {
		await after();
		rig.doors.files.remove("/keys/app.pem");
		expect(await rig.deliveries()).toEqual({ text: "", rc: 0 });
		expect(rig.doors.log.messages().join("\n")).toContain("jwt mint failed");
	});

	test("while the pause is on no call is made", async () => {
		await after();
		rig.standIn.faults.add({
			on: LISTING,
			times: 1,
			fault: { kind: "secondary", retryAfter: 60 },
		});
		await rig.deliveries();
		expect(rig.asked(LISTING)).toHaveLength(1);
		expect((await rig.deliveries()).rc).toBe(75);
		expect(rig.asked(LISTING)).toHaveLength(1);
		await rig.doors.clock.advance(60_000);
		expect((await rig.deliveries()).rc).toBe(0);
		expect(rig.state("github-pause-app")).toBe("");
	});

	test("an App without a webhook has no log, which is said once a day", async () => {
		await after();
		rig.standIn.place.state.app.hasWebhook = false;
		await rig.deliveries();
		await rig.deliveries();
		const said = () =>
			rig.doors.log.messages().filter((m) => m.includes("returned 404")).length;
		expect(said()).toBe(1);
		await rig.doors.clock.advance(86_400_000);
		await rig.deliveries();
		expect(said()).toBe(2);
	});
});

describe("a payload that fails", () => {
	test.each<[string, Fault]>([
		[
			"is gone",
			{ kind: "answer", status: 404, body: { message: "Not Found" } },
		],
		[
			"was taken down",
			{ kind: "answer", status: 410, body: { message: "Gone" } },
		],
		[
			"is refused for good",
			{ kind: "answer", status: 422, body: { message: "no" } },
		],
	])("because it %s is done with", async (_name, fault) => {
		await after();
		say("c1");
		say("c2");
		rig.standIn.faults.add({ on: PAYLOAD, times: 1, fault });
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c2"]);
		expect(rig.cursor()).toBe(rig.newest());
	});

	test.each<[string, Fault]>([
		["a server error", { kind: "server" }],
		["half an answer", { kind: "truncated" }],
		["an answer of another shape", { kind: "answer", status: 200, body: [1] }],
	])(
		"by %s holds the rest back, and is given up at the third poll",
		async (_name, fault) => {
			await after();
			for (const n of [1, 2, 3]) say(`c${n}`);
			rig.standIn.faults.add({ on: PAYLOAD, after: 1, times: 3, fault });
			const polls = [];
			for (let i = 0; i < 3; i++)
				polls.push(bodiesIn((await rig.deliveries()).text));
			expect(polls).toEqual([["c1"], [], ["c3"]]);
			expect(rig.doors.log.messages().join("\n")).toContain("given up after 3");
			expect(rig.cursor()).toBe(rig.newest());
		},
	);

	test("and comes at the second try is told", async () => {
		await after();
		say("c1");
		rig.standIn.faults.add({
			on: PAYLOAD,
			times: 2,
			fault: { kind: "server", status: 502 },
		});
		for (let i = 0; i < 2; i++) await rig.deliveries();
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c1"]);
	});

	test.each<[string, Fault, 0 | 75]>([
		["a refusal of the thing", { kind: "forbidden" }, 0],
		["401", { kind: "unauthorized" }, 0],
		["a limit", { kind: "secondary", retryAfter: 30 }, 75],
	])("by %s stops there, however often", async (_name, fault, rc) => {
		await after();
		say("c1");
		const cure = rig.standIn.faults.add({ on: PAYLOAD, fault });
		for (let i = 0; i < 4; i++) {
			expect(await rig.deliveries()).toEqual({ text: "", rc });
			await rig.doors.clock.advance(901_000);
		}
		cure();
		expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c1"]);
	});
});

test("a limit in the middle keeps what was told before it, and asks for a pause", async () => {
	await after();
	for (const n of [1, 2]) say(`c${n}`);
	rig.standIn.faults.add({
		on: PAYLOAD,
		after: 1,
		times: 1,
		fault: { kind: "secondary", retryAfter: 60 },
	});
	const { text, rc } = await rig.deliveries();
	expect([bodiesIn(text), rc]).toEqual([["c1"], 75]);
	expect(rig.state("github-pause-app")).toContain("kind=secondary");
});

test("a block that cannot be queued is not done with", async () => {
	await after();
	say("c1");
	const path = "/s/deliveries-queue.lines";
	const heal = rig.doors.files.faults.fail({ path, code: "ENOSPC" });
	expect((await rig.deliveries()).text).toBe("");
	heal();
	expect(bodiesIn((await rig.deliveries()).text)).toEqual(["c1"]);
});
