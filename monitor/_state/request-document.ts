/**
 * The text of a request, from its filing to its answer (contract 08 §6.1, §6.2). Pure. Bodies are bytes that nobody may
 * touch, so a document is handled as a text of one character a byte: `toRaw` and `fromRaw` lose nothing.
 */

/** One character a byte. */
export type Raw = string;

/** One character a byte; nothing is decoded. */
export function toRaw(bytes: Uint8Array): Raw {
	return Buffer.from(bytes).toString("latin1");
}

/** The bytes again, as `toRaw` took them. */
export function fromRaw(raw: Raw): Uint8Array {
	return Buffer.from(raw, "latin1");
}

/** Ordinary text. */
export function rawOf(text: string): Raw {
	return toRaw(new TextEncoder().encode(text));
}

type Fields = readonly (readonly [key: string, value: string])[];

export interface NewRequest {
	readonly id: string;
	readonly origin: string;
	readonly kind: string;
	readonly isReplyRequired: boolean;
	/** ISO. */
	readonly created: string;
	readonly priority: string;
	readonly publish: boolean;
	readonly body: Raw;
}

/** In state `new`. The summary is the body's first line that is not blank. */
export function renderRequest(r: NewRequest): Raw {
	const fields: Fields = [
		["request", r.id],
		["origin", r.origin],
		["kind", r.kind],
		...(r.isReplyRequired ? ([["reply", "required"]] as const) : []),
		["created", r.created],
		["priority", r.priority],
		["publish", String(r.publish)],
		["state", "new"],
	];
	const summary =
		r.body.split(/\r?\n/).find((line) => line.trim() !== "") ?? "";
	return `---\n${lines("", fields)}---\n\n## Request\n\n${summary}\n\n## Details\n\n${r.body}`;
}

export interface Reply {
	readonly status: string;
	readonly repliedAt: string;
	/** Null: it was never amended. */
	readonly amendedAt: string | null;
	readonly publish: boolean;
	readonly worker: Fields | null;
	/** `progress_path`, `results_path` or `github_issue`. */
	readonly places: Fields;
	readonly body: Raw;
}

/** Null: the document has no head to say it in. */
export function withReply(document: Raw, reply: Reply): Raw | null {
	const head = splitHead(document);
	if (head === null) return null;
	const block = `reply:\n${lines("  ", [
		["status", rawOf(reply.status)],
		["replied_at", reply.repliedAt],
		...(reply.amendedAt === null
			? []
			: ([["amended_at", reply.amendedAt]] as const)),
		["publish", String(reply.publish)],
		["body_bytes", String(reply.body.length)],
	])}${reply.worker === null ? "" : `  worker:\n${lines("    ", reply.worker)}`}${lines("  ", reply.places)}`;
	const rest = head.rest.endsWith("\n") ? head.rest : `${head.rest}\n`;
	return `---\n${withState(head.fields, "replied")}${block}---\n${rest}${MARKER}${reply.body}`;
}

export interface Answered {
	/** The document as it was before it was answered, but for its `state:`. */
	readonly request: Raw;
	readonly body: Raw;
	readonly repliedAt: string;
	readonly publish: boolean;
}

/** Null: it is not what we wrote. The body is told by its length alone; it may hold any heading. */
export function readAnswered(document: Raw): Answered | null {
	const head = splitHead(document);
	const at = head?.fields.lastIndexOf("\nreply:\n  status: ") ?? -1;
	if (head === null || at < 0) return null;
	const block = head.fields.slice(at + 1);
	const value = (key: string) =>
		new RegExp(`^  ${key}: (.*)$`, "m").exec(block)?.[1] ?? "";
	const length = Number(/^\d+$/.exec(value("body_bytes"))?.[0] ?? Number.NaN);
	const from = head.rest.length - length;
	const marker = head.rest.slice(from - MARKER.length, from);
	if (Number.isNaN(length) || marker !== MARKER) return null;
	const request = head.rest.slice(0, from - MARKER.length);
	return {
		request: `---\n${head.fields.slice(0, at + 1)}---\n${request}`,
		body: head.rest.slice(from),
		repliedAt: value("replied_at"),
		publish: value("publish") !== "false",
	};
}

/** For a document of another hand: what stands below its only `## Reply`; null: there is none, or more than one. */
export function replySection(document: Raw): Raw | null {
	const [, below, more] = document.split(/^## Reply[ \t]*\n\n?/m);
	return below === undefined || more !== undefined ? null : below;
}

/** Null for a document without a head; `at` as it shall stand. */
export function withFailure(
	document: Raw,
	at: string,
	reason: string,
): Raw | null {
	const head = splitHead(document);
	if (head === null) return null;
	const rest = head.rest.endsWith("\n") ? head.rest : `${head.rest}\n`;
	return `---\n${withState(head.fields, "failed")}failed_at: ${at}\n---\n${rest}\n## Failure\n\n${rawOf(reason)}\n`;
}

const MARKER = "\n## Reply\n\n";

interface Head {
	/** Lines between the fences, each with its end. */
	readonly fields: Raw;
	/** Behind the closing fence. */
	readonly rest: Raw;
}

function splitHead(document: Raw): Head | null {
	const [, fields, rest] =
		/^---[ \t]*\n((?:(?!---[ \t]*\n).*\n)*)---[ \t]*\n([\s\S]*)$/.exec(
			document,
		) ?? [];
	return fields === undefined || rest === undefined ? null : { fields, rest };
}

function withState(fields: Raw, state: string): Raw {
	return /^state:/m.test(fields)
		? fields.replace(/^state:.*$/m, `state: ${state}`)
		: `${fields}state: ${state}\n`;
}

function lines(indent: string, fields: Fields): Raw {
	return fields
		.map(
			([key, value]) => `${indent}${key}: ${value.replace(/[\r\n]+/g, " ")}\n`,
		)
		.join("");
}
