/** The tmux window of a worker: where it goes, whether its name is free, opening it (contract 08 §8.4). */
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { shellQuote } from "../_sys/shell-quote.ts";
import { tmuxFailureText } from "../_sys/tmux-lookup.ts";

/**
 * The session that gets the window: the caller's, else the orchestrator's, else any. Null without a session. Pure.
 */
export function sessionFor(
	rows: readonly PaneRow[],
	callerPane: string | undefined,
	targetWindow: string,
): string | null {
	const home =
		rows.find((row) => row.paneId === callerPane) ??
		rows.find((row) => row.windowName === targetWindow) ??
		rows[0];
	return home?.sessionId ?? null;
}

export type Standing =
	| { readonly kind: "free" }
	/** Its programs have ended; only the windows are left. */
	| { readonly kind: "dead"; readonly windowIds: readonly string[] }
	/** Or not provably dead. */
	| { readonly kind: "live"; readonly windowIds: readonly string[] };

/** What stands under this name. Pure. */
export function standingUnder(
	rows: readonly PaneRow[],
	name: string,
): Standing {
	const own = rows.filter((row) => row.windowName === name);
	const windowIds = [...new Set(own.map((row) => row.windowId))];
	if (own.length === 0) return { kind: "free" };
	const isDead = own.every((row) => row.paneDead === "1");
	return { kind: isDead ? "dead" : "live", windowIds };
}

export type Opened =
	| {
			readonly kind: "ok";
			readonly windowId: string;
			readonly paneId: string;
			/** Options that could not be set. */
			readonly problems: readonly string[];
	  }
	/** No window of ours is left. */
	| { readonly kind: "failed"; readonly why: string };

/**
 * Opens the window with the operator's shell in it, and types the launcher's path: separate steps by id, because one
 * combined command fails silently in a nested tmux. These are the only keys that ever go into a shell.
 */
export async function openWindow(
	{ tmux }: Pick<Doors, "tmux">,
	at: {
		readonly session: string;
		readonly name: string;
		readonly workdir: string;
		readonly launcher: string;
		/** Ends what stood under the name, once the window is there; why it could not, or null. */
		readonly makeRoom: () => Promise<string | null>;
	},
): Promise<Opened> {
	const made = await tmux.run({
		kind: "new-window",
		session: at.session,
		name: at.name,
		cwd: at.workdir,
	});
	if (made.kind !== "ok") return { kind: "failed", why: tmuxFailureText(made) };
	const [, windowId, paneId] =
		/^\$\d+\|(@\d+)\|(%\d+)$/.exec(made.stdout.trim()) ?? [];
	if (windowId === undefined || paneId === undefined)
		return { kind: "failed", why: "new-window returned no id" };
	const problems: string[] = [];
	for (const [name, value] of OPTIONS) {
		const target = windowId;
		const set = await tmux.run({
			kind: "set-option",
			scope: "window",
			target,
			name,
			value,
		});
		if (set.kind !== "ok") problems.push(`${name}: ${tmuxFailureText(set)}`);
	}
	const why = (await at.makeRoom()) ?? (await begin(tmux, paneId, at.launcher));
	if (why === null) return { kind: "ok", windowId, paneId, problems };
	await tmux.run({ kind: "kill-window", target: windowId });
	return { kind: "failed", why };
}

/** Types the launcher's path; why that failed, or null. */
async function begin(
	tmux: Doors["tmux"],
	target: string,
	launcher: string,
): Promise<string | null> {
	const keys = [shellQuote(launcher), "Enter"];
	const typed = await tmux.run({ kind: "send-keys", target, keys });
	return typed.kind === "ok" ? null : tmuxFailureText(typed);
}

/** What died stays to be read, and the name that we know the window by stays. */
const OPTIONS = [
	["remain-on-exit", "on"],
	["automatic-rename", "off"],
	["allow-rename", "off"],
] as const;

/** Ends windows that were just listed; why not, or null when all are gone. */
export async function killWindows(
	{ tmux }: Pick<Doors, "tmux">,
	windowIds: readonly string[],
): Promise<string | null> {
	for (const target of windowIds) {
		const killed = await tmux.run({ kind: "kill-window", target });
		if ((await tmux.exists(target)) === "no") continue;
		const why = killed.kind === "ok" ? "" : `: ${tmuxFailureText(killed)}`;
		return `window ${target} is still there${why}`;
	}
	return null;
}
