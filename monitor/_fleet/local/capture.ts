/** Pictures of an agent's pane (contract 09 §6.3). */
import type { PaneRows, TmuxFailure } from "../../_sys/doors.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";
import { captureDocOf, emptyDoc } from "../capture-doc.ts";
import type { CaptureFailure, CaptureResult, Fleet } from "../fleet.ts";
import type { LocalContext } from "./context.ts";
import type { Located } from "./members.ts";
import { locate } from "./team.ts";

const DEFAULT_LINES = 50;
const RECENT_MS = 250;

/** `lines` of history above the visible part. Panes are listed once for calls that follow closely. */
export function localCapture(
	ctx: LocalContext,
): Pick<Fleet, "capture" | "captureDoc"> {
	const { tmux } = ctx.doors;
	const panes = recentPanes(ctx);
	return {
		capture: async (agent, o = {}) => {
			const at = await paneOf(ctx, agent, panes);
			if (!at.ok) return at;
			const history = o.lines ?? DEFAULT_LINES;
			const shot = await tmux.capture(at.pane.paneId, {
				escapes: false,
				history,
			});
			if (shot.kind !== "ok") return lost(shot);
			return shot.stdout.trim() === ""
				? none("empty", "empty output")
				: { ok: true, text: shot.stdout, route: "primary" };
		},
		captureDoc: async (agent, o = {}) => {
			const at = await paneOf(ctx, agent, panes);
			if (!at.ok) return emptyDoc(agent, at.detail);
			const history = o.lines ?? DEFAULT_LINES;
			const { paneId, width } = at.pane;
			const shot = await tmux.capture(paneId, { escapes: true, history });
			if (shot.kind !== "ok") return emptyDoc(agent, tmuxFailureText(shot));
			return captureDocOf(
				agent,
				at.member.runtime,
				ctx.hands.grid(shot.stdout, width),
			);
		},
	};
}

type Found =
	| {
			readonly ok: true;
			readonly pane: NonNullable<Located["pane"]>;
			readonly member: Located["member"];
	  }
	| Extract<CaptureResult, { readonly ok: false }>;

/** A pass over a large roster asks tmux once for many: a picture does no harm where a pane has just gone. */
function recentPanes({ doors }: LocalContext): () => Promise<PaneRows> {
	let last: { readonly at: number; readonly rows: Promise<PaneRows> } | null =
		null;
	return () => {
		const at = doors.clock.monoMs();
		if (last === null || at - last.at > RECENT_MS)
			last = { at, rows: doors.tmux.panes() };
		return last.rows;
	};
}

async function paneOf(
	ctx: LocalContext,
	agent: string,
	panes: () => Promise<PaneRows>,
): Promise<Found> {
	const found = await locate(ctx, agent, panes);
	if (found.kind !== "ok") return none("error", found.stderr);
	if (found.value === null)
		return none("not-found", `unknown agent: @${agent}`);
	const { pane, member } = found.value;
	if (pane !== null) return { ok: true, pane, member };
	return member.tmuxState === "unknown"
		? none("error", "tmux could not be asked")
		: none("not-found", `@${agent} has no pane`);
}

function lost(failure: TmuxFailure): CaptureResult {
	const text = tmuxFailureText(failure);
	const gone = failure.kind === "failed" && /can't find pane/.test(text);
	return none(gone ? "not-found" : "error", text);
}

function none(
	failure: CaptureFailure,
	detail: string,
): Extract<CaptureResult, { readonly ok: false }> {
	return { ok: false, failure, exitCode: 1, detail };
}
