/** All doors as fakes that know each other: one clock dates the files, tmux loads its buffers from the fake disk. */
import type { Doors } from "../../monitor/_sys/doors.ts";
import { type FakeClock, type FakeClockOptions, fakeClock } from "./clock.ts";
import { type FakeFiles, fakeFiles } from "./files.ts";
import { type FakeLocks, fakeLocks } from "./locks.ts";
import { type FakeLog, fakeLog } from "./log.ts";
import { type FakeNet, fakeNet } from "./net.ts";
import { type FakeProc, type FakeProcOptions, fakeProc } from "./proc.ts";
import { fakeRandom } from "./random.ts";
import { type FakeTmux, fakeTmux } from "./tmux.ts";

export interface FakeDoors extends Doors {
	readonly clock: FakeClock;
	readonly files: FakeFiles;
	readonly tmux: FakeTmux;
	readonly proc: FakeProc;
	readonly locks: FakeLocks;
	readonly log: FakeLog;
	readonly net: FakeNet;
}
export interface FakeDoorsOptions extends FakeClockOptions {
	/** A second program on the same machine: shares clock, disk, tmux, locks and network with the first, has its own process. */
	readonly beside?: FakeDoors;
	readonly proc?: FakeProcOptions;
	readonly seed?: number;
}

export function fakeDoors(opts: FakeDoorsOptions = {}): FakeDoors {
	const clock = opts.beside?.clock ?? fakeClock(opts);
	// What a caller waits for in a door is no happening of the world.
	const waits = { ...clock, ...clock.aside };
	const files = opts.beside?.files ?? fakeFiles(waits, opts.proc?.uid);
	return {
		clock,
		files,
		tmux: opts.beside?.tmux ?? fakeTmux(files, waits),
		proc: fakeProc(waits, opts.proc),
		locks: opts.beside?.locks ?? fakeLocks(files, waits),
		log: fakeLog(),
		random: fakeRandom(opts.seed),
		net: opts.beside?.net ?? fakeNet(),
	};
}
