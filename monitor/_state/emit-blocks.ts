/**
 * The text of what GitHub's sources found (contract 02 §4): a header line and at most one body line a
 * block. Queue, staging and registry hold it; every filter reads it. Pure.
 */
import { asOneLine } from "../_sys/control-characters.ts";

export type Block = CommentBlock | AlertBlock | OpaqueBlock;
export type Shape =
	| "issue"
	| "pr"
	| "pr_review"
	| "issue_new"
	/** An event elsewhere, where the bot is installed and can answer. */
	| "mention"
	/** A search hit where it is not: to be read only. */
	| "cross_repo";

/** A comment, or the opening of an issue or pull request. A token that the header lacks is the empty text. */
export interface CommentBlock {
	readonly kind: "comment";
	readonly shape: Shape;
	/** `owner/name`, of `mention` and `cross_repo`; empty: the configured repository. */
	readonly repo: string;
	/** What it is where it stands; of an in-repo shape the shape itself. */
	readonly what: string;
	/** Of the issue or pull request. */
	readonly number: string;
	/** A text: some ids are larger than a number holds. */
	readonly id: string;
	readonly author: string;
	/** The commented file; `?` for a review as a whole. */
	readonly path: string;
	/** The text is the issue's or pull request's own, so `id` is not that of a comment. */
	readonly fromBody: boolean;
	/** The whole text names the bot; the preview may end before that. */
	readonly addressed: boolean;
	/** The whole text holds the skip marker. */
	readonly skip: boolean;
	/** The preview; null without a body line. */
	readonly body: string | null;
}
/** A sentinel of the sources themselves. */
export interface AlertBlock {
	readonly kind: "alert";
	/** `rate-limit`, `ingest-degraded`, … */
	readonly alert: string;
	/** Empty when the header names none. */
	readonly surface: string;
	readonly header: string;
	readonly body: string | null;
}
/** A line that is no block of ours; it passes in its place. */
export interface OpaqueBlock {
	readonly kind: "opaque";
	readonly line: string;
}

const PREVIEW_LENGTH = 400;

/** Text of any length and content as one line: the same for every source, so that one comment has one preview. */
export function preview(body: string | null): string {
	const line = asOneLine(body ?? "");
	const characters = [...line];
	return characters.length <= PREVIEW_LENGTH
		? line
		: `${characters.slice(0, PREVIEW_LENGTH).join("")}…`;
}

/** Never throws, and loses no line. Tokens are read from the header alone, the first of each name. */
export function parseBlocks(text: string): readonly Block[] {
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	const blocks: Block[] = [];
	for (let i = 0; i < lines.length; i++) {
		const line = lines[i] ?? "";
		const shape = HEADER.exec(line)?.[1];
		if (shape === undefined) {
			blocks.push({ kind: "opaque", line });
			continue;
		}
		const body = BODY.exec(lines[i + 1] ?? "")?.[1] ?? null;
		if (body !== null) i += 1;
		blocks.push(
			isShape(shape) ? comment(shape, line, body) : alert(line, body),
		);
	}
	return blocks;
}

/** As queue, staging and registry hold it, each line ended. */
export function renderBlock(block: Block): string {
	if (block.kind === "opaque") return `${block.line}\n`;
	const header =
		block.kind === "alert"
			? oneLine(block.header)
			: [...headerTokens(block), ...internalTokens(block)].join(" ");
	return header + bodyLine(block.body);
}

/** Each block ends in a newline, so that texts of blocks can be joined as they are. */
export function renderBlocks(blocks: readonly Block[]): string {
	return blocks.map(renderBlock).join("");
}

/** As an emit shows it: without the tokens that only filters need. */
export function renderForEmit(block: Block): string {
	return block.kind === "comment"
		? headerTokens(block).join(" ") + bodyLine(block.body)
		: renderBlock(block);
}

/** The line that the emit cooldown hashes, without a newline; null without a body. */
export function bodyLineOf(block: CommentBlock | AlertBlock): string | null {
	return block.body === null ? null : `  body: ${block.body}`;
}

/** An alert's header from its tokens; a value that is null is left out. */
export function alertBlock(
	kind: string,
	tokens: Readonly<Record<string, string | number | null>>,
	body: string,
): AlertBlock {
	const given = Object.entries(tokens).flatMap(([name, value]) =>
		value === null ? [] : [`${name}=${word(String(value))}`],
	);
	const header = [`watcher_alert=${kind}`, ...given].join(" ");
	return alert(header, preview(body));
}

const HEADER =
	/^(issue|pr|pr_review|issue_new|mention|cross_repo|watcher_alert)=/;
const BODY = /^\s+body: ?(.*)$/;
const SHAPES: readonly string[] = [
	"issue",
	"pr",
	"pr_review",
	"issue_new",
	"mention",
	"cross_repo",
];

function isShape(word: string): word is Shape {
	return SHAPES.includes(word);
}

function comment(
	shape: Shape,
	header: string,
	body: string | null,
): CommentBlock {
	const token = tokensOf(header);
	const elsewhere = shape === "mention" || shape === "cross_repo";
	return {
		kind: "comment",
		shape,
		repo: elsewhere ? token(shape) : "",
		what: elsewhere ? token("kind") : shape,
		number: elsewhere ? token("n") : token(shape),
		id: token("id"),
		author: token("author"),
		path: decodePath(token("path")),
		fromBody: token("src") === "body",
		addressed: token("_addr") === "1",
		skip: token("_skip") === "1",
		body,
	};
}

function alert(header: string, body: string | null): AlertBlock {
	const token = tokensOf(header);
	return {
		kind: "alert",
		alert: token("watcher_alert"),
		surface: token("surface"),
		header,
		body,
	};
}

function headerTokens(block: CommentBlock): readonly string[] {
	const { shape, repo, what, number, id, author, path, fromBody } = block;
	const elsewhere = shape === "mention" || shape === "cross_repo";
	return [
		...(elsewhere
			? [`${shape}=${word(repo)}`, `kind=${word(what)}`, `n=${word(number)}`]
			: [`${shape}=${word(number)}`]),
		`id=${word(id)}`,
		`author=${word(author)}`,
		...(path === "" ? [] : [`path=${encodePath(path)}`]),
		...(fromBody ? ["src=body"] : []),
	];
}

function internalTokens({ addressed, skip }: CommentBlock): readonly string[] {
	return [...(addressed ? ["_addr=1"] : []), ...(skip ? ["_skip=1"] : [])];
}

function bodyLine(body: string | null): string {
	return body === null ? "\n" : `\n  body: ${oneLine(body)}\n`;
}

/** Whoever made the block: a second line would be a block of its own. */
function oneLine(text: string): string {
	return text.replace(/[\r\n\u2028\u2029]+/g, " ");
}

function tokensOf(header: string): (name: string) => string {
	const tokens = new Map<string, string>();
	for (const part of header.split(" ")) {
		const at = part.indexOf("=");
		const name = part.slice(0, at);
		if (at > 0 && !tokens.has(name)) tokens.set(name, part.slice(at + 1));
	}
	return (name) => tokens.get(name) ?? "";
}

/** A value that could add a token, or a line, is no value of GitHub's. */
function word(value: string): string {
	return value.replace(/[\s\0-\x1f\x7f-\x9f]+/g, "_");
}

/** A file's name must not be able to add tokens. */
function encodePath(path: string): string {
	return path.replace(/[\s\0-\x1f\x7f-\x9f%]/g, encodeURIComponent);
}

function decodePath(path: string): string {
	return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => {
		try {
			return decodeURIComponent(bytes);
		} catch {
			return bytes;
		}
	});
}
