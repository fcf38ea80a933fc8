/** `ack` and `fail`: a request ends without an answer (contract 08 §6.2). */
import { withFailure } from "../_state/request-document.ts";
import { readArguments } from "./arguments.ts";
import { headOf, openInbox, standingOf } from "./inbox.ts";
import { move, report } from "./transition.ts";
import type { RequestVerb } from "./verb.ts";

const ILLEGAL = 6;

/** What is done with already, or is not there, is no error: the orchestrator acks what a row named. */
export const ack: RequestVerb = async (args, ctx) => {
	const { doors, err } = ctx;
	const asked = readArguments("ack", args, {}, ctx);
	if (asked.kind === "ended") return asked.rc;
	const { id } = asked;
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
	const asked = readArguments("fail", args, { "--reason": "value" }, ctx);
	if (asked.kind === "ended") return asked.rc;
	const { id } = asked;
	const reason = asked.value("--reason");
	if (reason === undefined) {
		err("fail: --reason is required");
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
