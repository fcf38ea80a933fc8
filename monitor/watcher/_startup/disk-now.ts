/** What time the disk thinks it is: its clock, not ours, dates the files that are compared with it. */
import type { Doors } from "../../_sys/doors.ts";

/**
 * Epoch seconds with a fraction. Creating and removing a file dates its folder; on a network disk, or under a test's
 * frozen clock, our own clock would call the files of this process older than its start.
 */
export function diskNow(
	{ clock, files }: Pick<Doors, "clock" | "files">,
	dir: string,
): number {
	const probe = files.probeWritable(dir);
	const found = files.stat(dir);
	return probe.kind === "ok" && found.kind === "ok"
		? found.stat.mtimeMs / 1000
		: clock.now();
}
