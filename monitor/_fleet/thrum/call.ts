/** One run of the `thrum` program (contract 09 §5): no shell, a limit, and its end as a value. */
import type { ExecResult } from "../../_sys/doors.ts";
import { fail, ok } from "../failure.ts";
import type { FleetFailure, R } from "../fleet.ts";
import type { FleetDeps } from "../open.ts";
import type { FleetPlace } from "../paths.ts";
import { findThrum } from "./program.ts";

const QUICK_MS = 15_000;
/** With ten seconds the client reported a timeout on calls that had succeeded. */
export const SLOW_MS = 90_000;

export interface Output {
	readonly stdout: string;
	readonly stderr: string;
}
export interface CallOptions {
	readonly stdin?: string;
	readonly timeoutMs?: number;
	/** Exit codes that are answers. Default: 0 alone. */
	readonly answers?: readonly number[];
}
/** Runs `thrum <argv…>` in the repository. */
export type Thrum = (
	argv: readonly string[],
	o?: CallOptions,
) => R<Output & { readonly exitCode: number }>;

/**
 * `answers` lists the exit codes that are answers (default: 0); every other end is a failure with thrum's own words.
 * Limits in ms.
 */
export function thrumCaller(
	{ doors, settings }: Pick<FleetDeps, "doors" | "settings">,
	place: FleetPlace,
): Thrum {
	return async (argv, o = {}) => {
		const program = findThrum(doors, settings.thrumBin);
		if (program.kind === "none")
			return fail("unreachable", `no program ${settings.thrumBin} on PATH`);
		const done = await doors.proc.exec([program.path, ...argv], {
			timeoutMs: o.timeoutMs ?? QUICK_MS,
			cwd: place.repoRoot,
			stdin: o.stdin,
		});
		if (done.kind !== "exited") return notRun(done, argv);
		const { rc, stdout, stderr } = done;
		return (o.answers ?? [0]).includes(rc)
			? ok({ exitCode: rc, stdout, stderr })
			: fail(kindOf(stderr), errorText(stdout, stderr), rc);
	};
}

/** A program that is not there, or a daemon that does not answer, is out of reach; nothing is concluded of the fleet. */
function notRun(
	done: Exclude<ExecResult, { kind: "exited" }>,
	argv: readonly string[],
): FleetFailure {
	const words = argv.slice(0, 2).join(" ");
	switch (done.kind) {
		case "not-found":
			return fail("unreachable", `no program ${done.program} on PATH`);
		case "timeout":
			return fail("timeout", `thrum ${words}: no answer in time`);
		case "aborted":
			return fail("failed", `thrum ${words}: aborted`);
		case "failed":
			return fail("unreachable", `thrum ${words}: ${done.reason}`);
	}
}

/** What thrum says behind `Error:`; its exit code is 1 for everything. */
function kindOf(stderr: string): FleetFailure["kind"] {
	if (
		/connection (?:refused|reset)|no such host|no such file or directory.*sock|daemon (?:is )?not running|cannot reach|unreachable|\bdial (?:unix|tcp)\b/i.test(
			stderr,
		)
	)
		return "unreachable";
	if (/unknown (?:command|flag|shorthand)|accepts \d+ arg|usage:/i.test(stderr))
		return "usage";
	if (/not found|unknown recipient|no such|does not exist/i.test(stderr))
		return "not-found";
	if (/already (?:exists|in use|running|registered)/i.test(stderr))
		return "exists";
	return /timed? ?out|deadline exceeded/i.test(stderr) ? "timeout" : "failed";
}

function errorText(stdout: string, stderr: string): string {
	const text = (stderr.trim() || stdout.trim()).replace(/^Error: /, "");
	return text === "" ? "thrum gave no reason" : text;
}
