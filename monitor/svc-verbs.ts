/** The verbs of `svc`: data, each loaded only when it runs (contract 06 §6). */
import type { SvcVerb } from "./_svc/verb.ts";

export interface SvcVerbRow {
	readonly name: string;
	readonly args: string;
	readonly meaning: string;
	/** Without a name there is nothing to act on. */
	readonly needsName: boolean;
	readonly load: () => Promise<{ readonly run: SvcVerb }>;
}

export const SVC_VERBS: readonly SvcVerbRow[] = [
	{
		name: "status",
		args: "[watcher] [--json]",
		meaning: "the whole table once, or the watcher's rows",
		needsName: false,
		load: () => import("./_svc/status.ts"),
	},
	{
		name: "start",
		args: "<name>",
		meaning: "start it when it does not run",
		needsName: true,
		load: () => import("./_svc/start.ts"),
	},
	{
		name: "stop",
		args: "<name>",
		meaning: "stop it until it is started again",
		needsName: true,
		load: () => import("./_svc/stop.ts"),
	},
	{
		name: "restart",
		args: "<name>",
		meaning: "replace it; fine when it is down",
		needsName: true,
		load: () => import("./_svc/restart.ts"),
	},
	{
		name: "logs",
		args: "<name>",
		meaning: "follow its logs",
		needsName: true,
		load: () => import("./_svc/logs.ts"),
	},
];

export function svcUsage(): string {
	return [
		"usage: svc.ts <verb> [name]",
		...SVC_VERBS.map((v) =>
			`  ${`${v.name} ${v.args}`.padEnd(28)} ${v.meaning}`.trimEnd(),
		),
		"names: watcher. Without a verb: status.",
		"exit: 0 well, 1 disk read-only or failed, 2 watcher down or configuration unusable, 6 more than one watcher",
	].join("\n");
}
