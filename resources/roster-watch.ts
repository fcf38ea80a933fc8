#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `roster-watch`: a snapshot of a watcher's whole roster, with an archive (contract 09 §12). */
import { basename, dirname } from "node:path";
import { bareName, isAgentName } from "../monitor/_state/fleet/names.ts";
import { selfCheck } from "../monitor/_sys/self-check.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import {
	copyDoors,
	findCopyPlace,
	openCopyFleet,
} from "../monitor/fleet-copy-wiring.ts";
import { readRequest } from "./_roster-watch/args.ts";
import { runRosterPass } from "./_roster-watch/pass.ts";

if (import.meta.main) {
	const argv = process.argv.slice(2);
	const check = selfCheck(argv, import.meta.path);
	const { exitCode, out, err } =
		check === null
			? await answer(argv)
			: { exitCode: 0, out: [check], err: [] };
	for (const line of err) complain(line);
	for (const line of out) process.stdout.write(`${line}\n`);
	process.exitCode = exitCode;
}

async function answer(argv: readonly string[]) {
	const ownDir = import.meta.dir;
	const request = readRequest(argv, ownDir);
	if (request.kind === "end") return request.end;
	const doors = copyDoors("roster-watch");
	const refused = (why: string) => ({
		exitCode: 1,
		out: [],
		err: [`roster-watch: ${why}`],
	});
	const found = await findCopyPlace(doors, ownDir);
	if (found.kind === "none") return refused(found.why);
	const { place } = found;
	const worktree = dirname(ownDir);
	const agent = bareName(
		doors.proc.env.AGENT_NAME || basename(worktree).replaceAll("-", "_"),
	);
	if (!isAgentName(agent)) return refused(`no agent's name: ${agent}`);
	return runRosterPass({
		doors,
		agent,
		worktree,
		thrumDir: place.thrumDir,
		open: () => openCopyFleet(doors, place),
	});
}
