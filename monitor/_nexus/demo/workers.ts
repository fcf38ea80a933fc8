/** The demo's workers, started as an orchestrator starts them: a prompt in a file, and `spawn-worker`. */
import { join } from "node:path";
import { programArgv } from "../../_sys/names.ts";
import { ASKER_PROMPT, PUBLISH_RULE, REPORTER_PROMPT } from "./script.ts";
import { done, failed, type Stage, type Step } from "./stage.ts";
import { ASKER, REPORTER, taskFile, workFolder } from "./world.ts";

const SPAWN_LIMIT_MS = 60_000;

const TASKS: Readonly<Record<string, string>> = {
	[REPORTER]: REPORTER_PROMPT,
	[ASKER]: ASKER_PROMPT,
};

/** The tasks; and the one rule of a project that a worker has to ask about even when it may do everything else. */
export function furnishWorkers({ doors, world }: Stage): void {
	const { files } = doors;
	for (const [window, task] of Object.entries(TASKS))
		files.writeAtomic(taskFile(world, window), `${task}\n`);
	const settings = join(workFolder(world, ASKER), ".claude");
	files.mkdir(settings);
	files.writeAtomic(
		join(settings, "settings.json"),
		JSON.stringify({ permissions: { ask: [PUBLISH_RULE] } }),
	);
}

/** Starts both at once. */
export async function spawnWorkers(stage: Stage): Promise<Step<true>> {
	const spawned = await Promise.all(
		Object.keys(TASKS).map((window) => spawnWorker(stage, window)),
	);
	return spawned.find((step) => step.kind === "failed") ?? done(true);
}

async function spawnWorker(stage: Stage, window: string): Promise<Step<true>> {
	const { doors, world, env, codeRoot, signal, say } = stage;
	const words = ["-n", window, "-c", workFolder(world, window)];
	const argv = programArgv(
		doors.proc.execPath,
		"spawnWorker",
		[...words, "-p", taskFile(world, window)],
		codeRoot,
	);
	const ran = await doors.proc.exec(argv, {
		timeoutMs: SPAWN_LIMIT_MS,
		cwd: world.root,
		...{ env, signal },
	});
	if (ran.kind !== "exited") return failed(`spawn-worker: ${ran.kind}`);
	if (ran.rc !== 0)
		return failed(`spawn-worker: exit ${ran.rc}\n${ran.stderr.trim()}`);
	say(ran.stderr.trim());
	return done(true);
}
