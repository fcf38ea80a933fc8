/** Which requests stand in a report, and when again. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	effectiveCooldown,
	renderRequests,
	requestRow,
	requestsIn,
	selectDue,
} from "../../monitor/_emit/requests-section.ts";
import { fileRequest } from "../../monitor/_state/request-filing.ts";
import { parseRequestHead } from "../../monitor/_state/requests.ts";
import {
	parseRequestStamps,
	resetDeliveryState,
} from "../../monitor/_state/requests-emit.ts";
import { type EmitRig, emitRig, requestText, STATE } from "./emit-rig.ts";

const INBOX = join(STATE, "requests");
const STAMPS = "requests-emit-state.tsv";
const id = (n: number, origin = "alice") => `20260511T20000${n}Z-${origin}-dup`;
const ids = (rig: EmitRig) =>
	(rig.staged("requests_poll")?.match(/^request=\S+/gm) ?? []).map((r) =>
		r.slice("request=".length),
	);

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
			"an empty priority",
			{ priority: "" },
			"request=x origin=alice kind=question priority=normal",
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
