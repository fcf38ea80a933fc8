/** The verbs of `svc`: data, each loaded only when it runs (contract 06 §6). */
import type { ServiceVerb, SvcVerb, UnlistedVerb } from "./_svc/verb.ts";

interface Described {
	readonly name: string;
	readonly args: string;
	readonly meaning: string;
	readonly load: () => Promise<{ readonly run: SvcVerb }>;
}
export type SvcVerbRow =
	/** Acts on everything, or reads its name itself. */
	| (Described & { readonly kind: "whole" })
	/** Acts on the one that is named: `load` when that is the watcher. */
	| (Described & {
			readonly kind: "named";
			readonly loadService: () => Promise<{ readonly run: ServiceVerb }>;
			/** For one that runs and is no longer registered. */
			readonly loadUnlisted?: () => Promise<{ readonly run: UnlistedVerb }>;
	  });

/** What `up` hands on to recovery. */
export const RECOVER_SWITCHES = [
	"--dry-run",
	"--services-only",
	"--no-services",
	"--watcher-only",
	"--no-orchestrator",
	"--no-workers",
] as const;

export const SVC_VERBS: readonly SvcVerbRow[] = [
	{
		kind: "whole",
		name: "status",
		args: "[name] [--json]",
		meaning: "the whole table once, or the rows of one name",
		load: () => import("./_svc/status.ts"),
	},
	{
		kind: "whole",
		name: "list",
		args: "",
		meaning: "the registry's rows, six columns",
		load: () => import("./_svc/list.ts"),
	},
	{
		kind: "whole",
		name: "up",
		args: "[--dry-run] [--no-…]",
		meaning: "bring up what is declared; leaves alone what runs",
		load: () => import("./_svc/up.ts"),
	},
	{
		kind: "whole",
		name: "down",
		args: "",
		meaning: "stop the watcher and every service until the next up",
		load: () => import("./_svc/down.ts"),
	},
	{
		kind: "named",
		name: "start",
		args: "<name>",
		meaning: "start it when it does not run",
		load: () => import("./_svc/start.ts"),
		loadService: () => import("./_svc/start-service.ts"),
	},
	{
		kind: "named",
		name: "stop",
		args: "<name>",
		meaning: "stop it until it is started again",
		load: () => import("./_svc/stop.ts"),
		loadService: () => import("./_svc/stop-service.ts"),
		loadUnlisted: () => import("./_svc/stop-unlisted.ts"),
	},
	{
		kind: "named",
		name: "restart",
		args: "<name>",
		meaning: "replace it; fine when it is down",
		load: () => import("./_svc/restart.ts"),
		loadService: () => import("./_svc/restart-service.ts"),
	},
	{
		kind: "named",
		name: "logs",
		args: "<name>",
		meaning: "follow its logs",
		load: () => import("./_svc/logs.ts"),
		loadService: () => import("./_svc/logs-service.ts"),
	},
];

/** What `svc help` prints, made from the table, so that no verb is left out. */
export function svcUsage(): string {
	return [
		"usage: svc.ts <verb> [name]",
		...SVC_VERBS.map((v) =>
			`  ${`${v.name} ${v.args}`.padEnd(28)} ${v.meaning}`.trimEnd(),
		),
		"names: watcher, and the services of the registry. Without a verb: the cockpit, or status once where no terminal is.",
		`up takes ${RECOVER_SWITCHES.join(" ")}`,
		"logs watcher takes --no-scheduler: its log alone, without the telemetry of each task",
		"--force <verb> <name>: do it in the middle of a build, too; no verb protects one so far, and it changes nothing",
		"exit: 0 well, 1 disk read-only or failed, 2 configuration unusable, or status watcher: it is down, 6 more than one watcher,",
		"      75 nothing was done, on purpose, 79 the registry cannot be read",
	].join("\n");
}
