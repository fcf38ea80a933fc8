/** `settings/<role>-settings.json`: the hooks that a launched Claude Code runs, with absolute paths (contract 08 §1). Running agents read it, too. */
import { dirname, join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export type SettingsRole = "worker" | "orchestrator";

export function renderedSettingsPath(
	stateDir: string,
	role: SettingsRole,
): string {
	return join(stateDir, "settings", `${role}-settings.json`);
}

/** Leaves a file with this very text alone. */
export function writeRenderedSettings(
	files: Files,
	stateDir: string,
	role: SettingsRole,
	text: string,
): WriteResult {
	const path = renderedSettingsPath(stateDir, role);
	const read = files.read(path);
	if (read.kind === "ok" && read.text === text) return { kind: "ok" };
	files.mkdir(dirname(path));
	return files.writeAtomic(path, text);
}
