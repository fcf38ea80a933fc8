/** A cockpit in the wrong place, or a second one, is refused before it draws (contract 06 §7.4). */
import {
	type OtherCockpit,
	otherCockpit,
} from "../../_liveness/cockpit-process.ts";
import { ownPane } from "../../_liveness/own-window.ts";
import { hasLiveClaude, processView } from "../../_pane/process.ts";
import type { Settings } from "../../_state/settings.ts";
import type { Doors } from "../../_sys/doors.ts";
import { programName } from "../../_sys/names.ts";

export interface GuardFacts {
	/** Our pane's window; null: not in a pane, or nobody can tell. */
	readonly own: { readonly windowId: string; readonly name: string } | null;
	/** A live orchestrator shares our window. */
	readonly isShared: boolean;
	readonly target: string;
	readonly servicesWindow: string;
	readonly other: OtherCockpit | null;
}
export type GuardVerdict =
	| { readonly kind: "go" }
	| {
			readonly kind: "refuse";
			readonly lines: readonly string[];
			/** The window that hides the orchestrator's absence gets this name. */
			readonly rename: {
				readonly windowId: string;
				readonly name: string;
			} | null;
	  };

/** What cannot be decided does not keep an operator from looking. */
export function judgePlace(f: GuardFacts): GuardVerdict {
	const svc = programName("svc");
	if (f.own !== null && f.own.name === f.target)
		return {
			kind: "refuse",
			lines: [
				`this is the orchestrator's window ('${f.target}'): a cockpit here would hide that it is gone`,
				`give it a window of its own: tmux new-window -n ${f.servicesWindow} ${svc}`,
			],
			rename: f.isShared
				? null
				: { windowId: f.own.windowId, name: `${f.servicesWindow}-misplaced` },
		};
	if (f.other !== null)
		return {
			kind: "refuse",
			lines: [
				`a cockpit runs already: pid ${f.other.pid}, window '${f.other.window}'; once: ${svc} status`,
			],
			rename: null,
		};
	return { kind: "go" };
}

/** Exit code 4 with its reason said, or null when the cockpit may draw. */
export async function guardPlace(
	doors: Doors,
	{ config, home }: Settings,
): Promise<4 | null> {
	const listed = await doors.tmux.panes();
	const rows = listed.kind === "ok" ? listed.rows : [];
	const own = ownPane(doors.proc, rows);
	const view = processView(doors.proc);
	const neighbours = rows.filter(
		(r) => r.windowId === own?.windowId && r.paneId !== own.paneId,
	);
	const verdict = judgePlace({
		own: own && { windowId: own.windowId, name: own.windowName },
		isShared: neighbours.some(
			({ panePid }) =>
				panePid !== null &&
				(view === null || hasLiveClaude(view, panePid) !== "no"),
		),
		target: config["monitor.target_window"],
		servicesWindow: config["monitor.services_window"],
		other: otherCockpit(doors.proc, rows, home.codeRoot),
	});
	if (verdict.kind === "go") return null;
	for (const line of verdict.lines) doors.log.warn(line);
	if (verdict.rename !== null) {
		const { windowId: target, name } = verdict.rename;
		await doors.tmux.run({ kind: "rename-window", target, name });
		doors.log.warn(`the window is now named '${name}'`);
	}
	return 4;
}
