/** A person's new orchestrator is told what waited behind the last turn of the one before; and a turn that reads nothing is told to the operator. */
import { beforeEach, describe, expect, test } from "bun:test";
import type { UnreadReport } from "../../monitor/_delivery/unread-reports.ts";
import {
	type LookForLoss,
	lookForLoss,
	type Successor,
} from "../../monitor/watcher/_target_window/successor.ts";
import { targetWindowTask } from "../../monitor/watcher/_target_window.ts";
import type { TaskFn } from "../../monitor/watcher/context.ts";
import { paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { respawnWiring } from "../../monitor/watcher/respawn-wiring.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { type FakeClaude, fakeClaude } from "../unstick/fake-claude.ts";
import { STATE, watcherContext } from "./watcher-rig.ts";

const SIGNATURE = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
const UNREAD: readonly UnreadReport[] = [
	{ path: "/s/diffs/x.md", signature: SIGNATURE },
];

describe("an agent in the target's window", () => {
	const OLD: Successor = { pid: 10, startedAt: 1000, sessionId: "old" };
	const NEW: Successor = { pid: 11, startedAt: 2000, sessionId: "new" };
	let lost: readonly UnreadReport[];
	let pin: string | null;
	let flies: boolean;
	let lives: readonly string[];
	let told: string[];
	let asked: string[];
	let arrives: boolean | null;
	let look: LookForLoss;
	beforeEach(() => {
		lost = [];
		pin = null;
		flies = false;
		lives = [];
		told = [];
		asked = [];
		arrives = true;
		look = lookForLoss({
			inFlight: () => flies,
			pinned: () => pin,
			unread: (ids, before) => {
				asked.push(`${ids.join(" ")} before ${before}`);
				return lost;
			},
			tell: (text, end) => {
				told.push(text);
				if (arrives !== null) end(arrives);
			},
		});
	});
	const see = (seen: Successor, now = 5000) =>
		look(seen, (id) => lives.includes(id), now);

	test("is looked after once, and again when it is another", () => {
		for (const seen of [OLD, OLD, NEW, NEW]) see(seen);
		expect(asked).toEqual(["old before 1000", "old new before 2000"]);
		expect(told).toEqual([]);
	});

	test.each([
		["of the same session, resumed", { ...NEW, sessionId: "old" }, "old"],
		["of a session of its own", NEW, "old new"],
		["whose session nobody knows", { ...NEW, sessionId: null }, "old"],
	])("%s is told what was lost, once", (_what, next, ids) => {
		see(OLD);
		lost = UNREAD;
		for (let now = 5000; now < 6000; now += 15) see(next, now);
		expect(asked.at(-1)).toBe(`${ids} before 2000`);
		expect(told).toHaveLength(1);
		expect(told[0]).toContain(`\n- /s/diffs/x.md (${SIGNATURE})\n`);
	});

	test("after a restart of the watcher, the pin names the session before", () => {
		pin = "pinned";
		see(NEW);
		expect(asked).toEqual(["pinned new before 2000"]);
	});

	test("takes nothing from a session that lives in another window", () => {
		see(OLD);
		lives = ["old"];
		see(NEW);
		expect(asked.at(-1)).toBe("new before 2000");
	});

	test("that a respawn briefs is left to it", () => {
		see(OLD);
		lost = UNREAD;
		flies = true;
		see(NEW);
		expect(told).toEqual([]);
		flies = false;
		lost = [];
		see(NEW);
		expect(told).toEqual([]);
	});

	test("that could not be told is told again after a minute, and not twice at once", () => {
		lost = UNREAD;
		arrives = false;
		for (const now of [5000, 5015, 5059]) see(NEW, now);
		expect(told).toHaveLength(1);
		arrives = null;
		for (const now of [5060, 5075, 5400]) see(NEW, now);
		expect(told).toHaveLength(2);
	});

	test("is told all the same after a clock that was set back", () => {
		lost = UNREAD;
		arrives = false;
		see(NEW, 5000);
		see(NEW, 1000);
		expect(told).toHaveLength(2);
	});
});

describe("as the watcher looks", () => {
	let doors: FakeDoors;
	let claude: FakeClaude;
	let probe: TaskFn;
	beforeEach(() => {
		doors = fakeDoors({
			now: 1_800_000_000,
			auto: true,
			proc: { env: { HOME: "/home/op" } },
		});
		doors.files.seedDir(STATE);
		doors.files.seedDir("/tmp");
		claude = fakeClaude(doors, "orchestrator");
		const ctx = watcherContext(doors);
		probe = targetWindowTask(respawnWiring(doors, ctx, paneHands(doors))).make(
			ctx,
		);
	});
	const looks = async (n: number) => {
		for (let i = 0; i < n; i++) {
			await doors.clock.sleep(15_000);
			await probe({
				doors,
				afterGap: false,
				log: () => {},
				signal: new AbortController().signal,
			});
		}
	};
	const queue = (secondsAgo: number) => {
		const content = `=== nexus state changed ===\n--- ${SIGNATURE} ---`;
		const at = doors.clock.now() - secondsAgo;
		const record = {
			type: "queue-operation",
			operation: "enqueue",
			content,
			timestamp: new Date(at * 1000).toISOString(),
		};
		doors.files.append(
			`/cc/projects/-w/${claude.sessionId}.jsonl`,
			JSON.stringify(record),
		);
		doors.files.seed(`${STATE}/diffs/2026-01-01_12-00-00_0f0f0f.md`, content);
	};
	const startedAgo = (seconds: number) => {
		const uptime = 188_259 / doors.proc.ticksPerSecond();
		const boot = Math.floor(doors.clock.now() - seconds - uptime);
		Object.assign(doors.proc, { bootTime: () => boot });
	};

	test("what waited when its process was another one is named to it, with its archived copy, once", async () => {
		startedAgo(60);
		queue(300);
		await looks(10);
		expect(claude.sent).toHaveLength(1);
		expect(claude.sent[0]).toContain(
			`${STATE}/diffs/2026-01-01_12-00-00_0f0f0f.md (${SIGNATURE})`,
		);
	});

	test("what waits behind its own turn is not, and half an hour later the operator is told", async () => {
		startedAgo(7200);
		queue(300);
		claude.set({ busy: true });
		await looks(119);
		expect(doors.files.has(`${STATE}/watcher-alerts.log`)).toBe(false);
		await looks(4);
		expect(claude.sent).toEqual([]);
		expect(
			doors.files
				.text(`${STATE}/watcher-alerts.log`)
				.match(/its turn has not read nexus-emit-sig/g),
		).toHaveLength(1);
	});

	test("at a dialog nothing is typed", async () => {
		startedAgo(60);
		queue(300);
		claude.set({ dialog: { kind: "permission", command: "curl x" } });
		await looks(5);
		expect([claude.sent, claude.keys]).toEqual([[], []]);
	});
});
