/** A server of the demo's: a process of its own that outlives `./nexus demo` and says in a file where it listens. */
import { done, type Stage, type Step, until } from "./stage.ts";

const START_LIMIT_MS = 60_000;

/** Resolves to its address once it listens. */
export async function startServer(
	stage: Stage,
	server: {
		/** As a failure names it. */
		readonly what: string;
		readonly argv: readonly string[];
		readonly log: string;
		readonly portFile: string;
	},
): Promise<Step<string>> {
	const { doors, env } = stage;
	const { what, argv, log, portFile } = server;
	const begun = doors.proc.spawnDetached({ argv, env, log });
	if (begun.kind === "failed") return begun;
	const port = await until(stage, what, START_LIMIT_MS, () => {
		const read = doors.files.read(portFile);
		return read.kind === "ok" ? Number(read.text) : null;
	});
	return port.kind === "ok" ? done(`http://127.0.0.1:${port.value}`) : port;
}
