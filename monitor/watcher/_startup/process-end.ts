/** How the watcher's process ends: signals while it starts, errors nobody caught (contract 01 §2.1.6). */
import type { Log } from "../../_sys/doors.ts";
import type { ProcessEvents, QuitSignal } from "../../_sys/process-events.ts";
import type { ExitCleanup } from "./exit-cleanup.ts";

const EXIT_CODES: Readonly<Record<QuitSignal, number>> = {
	SIGINT: 130,
	SIGTERM: 143,
	SIGHUP: 129,
};

/**
 * A handler only exits; the exit cleanup releases, once. (One that released the locks and returned once let the process
 * go on unguarded.)
 */
export function endOnSignals(
	events: ProcessEvents,
	log: Log,
	cleanup: ExitCleanup,
): void {
	events.onExit(cleanup.run);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		events.onSignal(signal, () => {
			log.warn(`${signal}: exiting`);
			events.exit(EXIT_CODES[signal]);
		});
	// An abandoned run that still tries to write is refused somewhere nobody waits; the watcher goes on.
	events.onStrayRejection((reason) =>
		log.warn(`stray rejection: ${textOf(reason)}`),
	);
	events.onUncaught((error) => {
		log.warn(`uncaught: ${textOf(error)}`);
		events.exit(1);
	});
}

/** From here on INT and TERM ask the loop to leave; the run in flight is ended in order. */
export function shutDownOnSignals(
	events: ProcessEvents,
	log: Log,
	requestShutdown: () => void,
): void {
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		events.onSignal(signal, () => {
			log.info(`${signal}: shutdown requested`);
			requestShutdown();
		});
}

function textOf(error: unknown): string {
	return error instanceof Error
		? (error.stack ?? error.message)
		: String(error);
}
