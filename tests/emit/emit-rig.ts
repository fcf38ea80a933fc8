/** The emit tasks on fake doors: run them one by one, let pastes end as the test says, read what was pasted. */

import { join } from "node:path";
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import { nextDeliveryState } from "../../monitor/_delivery/health.ts";
import type { EmitDeps } from "../../monitor/_emit/emit-deps.ts";
import type { PasteRc } from "../../monitor/_emit/ladder.ts";
import type { Arrival } from "../../monitor/_emit/past-delivery.ts";
import type { EmitProviders } from "../../monitor/_emit/providers.ts";
import { ownVitals } from "../../monitor/_liveness/own-vitals.ts";
import { readerSettings } from "../../monitor/_pane/settings.ts";
import { sweepPanes } from "../../monitor/_pane/sweep.ts";
import { followActionLog } from "../../monitor/_state/action-log.ts";
import { stageOut } from "../../monitor/_state/staging.ts";
import { WINDOW_EVENTS } from "../../monitor/_state/window-events.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { bellWindowsTask } from "../../monitor/watcher/_bell_windows.ts";
import { composeEmitTask } from "../../monitor/watcher/_compose_emit.ts";
import { fullStateSnapTask } from "../../monitor/watcher/_full_state_snap.ts";
import { idleProviders } from "../../monitor/watcher/_idle_probe/providers.ts";
import { idleSectionTask } from "../../monitor/watcher/_idle_probe.ts";
import { pendingDecisionsTask } from "../../monitor/watcher/_pending_decisions.ts";
import { pruneArchiveTask } from "../../monitor/watcher/_prune_archive.ts";
import { requestsPollTask } from "../../monitor/watcher/_requests.ts";
import { snapshotLocalTask } from "../../monitor/watcher/_snapshot_local.ts";
import { runStartupSweep } from "../../monitor/watcher/_startup_sweep.ts";
import type {
	TaskFn,
	TaskResult,
	TaskSpec,
	WatcherContext,
} from "../../monitor/watcher/context.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { fakeDiff } from "../fakes/diff.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

export const ROOT = "/srv/nexus";
export const STATE = join(ROOT, "monitor/.state");
export const STAGE = join(STATE, "scheduler-staging");

export interface RigOptions {
	readonly now?: number;
	readonly config?: { readonly [K in ConfigKey]?: ConfigValue<K> };
	readonly arm?: string;
	readonly further?: Partial<EmitProviders>;
	readonly pollSources?: EmitDeps["pollSources"];
	/** With the idle probe as it is. */
	readonly idle?: boolean;
	readonly env?: Readonly<Record<string, string>>;
	readonly mayRestart?: boolean;
	/** Another watcher process on the same disk. */
	readonly after?: Omit<FakeDoors, "net"> & Doors;
	/** What the orchestrator has taken before. */
	readonly transcript?: readonly string[];
	/** What is said of every report of an earlier try; default: what `pasted` and `transcript` tell. */
	readonly arrival?: Arrival | (() => Arrival);
	/** The git section is off unless a test wants it. */
	readonly git?: boolean;
}

export function emitRig(opts: RigOptions = {}) {
	const doors =
		opts.after ??
		fakeDoors({
			now: opts.now ?? 1_800_000_000,
			auto: true,
			proc: { env: { WATCHER_WINDOW: "headless", ...opts.env } },
		});
	const { files, clock, tmux, proc, log } = doors;
	const config = watcherConfig({
		"monitor.snapshot.git_enabled": opts.git ?? false,
		...opts.config,
	});
	const settings = readerSettings(config);
	files.seedDir(STAGE);
	files.mkdir("/tmp/nexus-watcher-x");
	proc.answer("diff", (argv) => fakeDiff(doors, argv[2] ?? "", argv[3] ?? ""));
	if (opts.after === undefined) tmux.window("orchestrator");

	const ctx: WatcherContext = {
		root: ROOT,
		stateDir: STATE,
		stageDir: STAGE,
		scratchDir: "/tmp/nexus-watcher-x",
		codeRoot: ROOT,
		target: "orchestrator",
		config,
		startedAt: clock.nowMs() / 1000,
		scheduler: {
			fireNow: () => 0,
			override: () => 0,
			skipUntil: () => 0,
			nextFireOf: () => null,
			isRegistered: () => true,
		},
		vitals: ownVitals(doors, {
			stateDir: STATE,
			target: "orchestrator",
			intervalSeconds: 60,
			slowFactor: 3,
		}),
		panesThisTick: () => tmux.panes(),
		fleetThisTick: () => sweepPanes({ doors, stateDir: STATE, settings }),
		windowEventLog: followActionLog(WINDOW_EVENTS),
	};
	const pasted: string[] = [];
	const tried: string[] = [];
	/** How the next pastes end; then all are delivered. */
	const ends: PasteRc[] = [];
	let onPaste = () => {};
	const deps: EmitDeps = {
		paste: () => async (bodyFile) => {
			const read = files.read(bodyFile);
			const body = read.kind === "ok" ? read.text : "";
			const rc = ends.shift() ?? 0;
			tried.push(body);
			onPaste();
			if (rc === 0) pasted.push(body);
			return rc;
		},
		arrival:
			() =>
			async ({ body }) => {
				const sent = [...pasted, ...(opts.transcript ?? [])];
				const { arrival = sent.includes(body) ? "yes" : "no" } = opts;
				return typeof arrival === "function" ? arrival() : arrival;
			},
		nextDeliveryState,
		armSection: () => opts.arm ?? "",
		mayRestart: opts.mayRestart ?? true,
		...(opts.pollSources && { pollSources: opts.pollSources }),
		sources: (place) => ({
			...(opts.idle && { ...idleProviders(place), sections: [] }),
			...opts.further,
		}),
	};

	const fns = new Map<string, TaskFn>();
	async function run(
		spec: TaskSpec,
		part: { readonly afterGap?: boolean; readonly signal?: AbortSignal } = {},
	): Promise<TaskResult> {
		const fn = fns.get(spec.name) ?? spec.make(ctx);
		fns.set(spec.name, fn);
		const result = await fn({
			signal: part.signal ?? new AbortController().signal,
			afterGap: part.afterGap ?? false,
			log: (line) => log.info(line),
			doors,
		});
		if (result.out !== undefined)
			stageOut(files, STAGE, spec.name, result.out, ctx.startedAt);
		return result;
	}
	const compose = composeEmitTask(deps);
	const fullStateSnap = fullStateSnapTask(deps);

	return {
		doors,
		files,
		clock,
		tmux,
		proc,
		log,
		ctx,
		deps,
		/** Bodies that were delivered, and bodies of every try. */
		pasted,
		tried,
		ends,
		/** Called while a paste is under way. */
		duringPaste: (act: () => void) => {
			onPaste = act;
		},
		run,
		snapshot: () => run(snapshotLocalTask),
		bells: () => run(bellWindowsTask),
		decisions: (part?: { readonly afterGap?: boolean }) =>
			run(pendingDecisionsTask, part),
		requests: (part?: { readonly afterGap?: boolean }) =>
			run(requestsPollTask, part),
		idle: (part?: { readonly afterGap?: boolean }) =>
			run(idleSectionTask, part),
		fullStateSnap: () => run(fullStateSnap),
		prune: () => run(pruneArchiveTask),
		compose: (part?: { readonly signal?: AbortSignal }) => run(compose, part),
		/** Everything that is staged, then a compose. */
		cycle: async () => {
			await run(snapshotLocalTask);
			await run(bellWindowsTask);
			await run(pendingDecisionsTask);
			await run(requestsPollTask);
			return run(compose);
		},
		sweep: () => runStartupSweep(ctx, doors, deps),
		/** The first cycle, which only takes the baseline. */
		seed: async () => {
			await run(snapshotLocalTask);
			await run(compose);
		},
		staged: (task: string) => {
			const path = join(STAGE, `${task}.out`);
			return files.has(path) ? files.text(path) : null;
		},
		state: (name: string) => {
			const path = join(STATE, name);
			return files.has(path) ? files.text(path) : null;
		},
		archives: () => files.paths(join(STATE, "diffs")),
		decide: (window: string, fp: string, part: object = {}) =>
			files.seed(
				join(STATE, `decisions/${window}.${fp}.json`),
				JSON.stringify({
					ts: "2026-05-11T20:42:01Z",
					window,
					session_id: "s",
					kind: "permission_prompt",
					prompt_excerpt: "Allow Bash?",
					tool_context: "",
					fingerprint: fp,
					...part,
				}),
			),
		request: (id: string, part: RequestPart = {}) =>
			files.seed(
				join(
					part.inbox ?? join(STATE, "requests"),
					`${id}.${part.state ?? "new"}.md`,
				),
				requestText(id, part),
				{ ...(part.mtime !== undefined && { mtime: part.mtime }) },
			),
	};
}
export type EmitRig = ReturnType<typeof emitRig>;

interface RequestPart {
	readonly inbox?: string;
	readonly state?: string;
	readonly origin?: string;
	readonly kind?: string;
	readonly priority?: string;
	readonly reply?: string;
	readonly text?: string;
	readonly inFile?: string;
	readonly mtime?: number;
}

export function requestText(id: string, part: RequestPart = {}): string {
	return [
		"---",
		`request: ${id}`,
		`origin: ${part.origin ?? "alice"}`,
		`kind: ${part.kind ?? "question"}`,
		...(part.reply ? [`reply: ${part.reply}`] : []),
		"created: 2026-05-11T13:42:01-07:00",
		`priority: ${part.priority ?? "normal"}`,
		"publish: true",
		`state: ${part.inFile ?? "new"}`,
		"---",
		"## Request",
		"",
		part.text ?? "Which seed shall I use?",
		"",
		"## Details",
		"",
		"all of it",
		"",
	].join("\n");
}

/** What `diff -u` says, as far as the classifier can tell: lines that only one side has. */
