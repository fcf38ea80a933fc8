/** The section about a newer Claude Code (contract 06 §12): off by default, told once for each candidate. */
import { isNewer, peekCcUpdate } from "../_state/cc-update-available.ts";
import {
	readCcUpdateSurfaced,
	writeCcUpdateSurfaced,
} from "../_state/cc-update-surfaced.ts";
import { effectiveVersion } from "../_state/cc-version-local.ts";
import { programName } from "../_sys/names.ts";
import { oneLine } from "./clean-text.ts";
import type { EmitPlace } from "./place.ts";
import type { SectionProvider } from "./providers.ts";

/** Commits by noting the candidate, so that it is told once. A candidate that was installed meanwhile is not told. */
export function ccUpdateSection(place: EmitPlace): SectionProvider {
	const { config, stateDir } = place;
	return {
		id: "ccUpdate",
		render: ({ doors: { files } }) => {
			const nothing = { text: "", commit: () => {} };
			if (!config["monitor.cc_update.emit_enabled"]) return nothing;
			const found = peekCcUpdate(files, stateDir);
			if (found.kind !== "ok") return nothing;
			const { candidate, skill } = found.value;
			const pinFile = config.NEXUS_CC_LOCAL_PIN;
			const installed = effectiveVersion(files, { ...place, pinFile });
			// Promoted since the last look at the registry: old news.
			if (installed !== null && !isNewer(candidate, installed.version))
				return nothing;
			if (readCcUpdateSurfaced(files, stateDir) === candidate) return nothing;
			return {
				text: ccUpdateBody({
					candidate,
					skill,
					installed: installed?.version ?? "unknown",
					isAutomatic: config["monitor.cc_auto_update.enabled"],
				}),
				commit: () => {
					writeCcUpdateSurfaced(files, stateDir, candidate);
				},
			};
		},
	};
}

export interface CcUpdateText {
	readonly candidate: string;
	readonly installed: string;
	readonly skill: string;
	/** `monitor.cc_auto_update.enabled`. */
	readonly isAutomatic: boolean;
}

/** Pure. Each value is one line, whatever a registry answered. */
export function ccUpdateBody(t: CcUpdateText): string {
	const gate = `${programName("ccApply")} safe --candidate ${t.candidate}`;
	return [
		`Claude Code ${t.candidate} is available; installed: ${oneLine(t.installed)}.`,
		"It is gated: do not bump it.",
		`How it is judged: ${oneLine(t.skill)}`,
		`The gate, which tries it beside the one that runs: ${gate}`,
		...(t.isAutomatic
			? ["The nightly update is on: spawn no evaluator by hand."]
			: []),
	]
		.map((line) => `${line}\n`)
		.join("");
}
