#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `thrum-capture-fallback`: one look at an agent's pane, or keys into it (contract 09 §11.1). */
import { selfCheck } from "../monitor/_sys/self-check.ts";
import {
	copyDoors,
	findCopyPlace,
	openCopyFleet,
} from "../monitor/fleet-copy-wiring.ts";
import {
	type Ended,
	parseFallback,
	runFallback,
	USAGE,
} from "./_capture-fallback/run.ts";

if (import.meta.main) {
	const argv = process.argv.slice(2);
	const check = selfCheck(argv, import.meta.path);
	const { exitCode, out } =
		check === null ? await answer(argv) : { exitCode: 0, out: check };
	const stream = exitCode === 2 ? process.stderr : process.stdout;
	stream.write(out.endsWith("\n") || out === "" ? out : `${out}\n`);
	process.exitCode = exitCode;
}

async function answer(argv: readonly string[]): Promise<Ended> {
	if (argv[0] === "-h" || argv[0] === "--help")
		return { exitCode: 0, out: USAGE };
	const request = parseFallback(argv);
	if (request === null) return { exitCode: 2, out: USAGE };
	const doors = copyDoors("thrum-capture-fallback");
	const found = await findCopyPlace(doors, import.meta.dir);
	if (found.kind === "none") return { exitCode: 1, out: found.why };
	const opened = await openCopyFleet(doors, found.place);
	return opened.kind === "ok"
		? runFallback(doors, opened.fleet, request)
		: { exitCode: 1, out: opened.why };
}
