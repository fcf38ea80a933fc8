/** A permission prompt that the watcher must not answer becomes a pending decision (contract 04 §8.3). No key. */
import { promptFingerprint } from "../../_pane/fingerprint.ts";
import type { PermissionPrompt } from "../../_pane/permission.ts";
import type { Refusal } from "../../_pane/unstick-case.ts";
import {
	retireTombstone,
	surfaceDecision,
} from "../../_state/decision-surface.ts";
import {
	keepAudit,
	readSighting,
	unstickFile,
	writeSighting,
} from "../../_state/unstick.ts";
import { GAP_SECONDS, note, type SeenPane, type UnstickPass } from "./pass.ts";

/** Told when it is first seen, and again when it comes back after a pause; the screen is kept as evidence. */
export function refusePrompt(
	pass: UnstickPass,
	pane: SeenPane,
	prompt: PermissionPrompt,
	why: Refusal,
): void {
	const { run, ctx, now } = pass;
	const { files } = run.doors;
	const { window } = pane;
	const fingerprint = promptFingerprint(pane.rows);
	const place = {
		stateDir: ctx.stateDir,
		window,
		dialog: "permission",
	} as const;
	const marker = unstickFile(place, `${fingerprint}.refused`);
	const before = readSighting(files, marker);
	const recurred = before !== null && now - before.lastAt > GAP_SECONDS;
	const audit = keepAudit(
		files,
		place,
		fingerprint,
		`${pane.rows.join("\n")}\n`,
	);
	writeSighting(files, marker, now);
	if (before === null || recurred)
		note(pass, {
			window,
			case: "A",
			action: "refused",
			fields: {
				verdict: why.verdict,
				fp: fingerprint,
				audit,
				...("marker" in why && { marker: why.marker.trim() }),
				...("pattern" in why && { pattern: why.pattern }),
				...(recurred && { episode: "recurred" }),
			},
		});
	if (recurred && retireTombstone(files, ctx.stateDir, { window, fingerprint }))
		note(pass, {
			window,
			case: "A",
			action: "tombstone-retired",
			fields: { fp: fingerprint },
		});
	surfaceDecision(run.doors, ctx.stateDir, {
		window,
		fingerprint,
		kind: "permission_prompt",
		promptExcerpt: [refusalText(why), ...optionLines(prompt)].join("\n"),
		toolContext: pane.rows.join("\n"),
		source: "watcher-unstick-case-A",
		verdict: why.verdict,
	});
}

/** First line of the record. */
function refusalText(why: Refusal): string {
	const head = "The watcher did not answer this permission prompt:";
	switch (why.verdict) {
		case "danger":
			return `${head} Claude Code warns of it ("${why.marker.trim()}").`;
		case "veto":
			return `${head} it is vetoed by ${why.pattern} (monitor.watcher.permission_veto).`;
		case "relay":
			return `${head} monitor.watcher.on_permission is relay.`;
		case "not-shown":
			return `${head} what it would run is not wholly in sight.`;
		case "unlisted":
			return `${head} it is not one of those it knows.`;
	}
}

function optionLines({ options }: PermissionPrompt): readonly string[] {
	const numbered = options.filter((row) => /^\s*(?:❯\s+)?\d+\./.test(row));
	return (numbered.length > 0 ? numbered : options).map((row) => row.trim());
}
