/** Bodies of the sections that are told once: a failed install, a revived watcher, reports that were moved (contract 01 §12, §16.4, §21). Pure. */
import { join } from "node:path";
import type { OneShotMarker } from "../_state/one-shot-marker.ts";
import { parseWatcherRevived } from "../_state/watcher-revived.ts";
import { programName } from "../_sys/names.ts";
import { cleanLines, oneLine } from "./clean-text.ts";
import { asText } from "./sections.ts";

const MAX_LINES = 60;

/** `root` is where the programs are. Empty without a flag. */
export function installFailureBody(
	flags: readonly OneShotMarker[],
	root: string,
): string {
	if (flags.length === 0) return "";
	return lines([
		"The project-local install of Claude Code failed; the system binary is used instead.",
		...flags.flatMap((flag) => [`[${oneLine(flag.name)}]`, ...quoted(flag)]),
		`Retry: ${join(root, programName("installClaude"))}`,
		"Sessions that run already stay on the binary they started with.",
	]);
}

/** Empty without a marker. A marker that cannot be read is told all the same. */
export function revivedBody(marker: OneShotMarker | null): string {
	if (marker === null) return "";
	const r = parseWatcherRevived(marker.text ?? "");
	const by = oneLine(r?.restartedBy ?? "unknown", 64);
	const at = oneLine(r?.detectedAt || "unknown", 64);
	const downtime = r?.downtimeEstimateSeconds ?? "?";
	return lines([
		`The watcher was down and was restarted by ${by}.`,
		`Detected at ${at}; estimated downtime ${downtime}s; reason: ${oneLine(r?.reason || "unknown")}`,
		"Meanwhile nothing was pasted, the liveness and service tasks did not run, and comments were not served.",
		"Sweep now: unanswered comments, idle or blocked workers, services that went down, requests and decisions.",
		`Its log: ${programName("svc")} logs watcher`,
	]);
}

/** Empty without a notice, which leaves the section out. Its lines are quoted: file names are foreign text. */
export function reportsRollBody(marker: OneShotMarker | null): string {
	if (marker === null) return "";
	if (marker.text === null) return lines(["(the notice could not be read)"]);
	return lines(limited(marker.text).map(asText));
}

/** Indented: no line of a foreign text can start a section. */
function quoted(marker: OneShotMarker): readonly string[] {
	return marker.text === null
		? ["  (could not be read)"]
		: limited(marker.text).map((line) => `  ${line}`);
}

function limited(text: string): readonly string[] {
	const all = cleanLines(text)
		.split("\n")
		.map((line) => oneLine(line))
		.filter((line) => line !== "");
	const rest = all.length - MAX_LINES;
	return rest > 0
		? [...all.slice(0, MAX_LINES), `(${rest} more lines in the file)`]
		: all;
}

function lines(all: readonly string[]): string {
	return all.map((line) => `${line}\n`).join("");
}
