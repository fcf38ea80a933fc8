/** Command lines for another machine, and how they end (contract 09 §11.1, §12.2). */
import type { Doors } from "../_sys/doors.ts";
import { shellQuote } from "../_sys/shell-quote.ts";

/** Never a question to a person: nobody is there to answer. */
const QUIET = ["-n", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5"];
const LIMIT_MS = 30_000;
const NO_ANSWER_EXIT = 124;
const NOT_FOUND_EXIT = 127;
/** What ssh itself ends with when it could not connect. */
const SSH_EXIT = 255;

export interface SshEnd {
	readonly exitCode: number;
	readonly stdout: string;
	/** Standard output and error as one text. */
	readonly text: string;
}

/** `target` may be an alias of the operator's ssh configuration. */
export function sshDestination(user: string, target: string): string {
	return user === "" ? target : `${user}@${target}`;
}

/** What would be read as an option, or as several words, is no destination. */
export function isDestination(text: string): boolean {
	return /^[^\s\p{Cc}-][^\s\p{Cc}]*$/u.test(text);
}

/** By exact name; it fails when the session is gone. */
export function remoteTmuxCapture(session: string, lines: number): string {
	return `tmux capture-pane -p -J -t ${shellQuote(`=${session}:`)} -S -${lines}`;
}

/** One run of `command` over there. `options` come behind our own. */
export async function runSsh(
	{ proc }: Pick<Doors, "proc">,
	destination: string,
	command: string,
	options: readonly string[] = [],
): Promise<SshEnd> {
	const argv = ["ssh", ...QUIET, ...options, destination, command];
	const done = await proc.exec(argv, { timeoutMs: LIMIT_MS });
	switch (done.kind) {
		case "exited":
			return {
				exitCode: done.rc,
				stdout: done.stdout,
				text: done.stdout + done.stderr,
			};
		case "timeout":
			return ended(NO_ANSWER_EXIT, `ssh ${destination}: no answer in time`);
		case "not-found":
			return ended(NOT_FOUND_EXIT, "no program ssh on PATH");
		case "aborted":
			return ended(1, "ssh: aborted");
		case "failed":
			return ended(1, `ssh: ${done.reason}`);
	}
}

/** As `runSsh`; when it could not connect, the keys are handed to the agent once, and it is tried once more. */
export async function runSshWithKeys(
	doors: Pick<Doors, "proc">,
	destination: string,
	command: string,
): Promise<SshEnd> {
	const first = await runSsh(doors, destination, command);
	if (first.exitCode !== SSH_EXIT || !isSshConnectFailure(first.text))
		return first;
	await doors.proc.exec(addKeys(doors.proc.env), { timeoutMs: LIMIT_MS });
	return runSsh(doors, destination, command);
}

/** ssh's own words; a command over there may fail with the same exit code. */
export function isSshConnectFailure(text: string): boolean {
	return /Permission denied|Could not resolve hostname|Connection refused|Connection timed out|Too many authentication failures/.test(
		text,
	);
}

function addKeys(
	env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
	const said = env.THRUM_CAPTURE_FALLBACK_SSH_KEYS ?? "";
	const keys = said.split(/\s+/).filter((word) => word !== "");
	const chain = process.platform === "darwin" ? ["--apple-use-keychain"] : [];
	return ["ssh-add", ...chain, ...keys];
}

function ended(exitCode: number, text: string): SshEnd {
	return { exitCode, stdout: "", text };
}
