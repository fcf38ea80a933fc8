/** A report on its way: composed, archived, gated, pasted, and what is learned from it (contract 01 §10, §11.4, §14). */

import { readDashboardUpdated } from "../_state/dashboard-updated.ts";
import { sameLogin } from "../_state/emit-block-target.ts";
import {
	type EmitDelivery,
	readEmitDelivery,
	writeEmitDelivery,
} from "../_state/emit-delivery.ts";
import { lastChangePath } from "../_state/last-change.ts";
import { writeLastSnapshot } from "../_state/last-snapshot.ts";
import { dropPendingDelivery } from "../_state/pending-delivery.ts";
import { dropUntoldBaseline } from "../_state/untold-baseline.ts";
import type { Doors } from "../_sys/doors.ts";
import type { EmitReason } from "./emit-decision.ts";
import { renderFooter, type StatusSurface } from "./footer.ts";
import {
	deliverEmit,
	type HeldMemory,
	type LadderOutcome,
	type PasteEmit,
	type PasteRc,
} from "./ladder.ts";
import type { EmitPlace } from "./place.ts";
import type { EmitHold, ProviderRun } from "./providers.ts";
import { drawNonce, quoteBodies } from "./quote.ts";
import { composeReport } from "./report.ts";
import type { SectionTexts } from "./sections.ts";
import { raise, restartLimits, selfHeal } from "./self-heal.ts";
import { type Lesson, settle } from "./settle.ts";

/** Counts failures in a row; `restart`: the watcher should have itself replaced (contract 04 §6.4). */
export type NextDeliveryState = (
	prev: EmitDelivery,
	rc: PasteRc,
	limit: number,
	now: number,
) => {
	readonly next: EmitDelivery;
	readonly alert: string | null;
	readonly restart: boolean;
};

export interface Report {
	readonly reason: EmitReason;
	readonly tag?: string;
	/** The `workspace:` lines; null in the comments fast path, which has no footer either. */
	readonly workspace: string | null;
	readonly sections: SectionTexts;
	readonly dedup: boolean;
	/** The snapshot that is the baseline once this is delivered. */
	readonly baseline?: string;
	/** What its sections learn; asked for once the body is known. */
	readonly lessons: (body: string) => readonly Lesson[];
}

export interface SendParts {
	readonly paste: PasteEmit;
	readonly nextDeliveryState: NextDeliveryState;
	readonly hold?: EmitHold;
	readonly memory: HeldMemory;
	/** Where the body is written besides the archive. Default: `last-change.txt`. */
	readonly copyPath?: string;
	/** False in a single pass: it must not leave a watcher behind. */
	readonly mayRestart: boolean;
}

/**
 * Learns what its outcome allows (`settle.ts`). The baseline moves before the record of the delivery goes, so that
 * whoever dies in between is put right at the next start.
 */
export async function sendReport(
	run: ProviderRun,
	place: EmitPlace,
	report: Report,
	parts: SendParts,
): Promise<LadderOutcome> {
	const { doors } = run;
	const { config, stateDir } = place;
	const body = bodyOf(doors, place, report);
	const outcome = await deliverEmit(
		{ ...report, body },
		{
			doors,
			stateDir,
			startedAt: place.startedAt,
			copyPath: parts.copyPath ?? lastChangePath(stateDir),
			quietSeconds: config["monitor.emit_dedup_max_quiet_seconds"],
			ringSize: config["monitor.emit_dedup_ring_size"],
			...(parts.hold && { hold: parts.hold }),
			memory: parts.memory,
			signal: run.signal,
		},
		parts.paste,
	);
	if (outcome.kind === "delivered") account(doors, place, 0, parts);
	if (outcome.kind === "undelivered") account(doors, place, outcome.rc, parts);
	await settle(outcome, report.lessons(body), doors.files, stateDir);
	if (outcome.kind === "delivered") {
		// Before the record of the delivery goes: who dies here is put right by it at the next start.
		if (report.baseline !== undefined) {
			dropUntoldBaseline(doors.files, stateDir);
			writeLastSnapshot(doors.files, stateDir, report.baseline);
		}
		dropPendingDelivery(doors.files, stateDir, outcome.archive);
	}
	return outcome;
}

function bodyOf(doors: Doors, place: EmitPlace, report: Report): string {
	const { config } = place;
	const gh = report.sections.gh ?? "";
	const nonce = drawNonce((n) => doors.random.hex(n), gh);
	const operator = config["github.user_login"];
	return composeReport({
		iso: doors.clock.iso(),
		reason: report.reason,
		nonce,
		workspace: report.workspace,
		sections: {
			...report.sections,
			gh: quoteBodies(gh, nonce, (login) => sameLogin(login, operator)),
		},
		footer: report.workspace === null ? null : footerOf(doors, place),
		sectionMaxLines: config.MONITOR_EMIT_SECTION_MAX_LINES,
	});
}

function footerOf(doors: Doors, place: EmitPlace): string {
	return renderFooter(
		statusSurface(doors, place),
		readDashboardUpdated(doors, place.stateDir),
		doors.clock.now(),
	);
}

function statusSurface({ files }: Doors, { config }: EmitPlace): StatusSurface {
	const urlFile = config["status_surface.url_file"];
	const read = urlFile === null ? null : files.read(urlFile, 64 * 1024);
	const first = read?.kind === "ok" ? (read.text.split("\n", 1)[0] ?? "") : "";
	return {
		kind: config["status_surface.kind"],
		urlFile,
		url: first === "" ? null : first,
		feed: config["status_surface.feed"],
	};
}

function account(
	doors: Doors,
	place: EmitPlace,
	rc: PasteRc,
	{ nextDeliveryState, mayRestart }: SendParts,
): void {
	const { config, stateDir } = place;
	const health = nextDeliveryState(
		readEmitDelivery(doors.files, stateDir),
		rc,
		config["monitor.watcher.delivery_fail_limit"],
		doors.clock.now(),
	);
	writeEmitDelivery(doors.files, stateDir, health.next);
	if (health.alert !== null) raise(doors, stateDir, health.alert);
	if (!health.restart || !mayRestart) return;
	selfHeal(
		doors,
		place,
		{
			enabled: config["monitor.watcher.self_heal_enabled"],
			...restartLimits(config),
		},
		health.alert ?? "emits cannot be delivered",
	);
}
