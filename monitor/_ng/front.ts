/** A verb that another program carries out. */
import type { ProgramName } from "../_sys/names.ts";
import type { NgVerbRow } from "./verb.ts";

/** The row's part that says so; the program's module is loaded only when the verb runs. */
export function frontFor(
	program: ProgramName,
): Pick<NgVerbRow, "facade" | "load"> {
	return {
		facade: true,
		load: async () => (await import("./facade.ts")).facade(program),
	};
}
