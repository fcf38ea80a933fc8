/** A repository, a private tmux server and real doors: where a fleet of either kind is opened. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { localFleet } from "../../monitor/_fleet/local.ts";
import type { FleetDeps } from "../../monitor/_fleet/open.ts";
import type { FleetPlace } from "../../monitor/_fleet/paths.ts";
import { thrumFleet } from "../../monitor/_fleet/thrum.ts";
import { realClock } from "../../monitor/_sys/clock.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { execProgram } from "../../monitor/_sys/exec.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { realLocks } from "../../monitor/_sys/lock.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { fleetDeps } from "../../monitor/fleet-wiring.ts";
import { runShim } from "../../resources/_thrum-shim/commands.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { fakeLog } from "../fakes/log.ts";
import { fakeNet } from "../fakes/net.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";

/** `shim`: what speaks to thrum, speaking to our own program of that name. */
export type Keeper = "local" | "thrum" | "shim";
export interface FleetWorld {
	readonly server: PrivateTmux;
	readonly repo: string;
	readonly thrumDir: string;
	readonly log: ReturnType<typeof fakeLog>;
	/** Folder of the stand-in. */
	readonly standIn: string;
	deps(as: string): FleetDeps;
	open(keeper: Keeper, as: string): Fleet;
	git(...words: readonly string[]): string;
	close(): Promise<void>;
}

/** The runtime of the tests: shows what is typed. */
export const ECHO = "echo";

/** `env` is added to everybody's; `runtimes` to the command lines. */
export function openFleetWorld(
	more: {
		readonly env?: (dir: string) => Readonly<Record<string, string>>;
		readonly runtimes?: Readonly<Record<string, string>>;
	} = {},
): FleetWorld {
	const server = startPrivateTmux();
	const { dir } = server;
	const repo = join(dir, "repo");
	const standIn = join(dir, "stand-in");
	const bin = join(dir, "bin");
	for (const made of [repo, standIn, bin]) mkdirSync(made);
	writeThrum(bin);
	const stateDir = mkdtempSync(join(dir, "state-"));
	const base = {
		...server.env,
		// The notifier is a program of its own, and looks for its configuration.
		NEXUS_ROOT: repo,
		NEXUS_STATE_DIR: stateDir,
		HOME: dir,
		PATH: `${bin}:${server.env.PATH}`,
		STAND_IN_DIR: standIn,
		GIT_CONFIG_GLOBAL: "/dev/null",
		CLAUDE_CONFIG_DIR: join(dir, "claude"),
		...more.env?.(dir),
	};
	const git = (...words: readonly string[]) => {
		const ran = Bun.spawnSync(["git", ...words], { cwd: repo, env: base });
		return ran.stdout.toString().trim();
	};
	git("init", "-q", "-b", "main");
	git(
		...["-c", "user.name=t", "-c", "user.email=t@t"],
		...["commit", "-q", "--allow-empty", "-m", "start"],
	);
	const thrumDir = join(repo, ".thrum");
	mkdirSync(thrumDir);
	const log = fakeLog();
	const place: FleetPlace = { repoRoot: repo, thrumDir };

	const deps = (as: string): FleetDeps => {
		const env = { ...base, THRUM_NAME: as };
		const doors = doorsWith(env, log);
		const config = watcherConfig({
			"monitor.fleet.runtimes.<rt>.command": {
				[ECHO]: "cat -u",
				...more.runtimes,
			},
			PD_BEFORE_ENTER_SECONDS: 1,
		});
		return fleetDeps(
			doors,
			{ root: repo, stateDir, codeRoot: CODE_ROOT },
			config,
		);
	};
	return {
		server,
		repo,
		thrumDir,
		log,
		standIn,
		deps,
		git,
		open: (keeper, as) => {
			if (keeper === "local") return localFleet(deps(as), place);
			return thrumFleet(
				keeper === "thrum" ? deps(as) : overShim(deps(as), place),
				place,
			);
		},
		close: () => server.kill(),
	};
}

/** Each start of `thrum` becomes a call of the shim, in this process. */
function overShim(deps: FleetDeps, place: FleetPlace): FleetDeps {
	const { proc } = deps.doors;
	const exec: Doors["proc"]["exec"] = async (argv, o) => {
		if (basename(argv[0] ?? "") !== "thrum") return proc.exec(argv, o);
		const ended = await runShim(argv.slice(1), async () => ({
			fleet: localFleet(deps, place),
			local: { ...deps, place },
			cwd: place.repoRoot,
			stdin: async () => o.stdin ?? "",
			version: "0",
		}));
		const { exitCode, out = "", err = "" } = ended;
		return { kind: "exited", rc: exitCode, stdout: out, stderr: err };
	};
	return { ...deps, doors: { ...deps.doors, proc: { ...proc, exec } } };
}

function doorsWith(
	env: Readonly<Record<string, string>>,
	log: ReturnType<typeof fakeLog>,
): Doors {
	const clock = realClock({});
	const random = realRandom();
	const real = realProc();
	const proc: Doors["proc"] = {
		...real,
		env,
		exec: (argv, o) => execProgram(argv, { ...o, env: o.env ?? env }),
	};
	return {
		clock,
		random,
		proc,
		log,
		files: realFiles(),
		locks: realLocks(clock),
		net: fakeNet(),
		tmux: realTmux(proc, random, { env }),
	};
}

function writeThrum(bin: string): void {
	const path = join(bin, "thrum");
	const script = join(import.meta.dir, "stand-in/thrum.ts");
	writeFileSync(
		path,
		`#!/bin/sh\nexec ${[process.execPath, script].map(shellQuote).join(" ")} "$@"\n`,
	);
	chmodSync(path, 0o755);
}
