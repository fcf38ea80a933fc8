/** Case A, a permission prompt: one Enter on the one-time yes, or none (contract 04 §8.3). */
import { type Pressed, press } from "../../_delivery/press.ts";
import { ACCEPT_PERMISSION, KEY_LEDGER } from "../../_delivery/sequences.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import {
	menuFingerprint,
	requestFingerprint,
} from "../../_pane/fingerprint.ts";
import {
	asksForCommand,
	type PermissionPrompt,
} from "../../_pane/permission.ts";
import {
	keepAudit,
	readEpisode,
	readNote,
	type UnstickEpisode,
	writeEpisode,
	writeNote,
} from "../../_state/unstick.ts";
import { stampKeys } from "./ledger.ts";
import {
	LOCK_MS,
	note,
	noteOnce,
	type SeenPane,
	type UnstickPass,
} from "./pass.ts";
import { refusePrompt } from "./refuse.ts";

export type PermissionPlan =
	| "press"
	| "relay"
	| "not-shown"
	| "not-live"
	| "other-highlighted"
	| "skip-backoff";

const MAX_TRIES = 2;
/** What the prompt asked for that was answered last. */
const REQUEST = "request";

/** Pure. `tries`: how often a prompt with these options was answered without its going away. */
function planPermission(
	prompt: PermissionPrompt,
	tries: number,
	onPermission: "enter" | "relay",
): PermissionPlan {
	if (prompt.verdict === "quoted" || prompt.verdict === "none")
		return "not-live";
	if (onPermission === "relay") return "relay";
	if (prompt.verdict === "other-highlighted") return "other-highlighted";
	// What is not wholly in sight may end in anything.
	if (asksForCommand(prompt) && !prompt.isWhole) return "not-shown";
	return tries >= MAX_TRIES ? "skip-backoff" : "press";
}

/** The try is counted on disk before the key; a key that cannot be counted is not pressed. */
export async function onPermission(
	pass: UnstickPass,
	pane: SeenPane,
	prompt: PermissionPrompt,
): Promise<void> {
	const { files } = pass.run.doors;
	const fp = menuFingerprint(pane.rows);
	const place = placeOf(pass, pane);
	const known = readEpisode(files, place);
	// Prompts that follow each other without a pause share their options: what they ask for tells them apart.
	const request = requestFingerprint(prompt) ?? fp;
	const isSame =
		known.fingerprint === fp && readNote(files, place, REQUEST) === request;
	const tries = isSame ? known.tries : 0;
	const plan = planPermission(
		prompt,
		tries,
		pass.ctx.config["monitor.watcher.on_permission"],
	);
	switch (plan) {
		case "press":
			writeNote(files, place, REQUEST, request);
			return accept(pass, pane, prompt, { fingerprint: fp, tries });
		case "relay":
		case "not-shown":
			// A prompt that is only quoted asks nobody.
			if (pane.overlay !== null)
				refusePrompt(pass, pane, prompt, { verdict: plan });
			return;
		case "not-live":
			// Rows around a quotation come and go.
			return noteOnce(pass, line(pane, plan, { fp }), prompt.question);
		default:
			noteOnce(pass, line(pane, plan, { fp }), fp);
	}
}

async function accept(
	pass: UnstickPass,
	pane: SeenPane,
	prompt: PermissionPrompt,
	episode: UnstickEpisode & { readonly fingerprint: string },
): Promise<void> {
	const { hands, run } = pass;
	const { files } = run.doors;
	const { fingerprint: fp, tries } = episode;
	const place = placeOf(pass, pane);
	const audit = keepAudit(files, place, fp, `${pane.rows.join("\n")}\n`);
	// A key that cannot be counted would be pressed for ever.
	if (!writeEpisode(files, place, episode))
		return noteOnce(pass, line(pane, "cannot-count", { fp }), fp);
	const work = await underPasteLock(
		hands,
		pane.window,
		LOCK_MS,
		run.signal,
		async (row) =>
			row.paneId === pane.row.paneId
				? press(hands, row, ACCEPT_PERMISSION, prompt, {
						before: () => stampKeys(pass, pane, KEY_LEDGER.S3),
						signal: run.signal,
					})
				: ({ kind: "refused", why: "another-pane" } as const),
	);
	const end: Pressed =
		work.kind === "done" ? work.value : { kind: "refused", why: work.why };
	if (end.kind === "pressed") {
		writeEpisode(files, place, { fingerprint: fp, tries: tries + 1 });
		const action = tries === 0 ? "sent-Enter" : "sent-Enter-retry";
		note(pass, line(pane, action, { fp, audit }));
		// The report must not say "blocked" of a pane that works again.
		pass.ctx.scheduler.fireNow("idle_section");
	} else if (end.kind === "failed")
		note(pass, line(pane, "send-keys-failed", { fp }));
	else if (end.kind === "refused")
		noteOnce(pass, line(pane, "no-key", { fp, reason: end.why }), fp);
}

function placeOf({ ctx }: UnstickPass, { window }: SeenPane) {
	return { stateDir: ctx.stateDir, window, dialog: "permission" } as const;
}

function line(
	{ window }: SeenPane,
	action: string,
	fields: Readonly<Record<string, string>>,
) {
	return { window, case: "A", action, fields };
}
