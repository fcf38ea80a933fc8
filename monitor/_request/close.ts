/** `ack` and `fail`: a request ends without an answer (contract 08 §6.2). */
import { withFailure } from "../_state/request-document.ts";
import { parseCli } from "../_sys/cli.ts";
import { badId, headOf, isRequestId, openInbox, standingOf } from "./inbox.ts";
import { move, report } from "./transition.ts";
import type { RequestVerb } from "./verb.ts";

const ILLEGAL = 6;

/** What is done with already, or is not there, is no error: the orchestrator acks what a row named. */
export const ack: RequestVerb = async (args, ctx) => {
	const { doors, err } = ctx;
	const cli = parseCli(args, { flags: {}, maxPositionals: 1 });
	if (cli.kind === "help") return 0;
	const id = cli.kind === "ok" ? cli.positionals[0] : undefined;
	if (!isRequestId(id)) {
		err(`ack: ${cli.kind === "refused" ? cli.message : badId(id)}`);
		return 1;
	}
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const at = standingOf(doors.files, inbox.dir, id);
	if (at.kind === "absent") {
		err(`ack: no request ${id}: nothing to do`);
		return 0;
	}
	if (at.kind === "there" && ["replied", "done", "failed"].includes(at.state)) {
		err(`ack: request ${id} is ${at.state}: nothing to do`);
		return 0;
	}
	const head =
		at.kind === "there" ? headOf(doors.files, inbox.dir, id, at.state) : null;
	if (head?.reply.trim() === "required") {
		err(`ack: request ${id} wants an answer: ng request reply ${id}`);
		return ILLEGAL;
	}
	const moved = move(doors.files, {
		dir: inbox.dir,
		id,
		from: ["new", "claimed"],
		to: "done",
		content: null,
		repeatable: true,
	});
	return moved.kind === "absent" ? 0 : report(moved, id, "ack", ctx);
};

export const fail: RequestVerb = async (args, ctx) => {
	const { doors, err } = ctx;
	const cli = parseCli(args, {
		flags: { "--reason": "value" },
		maxPositionals: 1,
	});
	if (cli.kind === "help") return 0;
	const id = cli.kind === "ok" ? cli.positionals[0] : undefined;
	const reason = cli.kind === "ok" ? cli.value("--reason") : undefined;
	if (!isRequestId(id) || reason === undefined) {
		err(
			`fail: ${cli.kind === "refused" ? cli.message : isRequestId(id) ? "--reason is required" : badId(id)}`,
		);
		return 1;
	}
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const at = doors.clock.iso();
	const moved = move(doors.files, {
		dir: inbox.dir,
		id,
		from: ["new", "claimed"],
		to: "failed",
		content: {
			through: "failing",
			make: (document) => withFailure(document, at, reason),
		},
		repeatable: true,
	});
	return report(moved, id, "fail", ctx);
};
