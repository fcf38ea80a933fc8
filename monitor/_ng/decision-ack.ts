/** `ng decision-ack <window> <fp> | <path> | <window> --all [--reason t]`: a question has been dealt with (contract 05 §13.1). */
import { appendEvent } from "../_state/action-log-append.ts";
import { type Acked, ackDecision, pendingOf } from "../_state/decision-ack.ts";
import { decisionsDir } from "../_state/decisions.ts";
import { readArguments } from "./arguments.ts";
import { type Asked, decideAck } from "./decision-ack/decide.ts";
import { placeOf } from "./place.ts";
import type { NgContext, NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--all": "switch", "--reason": "value" }, maxPositionals: 2 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const home = await placeOf(ctx);
	if (home === null) return 1;
	const { stateDir } = home;
	const real = (path: string) => doors.files.realpath(path);
	const asked = decideAck(
		cli.positionals,
		cli.on("--all"),
		(dir) => real(dir) !== null && real(dir) === real(decisionsDir(stateDir)),
	);
	if (asked.kind === "refused") {
		err(asked.message);
		return 1;
	}
	const wanted = fingerprintsOf(asked, ctx, stateDir);
	if (wanted === null) return 1;
	if (wanted.length === 0) {
		out(`decision-ack: nothing to do for ${asked.window}`);
		return 0;
	}
	const acked = wanted.map((fp) => {
		const result = ackDecision(doors.files, stateDir, asked.window, fp);
		say(result, asked.window, fp, ctx);
		return { fp, result };
	});
	const fresh = acked.filter(({ result }) => result.kind === "acked");
	if (fresh.length > 0) {
		out(`decision-ack: ${fresh.length} acked for ${asked.window}`);
		const logged = appendEvent(doors, stateDir, {
			agent: "monitor",
			event: "decision-ack",
			extras: [
				["window", asked.window],
				["count", String(fresh.length)],
				...(fresh.length === 1
					? fresh.map(({ fp }) => ["fp", fp] as const)
					: []),
				["reason", cli.value("--reason") ?? "acked"],
			],
		});
		if (logged.kind === "failed")
			err(`the action log could not be written: ${logged.reason}`);
	}
	const failed = acked.some(
		({ result }) => result.kind === "failed" || result.kind === "absent",
	);
	return failed ? 1 : 0;
};

function fingerprintsOf(
	asked: Exclude<Asked, { kind: "refused" }>,
	{ doors, err }: NgContext,
	stateDir: string,
): readonly string[] | null {
	if (asked.kind === "one") return [asked.fingerprint];
	const listed = pendingOf(doors.files, stateDir, asked.window);
	if (listed.kind === "ok") return listed.fingerprints;
	err(`decision-ack: could not look for ${asked.window}: ${listed.reason}`);
	return null;
}

function say(
	result: Acked,
	window: string,
	fp: string,
	{ out, err }: NgContext,
): void {
	switch (result.kind) {
		case "acked":
			out(`decision-ack: ${result.from} → ${result.to}`);
			return;
		case "acked-before":
			out(`decision-ack: ${window} ${fp} already acked (tombstone present)`);
			return;
		case "absent":
			err(`decision-ack: no decision ${fp} of ${window}`);
			return;
		case "failed":
			err(`decision-ack: ${window} ${fp} is not acked: ${result.reason}`);
	}
}
