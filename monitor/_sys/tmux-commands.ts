/**
 * The one argv builder (contract 04 §2, 00 C1). Pure: a command in, the words after `tmux` out, or a
 * refusal. Every word is guarded, because tmux takes ANY word that ends in `;` for the end of the
 * command, reads `#{…}` and `#(…)` in names and folders, and a leading `-` for a flag.
 */
import type { TmuxCommand } from "./doors.ts";
import { refusalOf } from "./tmux-refusals.ts";

export type BuiltCommand =
	| {
			readonly kind: "ok";
			readonly argv: readonly string[];
			/** The command prints the ids of what it made; silence is no success. */
			readonly prints: boolean;
	  }
	| { readonly kind: "refused"; readonly why: string };

const PRINT_IDS = [
	"-P",
	"-F",
	"#{session_id}|#{window_id}|#{pane_id}",
] as const;

/** Words after `tmux`. Commands that create something print `$N|@N|%N`. */
export function buildCommand(cmd: TmuxCommand): BuiltCommand {
	const words = wordsOf(cmd);
	const why = refusalOf(cmd, words);
	if (why !== null) return { kind: "refused", why };
	return {
		kind: "ok",
		argv: [...leadIn(cmd), ...words.map(guardSemicolon), ...followUp(cmd)],
		prints: ["new-session", "new-window", "split-pane"].includes(cmd.kind),
	};
}

/** What the same client does first. Its `;` is the one that ends a command. */
function leadIn(cmd: TmuxCommand): readonly string[] {
	return cmd.kind === "send-keys" ? [...leaveMode(cmd.target), ";"] : [];
}

/** What the same client does afterwards. A dotted name would be read as window and pane. */
function followUp(cmd: TmuxCommand): readonly string[] {
	if (cmd.kind !== "new-window" || !cmd.keepsCorpse) return [];
	if (!/^[\w-]+$/.test(cmd.name)) return [];
	const target = `${cmd.session}:=${cmd.name}`;
	return [";", "set-option", "-w", "-t", target, "remain-on-exit", "on"];
}

/** A trailing `;` reaches tmux as data only as `\;`. */
export function guardSemicolon(word: string): string {
	return word.endsWith(";") ? `${word.slice(0, -1)}\\;` : word;
}

function wordsOf(cmd: TmuxCommand): readonly string[] {
	switch (cmd.kind) {
		case "send-keys":
			return ["send-keys", "-t", cmd.target, "--", ...cmd.keys];
		case "load-buffer":
			return ["load-buffer", "-b", cmd.buffer, "--", cmd.path];
		case "paste-buffer":
			return pasteIntoProgram(cmd.buffer, cmd.target);
		case "delete-buffer":
			return ["delete-buffer", "-b", cmd.buffer];
		case "rename-window":
			return ["rename-window", "-t", cmd.target, "--", literal(cmd.name)];
		case "kill-window":
			return ["kill-window", "-t", cmd.target];
		case "move-window": {
			const place = `${cmd.session}:${cmd.index}`;
			return ["move-window", "-d", "-s", cmd.target, "-t", place];
		}
		case "select-window":
			return [
				"select-window",
				"-t",
				cmd.session === undefined ? cmd.target : `${cmd.session}:${cmd.target}`,
			];
		case "kill-session":
			return ["kill-session", "-t", cmd.target];
		case "has-session":
			return ["has-session", "-t", `=${cmd.name}`];
		case "respawn-pane":
			return [
				"respawn-pane",
				"-k",
				"-t",
				cmd.target,
				...option("-c", cmd.cwd && literal(cmd.cwd)),
				...program(cmd.command),
			];
		case "split-pane":
			return [
				...["split-window", "-d", "-v", ...PRINT_IDS],
				...["-l", `${cmd.percent}%`, "-t", cmd.target],
				...program(cmd.command),
			];
		case "title-pane":
			return ["select-pane", "-t", cmd.target, "-T", literal(cmd.title)];
		case "kill-pane":
			return ["kill-pane", "-t", cmd.target];
		case "set-option":
			return [
				"set-option",
				...{ server: ["-s"], session: [], window: ["-w"] }[cmd.scope],
				...(cmd.target === undefined ? [] : ["-t", cmd.target]),
				"--",
				cmd.name,
				cmd.value,
			];
		case "show-option":
			return ["show-options", "-w", "-q", "-v", "-t", cmd.target, cmd.name];
		case "unset-option":
			return ["set-option", "-w", "-u", "-t", cmd.target, cmd.name];
		case "new-session":
			return [
				"new-session",
				"-d",
				...PRINT_IDS,
				"-s",
				literal(cmd.name),
				...option("-t", cmd.groupWith),
				...option("-n", cmd.windowName && literal(cmd.windowName)),
				...option("-c", cmd.cwd && literal(cmd.cwd)),
				...option("-x", cmd.width),
				...option("-y", cmd.height),
				...environment(cmd.env),
				...(cmd.command === undefined ? [] : program(cmd.command)),
			];
		case "new-window":
			return [
				"new-window",
				"-d",
				...PRINT_IDS,
				// The colon: a bare session id would be read as a window to insert at.
				"-t",
				`${cmd.session}:`,
				"-n",
				literal(cmd.name),
				...option("-c", cmd.cwd && literal(cmd.cwd)),
				...environment(cmd.env),
				...(cmd.command === undefined ? [] : program(cmd.command)),
			];
	}
}

/**
 * In copy mode (an operator scrolled back, and left it so) keys go to the mode instead of the
 * program, and a paste loses its brackets: each line would be sent as a prompt of its own.
 */
function leaveMode(target: string): readonly string[] {
	return ["copy-mode", "-q", "-t", target];
}

/**
 * A paste into a dead pane kills a tmux 3.3a server and every window in it, so the server itself
 * looks in the same breath: a pane that died since we asked is refused, as a buffer of that name.
 * -p: bracketed, else each newline arrives as an Enter. -d: leaves no buffer behind.
 */
function pasteIntoProgram(buffer: string, target: string): readonly string[] {
	const paste = `paste-buffer -p -d -b ${buffer} -t ${target}`;
	const refuse = "show-buffer -b the-pane-is-dead";
	return [
		...["if-shell", "-F", "-t", target, "#{pane_dead}", refuse],
		`${leaveMode(target).join(" ")} ; ${paste}`,
	];
}

/** Names and folders are formats to tmux: `#` starts one, `##` is a `#`. */
function literal(text: string): string {
	return text.replaceAll("#", "##");
}

/** One word alone would go through a shell; two or more are executed as they are. */
function program(command: readonly string[]): readonly string[] {
	return command.length === 1 ? ["--", "env", ...command] : ["--", ...command];
}

function environment(
	env: Readonly<Record<string, string>> | undefined,
): readonly string[] {
	return Object.entries(env ?? {}).flatMap(([k, v]) => ["-e", `${k}=${v}`]);
}

function option(
	flag: string,
	value: string | number | undefined,
): readonly string[] {
	return value === undefined || value === "" ? [] : [flag, String(value)];
}
