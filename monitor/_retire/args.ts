/** The command line of `retire-preflight` as a value (contract 08 §9.1). Pure. */
import { parseCli } from "../_sys/cli.ts";
import { masked } from "../_sys/control-characters.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { requireInt } from "../_sys/require-int.ts";

export interface RetireRequest {
	readonly kind: "preflight";
	readonly target: RetireTarget;
	/** Epoch seconds; null: the clock's. */
	readonly now: number | null;
	readonly stateDir: string | null;
	/** How long a submit of the operator counts; null: as configured. */
	readonly freshSeconds: number | null;
	/** What the caller knows of the pane, as in its line (`idle conflict=…`); null: look. */
	readonly paneState: string | null;
}
export type RetireTarget =
	| {
			readonly kind: "name";
			readonly session: string | null;
			readonly name: string;
	  }
	| {
			readonly kind: "index";
			readonly session: string;
			readonly index: number;
	  };

export type RetireArgs =
	| RetireRequest
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly message: string };

export const USAGE =
	"usage: retire-preflight <window|index|session:window> [--now E] [--state-dir D] [--fresh-seconds N] [--pane-state S]";

/** As `pane-state`: a bare index is one of session 0. */
const DEFAULT_SESSION = "0";

/** A refusal has the sentence to print. */
export function parseRetireArgs(argv: readonly string[]): RetireArgs {
	const cli = parseCli(argv, {
		flags: {
			"--now": "value",
			"--state-dir": "value",
			"--fresh-seconds": "value",
			"--pane-state": "value",
		},
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") return cli;
	const [window] = cli.positionals;
	if (!window) return refused("name a window");
	// The verdict is one line, which names it.
	if (masked(window) !== window)
		return refused("the window's name holds a control character");
	const now = requireInt("--now", cli.value("--now"), null);
	const fresh = requireInt(
		"--fresh-seconds",
		cli.value("--fresh-seconds"),
		null,
	);
	if (now.kind === "refused") return refused(now.message);
	if (fresh.kind === "refused") return refused(fresh.message);
	return {
		kind: "preflight",
		target: targetOf(window),
		now: now.value,
		stateDir: cli.value("--state-dir") ?? null,
		freshSeconds: fresh.value,
		paneState: cli.value("--pane-state") ?? null,
	};
}

/** `7`, `main:7`, `main:w`, `w`. A window's name holds no colon. */
export function targetOf(text: string): RetireTarget {
	const colon = text.lastIndexOf(":");
	const session = colon < 0 ? null : text.slice(0, colon);
	const window = text.slice(colon + 1);
	return /^\d{1,9}$/.test(window)
		? {
				kind: "index",
				session: session ?? DEFAULT_SESSION,
				index: Number(window),
			}
		: { kind: "name", session, name: window };
}

/** A name without a session fits every session. */
export function isTarget(target: RetireTarget, row: PaneRow): boolean {
	if (target.session !== null && row.session !== target.session) return false;
	return target.kind === "name"
		? row.windowName === target.name
		: row.windowIndex === target.index;
}

function refused(message: string): RetireArgs {
	return { kind: "refused", message };
}
