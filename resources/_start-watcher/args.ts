/** The command line of `start-watcher` (contract 09 §10). Pure. */
import { bareName } from "../../monitor/_state/fleet/names.ts";
import { parseCli } from "../../monitor/_sys/cli.ts";

export const USAGE = `usage: start-watcher.ts NAME --role watcher|steward --parent AGENT|user:NAME --roster A,B,…|@FILE
         --model MODEL --effort EFFORT [--cadence-active 5m] [--cadence-idle 10m] [--runtime claude]
         [--owner USER] [--restart-ctx-pct 50] [--backend auto|thrum|local] [--dry-run]

  --roster          names with commas or blanks between; @FILE: the same on its lines, # for comments, or a JSON list
  --owner           whom a watcher escalates to; else the first @user: of permission_supervisors in .thrum/config.json
  --cadence-idle    how often the roster is looked at; at least 1m
  --dry-run         all checks, and what would be made; nothing is

exit: 0 started · 1 failed, all undone · 2 refused, nothing created · 3 failed, something is left`;

export interface Args {
	readonly name: string;
	readonly role: "watcher" | "steward";
	readonly parent: string;
	/** As it was given. */
	readonly roster: string;
	/** Empty: not given. */
	readonly model: string;
	readonly effort: string;
	readonly cadenceActive: string;
	readonly cadenceIdle: string;
	readonly runtime: string;
	/** `user:NAME`; null: not given. */
	readonly owner: string | null;
	readonly restartCtxPct: string;
	readonly backend: "auto" | "thrum" | "local";
	readonly dryRun: boolean;
}
export type Parsed =
	| { readonly kind: "ok"; readonly args: Args }
	| { readonly kind: "help" }
	| { readonly kind: "usage"; readonly why: string };

const FLAGS = {
	"--role": "value",
	"--parent": "value",
	"--roster": "text",
	"--model": "text",
	"--effort": "text",
	"--cadence-active": "value",
	"--cadence-idle": "value",
	"--runtime": "value",
	"--owner": "value",
	"--restart-ctx-pct": "value",
	"--backend": "value",
	"--dry-run": "switch",
} as const;
const BACKENDS = ["auto", "thrum", "local"] as const;
const ROLES = ["watcher", "steward"] as const;

/** What is missing is asked for here; whether it makes sense is `preflight.ts`'s. */
export function parseArgs(argv: readonly string[]): Parsed {
	const cli = parseCli(argv, { flags: FLAGS, maxPositionals: 1 });
	if (cli.kind === "help") return cli;
	if (cli.kind === "refused") return usage(cli.message);
	const [name] = cli.positionals;
	if (name === undefined) return usage("no name");
	const missing = (["--role", "--parent", "--roster"] as const).find(
		(flag) => cli.value(flag) === undefined,
	);
	if (missing !== undefined) return usage(`${missing} is missing`);
	const role = ROLES.find((one) => one === cli.value("--role"));
	if (role === undefined) return usage("--role is watcher or steward");
	const given = cli.value("--backend") ?? "auto";
	const backend = BACKENDS.find((one) => one === given);
	if (backend === undefined) return usage("--backend is auto, thrum or local");
	const text = (flag: keyof typeof FLAGS, otherwise: string) =>
		cli.value(flag) ?? otherwise;
	const owner = cli.value("--owner");
	return {
		kind: "ok",
		args: {
			name: bareName(name),
			role,
			backend,
			parent: bareName(text("--parent", "")),
			roster: text("--roster", ""),
			model: text("--model", ""),
			effort: text("--effort", ""),
			cadenceActive: text("--cadence-active", "5m"),
			cadenceIdle: text("--cadence-idle", "10m"),
			runtime: text("--runtime", "claude"),
			owner: owner === undefined ? null : userName(owner),
			restartCtxPct: text("--restart-ctx-pct", "50"),
			dryRun: cli.on("--dry-run"),
		},
	};
}

/** `x`, `user:x` and `@user:x` are one person. */
export function userName(text: string): string {
	return `user:${bareName(text).replace(/^user:/, "")}`;
}

function usage(why: string): Parsed {
	return { kind: "usage", why };
}
