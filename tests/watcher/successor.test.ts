/** A person's new orchestrator is told what waited behind the last turn of the one before; and a turn that reads nothing is told to the operator. */
import { beforeEach, describe, expect, test } from "bun:test";
import { pasteWithRetry } from "../../monitor/_delivery/paste-with-retry.ts";
import type { UnreadReport } from "../../monitor/_delivery/unread-reports.ts";
import {
	type LookForLoss,
	lookForLoss,
	type Successor,
} from "../../monitor/watcher/_target_window/successor.ts";
import { targetWindowTask } from "../../monitor/watcher/_target_window.ts";
import type { TaskFn, WatcherContext } from "../../monitor/watcher/context.ts";
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
	let isBlind: boolean;
	let proofs: (string | null)[];
	let said: string[];
	let look: LookForLoss;
	beforeEach(() => {
		lost = [];
		pin = null;
		flies = false;
		lives = [];
		told = [];
		asked = [];
		arrives = true;
		isBlind = false;
		proofs = [];
		said = [];
		look = lookForLoss({
			inFlight: () => flies,
			pinned: () => pin,
			unread: ({ sessionIds, givenBefore, livesElsewhere }) => {
				asked.push(`${sessionIds.join(" ")} before ${givenBefore}`);
				expect(lives.every(livesElsewhere)).toBe(true);
				return isBlind
					? { kind: "could-not-look" }
					: { kind: "ok", unread: lost };
			},
			forgetProven: (sessionId) => proofs.push(sessionId),
			log: (text) => said.push(text),
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
		for (const now of [5000, 5000, 5015, 5059]) see(NEW, now);
		expect(told).toHaveLength(1);
		arrives = null;
		for (const now of [5060, 5075, 5400]) see(NEW, now);
		expect(told).toHaveLength(2);
	});

	test("is looked after again each minute while nobody could look, which is said once", () => {
		isBlind = true;
		lost = UNREAD;
		for (const now of [5000, 5015, 5060, 5119]) see(NEW, now);
		expect([asked.length, told.length, said.length]).toEqual([2, 0, 1]);
		isBlind = false;
		for (const now of [5120, 5135]) see(NEW, now);
		expect([asked.length, told.length]).toEqual([3, 1]);
	});

	test("that has lost nothing is asked for late proofs, once a minute", () => {
		for (const now of [5000, 5015, 5030, 5075, 5090]) see(NEW, now);
		expect(proofs).toEqual(["new", "new"]);
		see(NEW, 4000);
		expect(proofs).toHaveLength(3);
		flies = true;
		see(NEW, 6000);
		expect(proofs).toHaveLength(3);
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
	let ctx: WatcherContext;
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
		ctx = watcherContext(doors);
		anotherWatcher();
	});
	const anotherWatcher = () => {
		const hands = respawnWiring(doors, ctx, paneHands(doors));
		probe = targetWindowTask(hands).make(ctx);
	};
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

	describe("a report that its screen showed as taken, and that it never wrote down,", () => {
		const REPORT = `=== nexus ===\na\nb\n--- ${SIGNATURE} ---`;
		const ARCHIVE = `${STATE}/diffs/2026-01-01_12-00-00_0f0f0f.md`;
		const ROWS = `${STATE}/unconfirmed-reports.tsv`;
		beforeEach(async () => {
			startedAgo(7200);
			await looks(1);
			doors.files.seed(ARCHIVE, REPORT);
			claude.set({ records: false });
			const key = claude.window.pane.onKey;
			claude.window.pane.onKey = (name, to) => {
				key(name, to);
				if (name === "Enter") claude.set({ transcript: REPORT.split("\n") });
			};
			const pasted = await pasteWithRetry(paneHands(doors)(ctx, { doors }), {
				window: "orchestrator",
				file: ARCHIVE,
				stamp: "stamp",
			});
			expect(pasted).toMatchObject({ rc: 0, confirmed: false });
			claude.window.pane.onKey = key;
			claude.set({ records: true });
		});
		const told = () => claude.sent.slice(1);
		const record = () => {
			const message = { content: REPORT };
			doors.files.append(
				`/cc/projects/-w/${claude.sessionId}.jsonl`,
				JSON.stringify({ type: "user", promptSource: "typed", message }),
			);
		};

		test("is named to the one that was started after it was killed, once", async () => {
			await looks(3);
			startedAgo(10);
			await looks(10);
			expect(told()).toHaveLength(1);
			expect(told()[0]).toContain(`- ${ARCHIVE} (${SIGNATURE})`);
			// It stands in the new session's transcript by now, and is no more to be remembered.
			expect(doors.files.has(ROWS)).toBe(false);
			startedAgo(10);
			await looks(10);
			expect(told()).toHaveLength(1);
		});

		test("is named by another watcher, too, and by none twice", async () => {
			await looks(1);
			startedAgo(10);
			anotherWatcher();
			await looks(10);
			anotherWatcher();
			await looks(10);
			expect(told()).toHaveLength(1);
		});

		test("is not named while it lives, nor when it wrote it down late", async () => {
			await looks(10);
			anotherWatcher();
			await looks(10);
			expect(doors.files.has(ROWS)).toBe(true);
			record();
			await looks(10);
			expect(doors.files.has(ROWS)).toBe(false);
			startedAgo(10);
			await looks(10);
			expect(told()).toEqual([]);
		});

		test("is not named on a guess: only when somebody can look", async () => {
			await looks(1);
			startedAgo(10);
			const heal = doors.files.faults.fail({
				path: /\/cc\/projects/,
				code: "EACCES",
			});
			await looks(10);
			expect(told()).toEqual([]);
			expect(
				doors.log.messages("warn").filter((m) => m.includes("could look")),
			).toHaveLength(1);
			heal();
			await looks(10);
			expect(told()).toHaveLength(1);
		});
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
