/** The command line of `spawn-worker` as a value (contract 08 §8.1). Pure. */
import { isSessionId } from "../_state/orchestrator-session-id.ts";
import type {
	SkepticMode,
	SkepticRecord,
	WorkerKind,
} from "../_state/window-provenance.ts";
import { type Cli, type CliSpec, parseCli } from "../_sys/cli.ts";
import { requireInt } from "../_sys/require-int.ts";

export interface FreshRequest {
	readonly kind: "fresh";
	readonly window: string;
	/** As given. */
	readonly workdir: string;
	readonly promptFile: string;
	readonly priorReport: string | null;
	readonly workerKind: WorkerKind;
	readonly topic: string | null;
	readonly model: string | null;
	readonly skeptic: SkepticRecord;
	readonly printPrompt: boolean;
}
export interface ResumeRequest {
	readonly kind: "resume";
	/** A window's name, or a session id; then `window` names the window. */
	readonly target: string;
	readonly window: string | null;
	readonly workdir: string | null;
	/** Null: the one it had before. */
	readonly model: string | null;
	readonly replace: boolean;
	readonly nudge: "auto" | "on" | "off";
	readonly dryRun: boolean;
}
/** Why nothing was started; `rc` is the exit code of the contract's table. */
export interface Refusal {
	readonly kind: "refused";
	readonly rc: number;
	readonly message: string;
}
export type SpawnRequest =
	| FreshRequest
	| ResumeRequest
	| Refusal
	| { readonly kind: "help" };

export const USAGE = [
	"usage: spawn-worker -n <window> -c <workdir> -p <prompt-file> [-r <prior-report>]",
	"         [--kind task|interactive] [--topic T] [--model M] [--print-prompt]",
	"         [--skeptic require|auto|deny] [--skeptic-depth N]",
	"         [--skeptic-role --skeptic-target W [--skeptic-orig W]]",
	"       spawn-worker --resume <window|session-id> [-n W] [-c D] [--model M]",
	"         [--replace] [--nudge|--no-nudge] [--dry-run]",
] as const;

export const EX_USAGE = 5;

const BOTH = {
	"--window": "value",
	"--workdir": "value",
	"--model": "value",
} as const;
const FRESH = {
	"--prompt-file": "value",
	"--prior-report": "value",
	"--kind": "value",
	"--topic": "value",
	"--print-prompt": "switch",
	"--skeptic": "value",
	"--skeptic-depth": "value",
	"--skeptic-role": "switch",
	"--skeptic-target": "value",
	"--skeptic-orig": "value",
} as const;
const RESUME = {
	"--replace": "switch",
	"--nudge": "switch",
	"--no-nudge": "switch",
	"--dry-run": "switch",
} as const;
const SPEC: CliSpec = {
	flags: { ...BOTH, ...FRESH, ...RESUME, "--resume": "value" },
	aliases: {
		"-n": "--window",
		"-c": "--workdir",
		"-p": "--prompt-file",
		"-r": "--prior-report",
	},
};

/** Exit code 23 for a long flag that is not known: a typo must never become a real spawn. */
export function parseSpawnArgs(argv: readonly string[]): SpawnRequest {
	const cli = parseCli(argv, SPEC);
	if (cli.kind === "help") return cli;
	if (cli.kind === "refused") {
		// A typo must never become a real spawn.
		const isTypo = cli.unknownFlag?.startsWith("--") === true;
		return {
			kind: "refused",
			rc: isTypo ? 23 : EX_USAGE,
			message: cli.message,
		};
	}
	return cli.value("--resume") === undefined ? fresh(cli) : resume(cli);
}

type Flags = Extract<Cli, { kind: "ok" }>;

function fresh(cli: Flags): FreshRequest | Refusal {
	if (cli.on("--dry-run")) return refused("--dry-run goes with --resume", 22);
	const stray = given(cli, RESUME);
	if (stray !== undefined) return refused(`${stray} goes with --resume`);
	const window = cli.value("--window");
	const workdir = cli.value("--workdir");
	const promptFile = cli.value("--prompt-file");
	if (window === undefined) return refused("-n <window> is missing");
	if (workdir === undefined) return refused("-c <workdir> is missing");
	if (promptFile === undefined) return refused("-p <prompt-file> is missing");
	const workerKind = oneOf(cli, "--kind", ["task", "interactive"] as const);
	if (workerKind === null) return refused("--kind is task or interactive");
	const skeptic = skepticOf(cli);
	if ("kind" in skeptic) return skeptic;
	return {
		kind: "fresh",
		window,
		workdir,
		promptFile,
		workerKind,
		skeptic,
		priorReport: cli.value("--prior-report") ?? null,
		topic: cli.value("--topic") ?? null,
		model: cli.value("--model") ?? null,
		printPrompt: cli.on("--print-prompt"),
	};
}

function resume(cli: Flags): ResumeRequest | Refusal {
	const stray = given(cli, FRESH);
	if (stray !== undefined)
		return refused(
			`${stray} does not go with --resume: the session has its prompt`,
		);
	if (cli.on("--nudge") && cli.on("--no-nudge"))
		return refused("choose one of --nudge and --no-nudge");
	const target = cli.value("--resume") ?? "";
	const window = cli.value("--window") ?? null;
	if (isSessionId(target) && window === null)
		return refused(
			"a session id needs -n <window>: the window that shall show it",
		);
	return {
		kind: "resume",
		target,
		window,
		workdir: cli.value("--workdir") ?? null,
		model: cli.value("--model") ?? null,
		replace: cli.on("--replace"),
		nudge: cli.on("--nudge") ? "on" : cli.on("--no-nudge") ? "off" : "auto",
		dryRun: cli.on("--dry-run"),
	};
}

function skepticOf(cli: Flags): SkepticRecord | Refusal {
	const modes = ["auto", "require", "deny"] as const;
	const mode: SkepticMode | null = oneOf(cli, "--skeptic", modes);
	if (mode === null) return refused("--skeptic is require, auto or deny");
	const depth = requireInt("--skeptic-depth", cli.value("--skeptic-depth"), 0);
	if (depth.kind === "refused") return refused(depth.message);
	const role = cli.on("--skeptic-role");
	const target = cli.value("--skeptic-target") ?? "";
	const orig = cli.value("--skeptic-orig") ?? target;
	if (role && target === "")
		return refused(
			"--skeptic-role needs --skeptic-target: the window to review",
		);
	if (!role && (target !== "" || orig !== ""))
		return refused(
			"--skeptic-target and --skeptic-orig go with --skeptic-role",
		);
	return { mode, depth: depth.value, role, target, orig };
}

/** The first word is what a flag that was not given stands for; null: another word was given. */
function oneOf<const W extends string>(
	cli: Flags,
	flag: string,
	words: readonly [W, ...W[]],
): W | null {
	const given = cli.value(flag) ?? words[0];
	return words.find((word) => word === given) ?? null;
}

function given(cli: Flags, flags: object): string | undefined {
	return Object.keys(flags).find((flag) => cli.on(flag));
}

function refused(message: string, rc = EX_USAGE): Refusal {
	return { kind: "refused", rc, message };
}
