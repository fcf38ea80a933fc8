/** Once a minute: was the configuration edited under the running watcher? (contract 07 §8.7) */
import { glance, startGlance } from "../../../config/glance.ts";
import type { LoadFrom } from "../../../config/read.ts";
import type { ConfigFile } from "../../../config/watcher.ts";
import { appendAlert } from "../../_state/watcher-alerts.ts";
import { bell } from "../../_sys/bell.ts";
import type { Doors } from "../../_sys/doors.ts";

const EVERY_MS = 60_000;

/** The loop's step. `running` is the file that was loaded at start. */
export function configGlance(
	doors: Doors,
	stateDir: string,
	configRoot: string,
	running: ConfigFile,
): () => Promise<void> {
	const { clock, files, log, proc } = doors;
	const from: LoadFrom = {
		files,
		clock,
		env: proc.env,
		root: configRoot,
		uid: proc.uid,
	};
	let state = startGlance(running);
	let lookedAtMs = clock.monoMs();
	return async () => {
		const now = clock.monoMs();
		if (now - lookedAtMs < EVERY_MS) return;
		lookedAtMs = now;
		const looked = await glance(from, state);
		state = looked.state;
		const { says } = looked;
		if (says === null) return;
		for (const line of says.lines) {
			if (!says.alarm) log.info(line);
			else {
				log.warn(line);
				appendAlert(doors, stateDir, "WARN", line);
			}
		}
		// Not awaited: a notifier that hangs must not hold the loop.
		if (says.alarm)
			void bell(proc, `watcher: ${says.lines.at(-1) ?? "config edit ignored"}`);
	};
}
