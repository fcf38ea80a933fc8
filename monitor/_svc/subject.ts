/** The name after a verb: the watcher, the orchestrator's window, a service, or one nobody registered (contract 06 §6). Pure. */
import {
	REGISTRY_UNREADABLE_EXIT,
	type RegistryResult,
	type ServiceRow,
} from "../_state/services-registry.ts";
import { programName } from "../_sys/names.ts";

export type Subject =
	| { readonly kind: "watcher" }
	| { readonly kind: "service"; readonly row: ServiceRow }
	/** It runs, and the registry does not name it any more. */
	| { readonly kind: "unlisted"; readonly name: string; readonly pid: number }
	/** Started and ended by the watcher alone. */
	| { readonly kind: "watcher-managed"; readonly line: string }
	| { readonly kind: "missing"; readonly line: string }
	/** `exit` 79: it may well be registered, and nobody can tell. */
	| { readonly kind: "unknown"; readonly line: string; readonly exit: 1 | 79 };

export interface SubjectFacts {
	readonly verb: string;
	readonly name: string | undefined;
	readonly target: string;
	/** Its path, and what it says. */
	readonly registry: string;
	readonly rows: RegistryResult;
	readonly unlisted: readonly { readonly name: string; readonly pid: number }[];
}

/** The registry wins over a supervisor that nobody registered. */
export function subjectOf(f: SubjectFacts): Subject {
	const { name, rows } = f;
	const known = knownNames(rows);
	if (name === undefined || name === "")
		return {
			kind: "missing",
			line: `usage: ${programName("svc")} ${f.verb} <name>   (names: ${known.join(", ")})`,
		};
	if (name === "watcher") return { kind: "watcher" };
	if (name === "orchestrator" || name === f.target)
		return {
			kind: "watcher-managed",
			line:
				f.verb === "logs"
					? `'${name}' is watcher-managed and has no log: look into the tmux window '${f.target}'`
					: `'${name}' is watcher-managed: the watcher starts and ends it`,
		};
	const found =
		rows.kind === "rows" ? rows.rows.find((r) => r.name === name) : undefined;
	if (found !== undefined) return { kind: "service", row: found };
	if (rows.kind === "unreadable")
		return {
			kind: "unknown",
			line: `registry not readable: ${f.registry} (${rows.error}); '${name}' may well be in it`,
			exit: REGISTRY_UNREADABLE_EXIT,
		};
	const stray = f.unlisted.find((u) => u.name === name);
	if (stray !== undefined) return { kind: "unlisted", ...stray };
	const line = `unknown service '${name}' (registry: ${f.registry}; known: ${known.join(", ")})`;
	return { kind: "unknown", line, exit: 1 };
}

function knownNames(rows: RegistryResult): readonly string[] {
	const names = rows.kind === "rows" ? rows.rows.map((r) => r.name) : [];
	return ["watcher", ...names];
}
