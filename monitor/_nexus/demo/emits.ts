/** The emits of a demo: what the watcher archived, and what the orchestrator's transcript says of each. */
import { transcriptsOf } from "../../_delivery/transcript.ts";
import { archivePath, listArchives } from "../../_state/emit-archive.ts";
import { isProven, type Proof, proveDelivery } from "./proof.ts";
import { type Stage, type Step, until } from "./stage.ts";
import { ASKER, BUILD, OPERATOR } from "./world.ts";

export interface DemoEmit {
	/** Path of the archive. */
	readonly path: string;
	readonly body: string;
	readonly proof: Proof | null;
}
export interface Outcome {
	readonly emits: readonly DemoEmit[];
	/** Path of the orchestrator's transcript; null while there is none. */
	readonly transcript: string | null;
}

/** A report rides the cadences of the snapshot (30 s) and of the compose (15 s here). */
const ALL_TOLD_LIMIT_MS = 120_000;

/** What the comment led to. */
export interface Told {
	/** Id of the operator's comment. */
	readonly comment: string;
	/** Name of the worker's report. */
	readonly report: string;
}

/** What must be told, by a text that only its own line of an emit has. */
function topics({
	comment,
	report,
}: Told): readonly (readonly [string, string])[] {
	return [
		["the comment", commentLine(comment)],
		["the report", `+${report}`],
		["the bell", `  - ${BUILD} (idx `],
		["the decision", `window=${ASKER} fp=`],
	];
}

/** How many emits carry the operator's comment. */
export function timesCarried(
	comment: string,
	emits: readonly Pick<DemoEmit, "body">[],
): number {
	const line = commentLine(comment);
	return emits.filter((emit) => emit.body.includes(line)).length;
}

function commentLine(comment: string): string {
	return ` id=${comment} author=${OPERATOR}`;
}

/** Which topics no emit has told. */
export function untold(
	told: Told,
	emits: readonly Pick<DemoEmit, "body">[],
): readonly string[] {
	return topics(told)
		.filter(([, text]) => !emits.some((emit) => emit.body.includes(text)))
		.map(([name]) => name);
}

/** Everything was told, and everything that was told arrived once and whole; the comment, once taken on, never again. */
export function isGood(told: Told, { emits }: Outcome): boolean {
	const all = emits.every((emit) => isProven(emit.proof));
	const isOnce = timesCarried(told.comment, emits) === 1;
	return all && isOnce && untold(told, emits).length === 0;
}

/** Waits for all topics and their proofs; a failure says what is missing. */
export async function awaitEmits(
	stage: Stage,
	sessionId: string,
	told: Told,
): Promise<Step<Outcome>> {
	let last: Outcome = { emits: [], transcript: null };
	const good = await until(stage, "the emits", ALL_TOLD_LIMIT_MS, () => {
		last = readOutcome(stage, sessionId);
		return isGood(told, last) ? last : null;
	});
	if (good.kind === "ok") return good;
	const missing = untold(told, last.emits);
	const unproven = last.emits.filter((emit) => !isProven(emit.proof));
	const reasons = [
		good.reason,
		...missing.map((name) => `no emit told of ${name}`),
		...unproven.map((emit) => `not proven: ${emit.path}`),
	];
	return { kind: "failed", reason: reasons.join("; ") };
}

/** What is on disk now. */
export function readOutcome(
	{ doors, world }: Stage,
	sessionId: string,
): Outcome {
	const { files } = doors;
	const text = (path: string) => {
		const read = files.read(path);
		return read.kind === "ok" ? read.text : "";
	};
	const homes = [world.claude.configDir];
	const transcript = transcriptsOf(files, homes, sessionId)?.[0] ?? null;
	const records = transcript === null ? "" : text(transcript);
	const names = listArchives(files, world.stateDir) ?? [];
	const emits = names.map((name) => {
		const path = archivePath(world.stateDir, name);
		const body = text(path);
		return { path, body, proof: proveDelivery(body, records) };
	});
	return { emits, transcript };
}
