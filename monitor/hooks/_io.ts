/**
 * What every hook does: read the payload within its time, never throw, never block (contract 08 §1.1). A hook that
 * failed took Bash, Write and Edit away from every worker once: the exit code is 0 unless refusing is the hook's job.
 */

import { type JsonObject, parseObject } from "../_state/json-object.ts";
import { stateDirFromEnv } from "../_state/state-dir-env.ts";
import type { HookDoors } from "../_sys/doors.ts";

/** What Claude Code tells a hook. Any field may be missing or of a wrong type. */
export type HookPayload = JsonObject;

export interface HookCall
	extends Pick<HookDoors, "env" | "args" | "files" | "clock" | "timer"> {
	/** Null: nothing usable came. */
	readonly payload: HookPayload | null;
	/** Null: the environment names none, and nothing is written. */
	readonly stateDir: string | null;
	readonly tmux: HookDoors["tmux"];
	readonly warn: HookDoors["warn"];
}
/** `refuse`: exit 2, which blocks the tool and shows `stderr` to the model. */
export interface HookAnswer {
	readonly stdout?: string;
	readonly stderr?: string;
	readonly refuse?: boolean;
}
export type Hook = (
	call: HookCall,
) => HookAnswer | undefined | Promise<HookAnswer | undefined>;

/** The whole run, and the part of it that reading may take. */
const RUN_MS = 2000;
const READ_MS = 1800;
/** The end of the pipe may never come: a whole object and this long a silence will do. */
const QUIET_MS = 50;
const CAP_BYTES = 16 * 1024 * 1024;
/** For hooks that read a command: a longer one is data. */
export const SHORT = 64 * 1024;

/** Runs one hook and ends the process. `capBytes`: a longer payload counts as none. */
export async function runHook(
	doors: HookDoors,
	hook: Hook,
	capBytes = CAP_BYTES,
): Promise<never> {
	// Before stdin is opened.
	doors.timer.after(RUN_MS, () => doors.exit(0));
	return doors.exit(await exitCodeOf(doors, hook, capBytes));
}

async function exitCodeOf(
	doors: HookDoors,
	hook: Hook,
	capBytes: number,
): Promise<0 | 2> {
	const { env, args, files, clock, timer, tmux, warn } = doors;
	try {
		const answer = await hook({
			env,
			args,
			files,
			clock,
			timer,
			tmux,
			warn,
			payload: await readPayload(doors, capBytes),
			stateDir: stateDirFromEnv(env),
		});
		say(doors, answer);
		return answer?.refuse ? 2 : 0;
	} catch {
		return 0;
	}
}

/** A refusal stands although nobody can be told why. */
function say(doors: HookDoors, answer: HookAnswer | undefined): void {
	try {
		if (answer?.stdout) doors.print(answer.stdout);
		if (answer?.stderr) doors.warn(answer.stderr);
	} catch {
		// A standard stream that is full or gone.
	}
}

/**
 * The JSON object on standard input; null when none came in time. All of the input is taken before anything else
 * happens, so that its writer never gets a broken pipe.
 */
export async function readPayload(
	{ stdin, timer }: Pick<HookDoors, "stdin" | "timer">,
	capBytes: number,
): Promise<HookPayload | null> {
	const over = Promise.withResolvers<void>();
	timer.after(READ_MS, over.resolve);
	const chunks: Uint8Array[] = [];
	let size = 0;
	const payload = () =>
		size > capBytes
			? null
			: parseObject(new TextDecoder().decode(Buffer.concat(chunks)));
	let cancelQuiet = () => {};
	const pump = async () => {
		for await (const chunk of stdin()) {
			size += chunk.byteLength;
			if (size <= capBytes) chunks.push(chunk);
			cancelQuiet();
			cancelQuiet = timer.after(QUIET_MS, () => {
				if (size > capBytes || payload() !== null) over.resolve();
			});
		}
	};
	// An input that cannot be read has said all that it will.
	pump().then(over.resolve, over.resolve);
	await over.promise;
	return payload();
}
