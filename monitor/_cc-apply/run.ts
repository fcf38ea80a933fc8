/** The verbs of `cc-auto-update-apply` (contract 06 §13.3). */
import { appendCcDecision } from "../_state/cc-decisions.ts";
import { writeLastEval } from "../_state/cc-last-eval.ts";
import {
	readRestartHold,
	removeRestartHold,
	writeRestartHold,
} from "../_state/cc-restart-hold.ts";
import type { WriteResult } from "../_sys/doors.ts";
import { type ApplyRequest, parseApplyArgs, USAGE } from "./args.ts";
import type { ApplyContext } from "./context.ts";
import { runSafe } from "./safe.ts";

/** Exit code. */
export async function runApply(
	argv: readonly string[],
	ctx: ApplyContext,
): Promise<number> {
	const request = parseApplyArgs(argv);
	switch (request.kind) {
		case "help":
			ctx.out(USAGE);
			return 0;
		case "refused":
			ctx.err(request.message);
			ctx.err(USAGE);
			return 2;
		case "safe":
			return runSafe(request, ctx);
		case "outcome":
			return recordOutcome(request, ctx);
		case "hold":
			return hold(request, ctx);
		case "unhold":
			return saved(
				ctx,
				removeRestartHold(ctx.doors.files, ctx.settings.home.stateDir),
				"no hold stands",
			);
		case "hold-status":
			return holdStatus(ctx);
	}
}

function recordOutcome(
	request: Extract<ApplyRequest, { kind: "outcome" }>,
	ctx: ApplyContext,
): number {
	const { files, clock } = ctx.doors;
	const { stateDir } = ctx.settings.home;
	const { candidate, decision, detail } = request;
	const ts = clock.now();
	const iso = clock.iso(ts);
	appendCcDecision(files, stateDir, { iso, candidate, decision, detail });
	return saved(
		ctx,
		writeLastEval(files, stateDir, { candidate, decision, detail, ts }),
		`${candidate}: ${decision}`,
	);
}

function hold(
	request: Extract<ApplyRequest, { kind: "hold" }>,
	ctx: ApplyContext,
): number {
	const { reason, hours, untilVersion } = request;
	const ts = ctx.doors.clock.now();
	const expires = hours === null ? null : ts + hours * 3600;
	return saved(
		ctx,
		writeRestartHold(ctx.doors.files, ctx.settings.home.stateDir, {
			reason,
			ts,
			expires,
			untilVersion,
		}),
		"held",
	);
}

/** 25 while one stands. */
function holdStatus({ doors, settings, out }: ApplyContext): 0 | 25 {
	const found = readRestartHold(doors.files, settings.home.stateDir);
	const isOver = found?.expires != null && doors.clock.now() >= found.expires;
	if (found === null || isOver) {
		out("no hold stands");
		return 0;
	}
	const until = [
		...(found.expires === null ? [] : [doors.clock.iso(found.expires)]),
		...(found.untilVersion === null ? [] : [`version ${found.untilVersion}`]),
	];
	out(
		`held: ${found.reason}${until.length ? `; until ${until.join(" or ")}` : ""}`,
	);
	return 25;
}

function saved(ctx: ApplyContext, result: WriteResult, line: string): 0 | 3 {
	if (result.kind === "ok") {
		ctx.out(line);
		return 0;
	}
	ctx.err(`it cannot be written: ${result.reason}`);
	return 3;
}
