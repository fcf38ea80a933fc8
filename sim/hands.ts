/** What the processes of nexus do with their hands on the simulated machine, watched at their doors: who acts, on whom, and after which look. */
import type { Net, TmuxCommand } from "../monitor/_sys/doors.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";
import type { FakeFiles } from "../tests/fakes/files.ts";
import type { SimClaude } from "./claude-types.ts";
import { isChange } from "./door-call.ts";
import { STATE, TARGET } from "./place.ts";

export type SimDoors = Omit<FakeDoors, "net"> & { readonly net: Net };
/** Of the watchers one alone may act. */
export type Role = "watcher" | "program";

export interface Hands {
	/** The doors of a process, watched. */
	on(pid: number, role: Role, doors: SimDoors): SimDoors;
	/** Whose call changes the disk just now; null: none of a watched process. */
	readonly changing: number | null;
	/** When the loop of a watcher last said that it moves (steady ms); null: it never has. */
	progressOf(pid: number): number | null;
	/** Called once, right after somebody has looked at this window's screen. */
	afterLook(window: string, act: () => void): void;
	/** Nothing more happens after a look. */
	calm(): void;
	readonly wrongs: readonly string[];
}

/** Commands that do something to an agent. */
const ACTS: ReadonlySet<TmuxCommand["kind"]> = new Set<TmuxCommand["kind"]>([
	...(["send-keys", "paste-buffer", "new-window"] as const),
	...(["kill-window", "kill-pane", "respawn-pane"] as const),
]);
/** Files that only the watcher that acts writes. */
const OWN_FILES = [`${STATE}/last-snapshot.txt`, `${STATE}/pending-delivery/`];
const PROGRESS = `${STATE}/watcher-progress`;

export function watchHands(
	{ clock, tmux }: FakeDoors,
	agents: readonly SimClaude[],
	steadyMs: () => number,
): Hands {
	const wrongs: string[] = [];
	const progress = new Map<number, number>();
	const surprises = new Map<string, () => void>();
	const actors = new Set<number>();
	let lastActor: number | null = null;
	let changing: number | null = null;
	const wrong = (what: string) => wrongs.push(`${clock.iso()} ${what}`);

	/** One that comes back after another one has acted: both are at it. */
	function acts(pid: number, what: string): void {
		if (pid !== lastActor && actors.has(pid))
			wrong(`watchers ${lastActor} and ${pid} act in turns: ${what}`);
		actors.add(pid);
		lastActor = pid;
	}
	/** Ending an agent needs evidence that nobody needs it. */
	function ends(agent: SimClaude, role: Role, how: string): void {
		const { name } = agent.window;
		if (name === TARGET) {
			if (agent.answers) wrong(`${how} ended an orchestrator that answers`);
		} else if (role === "watcher") wrong(`${how} ended ${name}`);
		else if (isAtWork(agent))
			wrong(`${how} retired ${name} in the middle of its work`);
	}
	/** What began in this very instant came between the last look and the kill: no look is that late. */
	const isAtWork = ({ neededSinceMs }: SimClaude) =>
		neededSinceMs !== null && neededSinceMs < steadyMs();
	const inWindow = (target: string) => {
		const found = tmux.model.find(target);
		return agents.filter((a) => a.isAlive && a.window === found?.window);
	};
	function looked(ids: readonly string[]): void {
		for (const agent of ids.flatMap(inWindow)) {
			agent.looked();
			const surprise = surprises.get(agent.window.name);
			surprises.delete(agent.window.name);
			surprise?.();
		}
	}
	/** Notes who is at it for as long as a call that changes the disk lasts. */
	const changes = (pid: number, role: Role, files: FakeFiles): FakeFiles =>
		new Proxy(files, {
			get: (target, op, receiver) => {
				const call = Reflect.get(target, op, receiver);
				const isOne = isChange({ door: "files", op: String(op), on: "" });
				// While the disk takes nothing, the loop does nothing but look whether it does again.
				const isProbe = op === "probeWritable";
				if (typeof call !== "function" || !(isOne || isProbe)) return call;
				return (path: string, ...rest: readonly unknown[]) => {
					if (role === "watcher" && (isProbe || path === PROGRESS))
						progress.set(pid, steadyMs());
					if (role === "watcher" && OWN_FILES.some((f) => path.startsWith(f)))
						acts(pid, `${String(op)} ${path}`);
					const outer = changing;
					changing = pid;
					try {
						return Reflect.apply(call, target, [path, ...rest]);
					} finally {
						changing = outer;
					}
				};
			},
		});

	return {
		wrongs,
		get changing() {
			return changing;
		},
		progressOf: (pid) => progress.get(pid) ?? null,
		afterLook: (window, act) => void surprises.set(window, act),
		calm: () => surprises.clear(),
		on: (pid, role, doors) => ({
			...doors,
			files: changes(pid, role, doors.files),
			tmux: {
				...doors.tmux,
				run: (cmd, signal) => {
					if (role === "watcher" && ACTS.has(cmd.kind)) acts(pid, cmd.kind);
					if (cmd.kind === "send-keys" || cmd.kind === "paste-buffer")
						for (const agent of inWindow(cmd.target)) agent.aimed();
					if (
						cmd.kind === "kill-window" ||
						cmd.kind === "kill-pane" ||
						cmd.kind === "respawn-pane"
					)
						for (const agent of inWindow(cmd.target))
							ends(agent, role, cmd.kind);
					return doors.tmux.run(cmd, signal);
				},
				capture: async (id, opts, signal) => {
					const shown = await doors.tmux.capture(id, opts, signal);
					if (shown.kind === "ok") looked([id]);
					return shown;
				},
				captureAll: async (ids, signal) => {
					const shown = await doors.tmux.captureAll(ids, signal);
					if (shown.kind === "ok") looked(ids);
					return shown;
				},
			},
			proc: {
				...doors.proc,
				signal: (target, sig) => {
					for (const agent of agents)
						if (agent.isAlive && Math.abs(target) === agent.pid)
							ends(agent, role, sig);
					return doors.proc.signal(target, sig);
				},
			},
		}),
	};
}
