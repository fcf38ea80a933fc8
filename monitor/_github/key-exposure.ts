/**
 * Who else on this machine can read the App's key (contract 02 §3). A plain "mode must be 600" would stop
 * every write of a setup whose key is sealed by a 0700 folder above it.
 */
import { dirname } from "node:path";
import type { Files } from "../_sys/doors.ts";

export interface Exposure {
	/** Only `exposed` refuses. `unknown`: it could not be looked at. */
	readonly verdict:
		| "ok"
		| "group-visible"
		| "contained"
		| "exposed"
		| "unknown";
	/** Of the key file; null when it could not be looked at. */
	readonly mode: number | null;
	readonly reason: string;
}

const GROUP = 0o070;
const OTHERS = 0o007;
const OTHERS_MAY_PASS = 0o001;

/** Symbolic links are followed first: it is the file's own folders that seal it. */
export function keyExposure(files: Files, path: string): Exposure {
	const real = files.realpath(path) ?? path;
	const stat = files.stat(real);
	if (stat.kind !== "ok") {
		const reason = stat.kind === "absent" ? "not there" : stat.reason;
		return { verdict: "unknown", mode: null, reason };
	}
	const mode = stat.stat.mode & 0o777;
	if ((mode & OTHERS) !== 0) return { mode, ...sealedAbove(files, real) };
	return (mode & GROUP) === 0
		? { verdict: "ok", mode, reason: "only its owner can open it" }
		: { verdict: "group-visible", mode, reason: "its group can open it" };
}

/** `key: <path>` and `verdict=<v> mode=<octal> reason=<text>`. */
export function exposureLines(
	path: string,
	{ verdict, mode, reason }: Exposure,
): readonly string[] {
	const octal = mode === null ? "?" : mode.toString(8).padStart(4, "0");
	return [`key: ${path}`, `verdict=${verdict} mode=${octal} reason=${reason}`];
}

function sealedAbove(
	files: Files,
	path: string,
): Pick<Exposure, "verdict" | "reason"> {
	let blind: string | null = null;
	for (let dir = dirname(path); ; dir = dirname(dir)) {
		const stat = files.stat(dir);
		if (stat.kind !== "ok") blind ??= dir;
		else if ((stat.stat.mode & OTHERS_MAY_PASS) === 0)
			return {
				verdict: "contained",
				reason: `others can open it, but ${dir} keeps them out`,
			};
		if (dir === dirname(dir)) break;
	}
	return blind === null
		? {
				verdict: "exposed",
				reason: "every local user can reach and open it",
			}
		: { verdict: "unknown", reason: `could not look at ${blind}` };
}
