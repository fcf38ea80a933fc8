/** `safe`: a candidate proven beside the one that runs, and then in its place, or nothing at all (contract 06 §13.3). */
import {
	applyLockPath,
	ccAutoUpdateDir,
	evidencePath,
} from "../_state/cc-auto-update.ts";
import { appendCcDecision } from "../_state/cc-decisions.ts";
import { readLastEval, writeLastEval } from "../_state/cc-last-eval.ts";
import { holds, readRestartHold } from "../_state/cc-restart-hold.ts";
import { removeCcUpdate } from "../_state/cc-update-available.ts";
import {
	effectiveVersion,
	readLocalPin,
	removeLocalPin,
	type VersionPlace,
	writeLocalPin,
} from "../_state/cc-version-local.ts";
import { mtimeOf } from "../_state/peek.ts";
import { ageSeconds } from "../_sys/age.ts";
import type { ApplyRequest } from "./args.ts";
import { removeBeside } from "./beside.ts";
import type { ApplyContext } from "./context.ts";
import { evidenceFlaw, renderEvidence } from "./evidence.ts";
import { deferForAgents } from "./live-agents.ts";

type SafeRequest = Extract<ApplyRequest, { kind: "safe" }>;
/** Evidence from the future by more is not believed. */
const SKEW_SECONDS = 60;

export interface SafeFacts {
	readonly candidate: string;
	/** Null: neither pin nor floor. */
	readonly effective: string | null;
	readonly isHeld: boolean;
	/** Why an operator or evaluator blocked this candidate; null: nobody did. */
	readonly blocked: string | null;
}

/** Before anything is downloaded; null: go. */
function refuseSafe(
	f: SafeFacts,
): { readonly exit: 3 | 24 | 25; readonly line: string } | null {
	if (f.effective === f.candidate)
		return { exit: 24, line: `already on ${f.candidate}` };
	if (f.isHeld) return { exit: 25, line: "a hold stands (hold-status)" };
	if (f.effective === null)
		return { exit: 3, line: "neither pin nor floor: nothing to roll back to" };
	return f.blocked === null
		? null
		: { exit: 3, line: `${f.candidate} is blocked: ${f.blocked}` };
}

/** The exit code of contract 06 §13.3; 7: another apply runs, or the lock cannot be opened. */
export async function runSafe(
	request: SafeRequest,
	ctx: ApplyContext,
): Promise<number> {
	const { files, locks } = ctx.doors;
	const { stateDir } = ctx.settings.home;
	files.mkdir(ccAutoUpdateDir(stateDir));
	const held = locks.hold(applyLockPath(stateDir));
	if (held.kind !== "acquired") {
		ctx.err(
			held.kind === "held"
				? "another apply runs"
				: `the lock cannot be opened: ${held.reason}`,
		);
		return 7;
	}
	try {
		return await safe(request, ctx);
	} finally {
		held.lock.release();
	}
}

async function safe(
	{ candidate, evidence }: SafeRequest,
	ctx: ApplyContext,
): Promise<number> {
	const { files, clock } = ctx.doors;
	const { stateDir } = ctx.settings.home;
	const effective = effectiveVersion(files, placeOf(ctx))?.version ?? null;
	const last = readLastEval(files, stateDir);
	const isBlocked = last?.candidate === candidate && last.decision === "block";
	const refusal = refuseSafe({
		candidate,
		effective,
		isHeld: holds(readRestartHold(files, stateDir), clock.now(), candidate),
		blocked: isBlocked ? last.detail || "no reason given" : null,
	});
	if (refusal !== null) {
		ctx.err(refusal.line);
		return refusal.exit;
	}
	const deferred = await deferForAgents(ctx);
	if (deferred !== null) {
		ctx.err(`deferred: ${deferred}`);
		return 30;
	}
	const path = evidence ?? evidencePath(stateDir, candidate);
	if (evidence === null) {
		const proven = await gate(candidate, effective ?? "?", path, ctx);
		if (proven !== null) return proven;
	}
	const flaw = flawOf(path, candidate, ctx);
	if (flaw === null) return promote(candidate, ctx);
	ctx.err(`${flaw} (${path}); the pin stays`);
	audit(ctx, candidate, "gate-red", flaw);
	return 3;
}

/** Installs beside and proves, into `path`; 4 when there is nothing to prove, null when it was tried. */
async function gate(
	candidate: string,
	installed: string,
	path: string,
	ctx: ApplyContext,
): Promise<4 | null> {
	const { files, clock } = ctx.doors;
	ctx.out(`installing ${candidate} beside ${installed}`);
	const beside = await ctx.hands.beside(candidate);
	if (beside.kind === "failed") {
		ctx.err(`not installed beside: ${beside.why}; nothing has changed`);
		audit(ctx, candidate, "install-failed", beside.why);
		return 4;
	}
	ctx.out("proving it");
	const checks = await ctx.hands.prove(beside.binary);
	for (const { name, isGood } of checks)
		ctx.out(`  ${isGood ? "ok" : "FAILED"}: ${name}`);
	const iso = clock.iso();
	files.writeAtomic(
		path,
		renderEvidence({ candidate, installed, iso, checks }),
	);
	removeBeside({ files }, ctx.settings.home.stateDir, candidate);
	ctx.out(`evidence: ${path}`);
	return null;
}

function flawOf(
	path: string,
	candidate: string,
	{ doors }: ApplyContext,
): string | null {
	const read = doors.files.read(path);
	const age = ageSeconds(
		doors.clock.now(),
		mtimeOf(doors.files, path),
		SKEW_SECONDS,
	);
	return evidenceFlaw(read.kind === "ok" ? read.text : null, age, candidate);
}

/** The pin first, because the installer obeys it; whatever fails, both are as before. */
async function promote(candidate: string, ctx: ApplyContext): Promise<number> {
	const { files } = ctx.doors;
	const { stateDir } = ctx.settings.home;
	const place = placeOf(ctx);
	const before = readLocalPin(files, place);
	const pinned = writeLocalPin(files, place, candidate);
	if (pinned.kind !== "ok") {
		ctx.err(`the pin cannot be written: ${pinned.reason}`);
		return 4;
	}
	const done = await ctx.hands.install();
	if (done.kind === "failed") {
		const back =
			before === null
				? removeLocalPin(files, place)
				: writeLocalPin(files, place, before);
		const how = back.kind === "ok" ? "rolled back" : "THE PIN IS NOT PUT BACK";
		ctx.err(`${done.why}; ${how}`);
		audit(ctx, candidate, `${done.stage}-failed`, done.why);
		return done.stage === "verify" ? 5 : 4;
	}
	removeCcUpdate(files, stateDir);
	audit(ctx, candidate, "promoted", `before: ${before ?? "the floor"}`);
	ctx.out(
		`promoted ${candidate}; sessions that run stay on their binary, new ones take it`,
	);
	return 0;
}

function audit(
	{ doors, settings }: ApplyContext,
	candidate: string,
	decision: string,
	detail: string,
): void {
	const { stateDir } = settings.home;
	const ts = doors.clock.now();
	const iso = doors.clock.iso(ts);
	appendCcDecision(doors.files, stateDir, { iso, candidate, decision, detail });
	writeLastEval(doors.files, stateDir, { candidate, decision, detail, ts });
}

function placeOf({ settings }: ApplyContext): VersionPlace {
	return { ...settings.home, pinFile: settings.config.NEXUS_CC_LOCAL_PIN };
}
