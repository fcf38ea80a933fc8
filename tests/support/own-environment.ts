/**
 * Loaded before every test file (`bunfig.toml`): the environment in which tests run is made, and none of it is of whoever
 * started them. A machine's `CI`, a git hook's `GIT_DIR`, a proxy, a locale or a fleet of their own changes nothing.
 * `./nexus test` has made it already; this is for a bare `bun test`, and for what no environment holds.
 * `Bun.spawn` without `env` still hands on the environment of the start: a law of tests/arch wants it named.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
	isolatedEnv,
	MADE_FOR_TESTS,
} from "../../monitor/_nexus/environment.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

// What a test writes, programs of others may have to read; and modes are told exactly.
process.umask(0o022);
if (process.env[MADE_FOR_TESTS] === undefined) makeEnvironment();

function makeEnvironment(): void {
	// One for all runs: bun tells nobody that a run has ended when it bails out, and a folder for each would stay.
	const home = `/tmp/nexus-tests-${process.getuid?.()}`;
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const found = lstatSync(home);
	if (!found.isDirectory() || found.uid !== process.getuid?.())
		throw new Error(
			`${home} is somebody else's: remove it, or run ./nexus test`,
		);
	const binDir = join(CODE_ROOT, "node_modules/.bin");
	const own = { home, tmp: "/tmp", tmuxDir: home, binDir };
	const made = isolatedEnv(process.env, own);
	for (const name of Object.keys(process.env)) delete process.env[name];
	Object.assign(process.env, made, { [MADE_FOR_TESTS]: "1" });
}
