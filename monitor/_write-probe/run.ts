/** `write-probe [--quiet] <target>...`: can a worker write where it is sent (contract 08 §8.8)? */
import { resolve } from "node:path";
import { parseCli } from "../_sys/cli.ts";
import type { Files } from "../_sys/doors.ts";
import { nearestExistingDir } from "../_sys/write-probe.ts";
import { remedy } from "./remedy.ts";

export interface ProbeContext {
	readonly files: Pick<
		Files,
		"stat" | "realpath" | "readlink" | "probeWritable"
	>;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

const USAGE = "usage: write-probe [--quiet] <target>...";

/** 0 all writable, 2 usage, 3 one or more not. */
export function runWriteProbe(
	argv: readonly string[],
	{ files, env, cwd, out, err }: ProbeContext,
): 0 | 2 | 3 {
	const cli = parseCli(argv, {
		flags: { "--quiet": "switch" },
		maxPositionals: Number.POSITIVE_INFINITY,
	});
	if (cli.kind === "help") {
		out(USAGE);
		return 0;
	}
	if (cli.kind === "refused" || cli.positionals.length === 0) {
		if (cli.kind === "refused") err(`write-probe: ${cli.message}`);
		err(USAGE);
		return 2;
	}
	// An unset variable, which would be taken for the folder we are in.
	if (cli.positionals.includes("")) {
		err("write-probe: a target is empty");
		err(USAGE);
		return 2;
	}
	const quiet = cli.on("--quiet");
	let failed = false;
	for (const target of cli.positionals) {
		const dir = nearestExistingDir(files, resolve(cwd, target));
		const probed = files.probeWritable(dir);
		if (probed.kind === "ok") {
			if (!quiet) out(`write-probe: ${target} is writable (tried in ${dir})`);
			continue;
		}
		failed = true;
		err(`write-probe: ${target} is not writable: ${probed.reason}`);
		if (!quiet) for (const line of remedy(env, dir)) err(`  ${line}`);
	}
	return failed ? 3 : 0;
}
