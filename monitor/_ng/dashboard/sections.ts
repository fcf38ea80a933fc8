/** What a dashboard must hold, and how large it may grow (contract 05 §10.1, §10.2). One once grew to 213 KB of prose, and whoever read it had no context left. */

export const SECTIONS = [
	{ heading: "## Identity", hint: "see the generated block above" },
	{ heading: "## Infra", hint: "what everything runs on" },
	{ heading: "## Services", hint: "one line a service" },
	{ heading: "## In-flight", hint: "one line a live window" },
	{
		heading: "## Awaiting operator",
		hint: "what only the operator can decide",
	},
	{ heading: "## Recent landings", hint: "what was finished lately" },
] as const;

/** The heading of the generated block stands for the pointer's. */
export const IDENTITY_ALIAS = "## Nexus Identity";

export const DASH_MAX_BYTES = 12_000;
export const DASH_MAX_SECTION_BYTES = 4000;
export const DASH_MAX_SECTION_ENTRIES = 24;
export const DASH_MAX_ENTRY_BYTES = 1500;

/** The middle of a new dashboard: every heading, with a hint below it. */
export function scaffold(): string {
	return SECTIONS.map(({ heading, hint }) => `${heading}\n\n_${hint}_\n`).join(
		"\n",
	);
}
