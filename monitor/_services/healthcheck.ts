/** Runs a service's check (contract 06 §4). Every caller runs it here, with a bound of its own. */
import type { ServiceRow } from "../_state/services-registry.ts";
import type { Doors, ExecResult } from "../_sys/doors.ts";
import { launchScript } from "./launch-token.ts";
import { inTurn } from "./process-turn.ts";
import { serviceEnvironment, shellOf } from "./shell.ts";

/** `finding` counts as healthy everywhere: alive, with something to say. `unknown`: it did not finish, nothing follows. */
export type HealthVerdict =
	| { readonly kind: "up" }
	| { readonly kind: "finding"; readonly detail: string }
	| { readonly kind: "down"; readonly rc: number; readonly detail: string }
	| { readonly kind: "unknown"; readonly why: string };

export interface CheckOptions {
	readonly boundSeconds: number;
	readonly signal?: AbortSignal;
}

/** Of start, stop, restart and recovery. */
export const ACTION_BOUND_SECONDS = 60;
const FINDING_EXIT = 100;
const DETAIL_CHARACTERS = 300;
const MAX_WORDS_BYTES = 64 * 1024;
const MAX_SCRIPT_BYTES = 64 * 1024;
/** Above the bound, in case the end of the group itself hangs. */
const BACKSTOP_MS = 5000;

/**
 * The check travels in the environment and is unset before it runs: in an argv, `pgrep -f X` would find its own shell
 * and read healthy for ever.
 */
const WRAPPER = [
	"check=$NEXUS_SERVICE_CHECK",
	"unset NEXUS_SERVICE_CHECK",
	"exec >/dev/null",
	'eval "$check"',
].join("\n");

/**
 * `unknown` when the check could not be carried out, which is no word on the service; a workdir that is not there is
 * `down`. A check that asks for processes by name waits for its turn.
 */
export async function runHealthcheck(
	doors: Pick<Doors, "files" | "proc" | "clock" | "locks">,
	home: { readonly root: string; readonly stateDir: string },
	row: Pick<ServiceRow, "workdir" | "healthcheck">,
	opts: CheckOptions,
): Promise<HealthVerdict> {
	const folder = doors.files.stat(row.workdir);
	if (folder.kind === "unreadable")
		return { kind: "unknown", why: `${row.workdir}: ${folder.reason}` };
	if (folder.kind === "absent" || folder.stat.kind !== "dir")
		return { kind: "down", rc: 1, detail: `no such folder: ${row.workdir}` };

	return inTurn(doors, home.stateDir, wordsOf(doors.files, row), () =>
		runBounded(doors, home, row, opts),
	);
}

/** The check, and the script that it runs, as far as its text tells which. */
function wordsOf(
	files: Pick<Doors["files"], "stat" | "read">,
	row: Pick<ServiceRow, "workdir" | "healthcheck">,
): string {
	const { workdir, healthcheck } = row;
	const script = launchScript(files, { workdir, launch: healthcheck });
	if (script === null) return healthcheck;
	const read = files.read(script, MAX_SCRIPT_BYTES);
	return read.kind === "ok" ? `${healthcheck}\n${read.text}` : healthcheck;
}

async function runBounded(
	{ proc, clock }: Pick<Doors, "proc" | "clock">,
	home: { readonly root: string; readonly stateDir: string },
	row: Pick<ServiceRow, "workdir" | "healthcheck">,
	{ boundSeconds, signal }: CheckOptions,
): Promise<HealthVerdict> {
	const bound = new AbortController();
	const cancel = clock.after(boundSeconds * 1000, () => bound.abort());
	const startedAt = clock.monoMs();
	try {
		const result = await proc.exec([shellOf(proc), "-c", WRAPPER], {
			timeoutMs: boundSeconds * 1000 + BACKSTOP_MS,
			signal: AbortSignal.any([bound.signal, ...(signal ? [signal] : [])]),
			cwd: row.workdir,
			env: {
				...serviceEnvironment(proc.env, home),
				NEXUS_SERVICE_CHECK: row.healthcheck,
			},
			maxBytes: MAX_WORDS_BYTES,
			stderrToFile: true,
			endsWithUs: true,
		});
		return judgeCheck({
			result,
			elapsedSeconds: (clock.monoMs() - startedAt) / 1000,
			boundSeconds,
			cancelled: signal?.aborted ?? false,
		});
	} finally {
		cancel();
	}
}

export interface CheckEnd {
	readonly result: ExecResult;
	readonly elapsedSeconds: number;
	readonly boundSeconds: number;
	/** The caller's signal fired. */
	readonly cancelled: boolean;
}

/** Pure. A check that ended 124 or 137 before the bound said so itself, and is down. */
export function judgeCheck(end: CheckEnd): HealthVerdict {
	const { result, boundSeconds, elapsedSeconds } = end;
	if (end.cancelled) return { kind: "unknown", why: "it was broken off" };
	const late = `did not finish within ${boundSeconds}s`;
	switch (result.kind) {
		case "aborted":
		case "timeout":
			return { kind: "unknown", why: late };
		case "not-found":
			return { kind: "unknown", why: `no ${result.program} to run it with` };
		case "failed":
			return { kind: "unknown", why: result.reason };
	}
	const { rc, stderr } = result;
	if (rc === 0) return { kind: "up" };
	if ((rc === 124 || rc === 137) && elapsedSeconds >= boundSeconds)
		return { kind: "unknown", why: late };
	const detail = detailOf(stderr);
	return rc === FINDING_EXIT
		? { kind: "finding", detail }
		: { kind: "down", rc, detail };
}

/** Does the service count as healthy? `unknown` does not. */
export function isHealthy(verdict: HealthVerdict): boolean {
	return verdict.kind === "up" || verdict.kind === "finding";
}

const TELLING =
	/unhealthy|finding|foreign|no listener|not sshd|refused|timed out|timeout|unreachable|no route|fatal/i;

/** The line of a check's words that says most: the first telling one, else the first. */
export function detailOf(stderr: string): string {
	const lines = stderr
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");
	const line = lines.find((l) => TELLING.test(l)) ?? lines[0] ?? "";
	return line.slice(0, DETAIL_CHARACTERS);
}
