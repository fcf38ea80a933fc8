/** `await`: a worker waits for its answer (contract 08 §6.2). */
import { wholeNumber } from "../_sys/require-int.ts";
import { readArguments } from "./arguments.ts";
import { findRequest, isForeign, openInbox, readInside } from "./inbox.ts";
import type { RequestVerb } from "./verb.ts";

const FAILED = 2;
const TIMEOUT = 4;
const FOREIGN = 5;
const FLAGS = {
	"--timeout": "value",
	"--interval": "value",
	"--principal": "value",
} as const;

/** 0 replied or done, 2 failed or not there, 4 time is up, 5 another's. */
export const run: RequestVerb = async (args, ctx) => {
	const { doors, out, outBytes, err } = ctx;
	const asked = readArguments("await", args, FLAGS, ctx);
	if (asked.kind === "ended") return asked.rc;
	const { id } = asked;
	const timeout = wholeNumber(asked.value("--timeout") ?? "1800");
	const interval = wholeNumber(asked.value("--interval") ?? "5");
	if (timeout === null || interval === null || interval === 0) {
		err("await: --timeout and --interval are whole seconds");
		return 1;
	}
	const principal =
		asked.value("--principal") ?? doors.proc.env.NEXUS_REQUEST_PRINCIPAL ?? "";
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const { clock, files } = doors;
	const end = clock.monoMs() + timeout * 1000;
	for (;;) {
		const at = findRequest(files, inbox.dir, id);
		if (at.kind === "absent") {
			err(`await: no request ${id}`);
			return FAILED;
		}
		if (at.kind === "there") {
			const { origin } = at.head;
			if (isForeign(origin, principal)) {
				err(`await: request ${id} is of ${origin}, not of ${principal}`);
				return FOREIGN;
			}
			if (at.state === "done") {
				out(`request ${id} was acknowledged, without an answer`);
				return 0;
			}
			const read =
				at.state === "replied" || at.state === "failed"
					? readInside(files, inbox.dir, at.path)
					: null;
			if (read?.kind === "ok") {
				outBytes(read.bytes);
				return at.state === "failed" ? FAILED : 0;
			}
		}
		const left = end - clock.monoMs();
		if (left <= 0) {
			err(`await: no answer to ${id} within ${timeout}s`);
			return TIMEOUT;
		}
		await clock.sleep(Math.min(interval * 1000, left));
	}
};
