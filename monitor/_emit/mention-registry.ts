/** The registry's turn in a view: what is over goes, what is new comes, what is due is told (contract 01 §8.2). */
import type { MentionLook } from "../_github/mention-look.ts";
import type { Block, CommentBlock } from "../_state/emit-blocks.ts";
import {
	readUnackedMentions,
	type UnackedMention,
	updateUnackedMentions,
} from "../_state/unacked-mentions.ts";
import type { CommentsPlace } from "./comments-place.ts";
import type { ProviderRun } from "./providers.ts";
import {
	dueForLook,
	gc,
	type LookKind,
	learnReemit,
	mentionKey,
	pending,
	type ReemitRules,
	register,
} from "./reemit.ts";

/** Asks GitHub; null: it is not to be asked. */
export type LookAtMention = (
	block: CommentBlock,
	signal: AbortSignal,
) => Promise<MentionLook>;

/** What one process remembers of the registry. */
export interface RegistryMemory {
	/** Entered once: what was put back into the queue and answered meanwhile is not new. */
	readonly entered: Set<string>;
	/** Lost ones that were reported. */
	readonly reported: Set<string>;
	/** GitHub did not answer: not asked again before this, epoch seconds. */
	quietUntil: number;
}

/** Empty; it lives as long as the process. `quietUntil` in epoch seconds. */
export function registryMemory(): RegistryMemory {
	return { entered: new Set(), reported: new Set(), quietUntil: 0 };
}

export interface RegistryTurn {
	readonly run: ProviderRun;
	readonly place: CommentsPlace;
	readonly look: LookAtMention | null;
	readonly memory: RegistryMemory;
	/** Entries of the list of handled comments. */
	readonly processed: ReadonlySet<string>;
}

/** A GitHub that does not answer must not hold up the comments that are here. */
const QUIET_SECONDS = 60;
const LOOKS_BUDGET_MS = 20_000;
const RECHECK_SECONDS = 300;

/** `found` passed hop 3. Returns what is due to be told. */
export async function registryTurn(
	turn: RegistryTurn,
	found: readonly CommentBlock[],
): Promise<readonly CommentBlock[]> {
	const { run, place, memory, processed } = turn;
	if (!place.config["monitor.reemit_enabled"]) return [];
	const { doors } = run;
	const { stateDir } = place;
	const rules = rulesOf(place);
	const fresh = found.filter(
		(block) => !memory.entered.has(mentionKey({ block })),
	);
	const before = readUnackedMentions(doors, stateDir) ?? [];
	if (before.length === 0 && fresh.length === 0) return [];
	const looks = await lookAtDue(
		turn,
		dueForLook(before, doors.clock.now(), rules),
	);
	let due: readonly UnackedMention[] = [];
	await updateUnackedMentions(doors, stateDir, (entries) => {
		const now = doors.clock.now();
		const cleaned = gc(entries, looks, processed, now, rules);
		for (const { id, reason } of cleaned.evicted)
			doors.log.info(`reemit-gc: evicted id=${id} reason=${reason}`);
		const operator = place.config["github.user_login"];
		const next = register(cleaned.kept, fresh, { operator, processed, now });
		for (const entry of next) memory.entered.add(mentionKey(entry));
		due = pending(next, now, rules);
		return next;
	});
	return due.map(({ block }) => block);
}

/** After a delivery. */
export async function learnDelivered(
	{ run, place }: Pick<RegistryTurn, "run" | "place">,
	delivered: readonly Block[],
): Promise<void> {
	const elsewhere = delivered.some(
		(block) => block.kind === "comment" && block.repo !== "",
	);
	if (!elsewhere || !place.config["monitor.reemit_enabled"]) return;
	const { doors } = run;
	await updateUnackedMentions(doors, place.stateDir, (entries) =>
		learnReemit(entries, delivered, doors.clock.now()),
	);
}

/** One after another; the first that GitHub does not answer ends it for a while. */
async function lookAtDue(
	{ run, place, look, memory }: RegistryTurn,
	due: readonly UnackedMention[],
): Promise<ReadonlyMap<string, LookKind>> {
	const looks = new Map<string, LookKind>();
	const { clock, log } = run.doors;
	if (look === null || !place.config["monitor.reemit_live_recheck"])
		return looks;
	const end = clock.monoMs() + LOOKS_BUDGET_MS;
	for (const entry of due) {
		const isQuiet = clock.now() < memory.quietUntil;
		if (isQuiet || clock.monoMs() >= end || run.signal.aborted) break;
		const key = mentionKey(entry);
		const seen = await look(entry.block, run.signal);
		looks.set(key, seen.kind);
		if (seen.kind === "unknown")
			memory.quietUntil = clock.now() + QUIET_SECONDS;
		if (seen.kind !== "lost" || memory.reported.has(key)) continue;
		memory.reported.add(key);
		log.warn(
			`reemit: reactions of id=${entry.id} repo=${entry.repo} target=${seen.target} cannot be asked for: it stays until it is too old`,
		);
	}
	return looks;
}

function rulesOf({ config }: CommentsPlace): ReemitRules {
	return {
		fastSeconds: 60 * config["monitor.mentions.reemit_noeyes_minutes"],
		slowSeconds: 3600 * config["monitor.mentions.reemit_norocket_hours"],
		maxAgeSeconds: config["monitor.reemit_max_age_seconds"],
		// A cooldown that is off must not mean a call at every turn.
		recheckSeconds: config["monitor.emit_cooldown_seconds"] || RECHECK_SECONDS,
	};
}
