/** `ng service-incident <svc>`: the text of an incident, to be posted by `ng issue create` (contract 05 §14.2). Posts nothing itself. */
import { isAbsolute, join } from "node:path";
import {
	readServiceEvents,
	serviceEventsPath,
} from "../_state/service-events.ts";
import { incidentPath, readIncidentKv } from "../_state/service-incident.ts";
import type { Files } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { programName } from "../_sys/names.ts";
import { readArguments } from "./arguments.ts";
import { placeOf } from "./place.ts";
import { renderIncident, TAIL_LINES } from "./service-incident/render.ts";
import type { NgVerb } from "./verb.ts";

const TAIL_BYTES = 64 * 1024;

export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const { files } = doors;
	const cli = readArguments(
		args,
		{ flags: { "--state-dir": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [service = ""] = cli.positionals;
	// What the registry takes for a name (contract 06 §2): it becomes part of file names.
	if (/^\.?$|[\s/\p{Cc}]|\.\./u.test(service)) {
		err(`service-incident needs a service, got '${excerpt(service)}'`);
		return 1;
	}
	const home = await placeOf(ctx);
	if (home === null) return 1;
	const stateDir = cli.value("--state-dir") ?? home.stateDir;
	const statePath = incidentPath(stateDir, service);
	const known = readIncidentKv(files, stateDir, service);
	const events = readServiceEvents(files, stateDir, service);
	if (known === null && events === null) {
		err(`service-incident: nothing is known of ${service}: no ${statePath}`);
		return 1;
	}
	const state = known ?? new Map<string, string>();
	const log = state.get("logfile") ?? "";
	const workdir = state.get("workdir") ?? home.root;
	const logPath = log === "" || isAbsolute(log) ? log : join(workdir, log);
	const lines = renderIncident({
		service,
		state,
		root: home.root,
		svc: programName("svc"),
		events,
		logTail: tailOf(files, logPath),
		statePath,
		eventsPath: serviceEventsPath(stateDir, service),
	});
	for (const line of lines) out(line);
	return 0;
};

/** Null: there is no such file. */
function tailOf(files: Files, path: string): string | null {
	const found = path === "" ? null : files.stat(path);
	if (found?.kind !== "ok") return null;
	const from = Math.max(0, found.stat.size - TAIL_BYTES);
	const read = files.readFrom(path, from, TAIL_BYTES);
	if (read.kind !== "ok") return null;
	return read.text.replace(/\n$/, "").split("\n").slice(-TAIL_LINES).join("\n");
}
