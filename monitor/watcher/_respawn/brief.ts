/** The brief into a new orchestrator: readiness, paste, and proof that a turn took it (contract 04 §14.3, §14.4). */
import { admit } from "../../_delivery/admit.ts";
import { asPasted } from "../../_delivery/as-pasted.ts";
import { clean } from "../../_delivery/clean.ts";
import { provesDelivery } from "../../_delivery/evidence.ts";
import type { DeliveryDeps, DeliveryJob } from "../../_delivery/job.ts";
import { awaitOurText } from "../../_delivery/look.ts";
import { needleOf } from "../../_delivery/needle.ts";
import { DELIVERIES } from "../../_delivery/sequences.ts";
import { pasteIntoBox, pressEnter } from "../../_delivery/submit.ts";
import {
	type TranscriptWatch,
	watchTranscript,
} from "../../_delivery/transcript.ts";
import { lastWords } from "../../_pane/last-words.ts";
import { dropLeftover, writeLeftover } from "../../_state/paste-leftover.ts";
import { takePasteLock } from "../../_state/paste-lock.ts";
import { awaitReady } from "./ready.ts";
import type { ResumeMode } from "./resume-choice.ts";
import type { RespawnSettings } from "./settings.ts";
import { paneOfWindow } from "./spawn.ts";
import { briefSight, decideSubmit, freshPaste } from "./submit-verify.ts";

export interface BriefDeps extends DeliveryDeps {
	readonly root: string;
	readonly settings: RespawnSettings;
}
export interface BriefRequest {
	/** Window name, for lock and leftover. */
	readonly target: string;
	readonly windowId: string;
	readonly sessionId: string;
	readonly mode: ResumeMode["kind"];
	readonly text: string;
	/** Heeded between steps, never between a paste and its proof. */
	readonly signal?: AbortSignal;
}

export type Briefed =
	| { readonly kind: "submitted" }
	| { readonly kind: "undelivered"; readonly why: string }
	/** Its program, or its window, ended first. */
	| { readonly kind: "died"; readonly why: string };

/** The paste lock of this name, from before there is a window: a report that slipped in first would be the session's first words. Without it the work goes on. */
export async function whileNobodyPastes<T>(
	{ doors, stateDir, timings }: DeliveryDeps,
	target: string,
	signal: AbortSignal | undefined,
	act: () => Promise<T>,
): Promise<T> {
	const ms = timings.lockMs;
	const lock = await takePasteLock(doors, stateDir, target, ms, signal);
	if (lock.kind !== "acquired")
		doors.log.warn(
			`respawn: no paste lock (${lock.kind}); going on without it`,
		);
	try {
		return await act();
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

/** The caller holds the window's paste lock. */
export async function briefOrchestrator(
	deps: BriefDeps,
	request: BriefRequest,
): Promise<Briefed> {
	const { doors, settings } = deps;
	const { windowId, mode, signal, target } = request;
	// What an earlier orchestrator had in its box went with it.
	dropLeftover(doors.files, deps.stateDir, target);
	const watch = watchTranscript(doors.files, doors.proc.env, request.sessionId);
	let wasEntered = false;
	let why = "";
	for (let paste = 1; paste <= settings.submit.pastes; paste++) {
		const readiness = await awaitReady(
			deps,
			windowId,
			paste === 1 ? mode : "resume",
			signal,
		);
		if (readiness === "gone") return died(doors, windowId);
		if (readiness === "aborted") return undelivered("aborted");
		if (readiness === "timeout")
			doors.log.warn(
				`respawn: '${target}' was not seen ready in time; its looks decide`,
			);
		const job = await jobFor(deps, request);
		if (job === null) return died(doors, windowId);
		const tried = await tryPaste(job, watch, paste === 1, wasEntered, settings);
		wasEntered ||= tried.wasEntered;
		if (tried.kind === "submitted") return { kind: "submitted" };
		why = tried.why;
		if (tried.kind === "died") return died(doors, windowId);
		if (tried.kind === "stopped") break;
		doors.log.warn(
			`respawn: the brief did not stay in the box (paste ${paste} of ${settings.submit.pastes})`,
		);
	}
	return undelivered(why);
}

type Tried = { readonly wasEntered: boolean; readonly why: string } & {
	readonly kind: "submitted" | "lost" | "stopped" | "died";
};

const LOOK_MS = 500;

/** One paste and its ladder. Only the first paste has an Enter of its own; later ones are entered by the ladder alone. */
async function tryPaste(
	job: DeliveryJob,
	watch: TranscriptWatch,
	entersAtOnce: boolean,
	wasEnteredBefore: boolean,
	{ submit }: RespawnSettings,
): Promise<Tried> {
	const { clock, files } = job.doors;
	let wasEntered = wasEnteredBefore;
	const end = (kind: Tried["kind"], why = ""): Tried => {
		// Text that stays in a box is remembered as ours.
		if (kind !== "stopped") dropLeftover(files, job.stateDir, job.window);
		return { kind, why, wasEntered };
	};
	const needle = needleOf(job.payload);
	const isProven = () =>
		watch().records.some((record) => provesDelivery(record, needle) !== null);
	const admission = await admit(job);
	if (isProven()) return end("submitted");
	if (admission.kind === "refused")
		return end("stopped", admission.reason ?? admission.outcome);
	if (admission.kind === "paste") {
		writeLeftover(files, job.stateDir, job.window, job.payload);
		const pasted = await pasteIntoBox(job);
		if (pasted.kind !== "sent") return end("lost", `paste: ${pasted.kind}`);
	}
	// From here to the proof nobody's abort counts.
	const own: DeliveryJob = { ...job, signal: undefined };
	let isEntered = false;
	if (entersAtOnce && (await awaitOurText(own)).kind === "yes")
		isEntered = (await pressEnter(own)).kind === "sent";
	wasEntered ||= isEntered;
	let memory = freshPaste(clock.monoMs(), isEntered);
	for (;;) {
		const seen = await own.lookAt(own.pane);
		if (isProven()) return end("submitted");
		const sight = briefSight(seen, own.payload);
		const step = decideSubmit(
			memory,
			sight,
			clock.monoMs(),
			submit,
			wasEntered,
		);
		memory = step.memory;
		if (step.kind === "submitted") return end("submitted");
		if (step.kind === "lost")
			return end("lost", "the box is empty, and no turn began");
		if (sight === "gone") return end("died");
		if (step.kind === "stop") return end("stopped", step.why);
		if (step.kind === "enter" && (await pressEnter(own)).kind === "sent")
			wasEntered = true;
		await clock.sleep(LOOK_MS);
	}
}

/** A new program draws itself piece by piece: it gets longer to be readable than a running one. */
const UNREADABLE_LIMIT_MS = 30_000;

async function jobFor(
	deps: BriefDeps,
	{ target, windowId, text, signal }: BriefRequest,
): Promise<DeliveryJob | null> {
	const pane = await paneOfWindow(deps.doors, windowId, signal);
	if (pane === null || pane.paneDead === "1") return null;
	const cleaned = clean(text);
	return {
		...deps,
		timings: { ...deps.timings, unreadableLimitMs: UNREADABLE_LIMIT_MS },
		pane,
		window: target,
		command: false,
		role: DELIVERIES.S11.role,
		signal,
		payload: asPasted(cleaned.text, pane),
	};
}

async function died(
	doors: DeliveryDeps["doors"],
	windowId: string,
): Promise<Briefed> {
	const pane = await paneOfWindow(doors, windowId);
	const words = pane === null ? null : await lastWords(doors, pane.paneId);
	const said = words === null ? "" : `: ${words}`;
	return { kind: "died", why: `the program has ended${said}` };
}

function undelivered(why: string): Briefed {
	return { kind: "undelivered", why };
}
