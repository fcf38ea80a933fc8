/** The worker that is there from the start, started as an orchestrator starts one: a prompt in a file, and `spawn-worker`. */
import { join } from "node:path";
import { programArgv } from "../../_sys/names.ts";
import { ASKER_PROMPT, PUBLISH_RULE } from "./script.ts";
import { done, failed, type Stage, type Step } from "./stage.ts";
import { ASKER, taskFile, workFolder } from "./world.ts";

const SPAWN_LIMIT_MS = 60_000;

/** Its task; and the one rule of a project that a worker has to ask about even when it may do everything else. */
export function furnishAsker({ doors, world }: Stage): void {
	const { files } = doors;
	files.writeAtomic(taskFile(world, ASKER), `${ASKER_PROMPT}\n`);
	const settings = join(workFolder(world, ASKER), ".claude");
	files.mkdir(settings);
	files.writeAtomic(
		join(settings, "settings.json"),
		JSON.stringify({ permissions: { ask: [PUBLISH_RULE] } }),
	);
}

/** Fails with what spawn-worker said. */
export async function spawnAsker(stage: Stage): Promise<Step<true>> {
	const { doors, world, env, codeRoot, signal, say } = stage;
	const words = ["-n", ASKER, "-c", workFolder(world, ASKER)];
	const argv = programArgv(
		doors.proc.execPath,
		"spawnWorker",
		[...words, "-p", taskFile(world, ASKER)],
		codeRoot,
	);
	const ran = await doors.proc.exec(argv, {
		timeoutMs: SPAWN_LIMIT_MS,
		cwd: world.root,
		env,
		signal,
	});
	if (ran.kind !== "exited") return failed(`spawn-worker: ${ran.kind}`);
	if (ran.rc !== 0)
		return failed(`spawn-worker: exit ${ran.rc}\n${ran.stderr.trim()}`);
	say(ran.stderr.trim());
	return done(true);
}
