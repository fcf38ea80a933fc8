/** What the fleet remembers of a start (contract 08 §8.5): its age, its event, where it came from. Best effort: none of it fails a start. */
import { appendEvent } from "../_state/action-log-append.ts";
import {
	readEngagementLog,
	writeEngagementLog,
} from "../_state/engagement-log.ts";
import {
	type Provenance,
	writeProvenance,
} from "../_state/window-provenance.ts";
import { type SpawnContext, warn } from "./context.ts";

/** `model`: as it was asked for, so that a resume keeps it; null is claude's own default. */
export function leaveAnchors(
	ctx: SpawnContext,
	p: Provenance,
	{
		mode,
		model,
	}: {
		readonly mode: "fresh" | "resume";
		readonly model: string | null;
	},
): void {
	const { doors, home } = ctx;
	engage(ctx, p.window);
	const { sessionId, skeptic } = p;
	const optional = sessionId === "" ? [] : [["session-id", sessionId] as const];
	const logged = appendEvent(doors, home.stateDir, {
		agent: "monitor",
		event: "spawn",
		extras: [
			["window", p.window],
			["workdir", p.workdir],
			...optional,
			["kind", p.kind],
			["skeptic-mode", skeptic.mode],
			["skeptic-depth", String(skeptic.depth)],
			...(model === null ? [] : [["model", model] as const]),
			...(mode === "resume" ? [["mode", "resume"] as const] : []),
		],
	});
	if (logged.kind === "failed") warn(ctx, `action log: ${logged.reason}`);
	const written = writeProvenance(doors.files, home.stateDir, p);
	if (written.kind === "failed") warn(ctx, `provenance: ${written.reason}`);
}

/** The worker begins now; a row that an earlier window of this name left would make it an hour old. */
function engage(ctx: SpawnContext, window: string): void {
	const { doors, home } = ctx;
	const log = readEngagementLog(doors, home.stateDir);
	if (log.kind === "unreadable") {
		warn(ctx, `engagement log: ${log.why}`);
		return;
	}
	const others = log.rows.filter((row) => row.window !== window);
	const rows = [...others, { window, at: doors.clock.now() }];
	const written = writeEngagementLog(doors.files, home.stateDir, rows);
	if (written.kind === "failed") warn(ctx, `engagement log: ${written.reason}`);
}
