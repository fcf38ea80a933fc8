/** Following a log beside the cockpit: one pane below it, used again for the next log (contract 06 §7.3). */
import { ownPane } from "../../_liveness/own-window.ts";
import type { Doors } from "../../_sys/doors.ts";

export type Followed =
	/** It runs in the pane below. */
	| { readonly kind: "beside" }
	/** There is no tmux to split: the caller shows it in place. */
	| { readonly kind: "in-place"; readonly argv: readonly string[] }
	| { readonly kind: "failed"; readonly why: string };

export interface LogPane {
	follow(name: string, files: readonly string[]): Promise<Followed>;
	close(): Promise<void>;
	/** Is it still there? A pane that somebody closed by hand is forgotten. */
	stands(): Promise<boolean>;
}

const PERCENT = 40;

/** `in-place`: our own pane cannot be told, and the caller follows the log itself. */
export function logPane({ tmux, proc }: Pick<Doors, "tmux" | "proc">): LogPane {
	let pane: string | null = null;
	const exists = async () =>
		pane !== null && (await tmux.exists(pane)) !== "no";
	return {
		follow: async (name, files) => {
			const command = ["tail", "-n", "200", "-F", ...files];
			const target = (await exists()) ? pane : null;
			if (target !== null) {
				const again = await tmux.run({
					kind: "respawn-pane",
					target,
					command,
				});
				if (again.kind !== "ok") return { kind: "failed", why: again.kind };
			} else {
				const listed = await tmux.panes();
				const own = listed.kind === "ok" ? ownPane(proc, listed.rows) : null;
				if (own === null) return { kind: "in-place", argv: command };
				const made = await tmux.run({
					kind: "split-pane",
					target: own.paneId,
					percent: PERCENT,
					command,
				});
				if (made.kind !== "ok") return { kind: "failed", why: made.kind };
				pane = made.stdout.trim().split("|").at(-1) ?? null;
			}
			if (pane !== null)
				await tmux.run({
					kind: "title-pane",
					target: pane,
					title: `log:${name}`,
				});
			return { kind: "beside" };
		},
		close: async () => {
			if (pane !== null) await tmux.run({ kind: "kill-pane", target: pane });
			pane = null;
		},
		stands: async () => {
			if (!(await exists())) pane = null;
			return pane !== null;
		},
	};
}
