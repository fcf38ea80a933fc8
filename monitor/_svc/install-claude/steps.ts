/** What npm is asked, and what its failures mean (contract 06 §11.3). Pure. */
import {
	CC_PACKAGE,
	type EffectiveVersion,
} from "../../_state/cc-version-local.ts";

export interface NpmFacts {
	readonly wanted: EffectiveVersion;
	/** `CLAUDE_INSTALL_USE_CI`. */
	readonly useCi: boolean;
	readonly hasLockfile: boolean;
}

/** Words after `npm`. A pin leaves the manifest alone; `ci`, which empties the tree first, only on request. */
export function npmWords(f: NpmFacts): readonly string[] {
	if (f.wanted.source === "local-pin")
		return ["install", "--no-save", `${CC_PACKAGE}@${f.wanted.version}`];
	return f.useCi && f.hasLockfile ? ["ci"] : ["install"];
}

/** A file that a running session holds open (`.nfs…` is how NFS keeps one that was deleted): what was swept may go through now. */
export function isBusyFailure(output: string): boolean {
	return /EBUSY|resource busy|\.nfs[0-9a-f]+/i.test(output);
}
