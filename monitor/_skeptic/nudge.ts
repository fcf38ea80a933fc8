/** `nudge`: tells a reviewed worker that questions wait for it (contract 08 §7). Never more often than it helps, and never into somebody's work. */
import { appendMachineInput } from "../_state/machine-input.ts";
import { mtimeOf } from "../_state/peek.ts";
import { listQuestions, nudgedPath } from "../_state/skeptic-channel.ts";
import { ageSeconds } from "../_sys/age.ts";
import { programArgv } from "../_sys/names.ts";
import { wholeNumber } from "../_sys/require-int.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";
import { readArguments } from "./arguments.ts";
import {
	type Channel,
	openChannel,
	REFUSED,
	type SkepticContext,
	type SkepticVerb,
} from "./verb.ts";

const PASTE_FAILED = 3;
const NOT_NUDGED = 5;
const MIN_INTERVAL_SECONDS = 120;

/** 0 nudged or nothing to say, 3 the paste failed, 5 not now. */
export const run: SkepticVerb = async (args, ctx) => {
	const { err } = ctx;
	const cli = readArguments(
		"nudge",
		args,
		{
			flags: {
				"--task": "value",
				"--force": "switch",
				"--min-interval": "value",
			},
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [window = ""] = cli.positionals;
	const least = wholeNumber(
		cli.value("--min-interval") ?? String(MIN_INTERVAL_SECONDS),
	);
	const wrong =
		validateWindowName(window) ??
		(least === null ? "--min-interval is whole seconds" : null);
	if (wrong !== null || least === null) {
		err(`nudge: ${wrong}`);
		return REFUSED;
	}
	const channel = await openChannel(cli.value("--task") ?? window, ctx);
	if (channel.kind === "refused") return channel.rc;
	return nudge(window, channel, cli.on("--force") ? 0 : least, ctx);
};

/** `window` is where it is said; the channel's window is whose work is looked at. */
export async function nudge(
	window: string,
	channel: Channel,
	leastSeconds: number,
	ctx: SkepticContext,
): Promise<number> {
	const { doors, out, err } = ctx;
	const { files, clock } = doors;
	const { dir, stateDir } = channel;
	const open = (listQuestions(files, dir) ?? []).filter(
		(question) => question.state === "open",
	).length;
	if (open === 0) {
		out("nudge: no open question");
		return 0;
	}
	const stamp = nudgedPath(dir);
	const age = ageSeconds(clock.now(), mtimeOf(files, stamp), leastSeconds);
	if (age !== null && age < leastSeconds) {
		err(`nudge: ${window} was nudged ${Math.floor(age)} s ago`);
		return NOT_NUDGED;
	}
	const state = await paneState(window, ctx);
	if (state === "busy") {
		const src = "skeptic-nudge-busy-skip";
		const row = { window, stamp: clock.now(), src, flag: "" };
		appendMachineInput(files, stateDir, row);
	}
	if (state === null || state === "busy" || state === "user-typing") {
		err(`nudge: not now: ${window} is ${state ?? "not to be seen"}`);
		return NOT_NUDGED;
	}
	files.touch(stamp, { create: true });
	const text = `The reviewer of ${channel.window} asked ${open} question(s). Run \`ng skeptic await ${channel.window}\`, answer each with \`ng skeptic answer\`, then await again until it says DONE.`;
	const words = ["--message", text, "--src", "skeptic-nudge"];
	const rc = await runProgram("pasteFollowup", [window, ...words], ctx);
	if (rc.code === 0) {
		out(`nudge: ${window} was told of ${open} question(s)`);
		return 0;
	}
	err(`nudge: the paste into ${window} failed (${rc.code ?? "no exit code"})`);
	return PASTE_FAILED;
}

/** Null: nobody could say. */
async function paneState(
	window: string,
	ctx: SkepticContext,
): Promise<string | null> {
	const { code, stdout } = await runProgram("paneState", [window], ctx);
	return code === 0 ? (/\bstate=(\S+)/.exec(stdout)?.[1] ?? null) : null;
}

const PROGRAM_LIMIT_MS = 120_000;

async function runProgram(
	name: "pasteFollowup" | "paneState",
	args: readonly string[],
	{ doors, codeRoot }: SkepticContext,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
	const { proc } = doors;
	const ran = await proc.exec(
		programArgv(proc.execPath, name, args, codeRoot),
		{
			timeoutMs: PROGRAM_LIMIT_MS,
		},
	);
	return ran.kind === "exited"
		? { code: ran.rc, stdout: ran.stdout }
		: { code: null, stdout: "" };
}
