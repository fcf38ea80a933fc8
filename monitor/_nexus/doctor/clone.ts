/** The checkout's branch: the watcher can tell that the checkout fell behind only where the remote has it (contract 06 §10). Decisions only. */
import type { RemoteBranch } from "../../_sys/git-remote.ts";
import { type Check, ok, warn } from "./check.ts";

const NAME = "integration branch";

/** Never a failure: nexus works all the same, but nobody is told of updates. */
export function checkClone(
	branch: string,
	remote: RemoteBranch,
): readonly Check[] {
	switch (remote.kind) {
		case "there":
			return [ok(NAME, `origin/${branch}`)];
		case "missing": {
			const { head } = remote;
			const advice =
				head === null
					? "set monitor.integration_branch to the branch that this checkout follows"
					: `set monitor.integration_branch: ${head} if that is what this checkout follows`;
			return [
				warn(
					NAME,
					`origin has no branch ${branch}: nobody can tell whether this checkout is behind`,
					advice,
				),
			];
		}
		case "no-clone":
			return [ok(NAME, "none: the checkout is no git clone")];
		case "unknown":
			return [
				warn(
					NAME,
					`origin could not be asked for ${branch}: ${remote.why}`,
					"without an origin set monitor.clone_drift.enabled: false",
				),
			];
	}
}
