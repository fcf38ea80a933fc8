/** Joins the report pipeline to what it must not know itself: pane reading, delivery, the supervisor's text. */
import type { Config } from "../../config/schema.ts";
import { nextDeliveryState } from "../_delivery/health.ts";
import { emitSignature } from "../_delivery/needle.ts";
import { provePast } from "../_delivery/past-proof.ts";
import type { PasteDeps } from "../_delivery/paste-to-target.ts";
import { pasteWithRetry } from "../_delivery/paste-with-retry.ts";
import { timingsOf } from "../_delivery/timings.ts";
import { ccUpdateSection } from "../_emit/cc-update.ts";
import { componentDriftSection } from "../_emit/component-drift.ts";
import type { EmitDeps } from "../_emit/emit-deps.ts";
import type { EmitPlace } from "../_emit/place.ts";
import type { ProviderRun } from "../_emit/providers.ts";
import { raise } from "../_emit/self-heal.ts";
import { serviceHealthSection } from "../_emit/service-health.ts";
import { armSection } from "../_liveness/supervisor-text.ts";
import { makeLookAt } from "../_pane/look.ts";
import { readerSettings } from "../_pane/settings.ts";
import type { LookAt } from "../_pane/types.ts";
import { supervisorBeatAt } from "../_state/supervisor-heartbeat.ts";
import type { Doors } from "../_sys/doors.ts";
import { idleProviders } from "./_idle_probe/providers.ts";
import { emitHold, limitSettings } from "./_over_limit.ts";
import { noteDeferral, resetDeferral } from "./_paste_deferral.ts";
import type { GitHubWiring } from "./github-wiring.ts";

/** What reads panes and types into them, on the doors of one run. */
export type PaneHands = (
	place: Pick<EmitPlace, "stateDir" | "target"> & { readonly config: Config },
	run: Pick<ProviderRun, "doors">,
) => PasteDeps;

/** `doors` are the process's own: the pane reader remembers for its life what it has said. */
export function paneHands(doors: Doors): PaneHands {
	let reader: LookAt | null = null;
	return (place, run) => {
		reader ??= makeLookAt({
			doors,
			stateDir: place.stateDir,
			settings: {
				...readerSettings(place.config),
				targetWindow: place.target,
			},
		});
		return pasteDeps(place, run, reader);
	};
}

/** `mayRestart`: whether this process may replace itself; `gitHub` null: no App is configured. */
export function emitDeps(
	hands: PaneHands,
	mayRestart: boolean,
	gitHub: GitHubWiring | null,
): EmitDeps {
	return {
		nextDeliveryState,
		mayRestart,
		...(gitHub && { pollSources: gitHub.pollSources }),
		sources: (place) => ({
			...idleProviders(place),
			...gitHub?.comments(place),
			sections: [
				componentDriftSection(place),
				serviceHealthSection(place),
				ccUpdateSection(place),
			],
			hold: ({ doors }) =>
				emitHold(doors, place.stateDir, limitSettings(place.config)),
		}),
		paste: (place, run) => async (file) => {
			const { target: window } = place;
			const pasted = await pasteWithRetry(hands(place, run), {
				window,
				file,
				stamp: "stamp",
				signal: run.signal,
			});
			run.doors.log.info(
				`paste window=${window} rc=${pasted.rc} (${pasted.outcome})`,
			);
			// The brief of a respawn may take minutes: nothing was pasted, and nobody failed.
			return pasted.isBusy ? 7 : pasted.rc;
		},
		arrival: (place, run) => async (pending) => {
			const needle = emitSignature(pending.body);
			if (needle === null) return "unknown";
			const { target: window } = place;
			const past = { window, needle, at: pending.at, signal: run.signal };
			return provePast(hands(place, run), past);
		},
		armSection: ({ config, codeRoot, stateDir }, run) =>
			armSection({
				enabled: config["monitor.watcher_supervisor.enabled"],
				codeRoot,
				stateDir,
				now: run.doors.clock.now(),
				supervisorBeatAt: supervisorBeatAt(run.doors.files, stateDir),
				staleSeconds:
					config["monitor.watcher_supervisor.heartbeat_stale_seconds"],
			}),
	};
}

function pasteDeps(
	place: Parameters<PaneHands>[0],
	{ doors }: Parameters<PaneHands>[1],
	lookAt: LookAt,
): PasteDeps {
	const { config, stateDir } = place;
	const deferral = {
		doors,
		stateDir,
		alertCount: config.MONITOR_PASTE_DEFERRAL_ALERT_COUNT,
		alertSeconds: config.MONITOR_PASTE_DEFERRAL_ALERT_SECONDS,
		alert: (text: string) => raise(doors, stateDir, text),
	};
	return {
		doors,
		stateDir,
		lookAt,
		timings: timingsOf(config),
		orchestratorWindow: place.target,
		noteDeferral: (window) => noteDeferral(deferral, window),
		resetDeferral: (window) => resetDeferral(deferral, window),
	};
}
