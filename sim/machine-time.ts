/** How time passes for those who stand still, and for those who do not. */
import type { FakeClock } from "../tests/fakes/clock.ts";

export interface MachineTime {
	/** The whole machine stands still for so long. */
	stall(ms: number): void;
	/** The machine sleeps for so long. */
	suspend(ms: number): void;
	/** Monotonic, without the time in which the machine stood still. */
	steadyMs(): number;
	/** As it passes elsewhere: on when this machine sleeps, whatever its clock is set to. */
	outsideMs(): number;
}

export function machineTime(
	clock: Pick<FakeClock, "monoMs" | "stall" | "suspend">,
): MachineTime {
	let stalledMs = 0;
	let asleepMs = 0;
	return {
		stall: (ms) => {
			stalledMs += ms;
			clock.stall(ms);
		},
		suspend: (ms) => {
			asleepMs += ms;
			clock.suspend(ms);
		},
		steadyMs: () => clock.monoMs() - stalledMs,
		outsideMs: () => clock.monoMs() + asleepMs,
	};
}
