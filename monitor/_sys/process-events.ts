/** What happens to our own process: signals, its end, errors nobody caught. */

export type QuitSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface ProcessEvents {
	/** Replaces the handler of this signal. */
	onSignal(signal: QuitSignal, handler: () => void): void;
	/** Called once, on every end but SIGKILL; only synchronous work gets done. */
	onExit(handler: () => void): void;
	/** A rejected promise that nobody waits for. */
	onStrayRejection(handler: (reason: unknown) => void): void;
	onUncaught(handler: (error: unknown) => void): void;
	/** Until the exit. A loop that waits for a promise without a timer or a socket behind it would end the process, with code 0. */
	keepAlive(): void;
	exit(code: number): never;
	/** Adds to what programs that we start will find in their environment. */
	exportEnv(vars: Readonly<Record<string, string>>): void;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A signal has one handler: a later one replaces it. `keepAlive` holds the process open with a timer that never
 * matters.
 */
export function processEvents(): ProcessEvents {
	return {
		onSignal: (signal, handler) => {
			process.removeAllListeners(signal);
			process.on(signal, handler);
		},
		onExit: (handler) => {
			process.once("exit", handler);
		},
		onStrayRejection: (handler) => {
			process.on("unhandledRejection", handler);
		},
		onUncaught: (handler) => {
			process.on("uncaughtException", handler);
		},
		keepAlive: () => {
			setInterval(() => {}, LONGEST_TIMER_MS);
		},
		exit: (code) => process.exit(code),
		exportEnv: (vars) => {
			Object.assign(process.env, vars);
		},
	};
}

const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A signal ends us as it always does, and what is not to outlive us is ended with us. */
export function exitOnSignals(events: ProcessEvents): void {
	for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const)
		events.onSignal(signal, () => events.exit(SIGNAL_EXITS[signal]));
}
