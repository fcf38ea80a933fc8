/** What a raw value means for a row: the grammar of contract 07 §3 (file) and §6.4 (environment). */
import type { Leaf } from "./leaves.ts";
import { integerOf, numberOf } from "./numbers.ts";
import { BUILT_IN_VETOES } from "./schema/unstick.ts";
import { checkText } from "./texts.ts";

export type LeafValue =
	| number
	| boolean
	| string
	| readonly number[]
	| readonly string[];

export type Reading =
	| {
			readonly kind: "ok";
			readonly value: LeafValue;
			/** `yes`, `no`, `on` or `off` stood for a boolean. */
			readonly unusualBoolean?: true;
	  }
	/** `at`: which element of a list is meant. */
	| { readonly kind: "bad"; readonly got: unknown; readonly at?: number };

/**
 * A value as the file's parser gave it; null and undefined are "absent" and never get here.
 * `commands` has no single value and is read by the resolver.
 */
export function readFileValue(row: Leaf<unknown>, raw: unknown): Reading {
	switch (row.type) {
		case "seconds":
		case "integer":
		case "bytes":
			return bounded(row, integerOf(raw), raw);
		case "decimal":
			return bounded(row, numberOf(raw), raw);
		case "boolean":
			return typeof raw === "boolean" ? ok(raw) : wordBoolean(raw);
		case "patterns":
			return readPatterns(raw);
		case "enum":
			return readChoice(row, raw);
		case "commands":
		case "decimals":
			return { kind: "bad", got: raw };
		default:
			return readText(row, raw);
	}
}

/** A non-empty text of the environment. */
export function readEnvValue(row: Leaf<unknown>, text: string): Reading {
	if (row.envDigitsOnly && !/^[0-9]+$/.test(text))
		return { kind: "bad", got: text };
	if (row.type === "boolean") {
		if (text === "1") return ok(true);
		if (text === "0") return ok(false);
		return wordBoolean(text);
	}
	if (row.type === "decimals") return readDecimals(row, text);
	return readFileValue(row, text);
}

/** Completes "expected …". */
export function expected(row: Leaf<unknown>): string {
	switch (row.type) {
		case "seconds":
		case "integer":
		case "bytes":
			return `an integer ${bounds(row)}`;
		case "decimal":
			return `a number ${bounds(row)}`;
		case "decimals":
			return `numbers ${bounds(row)}, separated by blanks`;
		case "boolean":
			return "true or false";
		case "enum":
			return `one of ${(row.choices ?? []).join(", ")}`;
		case "patterns":
			return "a regular expression or a built-in";
		case "path":
			return row.absolute ? "an absolute path" : "a path";
		case "url":
			return "an https URL (http only to this machine) without a login in it";
		case "hhmm":
			return "HH:MM";
		case "repo":
			return "owner/name";
		case "issue":
			return "an issue number or owner/repo#n";
		case "window":
			return "a window name without ':', '.' or white space";
		default:
			return "a string";
	}
}

function ok(value: LeafValue): Reading {
	return { kind: "ok", value };
}

function bounds(row: Leaf<unknown>): string {
	if (row.max === undefined) return `>= ${row.min ?? 0}`;
	return `from ${row.min ?? 0} to ${row.max}`;
}

function bounded(
	row: Leaf<unknown>,
	value: number | null,
	raw: unknown,
): Reading {
	if (value === null) return { kind: "bad", got: raw };
	const tooSmall = row.min !== undefined && value < row.min;
	const tooLarge = row.max !== undefined && value > row.max;
	return tooSmall || tooLarge ? { kind: "bad", got: raw } : ok(value);
}

function readDecimals(row: Leaf<unknown>, text: string): Reading {
	const numbers: number[] = [];
	for (const word of text.trim().split(/\s+/)) {
		const value = numberOf(word);
		if (value === null || value < (row.min ?? 0))
			return { kind: "bad", got: text };
		numbers.push(value);
	}
	return ok(numbers);
}

function wordBoolean(raw: unknown): Reading {
	if (typeof raw !== "string") return { kind: "bad", got: raw };
	const word = raw.toLowerCase();
	if (word === "true") return ok(true);
	if (word === "false") return ok(false);
	if (word === "on" || word === "yes")
		return { kind: "ok", value: true, unusualBoolean: true };
	if (word === "off" || word === "no")
		return { kind: "ok", value: false, unusualBoolean: true };
	return { kind: "bad", got: raw };
}

function readChoice(row: Leaf<unknown>, raw: unknown): Reading {
	// YAML 1.1 habits: an unquoted `off` may have become false on its way here.
	const word = raw === false ? "off" : raw;
	return typeof word === "string" && row.choices?.includes(word)
		? ok(word)
		: { kind: "bad", got: raw };
}

function readPatterns(raw: unknown): Reading {
	if (!Array.isArray(raw)) return { kind: "bad", got: raw };
	const entries: string[] = [];
	for (const [at, entry] of raw.entries()) {
		if (typeof entry !== "string" || !isPattern(entry))
			return { kind: "bad", got: entry, at };
		entries.push(entry);
	}
	return ok(entries);
}

function isPattern(entry: string): boolean {
	if (entry.startsWith("@"))
		return BUILT_IN_VETOES.some((name) => name === entry);
	try {
		new RegExp(entry);
		return true;
	} catch {
		return false;
	}
}

function readText(row: Leaf<unknown>, raw: unknown): Reading {
	const text =
		typeof raw === "string"
			? raw
			: typeof raw === "boolean" || typeof raw === "number"
				? String(raw)
				: null;
	return text !== null && checkText(row, text)
		? ok(text)
		: { kind: "bad", got: raw };
}
