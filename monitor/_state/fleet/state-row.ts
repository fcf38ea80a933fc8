/** `T/state/<kind>/<scope>.json`: the value of a state row (contract 09 §6.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { safeWord } from "./names.ts";

export type StateValue =
	| { readonly kind: "ok"; readonly value: unknown }
	| { readonly kind: "absent" }
	| { readonly kind: "damaged"; readonly why: string };

/** Any JSON value; `damaged` also for a file that cannot be read, and is left where it is. */
export function readStateRow(
	files: Pick<Files, "read">,
	thrumDir: string,
	kind: string,
	scope: string,
): StateValue {
	const path = statePath(thrumDir, kind, scope);
	const read = files.read(path);
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable")
		return { kind: "damaged", why: `${path}: ${read.reason}` };
	try {
		return { kind: "ok", value: JSON.parse(read.text) };
	} catch {
		return { kind: "damaged", why: `${path} holds no JSON` };
	}
}

/** Makes the folder; `value` as JSON in one line, flushed. */
export function writeStateRow(
	files: Files,
	thrumDir: string,
	kind: string,
	scope: string,
	value: unknown,
): WriteResult {
	files.mkdir(join(thrumDir, "state", safeWord(kind)), 0o700);
	const path = statePath(thrumDir, kind, scope);
	return files.writeAtomic(path, `${JSON.stringify(value)}\n`, {
		mode: 0o600,
		fsync: true,
	});
}

/** In byte order; null: could not look. */
export function listStateScopes(
	files: Pick<Files, "list">,
	thrumDir: string,
	kind: string,
): readonly string[] | null {
	const listed = files.list(join(thrumDir, "state", safeWord(kind)));
	if (listed.kind === "unreadable") return null;
	const names = listed.kind === "ok" ? listed.names : [];
	return names
		.filter((name) => name.endsWith(".json"))
		.map((name) => name.slice(0, -".json".length));
}

function statePath(thrumDir: string, kind: string, scope: string): string {
	return join(thrumDir, "state", safeWord(kind), `${safeWord(scope)}.json`);
}
