#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `write-probe`: tries whether files can be made at the given paths (contract 08 §8.8). */
import { bearBrokenPipe } from "./_sys/broken-pipe.ts";
import { realFiles } from "./_sys/files.ts";
import { complain } from "./_sys/stderr.ts";
import { runWriteProbe } from "./_write-probe/run.ts";

bearBrokenPipe();
process.exitCode = runWriteProbe(process.argv.slice(2), {
	files: realFiles(),
	env: process.env,
	cwd: process.cwd(),
	out: (line) => void process.stdout.write(`${line}\n`),
	err: complain,
});
