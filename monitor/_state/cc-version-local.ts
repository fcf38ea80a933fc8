/**
 * `cc-version-local`: the release of Claude Code that this machine was moved to, and which one is in force
 * (contract 06 §11.1). The floor of package.json is for the first install and lags by design.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { parseObject, textAt } from "./json-object.ts";

export const CC_PACKAGE = "@anthropic-ai/claude-code";

export interface EffectiveVersion {
	readonly version: string;
	readonly source: "local-pin" | "floor";
}

export interface VersionPlace {
	readonly codeRoot: string;
	readonly stateDir: string;
	/** `NEXUS_CC_LOCAL_PIN`; null or empty: the state dir's own file. */
	readonly pinFile: string | null;
}

const MAX_BYTES = 4096;
/** It becomes a word of npm's command line and of folder names. */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

export function ccVersionLocalPath(stateDir: string): string {
	return join(stateDir, "cc-version-local");
}

/** `1.2.3`, perhaps with a pre-release: what may go into a path and npm's command line. */
export function isCcVersion(text: string): boolean {
	return VERSION.test(text);
}

/** The exact version among `dependencies` of a package.json; null when there is none. Never throws. */
export function floorVersion(packageJson: string): string | null {
	const floor = textAt(parseObject(packageJson), "dependencies", CC_PACKAGE);
	return floor !== null && isCcVersion(floor) ? floor : null;
}

/** Null without a pin; a text that is no version is no pin either. */
export function readLocalPin(files: Files, place: VersionPlace): string | null {
	const pin = lookAtPin(files, place);
	return pin.kind === "version" ? pin.version : null;
}

export type PinLook =
	| { readonly kind: "version"; readonly version: string }
	/** No file, or a blank one. */
	| { readonly kind: "none" }
	/** `why` begins with the file's path. */
	| { readonly kind: "no-version" | "unreadable"; readonly why: string };

/** The local pin, with what is wrong with it. */
export function lookAtPin(files: Files, place: VersionPlace): PinLook {
	const path = pinPath(place);
	const read = files.read(path, MAX_BYTES);
	if (read.kind === "absent") return { kind: "none" };
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: `${path}: ${read.reason}` };
	const version = read.text.trim();
	if (version === "") return { kind: "none" };
	return isCcVersion(version)
		? { kind: "version", version }
		: { kind: "no-version", why: `${path} names no version` };
}

/** Flushed to disk: after a power cut the wrong release would start. */
export function writeLocalPin(
	files: Files,
	place: VersionPlace,
	version: string,
): WriteResult {
	return files.writeAtomic(pinPath(place), `${version}\n`, { fsync: true });
}

/** Back to the floor. */
export function removeLocalPin(files: Files, place: VersionPlace): WriteResult {
	return files.remove(pinPath(place));
}

/** The pin if there is one, even one older than the floor; null without either, and where nobody can look for the pin. */
export function effectiveVersion(
	files: Files,
	place: VersionPlace,
): EffectiveVersion | null {
	const pin = lookAtPin(files, place);
	if (pin.kind === "unreadable") return null;
	if (pin.kind === "version")
		return { version: pin.version, source: "local-pin" };
	const manifest = files.read(join(place.codeRoot, "package.json"));
	const floor = manifest.kind === "ok" ? floorVersion(manifest.text) : null;
	return floor === null ? null : { version: floor, source: "floor" };
}

function pinPath({ stateDir, pinFile }: VersionPlace): string {
	return pinFile || ccVersionLocalPath(stateDir);
}
