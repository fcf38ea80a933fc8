/** What the file system throws, as the answers that the `Files` door gives. */
import type { ListResult, WriteResult } from "./doors.ts";
import { errnoOf } from "./errno.ts";

const OK: WriteResult = { kind: "ok" };

/** A thing below a file is provably not there, like a missing one. */
export function look<T>(
	ask: () => T,
):
	| T
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string } {
	try {
		return ask();
	} catch (e) {
		const code = errnoOf(e);
		return code === "ENOENT" || code === "ENOTDIR"
			? { kind: "absent" }
			: { kind: "unreadable", reason: code };
	}
}

/** What `act` throws becomes a failure with its errno and the path. */
export function attempt(path: string, act: () => void): WriteResult {
	try {
		act();
		return OK;
	} catch (e) {
		const code = errnoOf(e);
		return { kind: "failed", code, reason: `${code}: ${path}` };
	}
}

/** As `attempt`, for removals: what is not there (ENOENT, ENOTDIR) is removed already. */
export function unlessAbsent(path: string, act: () => void): WriteResult {
	const done = attempt(path, act);
	if (done.kind === "ok") return OK;
	return done.code === "ENOENT" || done.code === "ENOTDIR" ? OK : done;
}

/** A file where a folder was asked for is a surprise, not an empty folder. */
export function notListed(e: unknown): ListResult {
	const code = errnoOf(e);
	return code === "ENOENT"
		? { kind: "absent" }
		: { kind: "unreadable", reason: code };
}
