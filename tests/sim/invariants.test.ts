/** Each invariant of the simulation can fail: a product that is broken at one of its doors is found out. */
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	setDefaultTimeout,
	test,
} from "bun:test";
import { join } from "node:path";
import { decisionsDir } from "../../monitor/_state/decisions.ts";
import { renderGitHubPause } from "../../monitor/_state/github-pause.ts";
import { lastSnapshotPath } from "../../monitor/_state/last-snapshot.ts";
import type { Work } from "../../sim/act.ts";
import { brokenAtRest } from "../../sim/at-rest.ts";
import { signAtOnce } from "../../sim/github.ts";
import type { SimDoors } from "../../sim/hands.ts";
import { watchInvariants } from "../../sim/invariants.ts";
import { newLedger } from "../../sim/ledger.ts";
import { CONFIG_PATH } from "../../sim/operator-config.ts";
import { ROOT, STATE, TARGET } from "../../sim/place.ts";
import { warmUp } from "../../sim/warm-up.ts";
import { carryOutWork } from "../../sim/work.ts";
import { makeWorld, type World } from "../../sim/world.ts";
import { OPERATOR } from "../github/rig.ts";

type Tamper = (doors: SimDoors, world: World) => Partial<SimDoors>;

interface Breach {
	/** The invariant, as the sentence that it enforces. */
	readonly rule: string;
	/** What is broken. */
	readonly by: string;
	readonly tamper?: Tamper;
	/** Once everything runs. */
	readonly act?: (world: World) => void;
	/** At these minutes. */
	readonly works?: readonly (readonly [number, Work])[];
	readonly minutes?: number;
	readonly says: RegExp;
}

const BASELINE = lastSnapshotPath(STATE);
const REPORT: Work = { do: "report", who: "w0" };
const COMMENT: Work = { do: "comment", by: "operator" };
const ofScreens =
	(change: (text: string) => string): Tamper =>
	({ tmux }) => ({
		tmux: {
			...tmux,
			capture: async (id, opts, signal) => {
				const shown = await tmux.capture(id, opts, signal);
				if (shown.kind !== "ok") return shown;
				return { ...shown, stdout: change(shown.stdout) };
			},
			captureAll: async (ids, signal) => {
				const shown = await tmux.captureAll(ids, signal);
				if (shown.kind !== "ok") return shown;
				const text = [...shown.text].map(
					([id, rows]) => [id, change(rows)] as const,
				);
				return { ...shown, text: new Map(text) };
			},
		},
	});
/** With each paste it closes a window. */
const closing =
	(name: string): Tamper =>
	({ tmux }) => ({
		tmux: {
			...tmux,
			run: async (cmd, signal) => {
				const done = await tmux.run(cmd, signal);
				if (cmd.kind === "paste-buffer")
					await tmux.run({ kind: "kill-window", target: tmux.byName(name).id });
				return done;
			},
		},
	});
const notWriting =
	(path: RegExp): Tamper =>
	({ files }) => ({
		files: {
			...files,
			writeAtomic: (to, ...rest) =>
				path.test(to) ? { kind: "ok" } : files.writeAtomic(to, ...rest),
			append: (to, ...rest) =>
				path.test(to) ? { kind: "ok" } : files.append(to, ...rest),
		},
	});
/** A file of this name says this, whatever the disk holds. */
const reading =
	(name: RegExp, textNow: (world: World) => string): Tamper =>
	({ files }, world) => ({
		files: {
			...files,
			read: (path, max) =>
				name.test(path)
					? { kind: "ok", text: textNow(world) }
					: files.read(path, max),
		},
	});
const running =
	(match: RegExp, rc: number, stdout = ""): Tamper =>
	({ proc }) => ({
		proc: {
			...proc,
			exec: async (argv, opts) =>
				match.test(argv.join(" "))
					? { kind: "exited", rc, stdout, stderr: "" }
					: proc.exec(argv, opts),
		},
	});

const BREACHES: readonly Breach[] = [
	{
		rule: "nothing is typed into a draft",
		by: "a reader that does not see it",
		tamper: ofScreens((text) => text.replace("please also look at the", "")),
		works: [
			[1, { do: "types" }],
			[2, REPORT],
		],
		says: /pasted into the draft|pressed on the draft/,
	},
	{
		rule: "no key is sent to a dialog but the one the rule names",
		by: "a reader that takes a forced push for a listing",
		tamper: ofScreens((text) =>
			text.replace(/git push --force\S*.*/, "ls -la"),
		),
		works: [[1, { do: "dialog", who: "w1", kind: "vetoed" }]],
		says: /Enter pressed on a permission dialog/,
	},
	{
		rule: "no paste is sent unseen",
		by: "a look that is none",
		tamper: ({ tmux }, { doors }) => ({
			tmux: {
				...tmux,
				capture: doors.tmux.capture,
				captureAll: doors.tmux.captureAll,
			},
		}),
		works: [[1, REPORT]],
		says: /sent a paste that nobody had looked at/,
	},
	{
		rule: "at most one watcher acts",
		by: "locks that everybody gets, and a pidfile that nobody sees",
		tamper: ({ files, locks }) => ({
			files: {
				...files,
				read: (path, max) =>
					/\/watcher\.(?:pid|lock)$/.test(path)
						? { kind: "absent" }
						: files.read(path, max),
			},
			locks: {
				...locks,
				probe: () => ({ kind: "free" }),
				hold: (path) => ({
					kind: "acquired",
					lock: {
						path,
						write: () => ({ kind: "ok" }),
						read: () => ({ kind: "absent" }),
						release: () => {},
					},
				}),
			},
		}),
		act: (world) => void world.startWatcher(),
		works: [
			[2, REPORT],
			[4, REPORT],
			[6, REPORT],
		],
		says: /act in turns/,
	},
	{
		rule: "at most one orchestrator acts",
		by: "a listing that leaves out its window",
		tamper: ({ tmux }) => ({
			tmux: {
				...tmux,
				panes: async (signal) => {
					const listed = await tmux.panes(signal);
					if (listed.kind !== "ok") return listed;
					const rows = listed.rows.filter((r) => r.windowName !== TARGET);
					return { ...listed, rows };
				},
			},
		}),
		minutes: 40,
		says: /orchestrators live at once/,
	},
	{
		rule: "no worker is ended by the watcher",
		by: "a hand that closes its window",
		tamper: closing("w2"),
		works: [[1, REPORT]],
		says: /kill-window ended w2/,
	},
	{
		rule: "no orchestrator that answers is replaced",
		by: "a hand that closes its window",
		tamper: closing(TARGET),
		works: [[1, REPORT]],
		says: /ended an orchestrator that answers/,
	},
	{
		rule: "no worker is retired in the middle of its work",
		by: "a gate that is always open",
		act: ({ doors }) =>
			doors.proc.answer(/retire-preflight/, "safe=1 window=w0\n"),
		works: [
			[1, { do: "turn", who: "w0", ms: 600_000 }],
			[2, { do: "retires", who: "w0" }],
		],
		says: /retired w0 in the middle of its work/,
	},
	{
		rule: "no once-only row is lost",
		by: "a folder that hides a report",
		tamper: ({ files }) => ({
			files: {
				...files,
				list: (dir) =>
					dir === join(ROOT, "reports")
						? { kind: "ok", names: [] }
						: files.list(dir),
				listSlow: async (dir, ms, signal) =>
					dir === join(ROOT, "reports")
						? { kind: "ok", names: [] }
						: files.listSlow(dir, ms, signal),
			},
		}),
		works: [[1, REPORT]],
		says: /report .* was never told/,
	},
	{
		rule: "no once-only row is repeated",
		by: "a memory of what was told that is not kept",
		tamper: (doors, world) => ({
			files: {
				...doors.files,
				...notWriting(/stable-hash/)(doors, world).files,
				writeAtomic: (path, ...rest) =>
					path === BASELINE && doors.files.stat(path).kind === "ok"
						? { kind: "ok" }
						: doors.files.writeAtomic(path, ...rest),
			},
		}),
		works: [[1, REPORT]],
		says: /report .* was told \d+ times/,
	},
	{
		rule: "the baseline never absorbs an unseen change",
		by: "an older baseline that is not kept while no report arrives",
		tamper: ({ tmux, ...doors }, world) => ({
			...notWriting(/untold-baseline/)({ tmux, ...doors }, world),
			tmux: {
				...tmux,
				run: async (cmd, signal) =>
					cmd.kind === "paste-buffer"
						? { kind: "failed", rc: 1, stderr: "no buffer" }
						: tmux.run(cmd, signal),
			},
		}),
		works: [[1, REPORT]],
		says: /the baseline absorbed/,
	},
	{
		rule: "an eligible comment is delivered",
		by: "a list of what is not to be told that holds it",
		tamper: reading(/emit-suppression\.lines$/, ({ gitHub }) =>
			gitHub.standIn.place.state.repos
				.flatMap(({ comments }) => comments)
				.map(({ id }) => `comment:${id}\n`)
				.join(""),
		),
		works: [[1, COMMENT]],
		says: /comment \d+ was never told/,
	},
	{
		rule: "back-offs end",
		by: "a pause that GitHub never asked for",
		tamper: reading(/github-pause-(?:core|app)$/, ({ doors: { clock } }) =>
			renderGitHubPause({
				until: clock.now() + 600,
				armed: clock.now() - 60,
				streak: 1,
				limit: "secondary",
			}),
		),
		works: [[1, COMMENT]],
		says: /comment \d+ was never told/,
	},
	{
		rule: "an eligible comment resurfaces by rule only",
		by: "a history that is not kept",
		tamper: notWriting(/emit-history|reemit-backoff|unacked-mentions/),
		act: (world) => world.orchestrator()?.hang(true),
		works: [[1, COMMENT]],
		minutes: 20,
		says: /comment \d+ was told again too early/,
	},
	{
		rule: "nobody is told the same comments again and again",
		by: "a history that is not kept",
		tamper: notWriting(/emit-history|reemit-backoff|unacked-mentions/),
		act: (world) => world.orchestrator()?.hang(true),
		works: [[1, COMMENT]],
		minutes: 20,
		says: /\d+ reports of comments said the same again/,
	},
	{
		rule: "every report says something",
		by: "a disk that keeps of a report its frame alone",
		tamper: ({ files }) => ({
			files: {
				...files,
				writeAtomic: (path, text, ...rest) =>
					files.writeAtomic(
						path,
						path.includes("/diffs/") && typeof text === "string"
							? text.replace(/^(?!===|--- nexus-emit-sig).*\n/gm, "")
							: text,
						...rest,
					),
			},
		}),
		says: /\d+ reports said nothing/,
	},
	{
		rule: "a stranger's words are not told",
		by: "a configuration that takes him for the operator",
		act: ({ config, doors }) =>
			doors.files.seed(CONFIG_PATH, config.replace(OPERATOR, "stranger"), {
				mode: 0o600,
			}),
		works: [[1, { do: "comment", by: "stranger" }]],
		says: /a stranger's words were told/,
	},
	{
		rule: "what is acked is not told again",
		by: "a hand that takes the ack back, and a memory of reports that is not kept",
		tamper: notWriting(/stable-hash/),
		act: ({ doors: { clock, files } }) =>
			void clock.after(5.5 * 60_000, () => {
				for (const path of files.paths(decisionsDir(STATE)))
					files.rename(path, path.replace(".handled", ""));
			}),
		works: [
			[1, { do: "question", who: "w0" }],
			[5, { do: "ack-question" }],
		],
		minutes: 20,
		says: /question .* after its ack/,
	},
	{
		rule: "every state file parses after every crash",
		by: "a write that is not atomic",
		tamper: ({ files }, world) => ({
			files: {
				...files,
				writeAtomic: (path, text, opts) => {
					if (path !== BASELINE) return files.writeAtomic(path, text, opts);
					world.doors.files.seed(path, String(text).slice(0, 40));
					world.watcher()?.kill();
					return { kind: "ok" };
				},
			},
		}),
		works: [[1, REPORT]],
		says: /last-snapshot\.txt in pieces/,
	},
	{
		rule: "no state file is damaged that nobody broke",
		by: "a write that keeps only half",
		tamper: ({ files }) => ({
			files: {
				...files,
				writeAtomic: (path, text, opts) =>
					files.writeAtomic(
						path,
						path === BASELINE ? String(text).slice(0, 40) : text,
						opts,
					),
			},
		}),
		works: [[1, REPORT]],
		says: /found damaged/,
	},
	{
		rule: "the loop never stalls past its bounds",
		by: "a sleep that does not end",
		tamper: ({ clock }) => ({
			clock: {
				...clock,
				sleep: (ms, signal) =>
					ms > 200 ? new Promise(() => {}) : clock.sleep(ms, signal),
			},
		}),
		minutes: 15,
		says: /hangs: no call|stands still/,
	},
	{
		rule: "memory stays bounded",
		by: "timers that nobody cancels",
		tamper: ({ clock }) => ({
			clock: {
				...clock,
				after: (ms, fn) => {
					clock.after(10 * 3_600_000, () => {});
					return clock.after(ms, fn);
				},
			},
		}),
		minutes: 40,
		says: /timers wait/,
	},
	{
		rule: "files stay bounded",
		by: "a disk that removes nothing",
		tamper: ({ files }) => ({
			files: {
				...files,
				remove: () => ({ kind: "ok" }),
				removeTree: () => ({ kind: "ok" }),
			},
		}),
		act: (world) => {
			for (let i = 0; i < 5; i++)
				world.doors.clock.after(60_000 * i, () => world.watcher()?.kill());
		},
		works: [[1, REPORT]],
		says: /left in \/tmp|files in the state dir/,
	},
	{
		rule: "no error of the program is swallowed",
		by: "a door that throws",
		tamper: ({ tmux }) => ({
			tmux: {
				...tmux,
				panes: async () => {
					throw new TypeError("undefined is not a function");
				},
			},
		}),
		says: /a watcher crashed|the log shows a bug/,
	},
	{
		rule: "no service that is well is restarted",
		by: "a check that fails",
		tamper: running(/exec >\/dev\/null/, 1),
		minutes: 20,
		says: /the watcher restarted docs, which was well/,
	},
	{
		rule: "a service that died comes back",
		by: "a restart that does nothing",
		tamper: running(/svc\.ts restart/, 0),
		act: (world) => world.services.dies("docs"),
		minutes: 20,
		says: /service docs stays down/,
	},
	{
		rule: "a restart of a service is told",
		by: "incidents that cannot be listed",
		tamper: ({ files }) => ({
			files: {
				...files,
				list: (dir) =>
					dir === `${STATE}/service-health`
						? { kind: "ok", names: [] }
						: files.list(dir),
			},
		}),
		act: (world) => world.services.dies("docs"),
		minutes: 20,
		says: /service docs was restarted and nobody was told/,
	},
	{
		rule: "no job of the fleet runs twice at once",
		by: "ends that are told too early",
		tamper: ({ proc }) => ({
			proc: {
				...proc,
				spawnDetached: (asked) => {
					const begun = proc.spawnDetached(asked);
					if (begun.kind !== "ok") return begun;
					return { ...begun, exited: Promise.resolve(0) };
				},
			},
		}),
		act: ({ fleet }) => fleet.hangs(true),
		minutes: 50,
		says: /the job was started beside itself/,
	},
	{
		rule: "a job of the fleet goes on being run",
		by: "a fleet that seems to be kept elsewhere",
		tamper: reading(/fleet-backend$/, () => "thrum\n"),
		says: /job is not run any more/,
	},
	{
		rule: "GitHub is asked only what it describes",
		by: "a request with a word of its own",
		tamper: ({ net }) => ({
			net: {
				fetch: (url, init) =>
					net.fetch(`${url}${url.includes("?") ? "&" : "?"}bogus=1`, init),
			},
		}),
		works: [[1, COMMENT]],
		says: /a bad request/,
	},
];

/** Each takes a second; a machine that is busy takes more. */
setDefaultTimeout(120_000);

let unsign = () => {};
beforeAll(async () => {
	unsign = signAtOnce();
	await warmUp();
});
afterAll(() => unsign());

async function violations(
	breach: Omit<Breach, "rule" | "by" | "says">,
): Promise<readonly string[]> {
	const { tamper, act, works = [], minutes = 12 } = breach;
	const world = makeWorld(7, {
		tamper: (doors) => ({ ...doors, ...tamper?.(doors, world) }),
	});
	const ledger = newLedger();
	for (const name of ["w0", "w1", "w2"]) world.startWorker(name);
	act?.(world);
	world.startWatcher();
	const brokenNow = watchInvariants(world, ledger);
	let broken: readonly string[] = [];
	for (let minute = 0; minute < minutes && broken.length === 0; minute++) {
		for (const [at, work] of works)
			if (at === minute) carryOutWork(world, ledger, work);
		await world.doors.clock.advance(60_000);
		broken = brokenNow(true);
	}
	if (broken.length === 0) broken = brokenAtRest(world, ledger);
	world.end();
	await world.doors.clock.settle();
	return broken;
}

describe("each can fail", () => {
	test.each(
		BREACHES.map((breach) => [breach.rule, breach.by, breach] as const),
	)("%s: %s is found out", async (_rule, _by, breach) => {
		expect((await violations(breach)).join("\n")).toMatch(breach.says);
	});
});

describe("an open gate, and a turn that begins", () => {
	const RETIRED = /retired w0 in the middle of its work/;
	const killAfter = async (ms: number) => {
		const killed: string[] = [];
		const broken = await violations({
			works: [[1, { do: "retires", who: "w0" }]],
			act: ({ doors: { clock, proc, tmux }, worker }) => {
				tmux.after((call) => {
					if (call.op === "run" && call.cmd.kind === "kill-window")
						killed.push(call.cmd.target);
				});
				proc.answer(/retire-preflight/, async () => {
					worker("w0")?.works(600_000);
					if (ms > 0) await clock.sleep(ms);
					const stdout = "safe=1 window=w0\n";
					return { kind: "exited", rc: 0, stdout, stderr: "" };
				});
			},
			minutes: 3,
		});
		expect(killed).toHaveLength(1);
		return broken.join("\n");
	};
	test("a second before the kill: the gate is to blame", async () => {
		expect(await killAfter(1_000)).toMatch(RETIRED);
	});
	test("between the gate's last look and the kill, in one instant: nobody is", async () => {
		expect(await killAfter(0)).not.toMatch(RETIRED);
	});
});

test("a whole product is accused of nothing", async () => {
	const broken = await violations({
		works: [
			[1, REPORT],
			[1, COMMENT],
			[2, { do: "comment", by: "stranger" }],
			[2, { do: "dialog", who: "w1", kind: "vetoed" }],
			[3, { do: "turn", who: "w2", ms: 600_000 }],
			[4, { do: "retires", who: "w2" }],
			[4, { do: "question", who: "w0" }],
			[8, { do: "ack-question" }],
			[9, REPORT],
		],
		act: ({ services }) => services.dies("docs"),
		minutes: 25,
	});
	expect(broken).toEqual([]);
});
