/** Keys and paste into one pane: the only `paste-buffer` in the tree (contract 04 §3 S0, §5.5). */
import type { PaneRow, Tmux, TmuxResult } from "../_sys/doors.ts";
import { sameServer } from "../_sys/tmux-lookup.ts";
import type { DeliveryJob } from "./job.ts";
import type { FailStep } from "./outcome.ts";
import { OPEN_BOX, SUBMIT } from "./sequences.ts";

/** What became of keys: sent, not sent because the caller gave up, or refused by tmux. */
export type Sent =
	| { readonly kind: "sent" }
	| { readonly kind: "aborted" }
	| { readonly kind: "failed"; readonly step: FailStep; readonly why: string };
/** `dead`: the pane is provably gone or a corpse. `unknown`: could not look. */
export type Pasted = Sent | { readonly kind: "dead" | "unknown" };

/**
 * Puts the payload into the box. `i` and BSpace first, in one call: in vim's normal mode a paste is
 * read as commands, and from insert mode the pair does nothing. Never Escape, which would cancel a
 * menu or a running turn. No key is sent, and nothing pasted, into a pane that is not provably alive.
 */
export async function pasteIntoBox(job: DeliveryJob): Promise<Pasted> {
	const ready = await mayType(job);
	if (ready !== null) return ready;
	const insert = await send(job, OPEN_BOX, "send-keys-insert");
	if (insert.kind !== "sent") return insert;
	await job.doors.clock.sleep(job.timings.insertMs, job.signal);
	const buffer = `nexus-${job.role}-${job.doors.proc.pid}-${job.doors.random.hex(8)}`;
	const pasted = await loadAndPaste(job, buffer);
	// A paste that worked deleted its buffer; nothing leaves a named one behind.
	if (pasted.kind !== "sent")
		await job.doors.tmux.run({ kind: "delete-buffer", buffer });
	return pasted;
}

/**
 * One Enter. The caller's look showed our text and nothing over it, and is the last thing that
 * happened: every question in between would be time for somebody to type.
 */
export async function pressEnter(job: DeliveryJob): Promise<Sent> {
	if (job.signal?.aborted) return { kind: "aborted" };
	return send(job, SUBMIT, "send-keys-enter");
}

/** Is the pane still the one that was resolved? A paste into a corpse kills the tmux server with every window in it. */
async function standing(
	tmux: Tmux,
	pane: PaneRow,
	signal?: AbortSignal,
): Promise<"live" | "dead" | "unknown"> {
	const rows = await tmux.panes(signal);
	if (rows.kind !== "ok" || rows.rows.length === 0) return "unknown";
	if (rows.rows.some((row) => !sameServer(row.server, pane.server)))
		return "dead";
	const row = rows.rows.find((r) => r.paneId === pane.paneId);
	if (row === undefined)
		return (await tmux.exists(pane.paneId, signal)) === "no"
			? "dead"
			: "unknown";
	if (row.paneDead === "1") return "dead";
	return row.paneDead === "0" ? "live" : "unknown";
}

async function loadAndPaste(job: DeliveryJob, buffer: string): Promise<Pasted> {
	const { files, tmux } = job.doors;
	const staged = stage(job);
	if (staged.kind === "failed") return staged;
	const { dir, path } = staged;
	const load = { kind: "load-buffer", buffer, path } as const;
	const loaded = await tmux.run(load, job.signal);
	files.removeTree(dir);
	if (loaded.kind !== "ok") return failed("load-buffer", loaded);
	const ready = await mayType(job);
	if (ready !== null) return ready;
	const target = job.pane.paneId;
	// No signal from here on: a paste cut off in the middle could not be told from one that landed.
	const pasted = await tmux.run({ kind: "paste-buffer", buffer, target });
	return settled("paste", pasted);
}

type Staged =
	| { readonly kind: "staged"; readonly dir: string; readonly path: string }
	| Extract<Sent, { kind: "failed" }>;

/** The payload as a file: as an argument tmux would eat its last `;`. */
function stage(job: DeliveryJob): Staged {
	const { files } = job.doors;
	const fail = (why: string): Staged => ({
		kind: "failed",
		step: "load-buffer",
		why,
	});
	let dir: string;
	try {
		dir = files.makeTempDir("nexus-paste-");
	} catch (cause) {
		return fail(String(cause)); // a full or read-only temporary folder
	}
	const path = `${dir}/payload`;
	const written = files.writeAtomic(path, job.payload, { mode: 0o600 });
	if (written.kind === "ok") return { kind: "staged", dir, path };
	files.removeTree(dir);
	return fail(written.reason);
}

async function send(
	job: DeliveryJob,
	keys: readonly string[],
	step: FailStep,
): Promise<Sent> {
	const target = job.pane.paneId;
	const sent = await job.doors.tmux.run({ kind: "send-keys", target, keys });
	return settled(step, sent);
}

/** Null = yes. */
async function mayType(job: DeliveryJob): Promise<Pasted | null> {
	const alive = await standing(job.doors.tmux, job.pane, job.signal);
	if (job.signal?.aborted) return { kind: "aborted" };
	return alive === "live" ? null : { kind: alive };
}

/** A client that was killed for hanging may have been heard: what the next look shows decides. */
function settled(step: FailStep, result: TmuxResult): Sent {
	if (result.kind === "ok") return { kind: "sent" };
	if (result.kind === "hung" && step !== "send-keys-insert")
		return { kind: "sent" };
	return failed(step, result);
}

function failed(step: FailStep, result: TmuxResult): Sent {
	if (result.kind === "aborted") return { kind: "aborted" };
	const why = result.kind === "failed" ? result.stderr : result.kind;
	return { kind: "failed", step, why };
}
