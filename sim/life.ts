/**
 * One process on the simulated machine: its doors work until it dies. A dead process's calls to the
 * disk throw, its other calls never come back, its timers never fire and its locks are free, as
 * after SIGKILL.
 */
import type {
	Clock,
	Doors,
	Files,
	HeldLock,
	LockAttempt,
	Locks,
	Log,
	Net,
	Proc,
	Random,
	Tmux,
} from "../monitor/_sys/doors.ts";
import { SimulatedCrash } from "../tests/fakes/faults.ts";
import { type DoorCall, isAsync, nameOf } from "./door-call.ts";
import type { Lateness } from "./lateness.ts";

export interface Life {
	readonly pid: number;
	readonly doors: Doors;
	readonly isDead: boolean;
	/** Calls of its doors so far. */
	readonly calls: number;
	/** SIGKILL, now. */
	kill(): void;
	/** SIGKILL as soon as the call that is being made is through. */
	killAfterCall(): void;
	/** Called before each call of a door, outside a dead process; may kill. */
	onCall(hook: (call: DoorCall) => void): void;
}

export interface LifeParts {
	readonly clock: Clock;
	/** Without it every timer is in time. */
	readonly lateness?: Lateness;
	readonly files: Files;
	readonly tmux: Tmux;
	readonly proc: Proc;
	readonly locks: Locks;
	readonly net: Net;
	readonly random: Random;
	readonly log: Log;
}

/** A limit that is farther off than any sleep is late is no work in hand. */
const FAR_MS = 120_000;

/** One of its own each time: a shared one would keep alive whatever waited for it. */
const never = () => new Promise<never>(() => {});

export function startLife(
	world: LifeParts,
	pid: number,
	env: Readonly<Record<string, string>>,
	onDeath: () => void,
): Life {
	let dead = false;
	let isDying = false;
	let calls = 0;
	/** Calls and timers that it waits for. */
	let inHand = 0;
	const hooks: ((call: DoorCall) => void)[] = [];
	const held = new Set<HeldLock>();
	const watches = new Set<() => void>();

	const enter = (door: DoorCall["door"], op: string, on: unknown) => {
		if (dead) return;
		calls++;
		if (hooks.length === 0) return;
		const call = { door, op, on: nameOf(on) };
		for (const hook of hooks) hook(call);
	};
	const alive = <T>(promise: Promise<T>): Promise<T> => {
		inHand++;
		return promise.then(
			(value) => {
				inHand--;
				return dead ? never() : value;
			},
			(error) => {
				inHand--;
				return dead ? never() : Promise.reject(error);
			},
		);
	};
	/** A synchronous call throws in a dead process, so that its stack does not go on; an asynchronous one never answers. */
	const guardedCall =
		(
			door: DoorCall["door"],
			op: string,
			act: (...args: unknown[]) => unknown,
		) =>
		(...args: unknown[]) => {
			enter(door, op, args[0]);
			if (dead) {
				if (door !== "files" && isAsync(door, op)) return never();
				throw new SimulatedCrash("the process is dead");
			}
			const result = act(...(args.some(isCallback) ? args.map(muted) : args));
			if (isDying) life.kill();
			if (dead && !(result instanceof Promise))
				throw new SimulatedCrash("the process died here");
			return result instanceof Promise ? alive(result) : result;
		};
	const guarded = <T extends object>(door: DoorCall["door"], inner: T): T => {
		const made = { ...inner };
		for (const [op, value] of Object.entries(inner))
			if (typeof value === "function")
				Object.assign(made, {
					[op]: guardedCall(door, op, value.bind(inner)),
				});
		return made;
	};
	/** Callbacks (a watch of the disk) do not reach the dead. */
	const muted = (arg: unknown) =>
		isCallback(arg)
			? (...args: unknown[]) =>
					dead ? undefined : untilDeath(() => arg(...args))
			: arg;

	const clock: Clock = {
		...world.clock,
		now: () => world.clock.now(),
		sleep: (ms, signal) => {
			if (dead) return never();
			const lateMs = inHand === 0 ? (world.lateness?.of(ms) ?? 0) : 0;
			return alive(world.clock.sleep(ms + lateMs, signal));
		},
		after: (ms, fn) => {
			let isPending = ms < FAR_MS;
			if (isPending) inHand++;
			const over = () => {
				if (isPending) inHand--;
				isPending = false;
			};
			const cancel = world.clock.after(ms, () => {
				over();
				if (!dead) untilDeath(fn);
			});
			return () => {
				over();
				cancel();
			};
		},
	};
	const keep = (attempt: LockAttempt): LockAttempt => {
		if (attempt.kind === "acquired") {
			if (dead) attempt.lock.release();
			else held.add(attempt.lock);
		}
		return attempt;
	};
	const locks: Locks = {
		probe: (path) => world.locks.probe(path),
		hold: (path) => {
			enter("locks", "hold", path);
			if (dead) throw new SimulatedCrash("the process is dead");
			return keep(world.locks.hold(path));
		},
		acquireWithin: (path, ms, signal) => {
			enter("locks", "acquireWithin", path);
			return alive(world.locks.acquireWithin(path, ms, signal).then(keep));
		},
	};
	const files = guarded("files", world.files);
	const watch: Files["watch"] = (dir, onChange) => {
		const end = files.watch(dir, onChange);
		if (end !== null) watches.add(end);
		return end;
	};
	const proc: Proc = guarded("proc", { ...world.proc, pid, env });
	const life: Life = {
		pid,
		doors: {
			clock,
			files: { ...files, watch },
			tmux: guarded("tmux", world.tmux),
			proc,
			locks,
			net: guarded("net", world.net),
			random: world.random,
			log: {
				info: (msg: string) => (dead ? undefined : world.log.info(msg)),
				warn: (msg: string) => (dead ? undefined : world.log.warn(msg)),
			},
		},
		get isDead() {
			return dead;
		},
		get calls() {
			return calls;
		},
		kill: () => {
			if (dead) return;
			dead = true;
			for (const lock of held) lock.release();
			for (const end of watches) end();
			onDeath();
		},
		killAfterCall: () => {
			isDying = true;
		},
		onCall: (hook: (call: DoorCall) => void) => void hooks.push(hook),
	};
	return life;
}

const isCallback = (arg: unknown): arg is (...args: unknown[]) => unknown =>
	typeof arg === "function";

/** What the machine calls back must not take the machine along when the process dies in it. */
function untilDeath<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch (error) {
		if (error instanceof SimulatedCrash) return undefined;
		throw error;
	}
}
