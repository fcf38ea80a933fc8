/** `ng dashboard validate [--body-file p|-]`: strict (contract 05 §10.4). Without the flag it is about the live dashboard, never about standard input, which agents have empty. */
import { readArguments } from "../arguments.ts";
import { readText } from "../post-body.ts";
import type { NgContext, NgVerb } from "../verb.ts";
import { checkHeadings } from "./headings.ts";
import { fetchDashboard, findOverview } from "./live.ts";
import { findMarkers, hasMarker, middleOf } from "./region.ts";
import { DASH_MAX_BYTES, SECTIONS } from "./sections.ts";
import { oversize, REMEDY, wholeBytes } from "./size.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(args, { flags: { "--body-file": "value" } }, ctx);
	if (cli.kind === "ended") return cli.rc;
	const file = cli.value("--body-file");
	const text =
		file === undefined ? await liveText(ctx) : await given(file, ctx);
	if (text === null) return 1;
	const { region, whole } = text;
	const { missing, duplicate, notes } = checkHeadings(region, whole ?? region);
	const large = oversize(region);
	err(`size: ${wholeBytes(region)} bytes (budget ${DASH_MAX_BYTES})`);
	for (const note of notes) err(`NOTE: ${note}`);
	for (const heading of missing) err(`missing section: ${heading}`);
	if (missing.length > 0 && whole === null)
		err("NOTE: only the region was seen, not the issue's text around it");
	for (const heading of duplicate) err(`duplicate section: ${heading}`);
	for (const finding of large) err(finding);
	if (large.length > 0) for (const line of REMEDY) err(`  ${line}`);
	if (missing.length + duplicate.length + large.length > 0) return 1;
	const good = `all ${SECTIONS.length} required sections present, each exactly once`;
	out(
		notes.length === 0
			? `dashboard: OK: ${good}`
			: `dashboard: passes WITH NOTES (${notes.length}, on stderr): ${good}`,
	);
	return 0;
};

interface Text {
	readonly region: string;
	/** Null: unknown. */
	readonly whole: string | null;
}

async function liveText(ctx: NgContext): Promise<Text | null> {
	const overview = await findOverview(ctx);
	if (overview === null) return null;
	const live = await fetchDashboard(overview, ctx);
	return live === null ? null : { region: live.middle, whole: live.body };
}

/** A text with a marker in it is a whole one. */
async function given(file: string, ctx: NgContext): Promise<Text | null> {
	const body = await readText(file, ctx);
	if (body === null) return null;
	if (!hasMarker(body.text)) return { region: `${body.text}\n`, whole: null };
	const markers = findMarkers(body.text);
	if (markers.kind === "ok")
		return { region: middleOf(body.text, markers), whole: body.text };
	ctx.err(markers.message);
	return null;
}
