/** What must stand before a wrap-up touches anything: identity, repositories, a report that is complete (contract 05 §8.1, §8.2 step 0). */
import { basename } from "node:path";
import { checkReport } from "../../_state/report.ts";
import { readBody } from "../../_sys/body.ts";
import { maxAssetBytes } from "../asset-size.ts";
import { type NgHub, openHub } from "../hub.ts";
import { readLocalFile } from "../local-file.ts";
import { targetRepo } from "../target.ts";
import type { NgContext } from "../verb.ts";
import type { WrapUpArguments } from "./arguments.ts";
import type { Matter } from "./history.ts";

export interface Prepared {
	readonly hub: NgHub;
	readonly matter: Matter;
	readonly triggerRepo: string;
	readonly bytes: Uint8Array;
	readonly text: string;
	/** With `--comment-body-file`. */
	readonly supplied: string | null;
}

/** Null: refused, and said why. */
export async function prepare(
	asked: WrapUpArguments,
	ctx: NgContext,
): Promise<Prepared | null> {
	const { doors, err, errPlain } = ctx;
	const supplied =
		asked.bodyFile === null ? null : await readSupplied(asked.bodyFile, ctx);
	if (supplied === "refused") return null;
	const hub = await openHub(ctx);
	if (hub === null) return null;
	const { config, home } = hub.settings;
	const max = maxAssetBytes(doors.proc.env);
	const file = readLocalFile(doors, asked.report, home.root, max);
	if (file.kind !== "ok") {
		err(
			file.kind === "absent"
				? `wrap-up: report not found: ${asked.report}`
				: `wrap-up: report ${asked.report}: ${file.why}`,
		);
		return null;
	}
	const repo = await targetRepo("write", asked.repo, hub, ctx);
	if (repo === null) return null;
	const triggerRepo =
		asked.triggerRepo === undefined
			? repo
			: await targetRepo("write", asked.triggerRepo, hub, ctx);
	if (triggerRepo === null) return null;
	const text = new TextDecoder().decode(file.bytes);
	const { problems } = checkReport(text, {
		minBytes: config["monitor.report_min_chars"],
		allowPlaceholders: asked.allowStub,
	});
	if (problems.length > 0) {
		err(
			"wrap-up: report-check failed: complete the report (--allow-stub lets placeholders pass)",
		);
		for (const item of problems) errPlain(`  - ${item}`);
		return null;
	}
	const matter = { issue: asked.issue, report: basename(file.path), repo };
	return { hub, matter, triggerRepo, bytes: file.bytes, text, supplied };
}

async function readSupplied(
	path: string,
	{ doors, stdin, err }: NgContext,
): Promise<string | "refused"> {
	if (doors.files.stat(path).kind === "absent") {
		err(`wrap-up: --comment-body-file not found: ${path}`);
		return "refused";
	}
	const body = await readBody({ files: doors.files, stdin }, path);
	if (body.kind === "ok") return body.text;
	err(`wrap-up: ${body.message}`);
	return "refused";
}
