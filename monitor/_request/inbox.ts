/** The inbox of a caller, and where a request stands in it (contract 08 §6.1, §6.2). */
import { join } from "node:path";
import {
	REQUEST_STATES,
	type RequestHead,
	type RequestState,
	readRequest,
	requestFileName,
} from "../_state/requests.ts";
import { inboxOf } from "../_state/requests-dir.ts";
import { readSettings } from "../_state/settings.ts";
import type { Files } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";
import type { RequestContext } from "./verb.ts";

export interface Inbox {
	readonly kind: "ok";
	readonly dir: string;
	readonly stateDir: string;
}

/** What the caller named and is not there is an error, never an empty inbox; it has been said. */
export async function openInbox(
	ctx: Pick<RequestContext, "doors" | "codeRoot" | "err">,
): Promise<Inbox | { readonly kind: "refused"; readonly rc: number }> {
	const { doors, codeRoot, err } = ctx;
	const { env } = doors.proc;
	const settings = await readSettings(doors, codeRoot, true);
	for (const line of settings.problems) err(line);
	if (settings.problems.length > 0) return { kind: "refused", rc: 1 };
	const found = inboxOf(doors.files, env, settings);
	if (found.kind === "ok")
		return { kind: "ok", dir: found.dir, stateDir: settings.home.stateDir };
	err(found.why);
	return { kind: "refused", rc: found.rc };
}

/** The alphabet of an id makes a path that leaves the inbox impossible to write. */
export function isRequestId(id: string | undefined): id is string {
	return id !== undefined && /^[A-Za-z0-9_-]+$/.test(id);
}

/** The refusal, with what was given. */
export function badId(id: string | undefined): string {
	return `not an id of a request: '${excerpt(id ?? "")}'`;
}

export type Standing =
	| {
			readonly kind: "there";
			readonly state: RequestState;
			readonly path: string;
	  }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly why: string };

/** Of several states the one that is furthest: a rename may be under way. */
export function standingOf(files: Files, dir: string, id: string): Standing {
	for (const state of FURTHEST_FIRST) {
		const path = join(dir, requestFileName({ id, state }));
		const found = files.lstat(path);
		if (found.kind === "ok") return { kind: "there", state, path };
		if (found.kind === "unreadable")
			return { kind: "unreadable", why: found.reason };
	}
	return { kind: "absent" };
}

const FURTHEST_FIRST: readonly RequestState[] = [
	...(["replied", "done", "failed", "replying", "failing"] as const),
	...(["claimed", "new"] as const),
];

/** Null: the file is gone, or it cannot be read. */
export function headOf(
	files: Files,
	dir: string,
	id: string,
	state: RequestState,
): RequestHead | null {
	const look = readRequest(files, dir, requestFileName({ id, state }));
	return look.kind === "ok" ? look.head : null;
}

export type Found =
	| (Extract<Standing, { kind: "there" }> & { readonly head: RequestHead })
	| Exclude<Standing, { kind: "there" }>;

/** Where it stands, and what its head says. A file that was renamed between the two looks is looked for once more, before anybody judges whose it is. */
export function findRequest(files: Files, dir: string, id: string): Found {
	for (let tried = 1; ; tried++) {
		const at = standingOf(files, dir, id);
		if (at.kind !== "there") return at;
		const head = headOf(files, dir, id, at.state);
		if (head !== null) return { ...at, head };
		if (tried === 2)
			return { kind: "unreadable", why: "its head cannot be read" };
	}
}

/** Asked only when the caller says who it is. True: it is not the caller's. */
export function isForeign(origin: string, principal: string): boolean {
	return principal !== "" && principal !== origin;
}

/** The file's bytes, if its real place is in the inbox. */
export function readInside(
	files: Files,
	dir: string,
	path: string,
):
	| { readonly kind: "ok"; readonly bytes: Uint8Array }
	| { readonly kind: "absent" }
	| { readonly kind: "refused"; readonly why: string } {
	const real = files.realpath(path);
	if (real === null)
		return files.lstat(path).kind === "absent"
			? { kind: "absent" }
			: { kind: "refused", why: "a symlink that leads nowhere" };
	const root = files.realpath(dir) ?? dir;
	if (!real.startsWith(`${root}/`))
		return { kind: "refused", why: `it leads out of the inbox, to ${real}` };
	const read = files.readBytes(real, MAX_BYTES);
	return read.kind === "unreadable"
		? { kind: "refused", why: read.reason }
		: read;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Narrows a word of a file name. */
export function isState(word: string): word is RequestState {
	return REQUEST_STATES.some((state) => state === word);
}
