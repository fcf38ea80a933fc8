/** The rungs between a composed report and the orchestrator's pane (contract 01 §11.4). */
import {
	archiveName,
	archivePath,
	writeArchive,
} from "../_state/emit-archive.ts";
import { readEmitRing, updateEmitRing } from "../_state/emit-ring.ts";
import {
	dropPendingDelivery,
	readPendingDelivery,
	writePendingDelivery,
} from "../_state/pending-delivery.ts";
import type { Doors } from "../_sys/doors.ts";
import { bypassesDedup, isDuplicate, pushRing, stableHash } from "./dedup.ts";
import type { EmitReason } from "./emit-decision.ts";
import type { EmitHold } from "./providers.ts";

/** How a paste ended (contract 04 §6.2); 0 = delivered. */
export type PasteRc = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Pastes the file into the target, retries included (contract 04 §6.3). */
export type PasteEmit = (bodyFile: string) => Promise<PasteRc>;

export interface Emit {
	readonly body: string;
	readonly reason: EmitReason;
	readonly tag?: string;
	/** False for the startup sweep, the comments fast path and a due full-state report. */
	readonly dedup: boolean;
	/** The snapshot that is the baseline once this is delivered. */
	readonly baseline?: string;
}

/**
 * The report that this task last could not hand over, held or failed. It is archived once, however
 * often it is tried: whoever catches up from the archive must not read it once for each minute.
 */
export interface HeldMemory {
	held: { readonly hash: string; readonly archive: string } | null;
}

export interface LadderParts {
	readonly doors: Pick<Doors, "files" | "clock" | "log" | "locks" | "random">;
	readonly stateDir: string;
	/** Of this watcher, epoch seconds. */
	readonly startedAt: number;
	/** Where the body is written, whatever becomes of it; it is pasted from there when it could not be archived. */
	readonly copyPath: string;
	/** 0 switches the duplicate gate off. */
	readonly quietSeconds: number;
	readonly ringSize: number;
	readonly hold?: EmitHold;
	readonly memory: HeldMemory;
	readonly signal: AbortSignal;
}

/** `archive` is the name of the archived report. */
export type LadderOutcome =
	| { readonly kind: "delivered"; readonly archive: string }
	/** The same report was delivered not long ago. */
	| { readonly kind: "duplicate"; readonly archive: string }
	| { readonly kind: "held"; readonly archive: string }
	/** The run was ended from outside before anything arrived: nobody's failure. */
	| { readonly kind: "aborted"; readonly archive: string }
	| {
			readonly kind: "undelivered";
			readonly archive: string;
			readonly rc: Exclude<PasteRc, 0>;
	  };

/**
 * Archived first, whatever follows; then a repeat is a `duplicate`, an orchestrator over its limit has it `held`, and
 * else the paste decides. What is pending is on disk before the first key.
 */
export async function deliverEmit(
	emit: Emit,
	parts: LadderParts,
	paste: PasteEmit,
): Promise<LadderOutcome> {
	const { doors, stateDir, memory } = parts;
	const hash = stableHash(emit.body);
	const { archive, bodyFile } = keep(emit, hash, parts);
	const way = emit.reason === "comments" ? " (comment-surface fast path)" : "";
	doors.log.info(`emit archive=${archive} reason=${emit.reason}${way}`);

	if (emit.dedup && isRepeat(emit.body, hash, parts)) {
		doors.log.info(`emit suppressed: ${archive} repeats a delivered report`);
		return { kind: "duplicate", archive };
	}
	if (parts.hold?.paused(doors.clock.now())) {
		doors.log.info("emit paste suppressed: orchestrator over-limit");
		parts.hold.record(archive, emit.reason);
		memory.held = { hash, archive };
		return { kind: "held", archive };
	}
	const send = bodyFile === null ? null : () => paste(bodyFile);
	const rc =
		send === null ? 3 : await pasteOnRecord(emit, archive, parts, send);
	if (rc === 0) {
		memory.held = null;
		if (parts.quietSeconds > 0)
			await updateEmitRing(doors, stateDir, (ring) =>
				pushRing(ring, hash, doors.clock.now(), parts.ringSize),
			);
		return { kind: "delivered", archive };
	}
	if (parts.signal.aborted) return { kind: "aborted", archive };
	doors.log.warn(`emit not delivered: paste rc=${rc} archive=${archive}`);
	memory.held = { hash, archive };
	return { kind: "undelivered", archive, rc };
}

/** Without the record a watcher that is killed after the Enter would tell everything again. */
async function pasteOnRecord(
	{ body, baseline }: Emit,
	archive: string,
	{ doors, stateDir, startedAt, signal }: LadderParts,
	paste: () => Promise<PasteRc>,
): Promise<PasteRc> {
	const { files, clock, log } = doors;
	// An earlier copy of it lies in the box: its record must outlive this try, which is refused.
	if (readPendingDelivery(files, stateDir, archive) !== null) return paste();
	const at = clock.now();
	const pending = { archive, body, at, baseline: baseline ?? null };
	const write = (sender: number | null) =>
		writePendingDelivery(files, stateDir, { ...pending, sender });
	if (write(startedAt).kind === "failed")
		log.warn("emit: its delivery could not be written down first");
	const rc = await paste();
	if (rc === 0) return rc; // its rows are still to be learned
	// Sent and not confirmed, or in the box, or cut off somewhere: the next cycle looks.
	if (rc === 4 || rc === 6 || signal.aborted) write(null);
	else dropPendingDelivery(files, stateDir, archive);
	return rc;
}

/** Archives the report before any gate. `bodyFile` is null when it could be written nowhere. */
function keep(
	emit: Emit,
	hash: string,
	{ doors, stateDir, copyPath, memory }: LadderParts,
): { readonly archive: string; readonly bodyFile: string | null } {
	const copied = doors.files.writeAtomic(copyPath, emit.body).kind === "ok";
	const { held } = memory;
	const archive =
		held?.hash === hash
			? held.archive
			: archiveName(doors.clock.now(), doors.random.hex(6), emit.tag);
	// Also over the copy of an earlier try: by the signature of the one that arrives it is found again.
	const written = writeArchive(doors.files, stateDir, archive, emit.body);
	if (written.kind === "ok")
		return { archive, bodyFile: archivePath(stateDir, archive) };
	doors.log.warn(`emit could not be archived: ${written.reason}`);
	return { archive, bodyFile: copied ? copyPath : null };
}

function isRepeat(
	body: string,
	hash: string,
	{ doors, stateDir, quietSeconds }: LadderParts,
): boolean {
	if (quietSeconds <= 0 || bypassesDedup(body)) return false;
	const ring = readEmitRing(doors, stateDir);
	return isDuplicate(ring, hash, doors.clock.now(), quietSeconds);
}
