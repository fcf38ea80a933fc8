/** Is the clone that runs so far behind its branch that somebody has to be told (contract 06 §10)? Pure. */

export type CloneVerdict =
	| { readonly kind: "up-to-date" }
	| {
			readonly kind: "behind";
			readonly head: string;
			readonly tip: string;
			/** Null: how many is not known; that it is behind is proven. */
			readonly commits: number | null;
			/** Epoch seconds of the oldest commit it lacks; null = not known. */
			readonly oldestAt: number | null;
	  }
	/** Never to be told as fine. */
	| {
			readonly kind: "unknown";
			readonly reason:
				| "not_a_git_repo"
				| "no_local_head"
				| "remote_tip_unresolved";
			/** The remote answered, and has no such branch. */
			readonly isMissing?: boolean;
	  };

export interface CloneLimits {
	readonly commits: number;
	readonly hours: number;
}

/** Null: nothing to tell, and what was told is over. */
export interface CloneNews {
	readonly old: string;
	/** The tip, or a word that says why nobody knows. */
	readonly word: string;
	readonly note: string;
}

const MISSING =
	"remote_tip_unresolved, origin has no such branch; set monitor.integration_branch to the one that this checkout follows";

/** `now` in epoch seconds. */
export function decideClone(
	verdict: CloneVerdict,
	limits: CloneLimits,
	now: number,
): CloneNews | null {
	switch (verdict.kind) {
		case "up-to-date":
			return null;
		case "unknown":
			return {
				old: "",
				word: `undetermined-${verdict.reason}`,
				note: verdict.isMissing ? MISSING : verdict.reason,
			};
		case "behind": {
			const { commits, oldestAt, head, tip } = verdict;
			const hours =
				oldestAt === null
					? null
					: Math.floor(Math.max(0, now - oldestAt) / 3600);
			const trips =
				commits === null ||
				commits >= limits.commits ||
				(hours !== null && hours >= limits.hours);
			if (!trips) return null;
			const many =
				commits === null
					? "it is not the branch's tip; how many commits it lacks is not known"
					: `${commits} commit(s) are not deployed`;
			const long = hours === null ? "" : `, the oldest is ${hours}h old`;
			return { old: head, word: tip, note: `${many}${long}` };
		}
	}
}
