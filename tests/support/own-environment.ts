/**
 * Loaded before every test file (`bunfig.toml`): the environment in which tests run is made here, and none of it is of
 * whoever started them. A machine's `CI`, a git hook's `GIT_DIR`, a proxy, a locale or a fleet of their own changes nothing.
 * `Bun.spawn` without `env` still hands on the environment of the start: a law of tests/arch wants it named.
 */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedEnv } from "../../monitor/_nexus/environment.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

/** Set once the environment is ours: this is loaded anew for each file of a run. */
const MARK = "NEXUS_TEST_HOME";

if (process.env[MARK] === undefined || process.env[MARK] !== process.env.HOME) {
	const home = realFiles().makeTempDir("nexus-home-");
	process.once("exit", () => rmSync(home, { recursive: true, force: true }));
	const own = isolatedEnv(process.env, {
		home,
		tmp: dirname(home),
		tmuxDir: home,
		binDir: join(CODE_ROOT, "node_modules/.bin"),
	});
	for (const name of Object.keys(process.env)) delete process.env[name];
	Object.assign(process.env, own, { [MARK]: home });
	// What a test writes, programs of others may have to read; and modes are told exactly.
	process.umask(0o022);
}
