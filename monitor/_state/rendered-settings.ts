/**
 * `settings/<role>-settings.json`: the hooks that a launched Claude Code runs (contract 08 §1). A template of the
 * checkout, rendered with absolute paths at each start, so that an update of the template reaches the next agent.
 * Running agents read it, too.
 */
import { dirname, join } from "node:path";
import type { Files, Proc, WriteResult } from "../_sys/doors.ts";
import { TEXTS } from "../_sys/names.ts";
import type { Home } from "./home.ts";

export type SettingsRole = "worker" | "orchestrator";

export function renderedSettingsPath(
	stateDir: string,
	role: SettingsRole,
): string {
	return join(stateDir, "settings", `${role}-settings.json`);
}

export function settingsTemplatePath(
	codeRoot: string,
	role: SettingsRole,
): string {
	return join(codeRoot, TEXTS[`${role}Settings`]);
}

/**
 * Puts the paths of bun and of the checkout in the place of `@BUN@` and `@ROOT@`. The marks stand inside double quotes of
 * a shell command inside a JSON string: a path is escaped for both.
 */
export function renderSettings(
	template: string,
	bun: string,
	root: string,
): string {
	return template
		.replaceAll("@BUN@", () => quoted(bun))
		.replaceAll("@ROOT@", () => quoted(root));
}

/** Leaves a file with this very text alone. Code `ENOENT`: there is no template. */
export function writeRenderedSettings(
	files: Files,
	proc: Pick<Proc, "execPath">,
	{ codeRoot, stateDir }: Pick<Home, "codeRoot" | "stateDir">,
	role: SettingsRole,
): WriteResult {
	const source = settingsTemplatePath(codeRoot, role);
	const template = files.read(source);
	if (template.kind !== "ok")
		return {
			kind: "failed",
			code: "ENOENT",
			reason: `${source}: ${template.kind}`,
		};
	const text = renderSettings(template.text, proc.execPath, codeRoot);
	const path = renderedSettingsPath(stateDir, role);
	const read = files.read(path);
	if (read.kind === "ok" && read.text === text) return { kind: "ok" };
	files.mkdir(dirname(path));
	return files.writeAtomic(path, text);
}

function quoted(path: string): string {
	const inShell = path.replace(/["$`\\]/g, "\\$&");
	return JSON.stringify(inShell).slice(1, -1);
}
