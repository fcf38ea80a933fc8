/** Acknowledging a decision: the record becomes its tombstone (contract 05 §13.1, 08 §5.3). A removed file would come back with the next hook call, under the same name. */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import {
	decisionFileName,
	decisionsDir,
	parseDecisionName,
} from "./decisions.ts";

export type Acked =
	| { readonly kind: "acked"; readonly from: string; readonly to: string }
	/** Only the tombstone is there. */
	| { readonly kind: "acked-before" }
	| { readonly kind: "absent" }
	| { readonly kind: "failed"; readonly reason: string };

/** Believes its eyes, not the rename's word. */
export function ackDecision(
	files: Files,
	stateDir: string,
	window: string,
	fingerprint: string,
): Acked {
	const path = (handled: boolean) =>
		join(
			decisionsDir(stateDir),
			decisionFileName({ window, fingerprint, handled }),
		);
	const from = path(false);
	const to = path(true);
	const before = files.lstat(from);
	if (before.kind === "unreadable")
		return { kind: "failed", reason: before.reason };
	if (before.kind === "absent")
		return files.lstat(to).kind === "ok"
			? { kind: "acked-before" }
			: { kind: "absent" };
	const moved = files.rename(from, to);
	if (files.lstat(from).kind === "absent" && files.lstat(to).kind === "ok")
		return { kind: "acked", from, to };
	const why = moved.kind === "failed" ? moved.reason : "it is still there";
	return { kind: "failed", reason: why };
}

/** The fingerprints of a window that are not acknowledged. `a` does not take those of `a.b`: what follows the name must be a fingerprint. */
export function pendingOf(
	files: Files,
	stateDir: string,
	window: string,
):
	| { readonly kind: "ok"; readonly fingerprints: readonly string[] }
	| { readonly kind: "could-not-look"; readonly reason: string } {
	const listed = files.list(decisionsDir(stateDir));
	if (listed.kind === "unreadable")
		return { kind: "could-not-look", reason: listed.reason };
	const names = listed.kind === "ok" ? listed.names : [];
	const fingerprints = names.flatMap((name) => {
		const parsed = parseDecisionName(name);
		return parsed?.window === window && !parsed.handled
			? [parsed.fingerprint]
			: [];
	});
	return { kind: "ok", fingerprints };
}
