/**
 * `./nexus demo [--once | --stop]`: the main job on real parts, in a world of its own. `--once` tears
 * everything down and exits 0 only if every emit was delivered exactly once, whole, as one user
 * message, and the operator's comment was carried once, answered once and closed; `--stop` ends the
 * demos that run.
 */
import { join } from "node:path";
import { watcherLogPath } from "../_state/watcher-log.ts";
import { describeDoors } from "./demo/narrate.ts";
import {
	readRecords,
	recordDir,
	removeRecord,
	writeRecord,
} from "./demo/record.ts";
import { goneText, type Stage, worldIsGone } from "./demo/stage.ts";
import { endDemo } from "./demo/stop.ts";
import { tellStory } from "./demo/story.ts";
import { demoEnv, demoWorldAt } from "./demo/world.ts";
import { DIFF, ensureTools, GIT, TMUX } from "./tools.ts";
import type { Verb, VerbContext } from "./verb.ts";

export const run: Verb = async (args, ctx) => {
	const { doors, print } = ctx;
	const [flag, ...more] = args;
	if (more.length > 0 || ![undefined, "--once", "--stop"].includes(flag)) {
		print("usage: ./nexus demo [--once | --stop]");
		return 1;
	}
	const records = recordDir(doors);
	if (records === null) {
		print(
			"demo: the folder for its records belongs to somebody else, or cannot be made",
		);
		return 1;
	}
	if (flag === "--stop") return stopAll(ctx, records);
	const missing = await ensureTools(doors, [TMUX, GIT, DIFF], print);
	if (missing !== null) {
		print(missing);
		return 1;
	}
	return perform(ctx, records, flag === "--once");
};

async function perform(
	ctx: VerbContext,
	records: string,
	once: boolean,
): Promise<number> {
	const { doors, print } = ctx;
	const root = doors.files.makeTempDir("nexus-demo-");
	writeRecord(doors.files, records, { root, startedAt: doors.clock.iso() });
	const stage = setStage(ctx, root);
	const told = await tellStory(stage);
	const isStanding = !worldIsGone(stage);
	if (told.kind === "failed") {
		// Whatever step noticed it: without its world the rest is a consequence.
		print(`demo: ${isStanding ? told.reason : goneText(stage.world)}`);
		for (const line of lastWords(stage)) print(`watcher.log: ${line}`);
	}
	// What broke is left standing for a person to look at; a script wants no remains.
	if (!once && !ctx.interrupted.aborted && isStanding) {
		for (const line of describeDoors(stage.world)) print(line);
		return told.kind === "ok" ? 0 : 1;
	}
	const ended = await end(ctx, records, root);
	return told.kind === "ok" && ended ? 0 : 1;
}

const LAST_LINES = 20;

function lastWords({ doors, world }: Stage): readonly string[] {
	const log = doors.files.read(watcherLogPath(world.stateDir));
	if (log.kind !== "ok") return [];
	return log.text.trimEnd().split("\n").slice(-LAST_LINES);
}

function setStage(ctx: VerbContext, root: string): Stage {
	const { doors, codeRoot, print } = ctx;
	const world = demoWorldAt(root);
	const binDir = join(codeRoot, "node_modules/.bin");
	const env = demoEnv(doors.proc.env, world, binDir);
	const startMs = doors.clock.monoMs();
	const say = (line: string) => {
		const seconds = Math.round((doors.clock.monoMs() - startMs) / 1000);
		print(`[${String(seconds).padStart(3)} s] ${line}`);
	};
	const signal = ctx.interrupted;
	return {
		doors,
		world,
		env,
		codeRoot,
		print,
		say,
		signal,
		tmux: ctx.tmuxIn(env),
	};
}

async function stopAll(ctx: VerbContext, records: string): Promise<number> {
	const running = readRecords(ctx.doors.files, records);
	if (running.length === 0) ctx.print("no demo runs");
	let good = true;
	for (const { root } of running)
		good = (await end(ctx, records, root)) && good;
	return good ? 0 : 1;
}

async function end(
	{ doors, print }: VerbContext,
	records: string,
	root: string,
): Promise<boolean> {
	const ended = await endDemo(doors, root);
	switch (ended.kind) {
		case "ended":
			removeRecord(doors.files, records, root);
			print(`demo: ended; ${root} is removed`);
			return true;
		case "left":
			print(`demo: still running: ${ended.pids.join(", ")} (${root})`);
			return false;
		case "could-not-look":
			print(`demo: the process table cannot be read; ${root} is left as it is`);
			return false;
	}
}
