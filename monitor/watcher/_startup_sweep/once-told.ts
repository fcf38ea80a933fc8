/** What only a watcher's first report tells: a failed install, its own revival, its old hosting (contract 01 §12, §16.4, §20). */
import {
	isLegacyHosting,
	migrationNotice,
} from "../../_emit/hosting-migration.ts";
import { installFailureBody, revivedBody } from "../../_emit/notices.ts";
import type { SectionTexts } from "../../_emit/sections.ts";
import type { Carried } from "../../_emit/settle.ts";
import { readInstallFailures } from "../../_state/install-failure.ts";
import { readMarker, removeMarker } from "../../_state/one-shot-marker.ts";
import { watcherRevivedPath } from "../../_state/watcher-revived.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { WatcherContext } from "../context.ts";

/**
 * The markers go only when their report was delivered: at a cold boot the target is not there yet,
 * and deleting at render time always lost the first failure.
 */
export function onceTold(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	{ stateDir, codeRoot }: WatcherContext,
): { readonly sections: SectionTexts; readonly carried: readonly Carried[] } {
	const failures = readInstallFailures(files, stateDir);
	const revived = readMarker(files, watcherRevivedPath(stateDir));
	const hosting = proc.env.WATCHER_WINDOW;
	return {
		sections: {
			install: installFailureBody(failures, codeRoot),
			revived: revivedBody(revived),
			hosting: isLegacyHosting(hosting)
				? migrationNotice(codeRoot, hosting)
				: "",
		},
		carried: [...failures, ...(revived === null ? [] : [revived])].map(
			(marker) => ({
				when: "delivered",
				commit: () => removeMarker(files, marker),
			}),
		),
	};
}
