/** Whom `--roster` names (contract 09 §10). */
import { resolve } from "node:path";
import {
	normalizeRoster,
	type RosterEntry,
} from "../../monitor/_state/fleet/watch-params.ts";
import type { Files } from "../../monitor/_sys/doors.ts";

export type RosterRead =
	| { readonly kind: "ok"; readonly entries: readonly RosterEntry[] }
	| { readonly kind: "bad"; readonly why: string };

/** `@x` is a file where there is one of that name, else the agent x. */
export function readRoster(
	files: Pick<Files, "read">,
	cwd: string,
	given: string,
): RosterRead {
	const path = given.startsWith("@") ? resolve(cwd, given.slice(1)) : null;
	if (path === null) return named(given);
	const read = files.read(path);
	switch (read.kind) {
		case "ok":
			return rosterOfText(read.text);
		case "unreadable":
			return { kind: "bad", why: `${path}: ${read.reason}` };
		case "absent":
			return /[/.]/.test(given)
				? { kind: "bad", why: `${path} is not there` }
				: named(given);
	}
}

/** A JSON list alone can say where an agent is to be found. */
export function rosterOfText(text: string): RosterRead {
	if (!text.trimStart().startsWith("["))
		return named(text.replace(/#.*$/gm, ""));
	try {
		return { kind: "ok", entries: normalizeRoster(JSON.parse(text)) };
	} catch (cause) {
		return { kind: "bad", why: `the roster is no JSON: ${cause}` };
	}
}

function named(text: string): RosterRead {
	return { kind: "ok", entries: normalizeRoster(text.split(/[,\s]+/)) };
}
