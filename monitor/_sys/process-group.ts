/** Who stands in a process group. */
import type { Proc, ProcStat } from "./doors.ts";

/** Living processes of a group, whatever they run; null = could not look. */
export function membersOf(
	{ proc }: { readonly proc: Pick<Proc, "table"> },
	pgid: number,
): readonly ProcStat[] | null {
	const table = proc.table();
	if (table.kind !== "ok") return null;
	return table.value.filter((p) => p.pgid === pgid && !isCorpse(p));
}

/** A zombie still answers signal 0 and still stands in its group; it holds no lock and does nothing. */
export function isCorpse(p: Pick<ProcStat, "state">): boolean {
	return p.state === "Z" || p.state === "X";
}
