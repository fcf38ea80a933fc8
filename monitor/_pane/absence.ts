/**
 * The only way to `absent` (contract 03 §9.4). A false `absent` kills a live worker, a false
 * `unknown` delays a cleanup: so every step that is not positive evidence answers `unknown`.
 */
import { liveClaude, type Witnesses } from "./witnesses.ts";

export type Absence =
	| { readonly state: "absent"; readonly evidence: string }
	| { readonly state: "unknown"; readonly reason: string };

/** `absent` or `unknown` with the evidence; the order of the steps is the contract's. */
export function absenceDoor(w: Witnesses): Absence {
	const { process } = w;
	if (process.kind === "none") return absent("fixture-no-process");
	if (w.paneDead) return absent("pane_dead");
	if (liveClaude(w) === "yes") return unknown("live-claude");
	if (process.kind !== "seen") return unknown("no-pane-pid");
	if (process.hasDescendant) return unknown("live-descendant");
	if (process.unidentified) return unknown("claude-identity-indeterminate");
	if (process.blind) return unknown("proc-view-blind");
	if (!process.exists) return absent("pid-gone");
	const age = process.ageSeconds;
	if (w.bootGraceSeconds > 0 && (age === null || age < w.bootGraceSeconds))
		return unknown("boot-grace");
	return absent("tree-empty-past-grace");
}

function absent(evidence: string): Absence {
	return { state: "absent", evidence };
}

function unknown(reason: string): Absence {
	return { state: "unknown", reason };
}
