#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `thrum`, for agents of a fleet that is kept with tmux and files: the same command lines (contract 09 §6.7). */
import { join } from "node:path";
import { failureText } from "../monitor/_fleet/failure.ts";
import { localFleet } from "../monitor/_fleet/local.ts";
import { findPlace } from "../monitor/_fleet/paths.ts";
import { fleetTmuxEnv } from "../monitor/_fleet/tmux-env.ts";
import { readBackend } from "../monitor/_state/fleet/backend.ts";
import { parseObject, textAt } from "../monitor/_state/json-object.ts";
import { readSettings } from "../monitor/_state/settings.ts";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import { fleetDeps } from "../monitor/fleet-wiring.ts";
import { type Answer, error, type ShimContext } from "./_thrum-shim/command.ts";
import { runShim } from "./_thrum-shim/commands.ts";

if (import.meta.main) {
	const { exitCode, out, err } = await runShim(process.argv.slice(2), openShim);
	if (err !== undefined) complain(err);
	if (out) process.stdout.write(out.endsWith("\n") ? out : `${out}\n`);
	process.exitCode = exitCode;
}

/** Never another fleet's: one that thrum itself keeps is refused. */
async function openShim(): Promise<ShimContext | Answer> {
	const doors = realDoors({ logPrefix: "thrum", tmuxEnv: fleetTmuxEnv });
	const cwd = process.cwd();
	const found = await findPlace(doors, cwd);
	if (found.kind !== "ok") return error(failureText(found));
	const place = found.value;
	const recorded = readBackend(doors.files, place.thrumDir);
	if (recorded.kind === "damaged") return error(recorded.why);
	if (recorded.kind === "ok" && recorded.backend === "thrum")
		return error(`the fleet in ${place.thrumDir} is kept by thrum itself`);
	const settings = await readSettings(doors, CODE_ROOT, true);
	for (const line of settings.problems) doors.log.warn(line);
	const deps = fleetDeps(doors, settings.home, settings.config);
	const manifest = doors.files.read(join(CODE_ROOT, "package.json"));
	const version =
		manifest.kind === "ok"
			? textAt(parseObject(manifest.text), "version")
			: null;
	return {
		fleet: localFleet(deps, place),
		local: { ...deps, place },
		cwd,
		stdin: () => Bun.stdin.text(),
		version: version ?? "unknown",
	};
}
