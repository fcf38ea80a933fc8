/**
 * A burst: 20 workers file 200 requests and 100 decisions at once, while the watcher claims. None is lost, none doubled,
 * each origin keeps its order, and no report carries more than it may.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { decisionsIn } from "../../monitor/_emit/decisions-section.ts";
import { requestsConfig } from "../../monitor/_emit/local-providers.ts";
import { renderPendingRequests } from "../../monitor/_emit/pending-requests.ts";
import { requestsIn } from "../../monitor/_emit/requests-section.ts";
import {
	isTombstone,
	parseDecisionName,
} from "../../monitor/_state/decisions.ts";
import { parseRequestName } from "../../monitor/_state/requests.ts";
import { BUN_FLAGS } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { emitRig, STATE } from "../emit/emit-rig.ts";

const WORKERS = Array.from(
	{ length: 20 },
	(_, n) => `w${String(n).padStart(2, "0")}`,
);
const REQUESTS = 10;
const DECISIONS = 5;
const PRODUCER = resolve(import.meta.dir, "burst-producer.ts");

let root: string;
let stateDir: string;
/** What each worker was told, in its order. */
const told = new Map<string, readonly string[]>();
const doors = realDoors();
const list = (dir: string) => {
	const found = doors.files.list(join(stateDir, dir));
	return found.kind === "ok" ? found.names : [];
};

beforeAll(async () => {
	root = mkdtempSync(join(tmpdir(), "nexus-burst-"));
	stateDir = join(root, "monitor/.state");
	mkdirSync(stateDir, { recursive: true });
	const children = WORKERS.map((window) => {
		const child = Bun.spawn(
			[
				process.execPath,
				...BUN_FLAGS,
				PRODUCER,
				window,
				`${REQUESTS}`,
				`${DECISIONS}`,
			],
			{
				stdout: "pipe",
				env: {
					PATH: process.env.PATH,
					HOME: root,
					NEXUS_ROOT: root,
					NEXUS_STATE_DIR: stateDir,
					NEXUS_WORKER_WINDOW: window,
				},
			},
		);
		return { window, child, out: child.stdout.text() };
	});
	const all = Promise.all(
		children.map(async ({ window, child, out }) => {
			expect(await child.exited).toBe(0);
			told.set(window, (await out).trimEnd().split("\n"));
		}),
	);
	const look = {
		stateDir,
		inbox: join(stateDir, "requests"),
		everything: false,
		afterGap: false,
		config: requestsConfig(watcherConfig()),
	};
	let isOver = false;
	void all.finally(() => {
		isOver = true;
	});
	// The watcher's part, as often as it can.
	while (!isOver) {
		await renderPendingRequests(doors, look);
		await Bun.sleep(1);
	}
	await all;
	await renderPendingRequests(doors, look);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true }));

test("each request that a worker was told of stands in the inbox once, claimed; each decision has its record", () => {
	const names = list("requests").flatMap(
		(name) => parseRequestName(name) ?? [],
	);
	const ids = [...told.values()].flat();
	expect(new Set(ids).size).toBe(200);
	expect(names.map(({ id }) => id).sort()).toEqual([...ids].sort());
	expect(new Set(names.map(({ state }) => state))).toEqual(
		new Set(["claimed"]),
	);
	const records = list("decisions").filter((name) => !isTombstone(name));
	expect(records).toHaveLength(100);
	for (const window of WORKERS)
		expect(
			records.filter((name) => parseDecisionName(name)?.window === window),
		).toHaveLength(DECISIONS);
});

describe("the reports", () => {
	const requests: (readonly string[])[] = [];
	const decisions: string[] = [];
	beforeAll(async () => {
		const rig = emitRig();
		for (const window of WORKERS) rig.tmux.window(window);
		await rig.seed();
		for (const dir of ["requests", "decisions"])
			for (const name of list(dir)) {
				const read = doors.files.read(join(stateDir, dir, name));
				if (read.kind === "ok")
					rig.files.seed(join(STATE, dir, name), read.text);
			}
		// Within the cooldown of the first: nothing is due twice.
		for (let n = 0; n < 25; n++) {
			const before = rig.pasted.length;
			await rig.cycle();
			for (const body of rig.pasted.slice(before)) {
				requests.push(requestsIn(body));
				decisions.push(
					...decisionsIn(body).map(
						({ window, fingerprint }) => `${window} ${fingerprint}`,
					),
				);
			}
			await rig.clock.advance(10_000);
		}
	});

	test("carry every request once, and no more than ten at a time", () => {
		expect(requests.flat().sort()).toEqual([...told.values()].flat().sort());
		expect(Math.max(...requests.map((ids) => ids.length))).toBe(10);
	});

	test("carry every decision once", () => {
		expect(decisions).toHaveLength(100);
		expect(new Set(decisions).size).toBe(100);
	});

	test("keep each worker's order, and take from ten workers at a time", () => {
		const originOf = (id: string) => /-(w\d\d)-job/.exec(id)?.[1] ?? "";
		for (const [window, ids] of told)
			expect(requests.flat().filter((id) => originOf(id) === window)).toEqual([
				...ids,
			]);
		for (const ids of requests.slice(0, 10))
			expect(new Set(ids.map(originOf)).size).toBe(10);
	});
});
