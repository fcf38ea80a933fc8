/** What a verb of `svc` is given. Types only. */
import type { ServiceRow } from "../_state/services-registry.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";

export interface SvcContext {
	readonly doors: Doors;
	readonly settings: Settings;
	readonly json: boolean;
	/** Whether standard output is a terminal with colours. */
	readonly colour: boolean;
	/** One line on standard output. */
	readonly print: (line: string) => void;
	/** Switches of recovery, for `up`. */
	readonly recover: readonly string[];
	/** Of `logs watcher`: its log alone, without the scheduler's telemetry. */
	readonly withoutScheduler?: boolean;
}

/** `name` is the word after the verb, or undefined. Resolves to the exit code. */
export type SvcVerb = (
	name: string | undefined,
	ctx: SvcContext,
) => Promise<number>;

/** The same for a service of the registry. */
export type ServiceVerb = (row: ServiceRow, ctx: SvcContext) => Promise<number>;

/** The same for one whose row is gone and whose record names a living process. */
export type UnlistedVerb = (
	service: { readonly name: string; readonly pid: number },
	ctx: SvcContext,
) => Promise<number>;
