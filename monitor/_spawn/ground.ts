/** Looks at what a start needs: the program, the settings' template, folders that can be written (contract 08 §8.2). */
import { resolve } from "node:path";
import { missingForSettings } from "../_state/rendered-settings.ts";
import { reportsDirOf } from "../_state/report-corpus.ts";
import { resolveClaudeBin } from "../_sys/claude-bin.ts";
import { probeWritable } from "../_sys/write-probe.ts";
import type { SpawnContext } from "./context.ts";
import type { Ground } from "./plan.ts";

/** `tryWrites`: a probe makes and removes a file, which a mere question must not. */
export function lookAtGround(
	{ doors, home }: SpawnContext,
	workdir: string,
	tryWrites: boolean,
): Ground {
	const { files } = doors;
	const probe = (path: string) => probeWritable(files, resolve(path));
	return {
		claude: resolveClaudeBin(doors, home.codeRoot),
		missing: missingForSettings(files, home.codeRoot, "worker"),
		probes: tryWrites
			? {
					stateDir: probe(home.stateDir),
					workdir: probe(workdir),
					reportsDir: probe(reportsDirOf(home.root)),
				}
			: null,
	};
}
