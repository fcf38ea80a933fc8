/** What must stand before a wrap-up touches anything: identity, repositories, a report that is complete (contract 05 §8.1, §8.2 step 0). */
import { basename } from "node:path";
import { checkReport } from "../../_state/report.ts";
import { maxAssetBytes } from "../asset-size.ts";
import { type NgHub, openHub } from "../hub.ts";
import { readLocalFile } from "../local-file.ts";
import { isSecret, readText } from "../post-body.ts";
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
	const { bodyFile } = asked;
	const supplied = bodyFile === null ? null : await readSupplied(bodyFile, ctx);
	if (bodyFile !== null && supplied === null) return null;
	const hub = await openHub(ctx);
	if (hub === null) return null;
	if (supplied !== null && isSecret(supplied, hub.settings, ctx)) return null;
	const { config } = hub.settings;
	const max = maxAssetBytes(doors.proc.env);
	const file = readLocalFile(doors, asked.report, hub.settings, max);
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
	return {
		hub,
		matter,
		triggerRepo,
		text,
		bytes: file.bytes,
		supplied: supplied?.text ?? null,
	};
}

type Supplied = NonNullable<Awaited<ReturnType<typeof readText>>>;

async function readSupplied(
	path: string,
	ctx: NgContext,
): Promise<Supplied | null> {
	if (ctx.doors.files.stat(path).kind === "absent") {
		ctx.err(`wrap-up: --comment-body-file not found: ${path}`);
		return null;
	}
	return readText(path, ctx);
}
