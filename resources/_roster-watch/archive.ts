/** Puts a pass into the archive (contract 09 §12.3). Trouble is told and written down; it never fails the pass. */
import { docJson } from "../../monitor/_fleet/jev/state.ts";
import { reportArchiveTrouble } from "../../monitor/_state/fleet/archive-health.ts";
import {
	type Archive,
	type ArchiveError,
	archiveAgentCapture,
	archiveSource,
	writeRawTick,
} from "../../monitor/_state/fleet/capture-archive.ts";
import type { ManifestRow } from "../../monitor/_state/fleet/jev-decisions.ts";
import { archiveDir } from "../../monitor/_state/fleet/watch-captures.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { type Picture, REQUESTED_LINES } from "./capture.ts";
import type { CaptureFile, Section } from "./file.ts";

export interface Pass {
	readonly captureId: string;
	/** UTC, with microseconds. */
	readonly at: string;
	readonly outDir: string;
	/** The capture file. */
	readonly file: string;
}
export interface Archived {
	/** `source`, `raw-tick:<agent>`, `agent:<agent>`; empty: all is archived. */
	readonly trouble: readonly string[];
	/** One row a member, for the classifier. */
	readonly manifest: readonly ManifestRow[];
}

/** The manifest has a row a member, also where something could not be kept. */
export function archivePass(
	{ files, random }: Pick<Doors, "files" | "random">,
	pass: Pass,
	capture: CaptureFile,
): Archived {
	const dir = archiveDir(pass.outDir);
	const archive: Archive = { files, dir, unique: random.hex(12) };
	const trouble: string[] = [];
	const note = (component: string, agent: string, error: ArchiveError) => {
		trouble.push(agent === "" ? component : `${component}:${agent}`);
		const { captureId, at, outDir } = pass;
		const stamp = captureId;
		const what = { component, agent, captureId, at, stamp, error };
		reportArchiveTrouble(files, outDir, what);
	};
	const source = {
		path: pass.file,
		bytes: new TextEncoder().encode(capture.text),
	};
	const whole = archiveSource(archive, { ...source, ...pass });
	if (whole.kind === "failed") note("source", "", whole.error);
	const manifest = capture.sections.map((section, index): ManifestRow => {
		const { picture } = section;
		const kept = keepMember(archive, pass, source, section, index);
		for (const [component, error] of kept.errors)
			note(component, picture.agent, error);
		return {
			agent: picture.agent,
			rawFile: kept.rawFile,
			sourceFile: pass.file,
			captureId: pass.captureId,
			at: pass.at,
			captureRc: captureRc(picture),
			captureRoute: picture.route,
			documentFile: kept.documentFile,
		};
	});
	return { trouble, manifest };
}

interface Kept {
	/** "": it could not be written, and the classifier is not asked. */
	readonly rawFile: string;
	readonly documentFile: string | null;
	readonly errors: readonly (readonly [string, ArchiveError])[];
}

function keepMember(
	archive: Archive,
	{ captureId, at }: Pass,
	source: { readonly path: string; readonly bytes: Uint8Array },
	{ picture, lineStart, lineEnd }: Section,
	index: number,
): Kept {
	const { agent, raw, document, member } = picture;
	const errors: [string, ArchiveError][] = [];
	const tick = (suffix: string, text: string) => {
		const done = writeRawTick(archive, {
			captureId,
			index,
			agent,
			suffix,
			text,
		});
		if (done.kind !== "failed") return done.path;
		errors.push(["raw-tick", done.error]);
		return null;
	};
	const rawFile = tick(".txt", raw) ?? "";
	const documentFile =
		document === null
			? null
			: tick(
					".json",
					`${JSON.stringify(docJson(document, REQUESTED_LINES))}\n`,
				);
	const rc = captureRc(picture);
	const done = archiveAgentCapture(archive, {
		agent,
		captureId,
		at,
		source,
		route: picture.route,
		raw: new TextEncoder().encode(raw),
		runtime: picture.runtime,
		box: member?.hostname ?? null,
		requestedLines: REQUESTED_LINES,
		geometry: null,
		captureRc: rc,
		finalRc: rc,
		primaryRc: picture.primaryRc,
		sshRc: picture.sshRc,
		section: { index, lineStart, lineEnd },
	});
	if (done.kind === "failed") errors.push(["agent", done.error]);
	return { rawFile, documentFile, errors };
}

/** Whether anything was seen, by whichever way. */
function captureRc({ kind, primaryRc }: Picture): number {
	return kind === "seen" ? 0 : primaryRc || 1;
}
