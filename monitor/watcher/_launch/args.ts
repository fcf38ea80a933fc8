/** The launcher's flags (contract 01 §17). Pure. */
import { parseCli } from "../../_sys/cli.ts";
import type { LaunchMode } from "./decide.ts";

export interface LaunchArgs {
	readonly mode: LaunchMode;
	/** Null = not given. */
	readonly target: string | null;
	/** Window of a watcher from before the headless days. */
	readonly window: string;
	readonly acceptNoSandbox: boolean;
}
export type ParsedLaunch =
	| { readonly kind: "launch"; readonly args: LaunchArgs }
	| { readonly kind: "instance-status" }
	| { readonly kind: "help" }
	| {
			readonly kind: "usage";
			readonly exit: 1 | 2;
			readonly message: string;
	  };

export const LAUNCH_USAGE = `usage: launcher.ts [--replace | --ensure] [--target <window>] [--i-accept-no-sandbox]
       launcher.ts --instance-status

  --replace              end a running watcher, then start one
  --ensure               do nothing when a watcher runs already
  --target <window>      tmux window that reports go to (MONITOR_TARGET, monitor.target_window)
  --i-accept-no-sandbox  start outside a sandbox; remembered in the state dir
  --instance-status      who holds the instance lock; starts nothing
  --window <name>        window of an old, visible watcher to close (default watcher)`;

const DEFAULTS: Readonly<Record<string, string>> = {
	"--target": "orchestrator",
	"--window": "watcher",
};

/** A usage error carries its exit code. `--instance-status` beside others wins. */
export function parseLaunchArgs(argv: readonly string[]): ParsedLaunch {
	const cli = parseCli(argv, {
		flags: {
			"--target": "value",
			"--window": "value",
			"--replace": "switch",
			"--ensure": "switch",
			"--instance-status": "switch",
			"--i-accept-no-sandbox": "switch",
		},
		aliases: { "--force": "--replace" },
	});
	if (cli.kind === "help") return cli;
	if (cli.kind === "refused")
		return cli.rc === 64
			? withoutValue(cli.message)
			: { kind: "usage", exit: 1, message: cli.message };
	const target = cli.value("--target") ?? null;
	const window = cli.value("--window") ?? "watcher";
	// An unset variable between two flags makes the second one the first one's value.
	if (target?.startsWith("-")) return withoutValue("--target needs a value");
	if (window.startsWith("-")) return withoutValue("--window needs a value");
	if (cli.on("--instance-status")) return { kind: "instance-status" };
	const ensure = cli.on("--ensure") ? "ensure" : "bare";
	return {
		kind: "launch",
		args: {
			mode: cli.on("--replace") ? "replace" : ensure,
			target,
			window,
			acceptNoSandbox: cli.on("--i-accept-no-sandbox"),
		},
	};
}

/** Incident: an unset variable in the caller silently overrode the configured target. */
function withoutValue(message: string): ParsedLaunch {
	const flag = message.split(" ")[0] ?? "";
	return {
		kind: "usage",
		exit: 2,
		message: `${message}: an unset variable in the caller? Leave the flag out for the default (${DEFAULTS[flag] ?? "none"})`,
	};
}
