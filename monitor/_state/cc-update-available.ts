/** `cc-update-available`: a newer Claude Code that nobody has judged yet, and when a version is newer (contract 06 §12). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { isCcVersion } from "./cc-version-local.ts";
import type { StateRead } from "./damaged.ts";
import { parseKv, renderKv } from "./kv.ts";
import { peekState } from "./peek.ts";

export interface CcUpdate {
	readonly candidate: string;
	/** The version in force when it was found. */
	readonly installed: string;
	readonly package: string;
	/** ISO. */
	readonly detected: string;
	/** Guide for whoever judges it. */
	readonly skill: string;
}

export interface UpdateFacts {
	/** What the registry calls latest; null: it could not be asked, or answered nonsense. */
	readonly latest: string | null;
	/** Null: neither pin nor floor. */
	readonly effective: string | null;
}
export type UpdateVerdict =
	| {
			readonly kind: "available";
			readonly candidate: string;
			readonly installed: string;
	  }
	| { readonly kind: "current"; readonly installed: string }
	| { readonly kind: "unreachable" }
	| { readonly kind: "unknown" };

/** A prerelease is older than its release. */
export function decideUpdate(f: UpdateFacts): UpdateVerdict {
	if (f.effective === null) return { kind: "unknown" };
	if (f.latest === null || !isCcVersion(f.latest))
		return { kind: "unreachable" };
	return isNewer(f.latest, f.effective)
		? { kind: "available", candidate: f.latest, installed: f.effective }
		: { kind: "current", installed: f.effective };
}

/** By semver: a pre-release is older than its release. Both are versions (`isCcVersion`). */
export function isNewer(a: string, b: string): boolean {
	return Bun.semver.order(a, b) > 0;
}

export function ccUpdateAvailablePath(stateDir: string): string {
	return join(stateDir, "cc-update-available");
}

/** Null without a version to move to. */
export function parseCcUpdate(text: string): CcUpdate | null {
	const kv = parseKv(text);
	const candidate = kv.get("candidate") ?? "";
	if (!isCcVersion(candidate)) return null;
	return {
		candidate,
		installed: kv.get("installed") ?? "",
		package: kv.get("package") ?? "",
		detected: kv.get("detected") ?? "",
		skill: kv.get("skill") ?? "",
	};
}

/** Five `key=value` lines. */
export function renderCcUpdate(u: CcUpdate): string {
	return renderKv([
		["candidate", u.candidate],
		["installed", u.installed],
		["package", u.package],
		["detected", u.detected],
		["skill", u.skill],
	]);
}

/** `damaged` is left where it is: the next check writes it anew. */
export function peekCcUpdate(
	files: Files,
	stateDir: string,
): StateRead<CcUpdate> {
	return peekState(files, ccUpdateAvailablePath(stateDir), parseCcUpdate);
}

/** One that is told already stays untouched: its age says how long it waits. */
export function noteCcUpdate(
	files: Files,
	stateDir: string,
	update: CcUpdate,
): WriteResult {
	const known = peekCcUpdate(files, stateDir);
	if (known.kind === "ok" && known.value.candidate === update.candidate)
		return { kind: "ok" };
	return files.writeAtomic(
		ccUpdateAvailablePath(stateDir),
		renderCcUpdate(update),
	);
}

/** Once it is installed, or nothing newer is to be had. */
export function removeCcUpdate(files: Files, stateDir: string): WriteResult {
	return files.remove(ccUpdateAvailablePath(stateDir));
}
