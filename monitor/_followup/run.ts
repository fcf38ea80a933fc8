/** `paste-followup`: a text into a worker's pane, with proof that it was sent (contract 04 §7). */
import { clean } from "../_delivery/clean.ts";
import { deliverText, type TextDeps } from "../_delivery/deliver-text.ts";
import { DELIVERIES } from "../_delivery/sequences.ts";
import { recordedSessionId } from "../_delivery/session-id.ts";
import { underPasteLock } from "../_delivery/under-lock.ts";
import { appendMachineInput } from "../_state/machine-input.ts";
import { pasteDigest, writePasteVerdict } from "../_state/paste-verdicts.ts";
import { readUserPrompt } from "../_state/user-prompt.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { type FollowupArgs, parseFollowup, USAGE } from "./args.ts";
import { type FollowupEnd, followupEnd } from "./end.ts";
import { guardPane } from "./guard.ts";
import { readMessage } from "./message.ts";
import { noteAction } from "./note-action.ts";

export interface FollowupContext {
	/** Pane reader and delivery; its timings are those of a follow-up once `confirmTimeout` is known. */
	readonly hands: (confirmTimeout: number | null) => TextDeps;
	/** Null: it is a terminal. */
	readonly stdin: (() => Promise<string>) | null;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

/** Exit code: 0, 1, 3, 4 of the contract's table, 64 for a flag without its value. */
export async function pasteFollowup(
	argv: readonly string[],
	ctx: FollowupContext,
): Promise<number> {
	const parsed = parseFollowup(argv);
	if (parsed.kind === "help") {
		ctx.out(USAGE);
		return 0;
	}
	if (parsed.kind === "refused") {
		ctx.err(`paste-followup: ${parsed.message}`);
		ctx.err(USAGE);
		return parsed.rc;
	}
	const { args } = parsed;
	const hands = ctx.hands(args.confirmTimeout);
	const message = await readMessage(args, hands.doors.files, ctx.stdin);
	if (message.kind === "refused") return refuse(ctx, message.message);
	const work = await underPasteLock(
		hands,
		args.window,
		hands.timings.lockMs,
		undefined,
		(pane) => intoPane(hands, pane, args, message.text),
	);
	if (work.kind !== "done")
		return refuse(
			ctx,
			`window ${args.window}: ${WHERE[work.kind]} (${work.why})`,
		);
	const end = work.value;
	if (end.kind === "refused") return refuse(ctx, end.message);
	noteAction(hands, args, end, ctx.err);
	const note = args.note === "" ? "" : ` [note, not pasted: ${args.note}]`;
	const line = `paste-followup: ${end.outcome} to ${args.window} (${end.chars} chars)${note}`;
	if (end.rc === 0) ctx.out(line);
	else ctx.err(line);
	return end.rc;
}

const WHERE = {
	busy: "try again",
	absent: "not there",
	dead: "respawn it",
	unknown: "could not look, try again",
} as const;

export type Done = FollowupEnd & {
	readonly kind: "done";
	readonly chars: number;
	readonly enterRetried: boolean;
	/** The dialog that was pasted over. */
	readonly overlay: string | null;
};
type Pasted = Done | { readonly kind: "refused"; readonly message: string };

/** Under the paste lock: guards, the ledger's row, the sidecar, the paste, the sidecar again. */
async function intoPane(
	hands: TextDeps,
	pane: PaneRow,
	args: FollowupArgs,
	text: string,
): Promise<Pasted> {
	const { doors, stateDir } = hands;
	const { window } = args;
	const guard = await guardPane(hands, pane, window, args.allowBlocked);
	if (guard.kind === "refused")
		return { kind: "refused", message: `window ${window}: ${guard.message}` };
	const stamp = doors.clock.nowMs() * 1000;
	if (!stampInput(hands, args, stamp))
		return {
			kind: "refused",
			message: "the ledger of machine input cannot be written",
		};
	const cleaned = clean(text, { command: args.command }).text;
	const verdict = { window, stamp, digest: pasteDigest(cleaned) };
	const keep = (end: FollowupEnd | null) => {
		if (args.noEnter) return;
		writePasteVerdict(doors.files, stateDir, { ...verdict, end });
	};
	keep(null);
	const recorded = recordedSessionId(
		doors.files,
		stateDir,
		window,
		hands.orchestratorWindow,
	);
	const sessionBefore = guard.sessionId ?? recorded;
	const result = await deliverText(hands, pane, {
		window,
		text,
		command: args.command,
		noEnter: args.noEnter,
		overDialog: args.allowBlocked,
		role: DELIVERIES.S12.role,
		alsoProves: () => wasSubmitted(hands, window, stamp / 1e6, sessionBefore),
	});
	const after = await hands.lookAt(pane);
	const sessionAfter = after.kind === "ok" ? after.look.sessionId : null;
	const end = followupEnd(result, {
		window,
		sessionBefore,
		sessionAfter,
		command: args.command,
	});
	keep(end);
	return {
		kind: "done",
		...end,
		chars: [...cleaned].length,
		enterRetried: (result?.enterRetries ?? 0) > 0,
		overlay: guard.overlay,
	};
}

/** The row stands before the paste, and nothing takes it back. Nobody reads rows of the orchestrator's window. */
function stampInput(
	{ doors, stateDir, orchestratorWindow }: TextDeps,
	args: FollowupArgs,
	stamp: number,
): boolean {
	const { window } = args;
	if (window === orchestratorWindow) return true;
	const src = args.noEnter ? `${args.src}-no-enter` : args.src;
	const flag = args.administrative ? "admin" : "";
	const row = { window, stamp, src, flag };
	return appendMachineInput(doors.files, stateDir, row).kind === "ok";
}

/** The hook's own word: this session took a prompt after the paste. */
function wasSubmitted(
	{ doors, stateDir }: TextDeps,
	window: string,
	pastedAt: number,
	sessionId: string | null,
): boolean {
	const prompt = readUserPrompt(doors.files, stateDir, window);
	return (
		prompt !== null &&
		sessionId !== null &&
		prompt.sessionId === sessionId &&
		prompt.at > pastedAt
	);
}

function refuse({ err }: FollowupContext, message: string): 1 {
	err(`paste-followup: ${message}`);
	return 1;
}
