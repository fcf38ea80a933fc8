/** The verbs of `ng`: dispatch and `ng help` both read this table (contract 05 §2.1). A module is loaded only when its verb runs. */
import type { NgVerbRow } from "./_ng/verb.ts";

export const NG_VERBS: readonly NgVerbRow[] = [
	{
		name: "watcher-status",
		category: "Status",
		args: "[--scheduler]",
		meaning: "is the watcher alive; the exit code says it, too",
		load: () => import("./_ng/watcher-status.ts"),
	},
	{
		name: "reports-roll",
		category: "Reports",
		args: "[--dry-run] [--now [<date>]] …",
		meaning: "move old reports into their month's folder",
		facade: true,
		load: async () => (await import("./_ng/facade.ts")).facade("reportsRoll"),
	},
];
