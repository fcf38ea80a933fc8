/** The orchestrator lets a worker go: the real `ng retire-window`, with its gate, as a process of the simulated machine. */
import { run as retireWindow } from "../monitor/_ng/retire-window.ts";
import { runRetirePreflight } from "../monitor/_retire/run.ts";
import type { ExecResult } from "../monitor/_sys/doors.ts";
import type { SimDoors } from "./hands.ts";
import { startLife } from "./life.ts";
import { ENV, ROOT } from "./place.ts";

/** Ends by itself; `doors` are watched by the caller. */
export async function retires(
	doors: SimDoors,
	pid: number,
	window: string,
): Promise<void> {
	doors.proc.add({ pid, comm: "bun", environ: ENV, cwd: ROOT });
	const life = startLife(doors, pid, ENV, () => doors.proc.end(pid));
	const none = () => {};
	try {
		await retireWindow([window], {
			doors: life.doors,
			codeRoot: ROOT,
			out: none,
			err: none,
			errPlain: none,
			stdin: async () => "",
			pacing: { kind: "scheduler" },
		});
	} finally {
		life.kill();
	}
}

/** `retire-preflight`, for whoever runs it as a program. */
export async function gate(
	doors: SimDoors,
	argv: readonly string[],
): Promise<ExecResult> {
	const out: string[] = [];
	const err: string[] = [];
	const rc = await runRetirePreflight(argv, {
		doors,
		codeRoot: ROOT,
		out: (line) => out.push(`${line}\n`),
		err: (line) => err.push(`${line}\n`),
	});
	return { kind: "exited", rc, stdout: out.join(""), stderr: err.join("") };
}
