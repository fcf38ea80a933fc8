/** Where the request inbox is, and its layout (contract 08 §6.1). */

import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { userHome } from "../_sys/user-home.ts";
import type { Settings } from "./settings.ts";
import { stateDirOf } from "./state-dir.ts";

export interface RequestsDirFacts {
	/** `NEXUS_REQUESTS_DIR`. */
	readonly env: string | null;
	/** `monitor.requests.dir` of the config file. */
	readonly configured: string | null;
	readonly home: string;
	readonly stateDir: string;
	/** `<nexus.root>/monitor/.state`: only there does the configured folder count, so that a test never reaches the live inbox. */
	readonly liveStateDir: string;
}

export type RequestsDir =
	| {
			readonly kind: "ok";
			readonly source: "env" | "config" | "default";
			readonly dir: string;
	  }
	/** Exit code 2: not absolute. 3: configured, and not there. */
	| { readonly kind: "refused"; readonly rc: 2 | 3; readonly why: string };

/** Pure; whether the folder is there is `checkRequestsDir`'s question. */
export function requestsDir(f: RequestsDirFacts): RequestsDir {
	if (f.env) return chosen("env", f.env, f.home);
	if (f.configured && f.stateDir === f.liveStateDir)
		return chosen("config", f.configured, f.home);
	return { kind: "ok", source: "default", dir: join(f.stateDir, "requests") };
}

/** A folder that somebody named and that is not there is an error, never an empty inbox. */
export function checkRequestsDir(
	files: Files,
	found: RequestsDir,
): RequestsDir {
	if (found.kind === "refused") return found;
	const stat = files.stat(found.dir);
	if (stat.kind === "ok" && stat.stat.kind === "dir") return found;
	// The state dir's own is made with the first request; a link that somebody put there names a place.
	if (found.source === "default" && files.lstat(found.dir).kind === "absent")
		return found;
	return {
		kind: "refused",
		rc: 3,
		why: `the request inbox ${found.dir} (${found.source}) is not there`,
	};
}

/** The inbox of a short-lived program. */
export function inboxOf(
	files: Files,
	env: Readonly<Record<string, string | undefined>>,
	{ home, config }: Pick<Settings, "home" | "config">,
): RequestsDir {
	const real = (path: string) => files.realpath(path) ?? path;
	return checkRequestsDir(
		files,
		requestsDir({
			env: env.NEXUS_REQUESTS_DIR || null,
			configured: config["monitor.requests.dir"] ?? null,
			home: userHome(env),
			stateDir: home.stateDir,
			liveStateDir: real(stateDirOf(config["nexus.root"])),
		}),
	);
}

/** An empty folder an id, so that no two filings get the same. */
export function reservationsDir(inbox: string): string {
	return join(inbox, ".ids");
}
/** Held while it is found out whether a request was filed before. */
export function onceLock(inbox: string): string {
	return join(inbox, ".once.lock");
}
/** The reservation of an id: its mkdir is the atomic allocator. */
export function reservationDir(inbox: string, id: string): string {
	return join(reservationsDir(inbox), id);
}
/** What belongs to the answer of one request. */
export function repliesDir(inbox: string, id: string): string {
	return join(inbox, "replies", id);
}
/** Where the next text of a request lies until the request is claimed for it: two writers of different texts have two. */
export function replyDraft(inbox: string, id: string, text: string): string {
	const hash = new Bun.CryptoHasher("sha1").update(text).digest("hex");
	return join(repliesDir(inbox, id), `.draft-${hash.slice(0, 12)}`);
}

function chosen(
	source: "env" | "config",
	value: string,
	home: string,
): RequestsDir {
	const dir =
		value === "~" || value.startsWith("~/") ? home + value.slice(1) : value;
	return dir.startsWith("/")
		? { kind: "ok", source, dir }
		: {
				kind: "refused",
				rc: 2,
				why: `the request inbox must be an absolute path, got ${JSON.stringify(value)}`,
			};
}
