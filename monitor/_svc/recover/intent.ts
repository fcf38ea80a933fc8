/** A start that was asked to be fresh resumes no worker (contract 06 §5.4, 01 §18). */
import {
	type BootIntent,
	consumeBootIntent,
	peekBootIntent,
} from "../../_state/boot-intent.ts";
import { archiveLastSnapshot } from "../../_state/last-snapshot.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { RecoverContext } from "./context.ts";

/** Is it the operator's word for this very start? Pure; an old one was for another. */
export function isFreshStart(
	intent: BootIntent | null,
	now: number,
	ttlSeconds: number,
): boolean {
	if (intent?.mode !== "fresh") return false;
	const age = ageSeconds(now, intent.ts, ttlSeconds);
	return age !== null && age < ttlSeconds;
}

/** Takes the word, which counts once; a dry run only looks. */
export function takeFreshStart(ctx: RecoverContext): boolean {
	const { doors, settings, dryRun } = ctx;
	const { files, clock } = doors;
	const { stateDir } = settings.home;
	const read = peekBootIntent(files, stateDir);
	const ttl = settings.config["recover.boot_intent_ttl_seconds"];
	const intent = read.kind === "ok" ? read.value : null;
	const fresh = isFreshStart(intent, clock.now(), ttl);
	if (!dryRun && intent !== null) consumeBootIntent(files, stateDir);
	return fresh;
}

/** What was running before stays on disk, out of the next recovery's way. */
export function dropWorkers(ctx: RecoverContext): void {
	const { doors, settings, dryRun } = ctx;
	if (dryRun) return;
	const { stateDir } = settings.home;
	const archived = archiveLastSnapshot(
		doors.files,
		stateDir,
		doors.clock.now(),
	);
	if (archived !== null)
		doors.log.info(`workers: the old snapshot is kept in ${archived}`);
}
