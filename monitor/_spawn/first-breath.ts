/**
 * Does the worker live (contract 08 §8.4)? The window's shell took the keys; whether Claude Code then runs, or ends at
 * once (no account, root without a sandbox, a broken program), only its pane can say.
 */
import { lastWords } from "../_pane/last-words.ts";
import { makeLookAt } from "../_pane/look.ts";
import { processView } from "../_pane/process.ts";
import { DEFAULT_SETTINGS } from "../_pane/settings.ts";
import type { LookResult } from "../_pane/types.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { shellQuote } from "../_sys/shell-quote.ts";
import type { Refusal } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import type { Launched } from "./launch.ts";
import { refused } from "./plan.ts";

const BEGIN_TRIES = 100;
const LOOK_TRIES = 40;
const TRY_MS = 100;
/** In a row, before anything is believed to be over. */
const LOOKS_OF_NOTHING = 2;

/**
 * Waits up to 10 s for the launcher's first act, then up to some 4 s for an agent on the screen. Refused, exit 1, when the program
 * has provably ended: then its window is a dead one, with the screen it left. A slow start is no refusal.
 */
export async function seeItLive(
	ctx: SpawnContext,
	window: string,
	launched: Launched,
): Promise<{ readonly kind: "lives" } | Refusal> {
	const { doors } = ctx;
	if (!(await hasBegun(ctx, launched.launcher))) {
		warn(
			ctx,
			`the shell in window ${window} has not run ${launched.launcher} yet: look at the window`,
		);
		return { kind: "lives" };
	}
	const lookAt = makeLookAt({
		doors,
		stateDir: ctx.home.stateDir,
		settings: {
			...DEFAULT_SETTINGS,
			// The grace is for a launcher that may still come; this one has been.
			bootGrace: 0,
			targetWindow: ctx.settings.targetWindow,
		},
	});
	let gone = 0;
	for (let n = 0; n < LOOK_TRIES && gone < LOOKS_OF_NOTHING; n++) {
		if (n > 0) await doors.clock.sleep(TRY_MS);
		const found = await paneOf(doors, launched.windowId);
		const breath =
			found.kind === "pane"
				? breathOf(await lookAt({ ...found.row, windowName: window }))
				: found.kind;
		if (breath === "lives") return { kind: "lives" };
		gone = breath === "gone" ? gone + 1 : 0;
	}
	return gone < LOOKS_OF_NOTHING
		? { kind: "lives" }
		: ended(doors, window, launched);
}

/** Pure. `unclear`: something runs there, or nobody could look. */
function breathOf(look: LookResult): "lives" | "gone" | "unclear" {
	if (look.kind === "gone") return "gone";
	if (look.kind !== "ok") return "unclear";
	const { state } = look.look;
	return state === "empty" || state === "unknown" ? "unclear" : "lives";
}

/** A shell that asks something at its start eats the keys. */
async function hasBegun(
	{ doors }: SpawnContext,
	launcher: string,
): Promise<boolean> {
	for (let n = 0; n < BEGIN_TRIES; n++) {
		if (doors.files.stat(launcher).kind === "absent") return true;
		await doors.clock.sleep(TRY_MS);
	}
	return false;
}

async function paneOf(
	{ tmux }: Pick<Doors, "tmux">,
	windowId: string,
): Promise<
	| { readonly kind: "pane"; readonly row: PaneRow }
	| { readonly kind: "gone" | "unclear" }
> {
	const listed = await tmux.panes();
	if (listed.kind !== "ok") return { kind: "unclear" };
	const row = listed.rows.find((r) => r.windowId === windowId && r.paneActive);
	if (row !== undefined) return { kind: "pane", row };
	const exists = await tmux.exists(windowId);
	return { kind: exists === "no" ? "gone" : "unclear" };
}

async function ended(
	doors: Doors,
	window: string,
	{ windowId, launcher }: Launched,
): Promise<Refusal> {
	const found = await paneOf(doors, windowId);
	if (found.kind !== "pane")
		return refused(1, `window ${window} was closed right after the start`);
	const { paneId, cursorY } = found.row;
	const typed = { command: shellQuote(launcher), cursorY };
	const words = await lastWords(doors, paneId, typed);
	const said = words === null ? "" : `: ${words}`;
	await endShell(doors, found.row);
	return refused(
		1,
		`no worker runs: Claude Code ended right after its start in window ${window}${said} (the window stays to be read; ng retire-window ${window} frees the name)`,
	);
}

/** The shell that typed for us has nothing left to do. Without it the pane is dead for everybody at once, and keeps its screen. */
async function endShell(
	{ proc, clock }: Doors,
	{ paneDead, panePid, server }: PaneRow,
): Promise<void> {
	if (paneDead === "1" || panePid === null) return;
	if (processView(proc)?.stat(panePid)?.ppid !== server.pid) return;
	proc.signal(panePid, "SIGHUP");
	for (let n = 0; n < 10 && proc.alive(panePid); n++) await clock.sleep(TRY_MS);
}
