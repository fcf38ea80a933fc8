/** Moving a request on (contract 08 §6.2). The name is the state, the rename the signal: a terminal name never holds half a text. */
import { dirname, join } from "node:path";
import { fromRaw, type Raw, toRaw } from "../_state/request-document.ts";
import { type RequestState, requestFileName } from "../_state/requests.ts";
import { replyDraft } from "../_state/requests-dir.ts";
import type { Files } from "../_sys/doors.ts";
import { readInside, standingOf } from "./inbox.ts";

export type Moved =
	| { readonly kind: "ok"; readonly path: string }
	/** It stood there already. */
	| { readonly kind: "there"; readonly path: string }
	| { readonly kind: "absent" }
	| { readonly kind: "illegal"; readonly state: RequestState }
	/** Somebody else moved it under our hand, twice. */
	| { readonly kind: "lost" }
	| { readonly kind: "failed"; readonly why: string };

export interface Transition {
	readonly dir: string;
	readonly id: string;
	readonly from: readonly RequestState[];
	readonly to: "done" | "replied" | "failed";
	/** Null: a pure rename. Else the name while it is written, and the text; a text of null refuses. */
	readonly content: {
		readonly through: "replying" | "failing";
		readonly make: (document: Raw) => Raw | null;
	} | null;
	/** `to` is no error but done already. */
	readonly repeatable: boolean;
}

const TRIES = 2;

/** `there`: it stood at `to` already. `lost`: others moved it at each try. */
export function move(files: Files, t: Transition): Moved {
	for (let tried = 0; tried < TRIES; tried++) {
		const at = standingOf(files, t.dir, t.id);
		if (at.kind === "absent") return at;
		if (at.kind === "unreadable") return { kind: "failed", why: at.why };
		if (!t.from.includes(at.state))
			return at.state === t.to && t.repeatable
				? { kind: "there", path: at.path }
				: { kind: "illegal", state: at.state };
		const done = moveFrom(files, t, at.path);
		if (done !== "gone") return done;
	}
	return { kind: "lost" };
}

function moveFrom(files: Files, t: Transition, source: string): Moved | "gone" {
	const target = join(t.dir, requestFileName({ id: t.id, state: t.to }));
	if (t.content === null) return renamed(files, source, target);
	const { through, make } = t.content;
	const read = readInside(files, t.dir, source);
	if (read.kind === "absent") return "gone";
	if (read.kind === "refused") return { kind: "failed", why: read.why };
	const text = make(toRaw(read.bytes));
	if (text === null)
		return { kind: "failed", why: "it has no head that it could be said in" };
	// Written before it is claimed: a disk may stall, and the watcher ends what hangs between two states.
	const draft = replyDraft(t.dir, t.id, text);
	files.mkdir(dirname(draft));
	const wrote = files.writeAtomic(draft, fromRaw(text), { fsync: true });
	if (wrote.kind === "failed") return { kind: "failed", why: wrote.reason };
	const between = join(t.dir, requestFileName({ id: t.id, state: through }));
	// It may have lain there for hours, and must not look like one that hangs.
	files.touch(source);
	const claimed = renamed(files, source, between);
	if (claimed === "gone" || claimed.kind !== "ok") {
		files.remove(draft);
		return claimed;
	}
	const filled = renamed(files, draft, between);
	if (filled === "gone" || filled.kind !== "ok") {
		// Given back as it was; should that fail, too, the watcher finds it.
		files.rename(between, source);
		return filled === "gone" ? { kind: "lost" } : filled;
	}
	const ended = renamed(files, between, target);
	return ended === "gone" ? { kind: "lost" } : ended;
}

function renamed(files: Files, from: string, to: string): Moved | "gone" {
	const moved = files.rename(from, to);
	if (moved.kind === "ok") return { kind: "ok", path: to };
	return moved.code === "ENOENT"
		? "gone"
		: { kind: "failed", why: moved.reason };
}

/** Says what became of it; the exit code. */
export function report(
	moved: Moved,
	id: string,
	verb: string,
	say: {
		readonly out: (line: string) => void;
		readonly err: (line: string) => void;
	},
): number {
	switch (moved.kind) {
		case "ok":
		case "there":
			say.out(moved.path);
			return 0;
		case "absent":
			say.err(`${verb}: no request ${id}`);
			return 2;
		case "illegal":
			say.err(`${verb}: request ${id} is ${moved.state}`);
			return 6;
		case "lost":
			say.err(`${verb}: request ${id} moved meanwhile, twice`);
			return 7;
		case "failed":
			say.err(`${verb}: request ${id}: ${moved.why}`);
			return 1;
	}
}
