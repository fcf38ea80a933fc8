/** Moves old reports into `reports/<YYYY-MM>/`: gathers, plans, moves, and says what it did (contract 01 §21). */
import { basename, join } from "node:path";
import { ageSeconds } from "../../_sys/age.ts";
import type { Clock, Files } from "../../_sys/doors.ts";
import { programName } from "../../_sys/names.ts";
import { planRoll, type ReportFile, type RollPlan } from "./plan.ts";
import { dateInFrontmatter, dateInName } from "./report-date.ts";

export interface RollOptions {
	readonly dir: string;
	/** `YYYY-MM-DD`, local. */
	readonly today: string;
	/** Seconds; 0 moves a report whatever its age. */
	readonly minAge: number;
	readonly dryRun: boolean;
	readonly signal?: AbortSignal;
}

export interface RollResult {
	/** 1: the folder is not there, or a report could not be moved. */
	readonly rc: 0 | 1;
	readonly rolled: number;
	/** A line for each report that is not simply kept. */
	readonly lines: readonly string[];
	/** The last line; null without a folder. */
	readonly summary: string | null;
	readonly errors: readonly string[];
}

interface Doors {
	readonly files: Files;
	readonly clock: Clock;
}

const LIST_MS = 10_000;
/** Frontmatter stands at the head. */
const HEAD_BYTES = 8192;
/** Looks, or moves, between two breaths of the loop. */
const BATCH = 50;

/** Never overwrites. Stops between two reports when aborted: what is moved is moved, the rest follows the next time. */
export async function rollReports(
	doors: Doors,
	opts: RollOptions,
): Promise<RollResult> {
	const listed = await doors.files.listSlow(opts.dir, LIST_MS, opts.signal);
	if (listed.kind !== "ok") {
		const why = listed.kind === "absent" ? "no such folder" : listed.reason;
		return failed(`${opts.dir}: ${why}`);
	}
	const reports: ReportFile[] = [];
	const unseen: string[] = [];
	const names = listed.names.filter((name) => name.endsWith(".md"));
	for (const [index, name] of names.entries()) {
		if (index % BATCH === BATCH - 1) await doors.clock.sleep(0, opts.signal);
		if (opts.signal?.aborted) return failed("aborted");
		const look = lookAt(doors, opts, name);
		if (look.kind === "report") reports.push(look.file);
		if (look.kind === "unseen") unseen.push(`skip (${look.why}): ${name}`);
	}
	const plan = planRoll(reports, opts.today, opts.minAge);
	return carryOut(doors, opts, plan, unseen);
}

type Look =
	| { readonly kind: "report"; readonly file: ReportFile }
	| { readonly kind: "other" }
	| { readonly kind: "unseen"; readonly why: string };

function lookAt(
	{ files, clock }: Doors,
	opts: RollOptions,
	name: string,
): Look {
	const path = join(opts.dir, name);
	const found = files.lstat(path);
	if (found.kind === "absent") return { kind: "other" };
	if (found.kind === "unreadable") return { kind: "unseen", why: found.reason };
	// A link would break where it is moved to; a folder named like a report is none.
	if (found.stat.kind !== "file") return { kind: "other" };
	let date = dateInName(name);
	if (date === null) {
		const head = files.readFrom(path, 0, HEAD_BYTES);
		if (head.kind === "unreadable") return { kind: "unseen", why: head.reason };
		date = head.kind === "ok" ? dateInFrontmatter(head.text) : null;
	}
	const changed = found.stat.mtimeMs / 1000;
	const age = ageSeconds(clock.now(), changed, opts.minAge);
	return { kind: "report", file: { name, date, ageSeconds: age } };
}

async function carryOut(
	{ files, clock }: Doors,
	opts: RollOptions,
	plan: RollPlan,
	unseen: readonly string[],
): Promise<RollResult> {
	const lines = [
		...plan.quarantined.map((name) => `quarantine (no valid date): ${name}`),
		...plan.inFlight.map(
			({ name, ageSeconds: age }) =>
				`skip (modified ${Math.floor(age ?? 0)}s ago): ${name}`,
		),
		...unseen,
	];
	const errors: string[] = [];
	let rolled = 0;
	let skipped = unseen.length;
	for (const [index, { name, month }] of plan.rolls.entries()) {
		if (index % BATCH === BATCH - 1) await clock.sleep(0, opts.signal);
		if (opts.signal?.aborted) {
			errors.push("aborted");
			break;
		}
		const moved = move(files, opts, name, month);
		if (moved.kind === "moved") {
			rolled++;
			const verb = opts.dryRun ? "would roll" : "rolled";
			lines.push(`${verb}: ${name} -> ${month}/`);
			continue;
		}
		skipped++;
		lines.push(`skip (${moved.why}): ${name}`);
		if (moved.kind === "failed") errors.push(`${name}: ${moved.why}`);
	}
	const counts = [
		`${opts.dryRun ? "would roll" : "rolled"} ${rolled}`,
		`kept-flat ${plan.kept.length} (buffer: ${plan.buffer.join(" + ")})`,
		`quarantined ${plan.quarantined.length}`,
		`in-flight ${plan.inFlight.length}`,
		`skipped ${skipped}`,
	];
	const summary = `${programLabel()}: ${counts.join(", ")}  [${opts.dir}]`;
	return { rc: errors.length > 0 ? 1 : 0, rolled, lines, summary, errors };
}

type Moved =
	| { readonly kind: "moved" }
	| { readonly kind: "taken" | "failed"; readonly why: string };

function move(
	files: Files,
	{ dir, dryRun }: RollOptions,
	name: string,
	month: string,
): Moved {
	const target = join(dir, month, name);
	if (files.lstat(target).kind === "ok") return taken(month);
	if (dryRun) return { kind: "moved" };
	const made = files.mkdir(join(dir, month));
	if (made.kind === "failed") return { kind: "failed", why: made.reason };
	const renamed = files.renameNew(join(dir, name), target);
	if (renamed.kind === "ok") return { kind: "moved" };
	return renamed.code === "EEXIST"
		? taken(month)
		: { kind: "failed", why: renamed.reason };
}

function taken(month: string): Moved {
	return { kind: "taken", why: `${month}/ has one of that name` };
}

function failed(error: string): RollResult {
	return { rc: 1, rolled: 0, lines: [], summary: null, errors: [error] };
}

/** `reports-roll.ts`: how its lines begin. */
export function programLabel(): string {
	return basename(programName("reportsRoll"));
}
