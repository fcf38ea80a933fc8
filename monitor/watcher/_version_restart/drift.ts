/** Does a component run what stands on the disk (contract 06 §9.4)? Pure. */
import type { VersionRecord } from "../../_state/version-record.ts";
import { ageSeconds } from "../../_sys/age.ts";

export type DriftVerdict =
	/** An update is in progress: nothing follows, and nothing is written. */
	| { readonly kind: "torn" }
	/** Nothing was recorded: what is there counts as what runs. */
	| { readonly kind: "adopted"; readonly hash: string }
	| { readonly kind: "unchanged"; readonly hash: string }
	/** It waits for the disk to be still; `isNew`: since now. */
	| {
			readonly kind: "pending";
			readonly hash: string;
			readonly firstSeen: number;
			readonly isNew: boolean;
	  }
	| { readonly kind: "drift"; readonly old: string; readonly hash: string };

/** `current`: hash of the source on the disk, null = torn. `settle` in seconds, `now` in epoch seconds. */
export function driftStep(
	record: VersionRecord,
	current: string | null,
	settle: number,
	now: number,
): DriftVerdict {
	const { running, pending } = record;
	if (current === null) return { kind: "torn" };
	if (running === null) return { kind: "adopted", hash: current };
	if (running === current) return { kind: "unchanged", hash: current };
	// A stamp from the future is another clock's: the wait begins anew.
	const waited =
		pending?.hash === current
			? ageSeconds(now, pending.firstSeen, settle)
			: null;
	if (pending === null || waited === null)
		return { kind: "pending", hash: current, firstSeen: now, isNew: true };
	return waited >= settle
		? { kind: "drift", old: running, hash: current }
		: { ...pending, kind: "pending", isNew: false };
}
