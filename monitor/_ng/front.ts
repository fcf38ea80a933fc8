/** A verb that another program carries out. */
import type { ProgramName } from "../_sys/names.ts";
import type { NgVerbRow } from "./verb.ts";

export function frontFor(
	program: ProgramName,
): Pick<NgVerbRow, "facade" | "load"> {
	return {
		facade: true,
		load: async () => (await import("./facade.ts")).facade(program),
	};
}
