/** Telling a pane that it has mail (contract 09 §6.6). Advisory: losing one never loses the message. */
import { listInbox } from "../../_state/fleet/inbox.ts";
import { isUser } from "../../_state/fleet/names.ts";
import { dropNudge, listNudges, writeNudge } from "../../_state/fleet/nudge.ts";
import { textVerdict } from "../verdict.ts";
import type { LocalContext } from "./context.ts";
import { livePane } from "./input.ts";

/** What stands in the line behind the sender: who looks for a nudge searches for it. */
const NUDGE_MARK = "-- run `thrum inbox --unread` to read";

function nudgeLine(sender: string): string {
	return `New message from @${sender} ${NUDGE_MARK}`;
}

/** `waits`: nothing was typed, the next tick tries again. `unproven`: typed, perhaps seen. */
export type NudgeEnd = "told" | "nobody" | "waits" | "unproven";

/** Never to the sender itself. The body is never typed. */
export async function nudge(
	ctx: LocalContext,
	recipient: string,
	sender: string,
): Promise<NudgeEnd> {
	if (!ctx.settings.nudge || recipient === sender || isUser(recipient))
		return "nobody";
	const { files } = ctx.doors;
	const { thrumDir } = ctx.place;
	const to = await livePane(ctx, recipient);
	if (to.kind === "refused" && to.verdict.exitCode === 1) {
		dropNudge(files, thrumDir, recipient);
		return "nobody";
	}
	// Before the typing: whoever dies in the middle leaves a nudge that is tried again.
	writeNudge(files, thrumDir, recipient, sender);
	if (to.kind === "refused") return "waits";
	const { pane, runtime } = to;
	const ended = await ctx.hands.deliver({
		pane,
		runtime,
		command: false,
		window: pane.windowName,
		text: nudgeLine(sender),
	});
	const { exitCode } = textVerdict(ended);
	if (exitCode === 3) return "waits";
	if (exitCode === 4) return "unproven";
	dropNudge(files, thrumDir, recipient);
	return exitCode === 0 ? "told" : "nobody";
}

/** Those that wait: without unread mail there is nothing left to tell. */
export function pendingNudges({ doors, place }: LocalContext) {
	const { files } = doors;
	const { thrumDir } = place;
	return listNudges(files, thrumDir).filter(({ recipient }) => {
		const box = listInbox(files, thrumDir, recipient);
		const isOver =
			box.kind === "ok" && box.letters.every(({ isRead }) => isRead);
		if (isOver) dropNudge(files, thrumDir, recipient);
		return !isOver;
	});
}
