/**
 * Doors that can be taken away again. A run that the scheduler abandons may still be waiting
 * somewhere; when it wakes, whatever it tries to change must fail (contract 01 §4). Looking stays
 * free: it harms nobody, and the run ends at its first write.
 */
import type {
	Doors,
	Files,
	HeldLock,
	Locks,
	Net,
	Proc,
	Tmux,
} from "./doors.ts";

/** Thrown (or rejected with) by every change through revoked doors. */
export class RevokedDoorsError extends Error {
	override readonly name = "RevokedDoorsError";
}

export interface GuardedDoors {
	readonly doors: Doors;
	/** From now on every write, key, paste, program, signal, lock and request throws. */
	revoke(why: string): void;
}

/**
 * After `revoke`, every call that changes something throws `RevokedDoorsError`; the first reason given is the one
 * told.
 */
export function guardDoors(doors: Doors): GuardedDoors {
	let revoked: string | null = null;
	const check: Check = (what) => {
		if (revoked !== null)
			throw new RevokedDoorsError(`${what} refused: ${revoked}`);
	};
	// Thousands of runs an hour ask for one or two doors each: a door is guarded when it is first asked for.
	const files = once(() => guardFiles(doors.files, check));
	const tmux = once(() => guardTmux(doors.tmux, check));
	const proc = once(() => guardProc(doors.proc, check));
	const locks = once(() => guardLocks(doors.locks, check));
	const net = once(() => guardNet(doors.net, check));
	return {
		doors: {
			clock: doors.clock,
			random: doors.random,
			log: doors.log,
			get files() {
				return files();
			},
			get tmux() {
				return tmux();
			},
			get proc() {
				return proc();
			},
			get locks() {
				return locks();
			},
			get net() {
				return net();
			},
		},
		revoke: (why) => {
			revoked ??= why;
		},
	};
}

type Check = (what: string) => void;

function guardFiles(files: Files, check: Check): Files {
	return {
		...files,
		writeAtomic: guarded("a write", files.writeAtomic, check),
		writeNew: guarded("a write", files.writeNew, check),
		append: guarded("an append", files.append, check),
		truncate: guarded("a truncation", files.truncate, check),
		touch: guarded("a touch", files.touch, check),
		remove: guarded("a removal", files.remove, check),
		removeTree: guarded("a removal", files.removeTree, check),
		rename: guarded("a rename", files.rename, check),
		renameNew: guarded("a rename", files.renameNew, check),
		copy: guarded("a copy", files.copy, check),
		mkdir: guarded("a new folder", files.mkdir, check),
		mkdirNew: guarded("a new folder", files.mkdirNew, check),
		makeTempDir: guarded("a new folder", files.makeTempDir, check),
		probeWritable: guarded("a write probe", files.probeWritable, check),
	};
}

function guardTmux(tmux: Tmux, check: Check): Tmux {
	return { ...tmux, run: guardedAsync("a tmux command", tmux.run, check) };
}

/** A program may write anything, so none is started. */
function guardProc(proc: Proc, check: Check): Proc {
	return {
		...proc,
		exec: guardedAsync("a program", proc.exec, check),
		foreground: guardedAsync("a program", proc.foreground, check),
		spawnDetached: guarded("a program", proc.spawnDetached, check),
		signal: guarded("a signal", proc.signal, check),
	};
}

/** A request may post, and its answer would come to nobody. */
function guardNet(net: Net, check: Check): Net {
	return { fetch: guardedAsync("a request", net.fetch, check) };
}

/** A lock that is held already can always be released. */
function guardLocks(locks: Locks, check: Check): Locks {
	const guardHeld = (lock: HeldLock): HeldLock => ({
		...lock,
		write: guarded("a write to a lock", lock.write, check),
	});
	return {
		probe: locks.probe,
		hold: (path) => {
			check("a lock");
			const got = locks.hold(path);
			return got.kind === "acquired"
				? { kind: "acquired", lock: guardHeld(got.lock) }
				: got;
		},
		acquireWithin: async (path, ms, signal) => {
			check("a lock");
			const got = await locks.acquireWithin(path, ms, signal);
			return got.kind === "acquired"
				? { kind: "acquired", lock: guardHeld(got.lock) }
				: got;
		},
	};
}

function once<T>(make: () => T): () => T {
	let made: { readonly value: T } | null = null;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

function guarded<A extends readonly unknown[], R>(
	what: string,
	act: (...args: A) => R,
	check: Check,
): (...args: A) => R {
	return (...args) => {
		check(what);
		return act(...args);
	};
}

/** As `guarded`, but the refusal is a rejection, as callers of a promise expect. */
function guardedAsync<A extends readonly unknown[], R>(
	what: string,
	act: (...args: A) => Promise<R>,
	check: Check,
): (...args: A) => Promise<R> {
	return async (...args) => {
		check(what);
		return act(...args);
	};
}
