/** Decision records of the watcher's own: a dialog that it must not answer (contract 04 §8.3, §8.9). */
import { join } from "node:path";
import type { Clock, Files } from "../_sys/doors.ts";
import {
	decisionFileName,
	decisionsDir,
	type NewDecision,
	parseDecision,
	parseDecisionName,
	renderDecision,
} from "./decisions.ts";
import { parseObject } from "./json-object.ts";
import { paneKey } from "./pane-key.ts";
import { isFileName } from "./window-file.ts";

export interface WatcherDecision extends Omit<NewDecision, "ts" | "sessionId"> {
	/** `watcher-unstick-case-A` and its like. */
	readonly source?: string;
	/** Why it was not answered. */
	readonly verdict?: string;
}

/** `silenced`: it was answered for good. `pending`: it is being told already. */
export type Surfaced = "written" | "silenced" | "pending" | "failed";

/** A record that was resolved meanwhile is written anew: the question is up again. The hook's record of the same prompt gives way. */
export function surfaceDecision(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	decision: WatcherDecision,
): Surfaced {
	const surfaced = writeOwn(doors, stateDir, decision);
	if (decision.kind === PROMPT && surfaced !== "failed")
		withdrawHooks(doors.files, stateDir, decision.window);
	return surfaced;
}

const PROMPT = "permission_prompt";

function writeOwn(
	{ files, clock }: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	decision: WatcherDecision,
): Surfaced {
	if (files.lstat(recordPath(stateDir, decision, true)).kind !== "absent")
		return "silenced";
	const path = recordPath(stateDir, decision, false);
	const read = files.read(path);
	if (read.kind === "unreadable") return "failed";
	const known = read.kind === "ok" ? parseDecision(read.text) : null;
	if (known !== null && !known.resolved) return "pending";
	const text = renderDecision({
		...decision,
		ts: new Date(clock.nowMs()).toISOString().replace(/\.\d+Z$/, "Z"),
		sessionId: "",
	});
	files.mkdir(decisionsDir(stateDir));
	return files.writeAtomic(path, text).kind === "ok" ? "written" : "failed";
}

/**
 * A window shows one permission prompt at a time, and the hook, which knows less of it, has told of it as well. Its record
 * counts as resolved: no second row, and whoever saw its row can still acknowledge it. The next prompt writes it anew.
 */
function withdrawHooks(files: Files, stateDir: string, window: string): void {
	const dir = decisionsDir(stateDir);
	const listed = files.list(dir);
	if (listed.kind !== "ok") return;
	for (const name of listed.names) {
		const named = parseDecisionName(name);
		if (named === null || named.handled || named.window !== window) continue;
		const read = files.read(join(dir, name));
		const record = read.kind === "ok" ? parseObject(read.text) : null;
		if (record === null || record.kind !== PROMPT) continue;
		if (record.source !== undefined || record.resolved === true) continue;
		const text = JSON.stringify({ ...record, resolved: true });
		files.writeAtomic(join(dir, name), `${text}\n`);
	}
}

/** The same dialog came back after it was gone: whoever said "handled" meant the earlier one. True when there was a tombstone. */
export function retireTombstone(
	files: Files,
	stateDir: string,
	dialog: Pick<WatcherDecision, "window" | "fingerprint">,
): boolean {
	const path = recordPath(stateDir, dialog, true);
	if (files.lstat(path).kind === "absent") return false;
	return files.remove(path).kind === "ok";
}

function recordPath(
	stateDir: string,
	d: Pick<WatcherDecision, "window" | "fingerprint">,
	handled: boolean,
): string {
	const window = isFileName(d.window) ? d.window : paneKey(d.window);
	return join(
		decisionsDir(stateDir),
		decisionFileName({ window, fingerprint: d.fingerprint, handled }),
	);
}
