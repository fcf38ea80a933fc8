/** Runs a service's check (contract 06 §4). Every caller runs it here, with a bound of its own. */
import { join } from "node:path";
import type { ServiceRow } from "../_state/services-registry.ts";
import type { Doors, ExecResult, Files } from "../_sys/doors.ts";
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
	/** File for what the check says, in a private folder; default: a folder is made for it. Who runs twenty makes one folder. */
	readonly words?: string;
}

/** Of start, stop, restart and recovery. */
export const ACTION_BOUND_SECONDS = 60;
const FINDING_EXIT = 100;
const DETAIL_CHARACTERS = 300;
/** Above the bound, in case the end of the group itself hangs. */
const BACKSTOP_MS = 5000;

/**
 * The check travels in the environment and is unset before it runs: in an argv, `pgrep -f X` would find its own shell
 * and read healthy for ever. Its words go to a file: a grandchild that keeps a pipe open would outlive the bound.
 */
const WRAPPER = [
	"check=$NEXUS_SERVICE_CHECK",
	"words=$NEXUS_SERVICE_CHECK_WORDS",
	"unset NEXUS_SERVICE_CHECK NEXUS_SERVICE_CHECK_WORDS",
	'exec >/dev/null 2>"$words"',
	"unset words",
	'eval "$check"',
].join("\n");

export async function runHealthcheck(
	doors: Pick<Doors, "files" | "proc" | "clock">,
	home: { readonly root: string; readonly stateDir: string },
	row: Pick<ServiceRow, "workdir" | "healthcheck">,
	opts: CheckOptions,
): Promise<HealthVerdict> {
	const { files, proc, clock } = doors;
	const { boundSeconds, signal } = opts;
	const folder = files.stat(row.workdir);
	if (folder.kind === "unreadable")
		return { kind: "unknown", why: `${row.workdir}: ${folder.reason}` };
	if (folder.kind === "absent" || folder.stat.kind !== "dir")
		return { kind: "down", rc: 1, detail: `no such folder: ${row.workdir}` };

	const bound = new AbortController();
	const cancel = clock.after(boundSeconds * 1000, () => bound.abort());
	const startedAt = clock.monoMs();
	const dir = opts.words === undefined ? privateFolder(files) : null;
	const words = opts.words ?? wordsIn(dir, "stderr");
	try {
		const result = await proc.exec([shellOf(proc), "-c", WRAPPER], {
			timeoutMs: boundSeconds * 1000 + BACKSTOP_MS,
			signal: AbortSignal.any([bound.signal, ...(signal ? [signal] : [])]),
			cwd: row.workdir,
			env: {
				...serviceEnvironment(proc.env, home),
				NEXUS_SERVICE_CHECK: row.healthcheck,
				NEXUS_SERVICE_CHECK_WORDS: words,
			},
		});
		const isUp = result.kind === "exited" && result.rc === 0;
		const said = isUp ? null : files.read(words);
		return judgeCheck({
			result,
			stderr: said?.kind === "ok" ? said.text : "",
			elapsedSeconds: (clock.monoMs() - startedAt) / 1000,
			boundSeconds,
			cancelled: signal?.aborted ?? false,
		});
	} finally {
		cancel();
		if (dir !== null) files.removeTree(dir);
	}
}

/** A folder for the words of checks; null where none can be made: a full disk must not hide how the services are. */
export function privateFolder(
	files: Pick<Files, "makeTempDir">,
): string | null {
	try {
		return files.makeTempDir("nexus-check-");
	} catch {
		return null;
	}
}

/** Where a check's words go; without a folder, nowhere. */
export function wordsIn(dir: string | null, name: string): string {
	return dir === null ? "/dev/null" : join(dir, name);
}

export interface CheckEnd {
	readonly result: ExecResult;
	readonly stderr: string;
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
	const { rc } = result;
	if (rc === 0) return { kind: "up" };
	if ((rc === 124 || rc === 137) && elapsedSeconds >= boundSeconds)
		return { kind: "unknown", why: late };
	const detail = detailOf(end.stderr);
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
