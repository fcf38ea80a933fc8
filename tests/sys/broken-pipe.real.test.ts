/** A program whose output nobody takes any more goes on, and its exit code is its own. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramName, programArgv } from "../../monitor/_sys/names.ts";

const TALKERS: readonly ProgramName[] = [
	"svc",
	"launcher",
	"entry",
	"bootstrap",
	"verifyStack",
	"revive",
	"superviseTick",
	"reportsRoll",
	"configLoad",
	"paneState",
	"pasteFollowup",
	"mintToken",
	"assertBotAuthor",
	"writeProbe",
	"spawnWorker",
	"retirePreflight",
	"contextUsage",
	"claudeLoop",
	"declareWait",
	"workerHealth",
	"asyncRun",
];

/** Every write to it fails, at once and always: a closed pipe would take some. */
const NOBODY = "/dev/full";

test.each(TALKERS)(
	"%s --help, into nowhere, ends as if somebody read it",
	(name) => {
		const dir = mkdtempSync(join(tmpdir(), "broken-pipe-"));
		const argv = programArgv(process.execPath, name, ["--help"]);
		const run = (script: string) => {
			const env = { PATH: process.env.PATH ?? "", HOME: dir, NEXUS_ROOT: dir };
			const ran = Bun.spawnSync(["sh", "-c", script, "sh", ...argv], {
				cwd: dir,
				env,
			});
			return { rc: ran.exitCode, err: ran.stderr.toString() };
		};
		try {
			expect(run(`"$@" >${NOBODY}`)).toEqual(run('"$@"'));
		} finally {
			rmSync(dir, { recursive: true, force: true });
		}
	},
);
