/** Commands that a text teaches: what stands in its `sh` blocks, and code in its lines that names one of our programs. Pure. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

export interface TaughtCommand {
	/** As it stands there. */
	readonly text: string;
	readonly line: number;
	/** Words of the call, without quotes. The first is the program's path below the code root. */
	readonly words: readonly string[];
}

export function readText(path: string): string {
	return readFileSync(join(CODE_ROOT, path), "utf8");
}

/** Calls of our programs; other commands are left out. */
export function taughtCommands(text: string): readonly TaughtCommand[] {
	return snippets(text).flatMap(({ text: snippet, line }) =>
		calls(snippet).map((words) => ({ text: snippet, line, words })),
	);
}

/** Lines of `sh` blocks, and code spans. */
export function snippets(
	text: string,
): readonly { readonly text: string; readonly line: number }[] {
	let fence: string | null = null;
	return text.split("\n").flatMap((raw, at) => {
		const line = at + 1;
		const opens = /^\s*```(\w*)/.exec(raw);
		if (opens !== null) {
			fence = fence === null ? (opens[1] ?? "") : null;
			return [];
		}
		if (fence === "sh") return [{ text: raw.replace(/\s+#.*$/, ""), line }];
		if (fence !== null) return [];
		return [...raw.matchAll(/`([^`]+)`/g)].map((m) => ({
			text: m[1] ?? "",
			line,
		}));
	});
}

/** Every call of one of our programs in a line of shell: behind a pipe, and in `$(…)`, too. */
function calls(snippet: string): readonly (readonly string[])[] {
	return snippet
		.split(/[|;]|&&|\$\(|\)/)
		.map(wordsOf)
		.map((words) => {
			const at = words.findIndex((word) => programOf(word) !== null);
			const isCall = words.slice(0, at).every((word) => word.includes("="));
			return at < 0 || !isCall ? [] : words.slice(at);
		})
		.flatMap(([first = "", ...rest]) => {
			const program = programOf(first);
			// A bare file name may be any file's.
			const isNamed = !first.includes("/") && rest.length === 0;
			return program === null || isNamed ? [] : [[program, ...rest]];
		});
}

/** Path below the code root of a program of ours, or null. */
function programOf(word: string): string | null {
	if (word === "ng") return "monitor/ng";
	if (word === "./nexus") return "nexus";
	if (word === "thrum") return "resources/thrum-shim.ts";
	// A watcher's own copies.
	const copy = /^<kit>\/([\w-]+\.ts)$/.exec(word)?.[1];
	if (copy !== undefined) return `resources/${copy}`;
	// `monitor/` is on the PATH of every agent.
	if (/^[a-z][a-z-]*\.ts$/.test(word)) return `monitor/${word}`;
	const path = word.replace(/^\$NEXUS_ROOT\//, "");
	return /^(?:monitor|config|resources)\/(?:ng|[\w/-]+\.ts)$/.test(path)
		? path
		: null;
}

function wordsOf(line: string): readonly string[] {
	return [...line.matchAll(/(?:"[^"]*"|'[^']*'|<[^>]*>|[^\s"'<]|<)+/g)].map(
		([word]) => word.replace(/["']/g, ""),
	);
}

/**
 * The one line of a text's `sh` blocks that holds `needle`, with its placeholders (`<window>`) filled in: for scripted
 * agents that do what they were taught. Throws when there is no such line, or a placeholder is left.
 */
export function taughtLine(
	path: string,
	needle: string,
	fill: Readonly<Record<string, string>> = {},
): string {
	let isShell = false;
	const found = readText(path)
		.split("\n")
		.filter((line) => {
			const fence = /^\s*```(\w*)/.exec(line);
			if (fence !== null) isShell = fence[1] === "sh";
			return isShell && fence === null && line.includes(needle);
		});
	const [line, ...more] = found;
	if (line === undefined || more.length > 0)
		throw new Error(`${path}: ${found.length} lines with ${needle}`);
	const filled = line.replace(
		/<([^<>]+)>/g,
		(whole, name) => fill[name] ?? whole,
	);
	const left = /<[^<>]+>/.exec(filled);
	if (left !== null) throw new Error(`${path}: ${filled}: fill in ${left[0]}`);
	return filled;
}
