/** The settings that every worker is started with (contract 08 §1): rendered anew at each start, so that an update of the template reaches the next worker. */
import { join } from "node:path";
import type { Home } from "../_state/home.ts";
import { writeRenderedSettings } from "../_state/rendered-settings.ts";
import type { Files, Proc, WriteResult } from "../_sys/doors.ts";
import { TEXTS } from "../_sys/names.ts";
import { renderSettings } from "./settings.ts";

export function templatePath(codeRoot: string): string {
	return join(codeRoot, TEXTS.workerSettings);
}

export function writeWorkerSettings(
	files: Files,
	proc: Pick<Proc, "execPath">,
	{ codeRoot, stateDir }: Home,
): WriteResult {
	const template = files.read(templatePath(codeRoot));
	if (template.kind !== "ok")
		return {
			kind: "failed",
			code: "ENOENT",
			reason: `${templatePath(codeRoot)}: ${template.kind}`,
		};
	const text = renderSettings(template.text, proc.execPath, codeRoot);
	return writeRenderedSettings(files, stateDir, "worker", text);
}
