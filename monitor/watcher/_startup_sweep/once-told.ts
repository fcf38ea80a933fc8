/** What only a watcher's first report tells: a failed install, its own revival, its old hosting (contract 01 §12, §16.4, §20). */
import { standsIn } from "../../_emit/dedup.ts";
import {
	isLegacyHosting,
	migrationNotice,
} from "../../_emit/hosting-migration.ts";
import { installFailureBody, revivedBody } from "../../_emit/notices.ts";
import type { SectionTexts } from "../../_emit/sections.ts";
import type { Lesson } from "../../_emit/settle.ts";
import { readInstallFailures } from "../../_state/install-failure.ts";
import {
	type OneShotMarker,
	readMarker,
	removeMarker,
} from "../../_state/one-shot-marker.ts";
import { watcherRevivedPath } from "../../_state/watcher-revived.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { WatcherContext } from "../context.ts";

export interface OnceTold {
	readonly sections: SectionTexts;
	readonly lessons: readonly Lesson[];
	/** What learns from an earlier report with this body. */
	readonly lessonsOfPast: (body: string) => readonly Lesson[];
}

/**
 * The markers go only when their report was delivered: at a cold boot the target is not there yet,
 * and deleting at render time always lost the first failure.
 */
export function onceTold(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	{ stateDir, codeRoot }: WatcherContext,
): OnceTold {
	const failures = readInstallFailures(files, stateDir);
	const revived = readMarker(files, watcherRevivedPath(stateDir));
	const hosting = proc.env.WATCHER_WINDOW;
	const forget = (markers: readonly OneShotMarker[]): readonly Lesson[] =>
		markers.map((marker) => ({
			when: "delivered",
			commit: () => removeMarker(files, marker),
		}));
	const install = installFailureBody(failures, codeRoot);
	const revival = revivedBody(revived);
	const revivals = revived === null ? [] : [revived];
	return {
		sections: {
			install,
			revived: revival,
			hosting: isLegacyHosting(hosting)
				? migrationNotice(codeRoot, hosting)
				: "",
		},
		lessons: forget([...failures, ...revivals]),
		lessonsOfPast: (body) => [
			...(standsIn(body, install) ? forget(failures) : []),
			...(standsIn(body, revival) ? forget(revivals) : []),
		],
	};
}
