/** The block that says which nexus this is (contract 05 §15). Pure; two runs over the same facts are identical. */

export interface IdentityFacts {
	readonly root: string;
	readonly host: string;
	readonly repo: string;
	/** Of the overview issue; null: not known. */
	readonly overview: string | null;
	/** Null: no git origin. */
	readonly origin: string | null;
	/** Null: detached. */
	readonly branch: string | null;
	readonly pidFile: string;
	readonly logFile: string;
}

const IDENTITY_START = "<!-- nexus-identity:start -->";
const IDENTITY_END = "<!-- nexus-identity:end -->";

/** Lines with both markers; a value cannot end its cell. */
export function renderIdentity(f: IdentityFacts): readonly string[] {
	const overview = f.overview === null ? "" : ` (overview: #${f.overview})`;
	const row = (name: string, value: string) =>
		`| ${name} | ${value.replaceAll("|", "\\|").replace(/[\r\n]+/g, " ")} |`;
	return [
		IDENTITY_START,
		"## Nexus Identity",
		"",
		`**Working directory:** \`${f.root}\``,
		"",
		"| | |",
		"|---|---|",
		row("Host", f.host),
		row("Asset + issue repo", `${f.repo}${overview}`),
		row(
			"Implementation clone",
			`${f.origin ?? "(no git origin)"}, branch ${f.branch ?? "(detached)"}`,
		),
		row("Watcher pidfile", `\`${f.pidFile}\``),
		row("Watcher log", `\`${f.logFile}\``),
		"",
		"Paths in comments are relative to the working directory. This block is generated; do not edit it by hand.",
		IDENTITY_END,
	];
}

export type Upserted =
	| { readonly kind: "ok"; readonly body: string }
	| { readonly kind: "refused"; readonly message: string };

/** In place of the block that is there, else behind the text. */
export function upsertBlock(body: string, block: string): Upserted {
	const starts = body.split(IDENTITY_START).length - 1;
	const ends = body.split(IDENTITY_END).length - 1;
	if (starts > 1 || ends > 1 || starts !== ends)
		return {
			kind: "refused",
			message: `identity markers: ${starts} start, ${ends} end; repair the issue's text by hand`,
		};
	if (starts === 0)
		return {
			kind: "ok",
			body: body === "" ? block : `${body.replace(/\n+$/, "")}\n\n${block}`,
		};
	const from = body.indexOf(IDENTITY_START);
	const to = body.indexOf(IDENTITY_END) + IDENTITY_END.length;
	return from < to
		? { kind: "ok", body: body.slice(0, from) + block + body.slice(to) }
		: {
				kind: "refused",
				message:
					"identity markers are in the wrong order; repair the issue's text by hand",
			};
}
