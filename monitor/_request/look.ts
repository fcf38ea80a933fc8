/** `list`, `show`, `reqfile`, `dir`: looking at the inbox (contract 08 §6.2). */
import {
	parseRequestName,
	type RequestState,
	requestFileName,
} from "../_state/requests.ts";
import { parseCli } from "../_sys/cli.ts";
import { asOneLine } from "../_sys/control-characters.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { readArguments } from "./arguments.ts";
import { headOf, isState, openInbox, readInside, standingOf } from "./inbox.ts";
import type { RequestVerb } from "./verb.ts";

export const list: RequestVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = parseCli(args, { flags: { "--state": "value" } });
	if (cli.kind === "help") return 0;
	if (cli.kind === "refused") {
		err(`list: ${cli.message}`);
		return 1;
	}
	const wanted = cli.value("--state") ?? "all";
	if (!isListable(wanted)) {
		err(`list: not a state: '${excerpt(wanted)}'`);
		return 1;
	}
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const listed = doors.files.list(inbox.dir);
	if (listed.kind === "unreadable") {
		err(`list: ${inbox.dir}: ${listed.reason}`);
		return 1;
	}
	for (const name of listed.kind === "ok" ? listed.names : []) {
		const parsed = parseRequestName(name);
		if (parsed === null || !isWanted(parsed.state, wanted)) continue;
		const { id, state } = parsed;
		const head = headOf(doors.files, inbox.dir, id, state);
		const stem = requestFileName(parsed).replace(/\.md$/, "");
		out(
			`[${state.padEnd(8)}] ${stem.padEnd(50)} origin=${plain(head?.origin)} kind=${plain(head?.kind)}`,
		);
	}
	return 0;
};

export const show: RequestVerb = (args, ctx) =>
	forOne("show", args, ctx, (dir, path) => {
		const read = readInside(ctx.doors.files, dir, path);
		if (read.kind === "ok") {
			ctx.outBytes(read.bytes);
			return 0;
		}
		ctx.err(`show: ${read.kind === "absent" ? "it is gone" : read.why}`);
		return NOT_THERE;
	});

export const reqfile: RequestVerb = (args, ctx) =>
	forOne("reqfile", args, ctx, (_dir, path) => {
		ctx.out(path);
		return 0;
	});

export const dir: RequestVerb = async (_args, ctx) => {
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	ctx.out(inbox.dir);
	return 0;
};

const NOT_THERE = 2;

async function forOne(
	verb: string,
	args: readonly string[],
	ctx: Parameters<RequestVerb>[1],
	act: (dir: string, path: string) => number,
): Promise<number> {
	const asked = readArguments(verb, args, {}, ctx);
	if (asked.kind === "ended") return asked.rc;
	const { id } = asked;
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return inbox.rc;
	const at = standingOf(ctx.doors.files, inbox.dir, id);
	if (at.kind === "there") return act(inbox.dir, at.path);
	ctx.err(`${verb}: ${at.kind === "absent" ? `no request ${id}` : at.why}`);
	return NOT_THERE;
}

function isListable(word: string): boolean {
	return (
		word === "all" ||
		(isState(word) && word !== "replying" && word !== "failing")
	);
}

/** What is on its way counts as claimed. */
function isWanted(state: RequestState, wanted: string): boolean {
	const isMoving = state === "replying" || state === "failing";
	return (
		wanted === "all" || state === wanted || (isMoving && wanted === "claimed")
	);
}

/** A field of a file that anybody may have written, in a row of ours. */
function plain(field = ""): string {
	return asOneLine(field).trim() || "unknown";
}
