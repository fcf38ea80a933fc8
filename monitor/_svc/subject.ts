/** The name after a verb: the watcher, the orchestrator's window, or a service nobody registered (contract 06 §6). Pure. */

export type Subject =
	| { readonly kind: "watcher" }
	/** Started and ended by the watcher alone. */
	| { readonly kind: "watcher-managed"; readonly line: string }
	| { readonly kind: "missing"; readonly line: string }
	| { readonly kind: "unknown"; readonly line: string };

export interface SubjectFacts {
	readonly verb: string;
	readonly name: string | undefined;
	readonly target: string;
	readonly registry: string;
}

export function subjectOf(f: SubjectFacts): Subject {
	if (f.name === undefined || f.name === "")
		return {
			kind: "missing",
			line: `usage: svc.ts ${f.verb} <name>   (names: watcher)`,
		};
	if (f.name === "watcher") return { kind: "watcher" };
	if (f.name === "orchestrator" || f.name === f.target)
		return {
			kind: "watcher-managed",
			line:
				f.verb === "logs"
					? `'${f.name}' is watcher-managed and has no log: look into the tmux window '${f.target}'`
					: `'${f.name}' is watcher-managed: the watcher starts and ends it`,
		};
	return {
		kind: "unknown",
		line: `unknown service '${f.name}' (registry: ${f.registry}; known: watcher)`,
	};
}
