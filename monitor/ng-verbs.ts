/** The verbs of `ng`: dispatch and `ng help` both read this table (contract 05 §2.1). A module is loaded only when its verb runs. */

import { frontFor } from "./_ng/front.ts";
import type { NgVerbRow } from "./_ng/verb.ts";
import { GITHUB_VERBS } from "./_ng/verbs-github.ts";
import { HANDOFF_VERBS } from "./_ng/verbs-handoff.ts";
import { WORKER_VERBS } from "./_ng/verbs-workers.ts";

export const NG_VERBS: readonly NgVerbRow[] = [
	...GITHUB_VERBS,
	...HANDOFF_VERBS,
	{
		name: "watcher-status",
		category: "Status",
		args: "[--scheduler]",
		meaning: "is the watcher alive; the exit code says it, too",
		load: () => import("./_ng/watcher-status.ts"),
	},
	{
		name: "degraded",
		category: "Status",
		args: "status | probe …",
		meaning: "one of the verbs below",
		group: true,
		load: () => import("./_ng/degraded.ts"),
	},
	{
		name: "degraded probe",
		category: "Status",
		args: "[--surface NAME=/folder]… [--timeout s]",
		meaning: "can the nexus write where it must",
		load: async () => ({ run: (await import("./_ng/degraded/run.ts")).probe }),
	},
	{
		name: "degraded status",
		category: "Status",
		args: "[--surface NAME=/folder]… [--timeout s]",
		meaning: "the same, and what the watcher says of its disk",
		load: async () => ({ run: (await import("./_ng/degraded/run.ts")).status }),
	},
	{
		name: "service-incident",
		category: "Status",
		args: "<service> [--state-dir d]",
		meaning: "the text of an incident, for ng issue create",
		load: () => import("./_ng/service-incident.ts"),
	},
	{
		name: "log-action",
		category: "Status",
		args: "<agent> --event <name> [--note t] [--extra k=v]…",
		meaning: "write one line into the action log",
		load: () => import("./_ng/log-action.ts"),
	},
	{
		name: "context",
		category: "Status",
		args: "[--window W | --session ID | --transcript P] …",
		meaning: "how full a session's context is",
		...frontFor("contextUsage"),
	},
	{
		name: "session-id",
		category: "Status",
		args: "",
		meaning: "id of the Claude Code session that asks",
		load: () => import("./_ng/session-id.ts"),
	},
	{
		name: "report-init",
		category: "Reports",
		args: "<slug> [--project p] [--issue n] [--comment-id id] [--reports-dir d]",
		meaning: "make a report, ready to be filled in",
		load: () => import("./_ng/report-init.ts"),
	},
	{
		name: "report-check",
		category: "Reports",
		args: "<path> [--allow-todo]",
		meaning: "is a report complete",
		load: () => import("./_ng/report-check.ts"),
	},
	{
		name: "report-grep",
		category: "Reports",
		args: "<pattern> [--ignore-case] [--files] [--reports-dir d]",
		meaning: "search the reports, newest first",
		load: () => import("./_ng/report-grep.ts"),
	},
	{
		name: "reports-roll",
		category: "Reports",
		args: "[--dry-run] [--now [<date>]] …",
		meaning: "move old reports into their month's folder",
		...frontFor("reportsRoll"),
	},
	...WORKER_VERBS,
];
