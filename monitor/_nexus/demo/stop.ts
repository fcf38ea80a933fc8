/**
 * Ends a demo. Its processes are known by what nothing else has: the demo's root as `NEXUS_ROOT` in
 * their environment. Its tmux server is one of them; the person's own is not.
 */
import type { Doors, ProcStat } from "../../_sys/doors.ts";

const TERM_WAIT_MS = 8000;
const KILL_WAIT_MS = 3000;
const POLL_MS = 100;

export type DemoEnd =
	| { readonly kind: "ended" }
	/** Not even SIGKILL ended these. */
	| { readonly kind: "left"; readonly pids: readonly number[] }
	/** The process table cannot be read: nothing was signalled or removed after that. */
	| { readonly kind: "could-not-look" };

/** TERM, a wait, KILL; then the folder goes. */
export async function endDemo(doors: Doors, root: string): Promise<DemoEnd> {
	for (const [sig, waitMs] of [
		["SIGTERM", TERM_WAIT_MS],
		["SIGKILL", KILL_WAIT_MS],
	] as const) {
		const running = processesOf(doors, root);
		for (const { pid } of running ?? []) doors.proc.signal(pid, sig);
		if (running === null || (await goneWithin(doors, root, waitMs))) break;
	}
	const left = processesOf(doors, root);
	if (left === null) return { kind: "could-not-look" };
	if (left.length > 0) return { kind: "left", pids: left.map((p) => p.pid) };
	doors.files.removeTree(root);
	return { kind: "ended" };
}

/** Every living process of ours that runs in this demo's world; null when that cannot be told. */
export function processesOf(
	{ proc }: Pick<Doors, "proc">,
	root: string,
): readonly ProcStat[] | null {
	const table = proc.table();
	if (table.kind !== "ok") return null;
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
	while (processesOf(doors, root)?.length !== 0) {
		if (doors.clock.monoMs() >= deadline) return false;
		await doors.clock.sleep(POLL_MS);
	}
	return true;
}
