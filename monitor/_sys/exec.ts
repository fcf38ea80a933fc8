/**
 * Running a program and waiting for it. The limit is ours: a timer here decides, SIGKILL ends, and
 * the call settles at once, whatever the child or its children do (contract 00 R3: a tmux client
 * ended by SIGTERM exits 0 with nothing printed, and its output never ends).
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ExecOptions, ExecResult } from "./doors.ts";
import { errnoOf } from "./errno.ts";
import { type Collected, collect, collectFile } from "./exec-output.ts";
import { type NamelessFile, namelessFile } from "./nameless-file.ts";
import { processTree } from "./process-tree.ts";

const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
/** After the child's exit a grandchild may hold the pipes open; silence of this length ends the reading. */
const DRAIN_QUIET_MS = 250;
/** From SIGTERM to SIGKILL after an abort (contract 01 §4). */
const ABORT_GRACE_MS = 2000;

/** Never rejects. At the limit the whole tree is killed and what was printed so far is returned. */
export async function execProgram(
	argv: readonly string[],
	opts: ExecOptions,
): Promise<ExecResult> {
	if (opts.signal?.aborted) return { kind: "aborted" };
	const errors = opts.stderrToFile ? namelessFile() : null;
	const child = start(argv, opts, errors);
	if ("kind" in child) {
		errors?.close();
		return child;
	}
	if (opts.endsWithUs) mortal().add(child.pid);

	const max = opts.maxBytes ?? DEFAULT_MAX_BYTES;
	const { onOutput } = opts;
	const out = collect(
		child.stdout,
		max,
		onOutput && ((text) => onOutput(text, "stdout")),
	);
	const err =
		child.stderr instanceof ReadableStream
			? collect(
					child.stderr,
					max,
					onOutput && ((text) => onOutput(text, "stderr")),
				)
			: collectFile(errors, max);
	const limit = Promise.withResolvers<"timeout">();
	const abort = Promise.withResolvers<"aborted">();
	const timer = setTimeout(() => limit.resolve("timeout"), opts.timeoutMs);
	const onAbort = () => abort.resolve("aborted");
	opts.signal?.addEventListener("abort", onAbort, { once: true });
	try {
		const how = await Promise.race([
			finished(child.exited, [out, err]),
			limit.promise,
			abort.promise,
		]);
		if (typeof how === "number")
			return {
				kind: "exited",
				rc: how,
				stdout: out.text(),
				stderr: err.text(),
			};
		const tree = processTree(child.pid, opts.ownGroup ?? true);
		if (how === "aborted") {
			tree.endWithin(ABORT_GRACE_MS);
			return { kind: "aborted" };
		}
		tree.kill();
		return { kind: "timeout", stdout: out.text(), stderr: err.text() };
	} finally {
		clearTimeout(timer);
		opts.signal?.removeEventListener("abort", onAbort);
		out.cancel();
		err.cancel();
		running?.delete(child.pid);
	}
}

let running: Set<number> | null = null;

/** Pids of what is not to outlive us. */
function mortal(): Set<number> {
	if (running !== null) return running;
	const pids = new Set<number>();
	process.once("exit", () => {
		for (const pid of pids) processTree(pid, true).kill();
	});
	running = pids;
	return pids;
}

/** Exit code (128 + number for a signal) once the output has ended or fallen silent. */
async function finished(
	exited: Promise<number>,
	streams: readonly Collected[],
): Promise<number> {
	const rc = await exited;
	const ended = Promise.all(streams.map((s) => s.ended));
	let seen = -1;
	for (;;) {
		const bytes = streams.reduce((sum, s) => sum + s.received(), 0);
		if (bytes === seen) return rc;
		seen = bytes;
		const quiet = Promise.withResolvers<"quiet">();
		const timer = setTimeout(() => quiet.resolve("quiet"), DRAIN_QUIET_MS);
		const how = await Promise.race([ended, quiet.promise]);
		clearTimeout(timer);
		if (how !== "quiet") return rc;
	}
}

function start(
	argv: readonly string[],
	opts: ExecOptions,
	errors: NamelessFile | null,
) {
	const [name = "", ...args] = argv;
	const env = opts.env ?? process.env;
	const program = findProgram(name, env.PATH, opts.cwd);
	const missing = { kind: "not-found", program: name } as const;
	if (program === null) return missing;
	if (opts.cwd !== undefined && !isFolder(opts.cwd))
		return { kind: "failed", reason: `no such folder: ${opts.cwd}` } as const;
	try {
		return Bun.spawn([program, ...args], {
			cwd: opts.cwd,
			env: { ...env },
			stdin: opts.stdin === undefined ? "ignore" : Buffer.from(opts.stdin),
			stdout: "pipe",
			stderr: opts.stderrToFile ? (errors?.fd ?? "ignore") : "pipe",
			detached: opts.ownGroup ?? true,
		});
	} catch (e) {
		return { kind: "failed", reason: errnoOf(e) } as const;
	}
}

/** Absolute path of a program: on PATH, or relative to the child's folder when it holds a `/`. */
export function findProgram(
	name: string,
	path: string | undefined,
	cwd?: string,
): string | null {
	if (name === "") return null;
	const wanted = name.includes("/") ? resolve(cwd ?? ".", name) : name;
	return Bun.which(wanted, { PATH: path ?? "" });
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
