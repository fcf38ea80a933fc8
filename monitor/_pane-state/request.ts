/** The command line of `pane-state` (contract 03 §2) as a value. Pure. */
import { DEFAULT_HORIZONS, type Horizons } from "../_pane/heartbeat.ts";
import { type Cli, type CliSpec, parseCli } from "../_sys/cli.ts";
import { wholeNumber } from "../_sys/require-int.ts";

export type Request =
	| { readonly kind: "states" }
	/** Null: session 0; where there is none of that name, all sessions. */
	| ({ readonly kind: "all"; readonly session: string | null } & Common)
	| ({ readonly kind: "target"; readonly target: Target } & Common)
	| ({ readonly kind: "fixture"; readonly fixture: Fixture } & Common)
	| { readonly kind: "refused"; readonly message: string };

export type Target =
	| { readonly kind: "index"; readonly session: string; readonly index: number }
	| { readonly kind: "name"; readonly name: string };

export interface Fixture {
	readonly path: string;
	readonly window: string;
	readonly name: string;
	readonly active: boolean;
	readonly panePid: number | null;
}
interface Common {
	readonly output: "line" | "explain" | "explain-json";
	readonly overrides: Overrides;
}
/** What the caller knows better; null = ask the world. */
export interface Overrides {
	readonly now: number | null;
	readonly sessionFile: string | null;
	readonly sessionDead: boolean;
	readonly heartbeatFile: string | null;
	readonly overLimitFile: string | null;
	/** Seconds by horizon; only those given. */
	readonly horizons: Partial<Horizons>;
	readonly bgShells: number | null;
	readonly bgCpu: number | null;
	readonly bgOldestStart: number | null;
}

const FLAGS: CliSpec["flags"] = {
	"--all": "switch",
	"--states": "switch",
	"--explain": "switch",
	"--json": "switch",
	"--session-dead": "switch",
	"--fixture": "value",
	"--window": "value",
	"--name": "value",
	"--active": "value",
	"--now": "value",
	"--session-file": "value",
	"--heartbeat-file": "value",
	"--heartbeat-staleness": "value",
	"--heartbeat-turn-end-staleness": "value",
	"--heartbeat-async-staleness": "value",
	"--over-limit-file": "value",
	"--pane-pid": "value",
	"--bg-shells": "value",
	"--bg-cpu": "value",
	"--bg-oldest-start": "value",
};
export const DEFAULT_SESSION = "0";

/** A refusal is the reason in the line that is printed. */
export function parseRequest(argv: readonly string[]): Request {
	const cli = parseCli(argv, { flags: FLAGS, maxPositionals: 1 });
	if (cli.kind === "help") return refused("usage");
	if (cli.kind === "refused") return refused(cli.message);
	const bad = badNumber(cli);
	if (bad !== null) return refused(bad);
	const fixture = cli.value("--fixture");
	const [target] = cli.positionals;
	const modes = [cli.on("--states"), cli.on("--all"), fixture !== undefined];
	const asked = modes.filter(Boolean).length;
	if (asked > 1) return refused("choose one of --all, --states and --fixture");
	if (cli.on("--json") && !cli.on("--explain"))
		return refused("--json goes with --explain");
	if (cli.on("--states")) return { kind: "states" };
	const common = { output: outputOf(cli), overrides: overridesOf(cli) };
	if (cli.on("--all"))
		return { kind: "all", session: target ?? null, ...common };
	if (fixture !== undefined)
		return { kind: "fixture", fixture: fixtureOf(cli, fixture), ...common };
	if (target === undefined || target === "")
		return refused("name a window, or --all");
	return { kind: "target", target: targetOf(target), ...common };
}

/** `7` = window 7 of session 0, `session:7`, else a window's exact name. */
function targetOf(text: string): Target {
	const match = /^(?:(.+):)?(\d{1,9})$/.exec(text);
	return match
		? {
				kind: "index",
				session: match[1] ?? DEFAULT_SESSION,
				index: Number(match[2]),
			}
		: { kind: "name", name: text };
}

type Flags = Extract<Cli, { kind: "ok" }>;

function refused(message: string): Request {
	return { kind: "refused", message };
}

/** These must be numbers; a bad staleness only falls back to its default. */
function badNumber(cli: Flags): string | null {
	for (const flag of [
		"--now",
		"--pane-pid",
		"--bg-shells",
		"--bg-cpu",
		"--bg-oldest-start",
	])
		if (cli.value(flag) !== undefined && numberOf(cli, flag) === null)
			return `${flag} needs a whole number`;
	const active = cli.value("--active");
	return active === undefined || /^[01]$/.test(active)
		? null
		: "--active needs 0 or 1";
}

function numberOf(cli: Flags, flag: string): number | null {
	return wholeNumber(cli.value(flag));
}

function outputOf(cli: Flags): Common["output"] {
	if (!cli.on("--explain")) return "line";
	return cli.on("--json") ? "explain-json" : "explain";
}

function fixtureOf(cli: Flags, path: string): Fixture {
	return {
		path,
		window: cli.value("--window") ?? "0",
		name: cli.value("--name") ?? "fixture",
		active: cli.value("--active") === "1",
		panePid: numberOf(cli, "--pane-pid"),
	};
}

function overridesOf(cli: Flags): Overrides {
	return {
		now: numberOf(cli, "--now"),
		sessionFile: cli.value("--session-file") ?? null,
		sessionDead: cli.on("--session-dead"),
		heartbeatFile: cli.value("--heartbeat-file") ?? null,
		overLimitFile: cli.value("--over-limit-file") ?? null,
		horizons: horizonsOf(cli),
		bgShells: numberOf(cli, "--bg-shells"),
		bgCpu: numberOf(cli, "--bg-cpu"),
		bgOldestStart: numberOf(cli, "--bg-oldest-start"),
	};
}

function horizonsOf(cli: Flags): Partial<Horizons> {
	const given = (flag: string, keys: readonly (keyof Horizons)[]) => {
		if (cli.value(flag) === undefined) return {};
		const seconds = numberOf(cli, flag);
		return Object.fromEntries(
			keys.map((key) => [key, seconds ?? DEFAULT_HORIZONS[key]]),
		);
	};
	return {
		...given("--heartbeat-staleness", ["heartbeat"]),
		...given("--heartbeat-turn-end-staleness", ["turnEnd"]),
		...given("--heartbeat-async-staleness", ["wakeup", "waits"]),
	};
}
