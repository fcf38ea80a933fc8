/** `retire-preflight`: the gate before any kill (contract 08 §9.1). One line on stdout; only exit 0 with `safe=1` authorises. */
import type { Doors, PaneRow, PaneRows } from "../_sys/doors.ts";
import { tmuxFailureText } from "../_sys/tmux-lookup.ts";
import {
	isTarget,
	parseRetireArgs,
	type RetireRequest,
	type RetireTarget,
	USAGE,
} from "./args.ts";
import { decideRetire, type RetireVerdict } from "./decide.ts";
import { gatherRetire } from "./gather.ts";
import { lookAtPanes, type SeenPane, statedPane } from "./look.ts";
import { openRetireSettings } from "./settings.ts";

export interface RetireContext {
	readonly doors: Doors;
	readonly codeRoot: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

/** 0 go, 1 no-go, 2 usage, 3 tmux answered and has no such window. */
export async function runRetirePreflight(
	argv: readonly string[],
	ctx: RetireContext,
): Promise<0 | 1 | 2 | 3> {
	const request = parseRetireArgs(argv);
	switch (request.kind) {
		case "help":
			ctx.out(USAGE);
			return 0;
		case "refused":
			ctx.err(`retire-preflight: ${request.message}`);
			ctx.err(USAGE);
			return 2;
		case "preflight":
			return preflight(request, ctx);
	}
}

async function preflight(
	req: RetireRequest,
	ctx: RetireContext,
): Promise<0 | 1 | 3> {
	const { doors } = ctx;
	const opened = await openRetireSettings(doors, ctx.codeRoot, req);
	for (const problem of opened.problems) ctx.err(problem);
	const { stateDir, settings } = opened;
	const rows = await doors.tmux.panes();
	const found = findWindow(req.target, rows);
	if (found.kind === "absent" && req.paneState === null) {
		ctx.err(`retire-preflight: no window ${nameOf(req.target)}`);
		return 3;
	}
	const doubt = (reason: string) =>
		say(ctx, nameOf(req.target), statedPane("unknown"), {
			safe: false,
			reason,
			note: null,
		});
	if (found.kind === "doubt" && req.paneState === null) return doubt(found.why);
	// Whose window this is, and where the state lies, the file would have said.
	if (opened.problems.length > 0)
		return doubt("the configuration cannot be used");
	// In a folder that is misspelt nothing speaks against a kill.
	if (doors.files.list(stateDir).kind !== "ok")
		return doubt(`the state dir could not be read: ${stateDir}`);
	const window = found.kind === "present" ? found.name : nameOf(req.target);
	const pane =
		req.paneState !== null
			? statedPane(req.paneState)
			: found.kind === "present"
				? await lookAtPanes(doors, stateDir, settings.reader, found.panes)
				: statedPane("unknown");
	const now = req.now ?? doors.clock.now();
	const place = { doors, stateDir, settings, now };
	const facts = gatherRetire(place, window, rows);
	return say(ctx, window, pane, decideRetire({ ...facts, pane }));
}

function say(
	{ out, err }: RetireContext,
	window: string,
	pane: SeenPane,
	verdict: RetireVerdict,
): 0 | 1 {
	const { inputText } = pane;
	if (verdict.note !== null) err(`retire-preflight: ${verdict.note}`);
	// Disclosure, not a veto: a suggestion of Claude Code stands in the box, too.
	if (inputText !== null)
		err(`retire-preflight: in the input box: ${decoded(inputText)}`);
	const box = inputText === null ? "" : ` input_text=${inputText}`;
	out(
		`safe=${verdict.safe ? 1 : 0} window=${window} pane=${pane.state}${box} reason=${verdict.reason}`,
	);
	return verdict.safe ? 0 : 1;
}

type Found =
	| {
			readonly kind: "present";
			readonly name: string;
			/** The active one first. */
			readonly panes: readonly PaneRow[];
	  }
	| { readonly kind: "absent" }
	| { readonly kind: "doubt"; readonly why: string };

/** The panes of the one window that is meant. Pure. */
export function findWindow(target: RetireTarget, rows: PaneRows): Found {
	if (rows.kind !== "ok")
		return {
			kind: "doubt",
			why: `tmux could not be asked: ${tmuxFailureText(rows)}`,
		};
	const own = rows.rows.filter((row) => isTarget(target, row));
	const ids = new Set(own.map((row) => row.windowId));
	if (ids.size === 0) return { kind: "absent" };
	const active = own.find((r) => r.paneActive);
	if (ids.size > 1)
		return { kind: "doubt", why: `${ids.size} windows bear this name` };
	if (active === undefined)
		return { kind: "doubt", why: "no active pane was listed" };
	return {
		kind: "present",
		name: active.windowName,
		panes: [active, ...own.filter((r) => r.paneId !== active.paneId)],
	};
}

/** The caller's own text may be encoded by nobody. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function nameOf(target: RetireTarget): string {
	if (target.kind === "index") return `${target.session}:${target.index}`;
	return target.name;
}
