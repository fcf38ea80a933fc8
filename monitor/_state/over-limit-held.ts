/**
 * `over-limit-held.log`: the reports that were held back while the orchestrator was over its limit (contract 04 §9.5). Two
 * `#` lines at the start of a hold, then `<iso>\theld\tarchive=<file>\treason=<r>`.
 */
import { join } from "node:path";
import type { Clock, Files, WriteResult } from "../_sys/doors.ts";
import { column } from "./rows-file.ts";

type HeldDoors = { readonly files: Files; readonly clock: Clock };

export interface HeldEmit {
	readonly iso: string;
	readonly archive: string;
	readonly reason: string;
}

export function overLimitHeldPath(stateDir: string): string {
	return join(stateDir, "over-limit-held.log");
}

/** A new hold forgets the last one. */
export function startHeldLog(
	{ files, clock }: HeldDoors,
	stateDir: string,
): WriteResult {
	const head = [
		`# reports held since ${clock.iso()}: the orchestrator is over its usage limit`,
		`# epoch ${clock.now()}`,
	];
	return files.writeAtomic(
		overLimitHeldPath(stateDir),
		`${head.join("\n")}\n`,
		{ mode: 0o640 },
	);
}

/** `archive` is the report's file in `diffs/`, from which it is told later. */
export function appendHeld(
	{ files, clock }: HeldDoors,
	stateDir: string,
	{ archive, reason }: Omit<HeldEmit, "iso">,
): WriteResult {
	const line = [
		clock.iso(),
		"held",
		`archive=${archive}`,
		`reason=${reason}`,
	].map(column);
	return files.append(overLimitHeldPath(stateDir), `${line.join("\t")}\n`, {
		mode: 0o640,
	});
}

/** What was held, oldest first. */
export function readHeld(files: Files, stateDir: string): readonly HeldEmit[] {
	const read = files.read(overLimitHeldPath(stateDir));
	return read.kind === "ok" ? parseHeld(read.text) : [];
}

/** In file order; lines that are no held report, and the `#` ones, are skipped. */
export function parseHeld(text: string): readonly HeldEmit[] {
	return text.split("\n").flatMap((line) => {
		const [iso = "", word, archive = "", reason = ""] = line.split("\t");
		if (word !== "held" || !archive.startsWith("archive=")) return [];
		return [
			{
				iso,
				archive: archive.slice("archive=".length),
				reason: reason.replace(/^reason=/, ""),
			},
		];
	});
}
