/** `ng respawn <window|session-id>`: `spawn-worker --resume` with long names for its short flags (contract 05 §13.5). */
import { parseCli } from "../_sys/cli.ts";
import { facade } from "./facade.ts";
import type { NgVerb } from "./verb.ts";

const PASSED_ON = ["--replace", "--nudge", "--no-nudge", "--dry-run"] as const;

export const run: NgVerb = async (args, ctx) => {
	const { err } = ctx;
	const cli = parseCli(args, {
		flags: {
			"--window": "value",
			"--workdir": "value",
			"--model": "value",
			"--replace": "switch",
			"--nudge": "switch",
			"--no-nudge": "switch",
			"--dry-run": "switch",
		},
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const [target] = cli.positionals;
	if (!target) {
		err("respawn needs a window or a session id");
		return 1;
	}
	const window = cli.value("--window");
	const workdir = cli.value("--workdir");
	const model = cli.value("--model");
	const words = [
		...["--resume", target],
		...(window === undefined ? [] : ["-n", window]),
		...(workdir === undefined ? [] : ["-c", workdir]),
		...(model === undefined ? [] : ["--model", model]),
		...PASSED_ON.filter((flag) => cli.on(flag)),
	];
	return facade("spawnWorker").run(words, ctx);
};
