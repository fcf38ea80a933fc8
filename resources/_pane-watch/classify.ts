/** What a pass says of one member (contract 09 §11 step 5). Pure. */
import type { CaptureResult } from "../../monitor/_fleet/fleet.ts";

export type Declared = "expected_inactive" | "sleeping" | null;
/** Id of the permission pattern that stands on the first picture, or null. */
export type Detected = string | null;

export interface MemberVerdict {
	readonly kind:
		| "clean"
		| "prompt"
		| "unstable"
		| "unconfirmed"
		| "capture-failed"
		| "declared-absent";
	/** Behind `status: `. */
	readonly status: string;
	/** The picture to show; null: there is none. */
	readonly pane: string | null;
}

/**
 * `c2` is the second look at a pane on which something was detected; null: none was taken. `sshTarget` is said of a
 * member that could not be seen.
 */
export function classifyMember(
	c1: CaptureResult,
	c2: CaptureResult | null,
	det: Detected,
	declared: Declared,
	sshTarget = "NONE",
): MemberVerdict {
	if (!c1.ok || c1.text.trim() === "") {
		if (declared !== null)
			return {
				kind: "declared-absent",
				status: `declared absent (${declared}) -- capture failed, not escalated`,
				pane: null,
			};
		return {
			kind: "capture-failed",
			status: `FLAGGED: CAPTURE FAILED (${reasonOf(c1)} -- check local + ssh-fallback paths; ssh-fallback target: ${sshTarget})`,
			pane: null,
		};
	}
	const pane = c1.text;
	if (det === null) return { kind: "clean", status: "clean", pane };
	if (c2 === null || !c2.ok || c2.text.trim() === "")
		return {
			kind: "unconfirmed",
			status: `pattern=${det} detected, re-capture failed -- not flagging without stability confirmation`,
			pane,
		};
	if (c2.text !== pane)
		return {
			kind: "unstable",
			status: `pattern=${det} detected but UNSTABLE across two captures -- pane is live, not flagging`,
			// What stands there now.
			pane: c2.text,
		};
	return {
		kind: "prompt",
		status: `FLAGGED: stable permission prompt (pattern=${det})`,
		pane,
	};
}

/** Whether the watcher is to be woken for it. */
export function isFlagged({ status }: MemberVerdict): boolean {
	return status.startsWith("FLAGGED:");
}

/** First line of the error. */
function reasonOf(c1: CaptureResult): string {
	if (c1.ok || c1.failure === "empty") return "empty output";
	const line = c1.detail.split("\n").find((one) => one.trim() !== "");
	return line?.trim() ?? "empty output";
}
