import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	effectiveCooldown,
	renderRequests,
	requestRow,
	requestsIn,
	selectDue,
} from "../../monitor/_emit/requests-section.ts";
import { fieldOf, splitFrontmatter } from "../../monitor/_state/frontmatter.ts";
import { fileRequest } from "../../monitor/_state/request-filing.ts";
import {
	parseRequestHead,
	parseRequestName,
} from "../../monitor/_state/requests.ts";
import {
	checkRequestsDir,
	requestsDir,
} from "../../monitor/_state/requests-dir.ts";
import {
	parseRequestStamps,
	resetDeliveryState,
} from "../../monitor/_state/requests-emit.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { type EmitRig, emitRig, requestText, STATE } from "./emit-rig.ts";

const INBOX = join(STATE, "requests");
const STAMPS = "requests-emit-state.tsv";
const id = (n: number, origin = "alice") => `20260511T20000${n}Z-${origin}-dup`;
const ids = (rig: EmitRig) =>
	(rig.staged("requests_poll")?.match(/^request=\S+/gm) ?? []).map((r) =>
		r.slice("request=".length),
	);
const inbox = (rig: EmitRig) =>
	rig.files.paths(INBOX).map((p) => p.slice(INBOX.length + 1));

test.each([
	["x.new.md", { id: "x", state: "new" }],
	[
		"20260511T204201Z-a-b-01.claimed.md",
		{ id: "20260511T204201Z-a-b-01", state: "claimed" },
	],
	["x.replying.md", { id: "x", state: "replying" }],
	["x.gone.md", null],
	["..new.md", null],
	["a.b.new.md", null],
	["../x.new.md", null],
	["x.new.md.tmp.3", null],
	["x.constructor.md", null],
])("the name %s", (name, parsed) => {
	expect(parseRequestName(name)).toEqual(
		parsed as ReturnType<typeof parseRequestName>,
	);
});

describe("frontmatter", () => {
	test.each([
		["a plain field", "---\norigin: alice\n---\n", "alice"],
		["leading blanks go, trailing stay", "---\norigin: \t a \n---\n", "a "],
		["a colon in the value stays", "---\norigin: a: b\n---\n", "a: b"],
		["the first of two wins", "---\norigin: a\norigin: b\n---\n", "a"],
		["a fence with a trailing blank", "--- \norigin: a\n---\n", "a"],
		["body text supplies no field", "---\nx: y\n---\norigin: evil\n", ""],
		["a fence that never closes holds none", "---\norigin: evil\n", ""],
		["no fence", "origin: evil\n", ""],
		["an indented line is no field", "---\n origin: evil\n---\n", ""],
	])("%s", (_name, text, value) => {
		expect(fieldOf(splitFrontmatter(text), "origin")).toBe(value);
	});

	test("the summary comes from the request section alone", () => {
		const head = parseRequestHead(requestText("x", { text: "first\nsecond" }));
		expect(head.text.trim()).toStartWith("first\nsecond");
		expect(parseRequestHead("---\nrequest: x\n---\nno section\n").text).toBe(
			"",
		);
	});
});

describe("where the inbox is", () => {
	const facts = {
		env: null,
		configured: null,
		home: "/home/op",
		stateDir: STATE,
		liveStateDir: STATE,
	};
	test.each([
		["the state dir's own", {}, { kind: "ok", source: "default", dir: INBOX }],
		[
			"the environment's",
			{ env: "/in", configured: "/c" },
			{ kind: "ok", source: "env", dir: "/in" },
		],
		[
			"the config's",
			{ configured: "~/in" },
			{ kind: "ok", source: "config", dir: "/home/op/in" },
		],
		[
			"never the config's for another state dir",
			{ configured: "/in", liveStateDir: "/other" },
			{ kind: "ok", source: "default", dir: INBOX },
		],
	])("%s", (_name, part, expected) => {
		expect(requestsDir({ ...facts, ...part })).toEqual(
			expected as ReturnType<typeof requestsDir>,
		);
	});

	test("a relative one is refused with 2, one that is not there with 3", () => {
		expect(requestsDir({ ...facts, env: "in" })).toMatchObject({ rc: 2 });
		const { files } = fakeDoors();
		const named = requestsDir({ ...facts, env: "/in" });
		expect(checkRequestsDir(files, named)).toMatchObject({ rc: 3 });
		files.seedLink("/nowhere", "/in");
		expect(checkRequestsDir(files, named)).toMatchObject({ rc: 3 });
		files.remove("/in");
		files.seedDir("/in");
		expect(checkRequestsDir(files, named)).toEqual(named);
		const own = requestsDir(facts);
		expect(checkRequestsDir(files, own)).toEqual(own);
		files.seedLink("/nowhere", INBOX);
		expect(checkRequestsDir(files, own)).toMatchObject({ rc: 3 });
	});

	test("one that vanished withdraws nothing and is said once", async () => {
		const rig = emitRig({ config: { "monitor.requests.dir": "/in" } });
		rig.request(id(1), { inbox: "/in" });
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
		rig.files.removeTree("/in");
		expect((await rig.requests()).rc).toBe(3);
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
		expect(
			rig.log.messages().filter((l) => l.includes("is not there")),
		).toHaveLength(1);
	});
});

describe("moving files on", () => {
	test("a new request is claimed, its bytes unchanged", async () => {
		const rig = emitRig();
		rig.request(id(1));
		await rig.requests();
		expect(inbox(rig)).toEqual([`${id(1)}.claimed.md`]);
		expect(rig.files.text(join(INBOX, `${id(1)}.claimed.md`))).toBe(
			requestText(id(1)),
		);
	});

	const now = 1_800_000_000;
	const rows: [string, string, number, string, string | null][] = [
		["a new one without frontmatter fails", "new", 0, "just text\n", "failed"],
		[
			"a new one without a request: field fails",
			"new",
			0,
			"---\norigin: a\n---\n",
			"failed",
		],
		[
			"an old new one is claimed first, so that somebody sees it",
			"new",
			300_000,
			requestText("x"),
			"claimed",
		],
		[
			"a claimed one of the age fails",
			"claimed",
			259_200,
			requestText("x"),
			"failed",
		],
		[
			"a claimed one younger stays",
			"claimed",
			259_199,
			requestText("x"),
			"claimed",
		],
		[
			"half-replied, with a reply, is finished",
			"replying",
			61,
			requestText("x", { inFile: "replied" }),
			"replied",
		],
		[
			"half-replied, without one, fails",
			"replying",
			61,
			requestText("x", { inFile: "claimed" }),
			"failed",
		],
		[
			"half-replied, the word only in the body, fails",
			"replying",
			61,
			`${requestText("x")}state: replied\n`,
			"failed",
		],
		["half-failed fails", "failing", 61, requestText("x"), "failed"],
		[
			"half-replied a moment ago stays",
			"replying",
			60,
			requestText("x"),
			"replying",
		],
		[
			"done past its retention is collected",
			"done",
			259_200,
			requestText("x"),
			null,
		],
		[
			"failed past its retention is collected",
			"failed",
			259_200,
			requestText("x"),
			null,
		],
		[
			"replied past its retention is collected",
			"replied",
			259_200,
			requestText("x"),
			null,
		],
		["done before that stays", "done", 259_199, requestText("x"), "done"],
	];
	test.each(rows)("%s", async (_name, state, age, text, after) => {
		const rig = emitRig({ now });
		rig.files.seed(join(INBOX, `x.${state}.md`), text, { mtime: now - age });
		rig.files.seed(join(INBOX, "replies/x/results.md"), "r");
		rig.files.seed(join(INBOX, "replies/xx/results.md"), "r");
		rig.files.seedDir(join(INBOX, ".ids/x"));
		await rig.requests();
		const top = inbox(rig).filter((name) => !name.includes("/"));
		expect(top).toEqual(after === null ? [] : [`x.${after}.md`]);
		if (after !== null)
			expect(rig.files.text(join(INBOX, top[0] ?? ""))).toBe(text);
		expect(rig.files.has(join(INBOX, "replies/x"))).toBe(after !== null);
		expect(rig.files.has(join(INBOX, ".ids/x"))).toBe(after !== null);
		expect(rig.files.has(join(INBOX, "replies/xx"))).toBe(true);
	});

	test("what fails of age is still there for its producer to see", async () => {
		const rig = emitRig({ now });
		rig.request("x", { state: "claimed", mtime: now - 259_200 });
		await rig.requests();
		await rig.requests();
		expect(inbox(rig)).toEqual(["x.failed.md"]);
		expect(rig.log.messages("warn").join()).toContain(
			"request x: claimed → failed",
		);
	});

	test("nothing is too old in the grace after a clock gap", async () => {
		const rig = emitRig({ now });
		rig.request("x", { state: "claimed", mtime: now - 900_000 });
		rig.request("y", { state: "done", mtime: now - 900_000 });
		await rig.requests({ afterGap: true });
		expect(inbox(rig)).toEqual(["x.claimed.md", "y.done.md"]);
	});

	test("replied has a retention of its own", async () => {
		const rig = emitRig({
			now,
			config: { MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS: 10 },
		});
		rig.request("x", { state: "replied", mtime: now - 11 });
		rig.request("y", { state: "done", mtime: now - 11 });
		await rig.requests();
		expect(inbox(rig)).toEqual(["y.done.md"]);
	});

	test("a claim never overwrites one of the same id", async () => {
		const rig = emitRig();
		rig.request("x", { state: "claimed", text: "the first" });
		rig.request("x", { text: "the second" });
		await rig.requests();
		expect(rig.files.text(join(INBOX, "x.claimed.md"))).toContain("the first");
	});

	test("disabled: nothing is claimed, nothing is said", async () => {
		const rig = emitRig({ config: { "monitor.requests.enabled": false } });
		rig.request(id(1));
		expect(await rig.requests()).toEqual({ rc: 0, out: "" });
		expect(inbox(rig)).toEqual([`${id(1)}.new.md`]);
	});
});

describe("the rows", () => {
	test("have four lines each", async () => {
		const rig = emitRig();
		rig.request(id(1), { kind: "review", priority: "high" });
		await rig.requests();
		expect(rig.staged("requests_poll")).toBe(
			[
				`request=${id(1)} origin=alice kind=review priority=high`,
				"    summary: Which seed shall I use?",
				`    file=${INBOX}/${id(1)}.claimed.md`,
				`    handling: \`ng request ack ${id(1)}\` closes it (\`ng request reply ${id(1)}\` does too)`,
				"",
			].join("\n"),
		);
	});

	const handling = (part: object) =>
		renderRequests([
			requestRow("x", "/f", parseRequestHead(requestText("x", part))),
		]);
	test.each([
		["that needs a reply", { reply: "required" }, "`ng request reply x`"],
		[
			"for a skeptic",
			{ kind: "spawn-skeptic" },
			"spawning the skeptic acks it",
		],
		[
			"for a skeptic that needs a reply",
			{ kind: "spawn-skeptic", reply: "required" },
			"`ng request reply x`",
		],
		["of another kind", {}, "`ng request ack x`"],
	])("one %s says how THAT one closes", (_name, part, text) => {
		expect(handling(part)).toContain(`    handling: `);
		expect(handling(part)).toContain(text);
	});

	test.each([
		[
			"a tab in the origin",
			{ origin: "a\tb" },
			"request=x origin=a b kind=question priority=normal",
		],
		[
			"an empty origin and kind",
			{ origin: "", kind: "" },
			"request=x origin=unknown kind=unknown priority=normal",
		],
		[
			"escapes in the kind",
			{ kind: "q\u001b[2J" },
			"request=x origin=alice kind=q [2J priority=normal",
		],
	])("%s stays inside the line", (_name, part, line) => {
		expect(handling(part).split("\n")[0]).toBe(line);
	});

	test("a file without a request section has a placeholder, its path intact", () => {
		const rows = renderRequests([
			requestRow("x", "/f", parseRequestHead("---\nrequest: x\n---\n")),
		]);
		expect(rows).toContain(
			"    summary: (no text under ## Request)\n    file=/f\n",
		);
	});

	test("a long summary is cut to 157 and a mark", () => {
		expect(handling({ text: "x".repeat(161) })).toContain(
			`    summary: ${"x".repeat(157)}…\n`,
		);
	});

	test("are read back from their own section alone", () => {
		const body = [
			"--- pending decisions ---",
			"request=elsewhere origin=a",
			"--- requests ---",
			"request=x origin=a kind=b priority=c",
			"    summary: request=inside",
			"request=bad/id origin=a",
			"--- dashboard ---",
		].join("\n");
		expect(requestsIn(body)).toEqual(["x"]);
	});
});

describe("which are due", () => {
	test.each([
		[300, 0, 300],
		[300, 1, 300],
		[300, 2, 600],
		[300, 3, 1200],
		[300, 10, 3600],
		[7200, 5, 7200],
	])("cooldown %d after %d deliveries is %d", (base, n, seconds) => {
		expect(effectiveCooldown(base, n, 3600)).toBe(seconds);
	});

	const cfg = {
		cooldownSeconds: 300,
		backoffMaxSeconds: 3600,
		maxPerEmit: 10,
		fairness: false,
	};
	const row = (rowId: string, origin = "a", priority = "normal") => ({
		...requestRow(rowId, "/f", null),
		origin,
		priority,
	});
	test.each([
		["never delivered", undefined, true],
		["delivered once, 299 s ago", { deliveredAt: 701, count: 1 }, false],
		["delivered once, 300 s ago", { deliveredAt: 700, count: 1 }, true],
		["delivered twice, 400 s ago", { deliveredAt: 600, count: 2 }, false],
		["delivered twice, 700 s ago", { deliveredAt: 300, count: 2 }, true],
		["stamped too far ahead to believe", { deliveredAt: 5000, count: 1 }, true],
	])("%s", (_name, stamp, due) => {
		const stamps = stamp === undefined ? [] : [{ id: "x", ...stamp }];
		expect(selectDue([row("x")], stamps, 1000, cfg)).toHaveLength(due ? 1 : 0);
	});

	test("high priority comes first, then the oldest", () => {
		const rows = [row(id(3)), row(id(1)), row(id(2), "a", "high")];
		expect(selectDue(rows, [], 0, cfg).map((r) => r.id)).toEqual([
			id(2),
			id(1),
			id(3),
		]);
	});

	test("what one worker filed within a second is told in the order it was filed, however it is named", async () => {
		const rig = emitRig();
		const filed = [];
		for (const slug of ["zebra", "job", "job", "ant"]) {
			const request = { origin: "alice", slug, kind: "question", body: "x" };
			const more = { priority: "normal", publish: true } as const;
			filed.push(
				fileRequest(rig, INBOX, {
					...request,
					...more,
					isReplyRequired: false,
				}),
			);
			await rig.clock.advance(20);
		}
		await rig.requests();
		expect(ids(rig)).toEqual(
			filed.flatMap((one) => (one.kind === "ok" ? [one.id] : [])),
		);
		expect(ids(rig)).toHaveLength(4);
	});

	test("with fairness each origin has its turn", () => {
		const rows = [
			row(id(1), "a"),
			row(id(2), "a"),
			row(id(3), "a"),
			row(id(4), "b"),
			row(id(5), "c"),
			row(id(6), "b"),
		];
		const fair = { ...cfg, fairness: true, maxPerEmit: 5 };
		expect(selectDue(rows, [], 0, fair).map((r) => r.id)).toEqual([
			id(1),
			id(4),
			id(5),
			id(2),
			id(6),
		]);
	});

	test("cap 2, five due, fairness off: delivered in turns of 2, 2, 1, each once; undelivered turns repeat", async () => {
		const rig = emitRig({
			config: {
				"monitor.requests.max_per_emit": 2,
				"monitor.requests.fairness": false,
			},
		});
		await rig.seed();
		for (let n = 1; n <= 5; n++) rig.request(id(n));
		await rig.requests();
		await rig.requests();
		expect(ids(rig)).toEqual([id(1), id(2)]);
		const told: string[][] = [];
		for (let i = 0; i < 4; i++) {
			await rig.requests();
			told.push(ids(rig));
			await rig.compose();
		}
		expect(told).toEqual([[id(1), id(2)], [id(3), id(4)], [id(5)], []]);
		expect(rig.pasted).toHaveLength(3);
	});
});

describe("delivery stamps", () => {
	test("a two-column stamp of an older writer counts once, and gets its third column", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.files.seed(join(STATE, STAMPS), `${id(1)}\t${rig.clock.now() - 600}\n`);
		rig.request(id(1));
		await rig.cycle();
		expect(rig.state(STAMPS)).toBe(`${id(1)}\t${rig.clock.now()}\t2\n`);
	});

	test("a failed paste changes nothing; the request stays due", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.request(id(1));
		rig.ends.push(6);
		await rig.cycle();
		expect(rig.state(STAMPS)).toBeNull();
		await rig.cycle();
		expect(rig.pasted[0]).toContain("(poll-requests)");
		expect(rig.state(STAMPS)).toStartWith(id(1));
	});

	test("only claimed requests keep one; with none claimed the file is empty", async () => {
		const rig = emitRig();
		rig.files.seed(join(STATE, STAMPS), `gone\t1\t1\n${id(1)}\t1\t1\n`);
		rig.request(id(1), { state: "claimed" });
		await rig.requests();
		expect(rig.state(STAMPS)).toBe(`${id(1)}\t1\t1\n`);
		rig.files.removeTree(INBOX);
		await rig.requests();
		expect(rig.state(STAMPS)).toBe("");
	});

	test("a new orchestrator session makes everything due again", async () => {
		const rig = emitRig();
		rig.files.seed(join(STATE, STAMPS), `${id(1)}\t${rig.clock.now()}\t1\n`);
		rig.request(id(1), { state: "claimed" });
		await rig.requests();
		expect(ids(rig)).toEqual([]);
		await resetDeliveryState(rig.doors, STATE);
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
	});

	test("a lock that somebody keeps is waited for 2 s, then the stamp is written without", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.doors.locks.takenElsewhere(join(STATE, `${STAMPS}.lock`));
		rig.request(id(1));
		await rig.cycle();
		expect(rig.state(STAMPS)).toStartWith(id(1));
	});

	test("a torn line costs only itself, a foreign file is set aside", async () => {
		expect(parseRequestStamps("a\t1\t1\nb\t2x\nc\t3\t")).toEqual([
			{ id: "a", deliveredAt: 1, count: 1 },
		]);
		const rig = emitRig();
		rig.files.seed(join(STATE, STAMPS), "\u0000\u0001");
		rig.request(id(1));
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
		expect(rig.files.paths(STATE).join()).toContain(`${STAMPS}.damaged.`);
	});

	test("stamps that cannot be read are not replaced", async () => {
		const rig = emitRig();
		rig.files.seed(join(STATE, STAMPS), `gone\t1\t1\n`);
		rig.files.faults.fail({
			path: join(STATE, STAMPS),
			ops: ["read"],
			code: "EIO",
		});
		rig.request(id(1));
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
		expect(rig.state(STAMPS)).toBe("gone\t1\t1\n");
	});

	test("stamps of 20 MB do not make a request come back every cycle", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.files.seed(join(STATE, STAMPS), "x".repeat(20 << 20));
		rig.request(id(1));
		for (let i = 0; i < 3; i++) await rig.cycle();
		expect(rig.pasted).toHaveLength(1);
		expect(rig.state(STAMPS)).toBe(`${id(1)}\t${rig.clock.now()}\t1\n`);
	});
});

describe("hostile files", () => {
	test("a symlink out of the inbox is failed, and nothing of its target is told", async () => {
		const rig = emitRig();
		rig.files.seed("/etc/secret", requestText("x", { text: "the secret" }));
		rig.files.seedLink("/etc/secret", join(INBOX, "x.new.md"));
		rig.files.seedLink("/etc/secret", join(INBOX, "y.claimed.md"));
		await rig.requests();
		expect(inbox(rig)).toEqual(["x.failed.md", "y.failed.md"]);
		expect(rig.staged("requests_poll")).toBe("");
		expect(rig.files.text("/etc/secret")).toContain("the secret");
	});

	test("a FIFO or a folder is failed without hanging", async () => {
		const rig = emitRig();
		rig.files.seedOther(join(INBOX, "fifo.new.md"));
		rig.files.seed(join(INBOX, "dir.new.md/x"), "");
		await rig.requests();
		expect(rig.files.has(join(INBOX, "fifo.failed.md"))).toBe(true);
		expect(rig.files.has(join(INBOX, "fifo.new.md"))).toBe(false);
		expect(rig.staged("requests_poll")).toBe("");
	});

	test("10 MB of details cost nothing and are not told", async () => {
		const rig = emitRig();
		rig.files.seed(
			join(INBOX, "x.new.md"),
			`${requestText("x")}${"details ".repeat(10 << 17)}`,
		);
		await rig.requests();
		expect(ids(rig)).toEqual(["x"]);
		expect(rig.staged("requests_poll")?.length).toBeLessThan(1000);
	});

	test("a request of one endless line is cut", async () => {
		const rig = emitRig();
		rig.request("x", { text: "y".repeat(1 << 20) });
		await rig.requests();
		expect(rig.staged("requests_poll")?.length).toBeLessThan(1000);
	});

	test("a claimed request that may not be read is shown all the same, a new one waits", async () => {
		const rig = emitRig();
		rig.request("x", { state: "claimed" });
		rig.request("y");
		rig.files.faults.fail({ path: /\.md$/, ops: ["read"], code: "EACCES" });
		await rig.requests();
		expect(rig.staged("requests_poll")).toStartWith("request=x origin=unknown");
		expect(inbox(rig)).toEqual(["x.claimed.md", "y.new.md"]);
	});

	test("an inbox that cannot be listed withdraws nothing", async () => {
		const rig = emitRig();
		rig.request(id(1));
		await rig.requests();
		rig.files.faults.fail({ path: INBOX, ops: ["list"], code: "EIO" });
		expect((await rig.requests()).rc).toBe(1);
		expect(ids(rig)).toEqual([id(1)]);
	});

	test("files that are no requests are left alone", async () => {
		const rig = emitRig();
		for (const name of ["README.md", "x.new.md~", "..new.md"])
			rig.files.seed(join(INBOX, name), "hi");
		await rig.requests();
		expect(inbox(rig)).toEqual(["..new.md", "README.md", "x.new.md~"]);
	});
});
