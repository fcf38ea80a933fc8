/**
 * `.claude.json`, Claude Code's own file (contract 08 §8.5): which folders it trusts, which first-start dialogs it has
 * shown. It belongs to Claude Code: we add to it what keeps a dialog away, under its own lock, and leave the rest as it is.
 */
import { join } from "node:path";
import type { Clock, Files } from "../_sys/doors.ts";
import { underClaudeLock } from "./claude-config-lock.ts";
import {
	isObject,
	type JsonObject,
	numberAt,
	parseObject,
} from "./json-object.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Doors = {
	readonly files: Files;
	readonly clock: Pick<Clock, "nowMs" | "sleep">;
};

/** Null without a home. With the default home the file lies beside the folder `.claude`, not in it. */
export function claudeConfigPath(env: Env): string | null {
	const home = env.NEXUS_CC_HOME || env.CLAUDE_CONFIG_DIR || env.HOME;
	return home ? join(home, ".claude.json") : null;
}

export type TrustResult =
	| { readonly kind: "ok" }
	/** Nothing was changed. */
	| { readonly kind: "failed"; readonly reason: string };

/** Trusts the folders, and marks the first start as done where nobody has said anything of it. Creates the file. */
export async function trustFolders(
	doors: Doors,
	env: Env,
	folders: readonly string[],
): Promise<TrustResult> {
	const named = claudeConfigPath(env);
	if (named === null) return failed("no home folder is known");
	// A link stays a link.
	const path = doors.files.realpath(named) ?? named;
	doors.files.mkdir(join(path, ".."));
	return underClaudeLock(doors, path, () =>
		addTrust(doors.files, path, folders),
	);
}

/** Could not look counts as yes: nobody then takes back what may have stood there. */
export function isFolderTrusted(
	files: Pick<Files, "read">,
	env: Env,
	folder: string,
): boolean {
	const path = claudeConfigPath(env);
	const read = path === null ? null : files.read(path);
	if (read?.kind === "absent") return false;
	const config = read?.kind === "ok" ? parseObject(read.text) : null;
	if (config === null) return true;
	return isObject(config.projects) && isTrusted(config.projects[folder]);
}

/** Takes out all that is said of a folder; for one that is gone. */
export async function forgetFolder(
	doors: Doors,
	env: Env,
	folder: string,
): Promise<TrustResult> {
	const named = claudeConfigPath(env);
	if (named === null) return failed("no home folder is known");
	const { files } = doors;
	const path = files.realpath(named) ?? named;
	if (files.lstat(path).kind === "absent") return { kind: "ok" };
	return underClaudeLock(doors, path, () => {
		const read = files.read(path);
		const config = read.kind === "ok" ? parseObject(read.text) : null;
		if (config === null)
			return failed(`${path} is not the JSON that is expected there`);
		if (!isObject(config.projects) || !(folder in config.projects))
			return { kind: "ok" };
		const { [folder]: _, ...projects } = config.projects;
		const text = `${JSON.stringify({ ...config, projects }, null, 2)}\n`;
		const mode = modeOf(files, path);
		const written = files.writeAtomic(path, text, { mode, fsync: true });
		return written.kind === "ok" ? written : failed(written.reason);
	});
}

/** The file's new text; null when it needs none or is not Claude Code's. Pure. */
export function withTrust(
	text: string,
	folders: readonly string[],
): TrustedText {
	const config = text.trim() === "" ? {} : parseObject(text);
	if (config === null) return { kind: "foreign" };
	const projects = config.projects ?? {};
	if (!isObject(projects)) return { kind: "foreign" };
	const missing = [
		...Object.entries(FIRST_START).filter(([key]) => !(key in config)),
		...Object.entries(OFTEN_ENOUGH).filter(
			([key, times]) => (numberAt(config, key) ?? 0) < times,
		),
	];
	const untrusted = folders.filter((dir) => !isTrusted(projects[dir]));
	if (missing.length === 0 && untrusted.length === 0)
		return { kind: "unchanged" };
	const trusted = untrusted.map((dir) => [dir, trustIn(projects[dir])]);
	const changed = {
		...config,
		...Object.fromEntries(missing),
		projects: { ...projects, ...Object.fromEntries(trusted) },
	};
	return { kind: "changed", text: `${JSON.stringify(changed, null, 2)}\n` };
}

type TrustedText =
	| { readonly kind: "changed"; readonly text: string }
	| { readonly kind: "unchanged" }
	/** Torn, or of a shape that we do not know: left alone. */
	| { readonly kind: "foreign" };

const FIRST_START: JsonObject = {
	hasCompletedOnboarding: true,
	bypassPermissionsModeAccepted: true,
	theme: "dark",
};

/** Offers that stand in the way of a prompt until Claude Code has made them so many times; it stops after three. */
const OFTEN_ENOUGH: Readonly<Record<string, number>> = {
	fullscreenUpsellSeenCount: 100,
};

function addTrust(
	files: Files,
	path: string,
	folders: readonly string[],
): TrustResult {
	const read = files.read(path);
	if (read.kind === "unreadable") return failed(read.reason);
	const made = withTrust(read.kind === "ok" ? read.text : "", folders);
	switch (made.kind) {
		case "unchanged":
			return { kind: "ok" };
		case "foreign":
			return failed(`${path} is not the JSON that is expected there`);
		case "changed": {
			const mode = modeOf(files, path);
			const written = files.writeAtomic(path, made.text, { mode, fsync: true });
			return written.kind === "ok" ? written : failed(written.reason);
		}
	}
}

function isTrusted(project: unknown): boolean {
	return isObject(project) && project.hasTrustDialogAccepted === true;
}

function trustIn(project: unknown): JsonObject {
	const known = isObject(project) ? project : { allowedTools: [] };
	return { ...known, hasTrustDialogAccepted: true };
}

/** It may hold credentials. */
function modeOf(files: Files, path: string): number {
	const found = files.stat(path);
	return found.kind === "ok" ? found.stat.mode & 0o777 : 0o600;
}

function failed(reason: string): TrustResult {
	return { kind: "failed", reason };
}
