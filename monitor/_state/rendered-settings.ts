/**
 * `settings/<role>-settings.json`: the hooks that a launched Claude Code runs (contract 08 §1). A template of the
 * checkout, rendered with absolute paths at each start, so that an update of the template reaches the next agent.
 * Running agents read it, too. Its commands run the hooks' bundles (hook-bundles.ts), or the hooks themselves.
 */
import { dirname, join } from "node:path";
import type { Files, Proc, WriteResult } from "../_sys/doors.ts";
import { TEXTS } from "../_sys/names.ts";
import type { Home } from "./home.ts";
import {
	hookBundle,
	hookBundlesDir,
	refreshHookBundles,
} from "./hook-bundles.ts";

export type SettingsRole = "worker" | "orchestrator";

export function renderedSettingsPath(
	stateDir: string,
	role: SettingsRole,
): string {
	return join(stateDir, "settings", `${role}-settings.json`);
}

function settingsTemplatePath(codeRoot: string, role: SettingsRole): string {
	return join(codeRoot, TEXTS[`${role}Settings`]);
}

/**
 * Puts the paths of bun and of the checkout in the place of `@BUN@` and `@ROOT@`. The marks stand inside double quotes of
 * a shell command inside a JSON string: a path is escaped for both. `bundles`: the folder whose bundles are run in the
 * place of the checkout's hooks.
 */
export function renderSettings(
	template: string,
	bun: string,
	root: string,
	bundles: string | null = null,
): string {
	const run = (marked: string, entry: string): string => {
		const bundle = bundles === null ? null : hookBundle(bundles, entry);
		return bundle === null ? marked : quoted(bundle);
	};
	return template
		.replace(PROGRAM, run)
		.replaceAll("@BUN@", () => quoted(bun))
		.replaceAll("@ROOT@", () => quoted(root));
}

/**
 * The template, or a program that it runs, that is not there; null: nothing is missing. It must fail the start of an
 * agent, not every tool call of it.
 */
export function missingForSettings(
	files: Pick<Files, "read" | "stat">,
	codeRoot: string,
	role: SettingsRole,
): string | null {
	const path = settingsTemplatePath(codeRoot, role);
	const template = files.read(path);
	return template.kind === "ok"
		? missingHook(files, codeRoot, template.text)
		: path;
}

export type SettingsWrite = WriteResult & {
	/** Hooks run as they stand in the checkout, which is slower. */
	readonly slowHooks?: string;
};

/** Leaves a file with this very text alone. Code `ENOENT`: there is no template, or not all that it runs. */
export async function writeRenderedSettings(
	doors: {
		readonly files: Files;
		readonly proc: Pick<Proc, "exec" | "execPath" | "pid">;
	},
	{ codeRoot, stateDir }: Pick<Home, "codeRoot" | "stateDir">,
	role: SettingsRole,
): Promise<SettingsWrite> {
	const { files, proc } = doors;
	const source = settingsTemplatePath(codeRoot, role);
	const template = files.read(source);
	if (template.kind !== "ok")
		return {
			kind: "failed",
			code: "ENOENT",
			reason: `${source}: ${template.kind}`,
		};
	const missing = missingHook(files, codeRoot, template.text);
	if (missing !== null)
		return { kind: "failed", code: "ENOENT", reason: `${missing}: absent` };
	const bundles = await refreshHookBundles(doors, { codeRoot, stateDir });
	const text = renderSettings(
		template.text,
		proc.execPath,
		codeRoot,
		bundles.kind === "ok" ? hookBundlesDir(stateDir) : null,
	);
	const path = renderedSettingsPath(stateDir, role);
	const slow =
		bundles.kind === "ok"
			? {}
			: { slowHooks: `hooks run unbundled: ${bundles.reason}` };
	const read = files.read(path);
	if (read.kind === "ok" && read.text === text) return { kind: "ok", ...slow };
	files.mkdir(dirname(path));
	return { ...files.writeAtomic(path, text), ...slow };
}

/** As a template names one; the group is its path below the checkout. */
const PROGRAM = /@ROOT@\/([\w/-]+\.ts)/g;

function missingHook(
	files: Pick<Files, "stat">,
	codeRoot: string,
	template: string,
): string | null {
	const paths = [...template.matchAll(PROGRAM)].map(([, entry = ""]) =>
		join(codeRoot, entry),
	);
	return paths.find((path) => files.stat(path).kind === "absent") ?? null;
}

function quoted(path: string): string {
	const inShell = path.replace(/["$`\\]/g, "\\$&");
	return JSON.stringify(inShell).slice(1, -1);
}
