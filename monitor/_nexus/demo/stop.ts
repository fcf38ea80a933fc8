/**
 * Ends a demo. Its processes are known by what nothing else has: the demo's root as `NEXUS_ROOT` in
 * their environment. Its tmux server is one of them; the person's own is not.
 */
import type { Doors, ProcStat } from "../../_sys/doors.ts";

const TERM_WAIT_MS = 8000;
const KILL_WAIT_MS = 3000;
const POLL_MS = 100;

/** TERM, a wait, KILL; then the folder goes. Gives the pids that are still there (none, as a rule). */
export async function endDemo(
	doors: Doors,
	root: string,
): Promise<readonly number[]> {
	for (const [sig, waitMs] of [
		["SIGTERM", TERM_WAIT_MS],
		["SIGKILL", KILL_WAIT_MS],
	] as const) {
		for (const { pid } of processesOf(doors, root)) doors.proc.signal(pid, sig);
		if (await goneWithin(doors, root, waitMs)) break;
	}
	const left = processesOf(doors, root).map((p) => p.pid);
	if (left.length === 0) doors.files.removeTree(root);
	return left;
}

/** Every living process of ours that runs in this demo's world. */
export function processesOf(
	{ proc }: Pick<Doors, "proc">,
	root: string,
): readonly ProcStat[] {
	const table = proc.table();
	if (table.kind !== "ok") return [];
	return table.value.filter((p) => {
		if (p.pid === proc.pid || p.state === "Z") return false;
		const env = proc.environ(p.pid);
		return env.kind === "ok" && env.value.NEXUS_ROOT === root;
	});
}

async function goneWithin(
	doors: Doors,
	root: string,
	ms: number,
): Promise<boolean> {
	const deadline = doors.clock.monoMs() + ms;
	while (processesOf(doors, root).length > 0) {
		if (doors.clock.monoMs() >= deadline) return false;
		await doors.clock.sleep(POLL_MS);
	}
	return true;
}
