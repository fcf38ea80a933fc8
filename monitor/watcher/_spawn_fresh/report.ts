/** The situation report that a replaced orchestrator begins with (contract 04 §15). Pure. */
import { TEXTS } from "../../_sys/names.ts";

export interface SituationFacts {
	/** Session id when it is resumed. */
	readonly resumed: string | null;
	/** ISO. */
	readonly spawnedAt: string;
	readonly reason: string;
	/** Empty: there was none, or nobody knows it. */
	readonly previousSid: string;
	readonly root: string;
	/** Null: tmux did not answer. */
	readonly windows: readonly string[] | null;
	/** Worker windows, each with the path of its newest report. */
	readonly workers: readonly {
		readonly window: string;
		readonly report: string | null;
	}[];
	/** Newest first. */
	readonly reports: readonly string[];
	/** Begin of the newest snapshot. */
	readonly snapshot: string;
	readonly armCommand: string;
	/** Reports that the one before had been given and by no record has read: a line each. */
	readonly unread: readonly string[];
}

/** Markdown. What could not be looked at is said as that, not left out. */
export function renderSituation(f: SituationFacts): string {
	return [
		...preamble(f),
		"",
		"## Recovery context",
		`- Spawned at: ${f.spawnedAt}`,
		`- Mode: ${f.resumed === null ? "fresh" : "resume"}`,
		`- Reason: ${f.reason}`,
		`- Previous orchestrator session-id: ${f.previousSid || "unknown"}`,
		`- Nexus root: ${f.root}`,
		"",
		"## Current tmux windows",
		...list(f.windows ?? ["(tmux did not answer)"]),
		"",
		"## In-flight worker windows vs. recent reports",
		...list(
			f.workers.map((w) => `${w.window}: ${w.report ?? "no report yet"}`),
		),
		"",
		"## Recent reports (top 5 by mtime)",
		...list(f.reports),
		"",
		...(f.unread.length === 0
			? []
			: [
					"## Reports that the session before was given, and by no record has read (nobody tells them again: read each)",
					...f.unread,
					"",
				]),
		"## Dashboard pointer",
		`- The overview issue, as ${TEXTS.agentPrompt} says; bring it up to date after this recovery.`,
		"",
		"## Latest watcher emit signature",
		...f.snapshot.split("\n").map((line) => `    ${line}`),
		"",
		...lastSection(f),
		"",
	].join("\n");
}

/** Of what there was before it says no more than is known: a first start, a reboot and a wedged turn all end here. */
function preamble(f: SituationFacts): readonly string[] {
	const before =
		f.previousSid === ""
			? "No session before yours is known here."
			: "The one before you was replaced, for the reason below.";
	return f.resumed === null
		? [
				`[nexus watcher] Recovery spawn: you are a fresh orchestrator without context. ${before}`,
				`Read ${TEXTS.workspaceContract}, the skills, and ${TEXTS.agentPrompt} before you act.`,
			]
		: [
				`[nexus watcher] Your window was replaced, for the reason below: claude --resume ${f.resumed}. Your context is kept; a turn that was under way is lost.`,
			];
}

function lastSection({ resumed, armCommand }: SituationFacts) {
	const arm = `- Arm the supervisor of the watcher again: ${armCommand}`;
	return resumed === null
		? [
				"## First actions",
				arm,
				"- Go through the worker windows above: who waits, who is done, who is blocked.",
				"- Answer open requests and decisions; the next reports name them.",
			]
		: [
				"## Suggested first checks",
				arm,
				"- What was the last turn about, and was it finished? Do not repeat what has been done already.",
				"- Which of the worker windows above wait for you?",
			];
}

function list(rows: readonly string[]): readonly string[] {
	return rows.length === 0 ? ["- none"] : rows.map((row) => `- ${row}`);
}
