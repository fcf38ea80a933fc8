/** The verbs of `config/load.ts` (contract 07 §4). Answers with what to print; touches no process. */
import { effectiveLines } from "./effective.ts";
import { checkRequired, placeholderLines, type Scope } from "./identity.ts";
import { readFileValue } from "./leaf-values.ts";
import { type LoadFrom, type LoadResult, loadConfig } from "./read.ts";
import {
	dump,
	inOneLine,
	issueLine,
	issueLines,
	notFoundLine,
	printValue,
	warningLine,
} from "./report.ts";
import { resolveConfig } from "./resolve.ts";
import { FILE_KEYS, isFileKey } from "./schema.ts";
import { getKey } from "./tree.ts";

export const USAGE = `usage: load <dotted.key> [<default>]
       load --dump [--effective]
       load --check-identity
       load --validate
Prints a value of the chosen configuration file; neither environment nor code defaults are applied.
  --dump            every value of the file
  --effective       with --dump: every known key, as in force, and where it comes from
  --check-identity  exit 4 while who the operator is still reads as in the template
  --validate        the same, with the bot's credentials
exit: 0 ok, 1 usage or no file, 2 key missing and no default, 3 file unusable, 4 placeholders`;

export interface Answer {
	readonly code: 0 | 1 | 2 | 3 | 4;
	/** Lines for stdout: values alone. */
	readonly out: readonly string[];
	/** Lines for stderr. */
	readonly err: readonly string[];
}

type From = LoadFrom & { readonly home: string };
type Loaded = Exclude<LoadResult, { kind: "none" }>;

/** `argv` without program and script. */
export async function answerLoad(
	argv: readonly string[],
	from: From,
): Promise<Answer> {
	const [first = "", second, ...more] = argv;
	if (first === "-h" || first === "--help")
		return { code: 0, out: [USAGE], err: [] };
	const ask = verbOf(first, second, more.length > 0);
	if (ask === null) return { code: 1, out: [], err: [USAGE] };
	const loaded = await loadConfig(ask.full ? withoutCache(from) : from);
	if (loaded.kind === "none") {
		const err = [notFoundLine("load", loaded.tried)];
		return { code: 1, out: [], err };
	}
	const said = loaded.warnings.map((w) => warningLine(loaded.path, w));
	const answer = await ask.answer(loaded, from);
	return { ...answer, err: [...new Set([...said, ...answer.err])] };
}

interface Verb {
	/** Needs the places of values, or must not trust a cache. */
	readonly full: boolean;
	readonly answer: (loaded: Loaded, from: From) => Answer | Promise<Answer>;
}

function verbOf(
	first: string,
	second: string | undefined,
	surplus: boolean,
): Verb | null {
	if (surplus || first === "") return null;
	if (!first.startsWith("-"))
		return {
			full: false,
			answer: (loaded, from) => answerKey(first, second, loaded, from.home),
		};
	if (first === "--dump" && second === "--effective")
		return { full: true, answer: answerEffective };
	if (second !== undefined) return null;
	if (first === "--dump")
		return {
			full: false,
			answer: (loaded, from) =>
				unreadable(loaded) ?? {
					code: 0,
					out: dump(loaded.tree, from.home),
					err: problemsOf(loaded),
				},
		};
	const scope = SCOPES[first];
	return scope === undefined
		? null
		: {
				full: true,
				answer: (loaded, from) => answerCheck(scope, loaded, from),
			};
}

const SCOPES: Readonly<Record<string, Scope | undefined>> = {
	"--check-identity": "identity",
	"--validate": "all",
};

function answerKey(
	key: string,
	fallback: string | undefined,
	loaded: Loaded,
	home: string,
): Answer {
	const broken = unreadable(loaded);
	if (broken !== null) return broken;
	const problems = loaded.kind === "bad" ? loaded.issues : [];
	const lines = problems.map((issue) => issueLine(loaded.path, issue));
	if (problems.some((issue) => concerns(issue.key, key)))
		return { code: 3, out: [], err: lines };
	const value = getKey(loaded.tree, key);
	if (value !== undefined && value !== null)
		return { code: 0, out: [printKey(key, value, home)], err: lines };
	if (fallback !== undefined) return { code: 0, out: [fallback], err: lines };
	const missing = inOneLine(`load: key not found and no default: ${key}`);
	return { code: 2, out: [], err: [...lines, missing] };
}

/** Whether a problem at `bad` spoils the answer for `asked`: itself, above it or inside it. */
function concerns(bad: string, asked: string): boolean {
	return (
		bad === asked || asked.startsWith(`${bad}.`) || bad.startsWith(`${asked}.`)
	);
}

/** A known key as its type reads it (`off` is false for a switch); any other as it stands. */
function printKey(key: string, value: unknown, home: string): string {
	if (!isFileKey(key)) return printValue(value, home);
	const reading = readFileValue(FILE_KEYS[key], value);
	return printValue(reading.kind === "ok" ? reading.value : value, home);
}

/** A file without a tree answers nothing, and no default hides that. */
function unreadable(loaded: Loaded): Answer | null {
	if (loaded.kind === "ok" || loaded.tree !== null) return null;
	return { code: 3, out: [], err: issueLines(loaded.path, loaded.issues) };
}

function problemsOf(loaded: Loaded): readonly string[] {
	return loaded.kind === "bad" ? issueLines(loaded.path, loaded.issues) : [];
}

function answerEffective(loaded: Loaded, from: From): Answer {
	if (loaded.kind === "bad")
		return { code: 3, out: [], err: problemsOf(loaded) };
	const resolved = resolveConfig(loaded.tree, from.env, from);
	return {
		code: resolved.issues.length > 0 ? 3 : 0,
		out: effectiveLines(resolved.config, loaded, from),
		err: [
			...resolved.warnings.map((w) => warningLine(loaded.path, w)),
			...resolved.issues.map((issue) => issueLine(loaded.path, issue)),
		],
	};
}

async function answerCheck(
	scope: Scope,
	loaded: Loaded,
	from: From,
): Promise<Answer> {
	const broken = unreadable(loaded);
	if (broken !== null) return broken;
	const { templateTree } = await import("./template-tree.ts");
	const template = templateTree(from.files, from.root);
	const held = checkRequired(loaded.tree, template, from.env, scope);
	const resolved = resolveConfig(loaded.tree, from.env, from);
	const refusing = resolved.issues.filter((issue) => issue.env !== undefined);
	const inFile = loaded.kind === "bad" ? loaded.issues : [];
	const issues = [...inFile, ...refusing];
	const err = [
		...resolved.warnings.map((w) => warningLine(loaded.path, w)),
		...(issues.length > 0 ? issueLines(loaded.path, issues) : []),
		...(held.length > 0 ? placeholderLines(held, loaded.path, scope) : []),
	];
	const code = issues.length > 0 ? 3 : held.length > 0 ? 4 : 0;
	return { code, out: [], err };
}

function withoutCache(from: From): From {
	const { cachePath: _, ...rest } = from;
	return rest;
}
