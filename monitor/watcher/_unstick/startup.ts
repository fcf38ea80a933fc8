/** Case S, a start-up dialog: its one option that is ours to choose, or a pending decision (contract 04 §8.10). */
import {
	type Chosen,
	CURSOR_STANDS,
	chooseOption,
} from "../../_delivery/choose-option.ts";
import { KEY_LEDGER } from "../../_delivery/sequences.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import { dialogFingerprint } from "../../_pane/fingerprint.ts";
import { type StartContext, wantedOption } from "../../_pane/start-dialog.ts";
import type { StartDialogKind } from "../../_pane/unstick-case.ts";
import { surfaceDecision } from "../../_state/decision-surface.ts";
import { keepAudit, readEpisode, writeEpisode } from "../../_state/unstick.ts";
import { readProvenance } from "../../_state/window-provenance.ts";
import { stampKeys } from "./ledger.ts";
import {
	LOCK_MS,
	note,
	noteOnce,
	type SeenPane,
	type UnstickPass,
} from "./pass.ts";

const MAX_ENTERS = 2;

/** After a few tries that change nothing it is handed on. A try that cannot be counted is not made. */
export async function onStartDialog(
	pass: UnstickPass,
	pane: SeenPane,
	overlay: StartDialogKind,
): Promise<void> {
	const { run, hands, ctx } = pass;
	const { files } = run.doors;
	const { window } = pane;
	const fp = dialogFingerprint(pane.screen);
	const place = { stateDir: ctx.stateDir, window, dialog: "startup" } as const;
	const known = readEpisode(files, place);
	const isNew = known.fingerprint !== fp;
	const tries = isNew ? 0 : known.tries;
	const isCounted = writeEpisode(files, place, { fingerprint: fp, tries });
	const isWanted = wantedOption(overlay, pane.screen, contextOf(pass, pane));
	if (isWanted === null) return relay(pass, pane, overlay, fp, "not-ours");
	if (tries >= MAX_ENTERS) return relay(pass, pane, overlay, fp, "stays");
	if (!isCounted) return;
	keepAudit(files, place, fp, `${pane.rows.join("\n")}\n`);
	const { signal } = run;
	const work = await underPasteLock(hands, window, LOCK_MS, signal, (row) =>
		chooseOption(
			hands,
			row,
			{ overlay, fingerprint: fp, isWanted },
			{
				maxSteps: ctx.config.MAX_DISMISS_ATTEMPTS,
				before: () => stampKeys(pass, pane, KEY_LEDGER.S10),
				signal,
			},
		),
	);
	const chosen: Chosen =
		work.kind === "done" ? work.value : { kind: "refused", why: work.kind };
	if (chosen.kind !== "refused") {
		writeEpisode(files, place, { fingerprint: fp, tries: tries + 1 });
		return note(pass, line(pane, chosen.kind, { fp, overlay }));
	}
	noteOnce(pass, line(pane, "no-key", { fp, reason: chosen.why }), fp);
	if (chosen.why === CURSOR_STANDS)
		writeEpisode(files, place, { fingerprint: fp, tries: MAX_ENTERS });
	// A frame that is half painted is whole the next time.
	if (chosen.why === "incomplete" && !isNew)
		relay(pass, pane, overlay, fp, "incomplete");
}

function contextOf(
	{ run, ctx }: UnstickPass,
	{ window, claudePid }: SeenPane,
): StartContext {
	const { files, proc } = run.doors;
	const provenance = readProvenance(files, ctx.stateDir, window);
	const environ = claudePid === null ? null : proc.environ(claudePid);
	const isOrchestrator =
		environ?.kind === "ok" && environ.value.NEXUS_IS_ORCHESTRATOR === "1";
	const dirs = [ctx.root, provenance?.workdir ?? ""].filter((d) => d !== "");
	return {
		ownDirs: dirs.flatMap((dir) => [dir, files.realpath(dir) ?? dir]),
		isOurLaunch: provenance !== null || isOrchestrator,
		home: proc.env.HOME ?? "",
	};
}

function relay(
	pass: UnstickPass,
	pane: SeenPane,
	overlay: StartDialogKind,
	fp: string,
	reason: "not-ours" | "stays" | "incomplete",
): void {
	const { window, screen, rows } = pane;
	const verdict = reason === "incomplete" ? "not-shown" : "unlisted";
	const surfaced = surfaceDecision(pass.run.doors, pass.ctx.stateDir, {
		window,
		fingerprint: fp,
		kind: "startup_dialog",
		promptExcerpt: [WHY[reason], ...options(screen)].join("\n"),
		toolContext: rows.join("\n"),
		source: "watcher-unstick-case-S",
		verdict,
	});
	if (surfaced === "written")
		note(pass, line(pane, "refused", { verdict, fp, overlay, reason }));
}

const HEAD = "The watcher did not answer this start-up dialog:";
const WHY = {
	"not-ours": `${HEAD} none of its options is the watcher's to choose here.`,
	stays: `${HEAD} it stays, although its option was chosen.`,
	incomplete: `${HEAD} its options are not wholly in sight.`,
} as const;

/** Its last rows, with cursor and keys. */
function options(screen: readonly string[]): readonly string[] {
	return screen
		.map((row) => row.trim())
		.filter((row) => row !== "")
		.slice(-6);
}

function line(
	{ window }: SeenPane,
	action: string,
	fields: Readonly<Record<string, string>>,
) {
	return { window, case: "S", action, fields };
}
