/**
 * Rows of the configuration, as data (contract 07 §6.1). A builder only fills in what its type
 * implies; nothing here reads, checks or imports anything, so that a program that finds a valid
 * cached tree pays for no parser and no validator.
 */

export type LeafType =
	| "seconds"
	| "integer"
	| "bytes"
	| "decimal"
	| "decimals"
	| "boolean"
	| "string"
	| "window"
	| "path"
	| "url"
	| "patterns"
	| "enum"
	| "hhmm"
	| "repo"
	| "login"
	| "issue"
	| "commands";

/** One key. `T` is the type of its resolved value; `null` in it means that unset is a value. */
export interface Leaf<T> {
	readonly type: LeafType;
	/** Null: unset, required, or worked out from other keys (`derived`). */
	readonly default: T | null;
	/** Unset is a value: null. Without this a key that nobody gave is an empty text. */
	readonly nullable?: true;
	readonly min?: number;
	readonly max?: number;
	readonly choices?: readonly string[];
	/** A path that must start at the root (or at `~`). */
	readonly absolute?: true;
	/** An empty text in the file is no statement. */
	readonly emptyMeansDefault?: true;
	/** Names of the environment; the first non-empty one wins. */
	readonly env: readonly string[];
	/** Asked before `env`, by recovery alone (contract 07 §11.4). */
	readonly recoverEnv?: string;
	/** The environment value is digits or nothing: no sign (contract 07 §6.4). */
	readonly envDigitsOnly?: true;
	/** A bad environment value is an error: falling back would send a credential elsewhere. */
	readonly envMustBeGood?: true;
	readonly unit?: string;
	readonly zeroDisables?: true;
	/** In words, how the default is worked out from other keys; the rule itself is in `derived.ts`. */
	readonly derived?: string;
	readonly doc: string;
	/** What the template ships when that is not the default. */
	readonly template?: string | number | boolean;
	/** Why a key is not in the template. */
	readonly notInTemplate?: string;
	readonly required?: "identity" | "bot";
	/** Completes "set to …" for a required key. */
	readonly remedy?: string;
	/** Still honoured, warned about once; says what to use instead. */
	readonly deprecated?: string;
	/** Nothing reads it: it is known and checked, and setting it warns with these words, which say what is there instead. */
	readonly unread?: string;
}

/** What a row may add to its type. `env` is one name or, for aliases, several. */
type Extra = Partial<
	Omit<Leaf<unknown>, "type" | "default" | "env" | "doc">
> & {
	readonly env?: string | readonly string[];
	readonly doc: string;
};

/** A whole number of seconds, at least 0 unless `extra` says otherwise. */
export function seconds(value: number, extra: Extra): Leaf<number> {
	return leaf("seconds", value, { min: 0, unit: "seconds", ...extra });
}

/** A whole number, at least 0 unless `extra` says otherwise. */
export function integer(value: number, extra: Extra): Leaf<number> {
	return leaf("integer", value, { min: 0, ...extra });
}

/** A whole number of bytes, at least 0 unless `extra` says otherwise. */
export function bytes(value: number, extra: Extra): Leaf<number> {
	return leaf("bytes", value, { min: 0, unit: "bytes", ...extra });
}

/** A number with a fraction, for waits shorter than a second. */
export function decimal(value: number, extra: Extra): Leaf<number> {
	return leaf("decimal", value, { min: 0, unit: "seconds", ...extra });
}

/** Several decimals, separated by blanks. */
export function decimals(
	value: readonly number[],
	extra: Extra,
): Leaf<readonly number[]> {
	return leaf("decimals", value, { min: 0, ...extra });
}

/** `true` or `false`; which other spellings a file or an environment may use is the validator's business. */
export function bool(value: boolean, extra: Extra): Leaf<boolean> {
	return leaf("boolean", value, extra);
}

/** Free text; empty is a value like any other. */
export function str(value: string, extra: Extra): Leaf<string> {
	return leaf("string", value, extra);
}

/** A text that names a file or a folder; `~` and relative ones are resolved when the configuration is. */
export function path(value: string, extra: Extra): Leaf<string> {
	return leaf("path", value, extra);
}

/** http(s); plain http only to this machine. */
export function url(value: string, extra: Extra): Leaf<string> {
	return leaf("url", value, extra);
}

/** A tmux window name that can be a target: no `:`, `.` or white space, not empty. */
export function windowName(value: string, extra: Extra): Leaf<string> {
	return leaf("window", value, extra);
}

/** A list of regular expressions and of built-in names that start with `@`. */
export function patterns(
	value: readonly string[],
	extra: Extra,
): Leaf<readonly string[]> {
	return leaf("patterns", value, extra);
}

/** One word of a closed list, which is also the type of the key. */
export function oneOf<const C extends string>(
	value: NoInfer<C>,
	choices: readonly C[],
	extra: Extra,
): Leaf<C> {
	return leaf("enum", value, { choices, ...extra });
}

/** A time of day, `04:00`. */
export function hhmm(value: string, extra: Extra): Leaf<string> {
	return leaf("hhmm", value, extra);
}

/** An issue: empty, a number, or `owner/name#n`. */
export function issue(value: string, extra: Extra): Leaf<string> {
	return leaf("issue", value, extra);
}

/** The one open map: a command line for each runtime named below the key. */
export function commands(
	value: Readonly<Record<string, string>>,
	extra: Extra,
): Leaf<Readonly<Record<string, string>>> {
	return leaf("commands", value, extra);
}

/** A key without a default: its value is null until somebody sets it. */
export function unset(
	type: "string" | "path",
	extra: Extra,
): Leaf<string | null> {
	return leaf<string | null>(type, null, { nullable: true, ...extra });
}

/** A number without a default. */
export function unsetInteger(extra: Extra): Leaf<number | null> {
	return leaf<number | null>("integer", null, {
		nullable: true,
		min: 0,
		...extra,
	});
}

/** A text that its consumers need: never null in a `Config`; empty when nobody gave it. */
export function text(
	type: "string" | "path" | "repo" | "login",
	extra: Extra,
): Leaf<string> {
	return leaf<string>(type, null, extra);
}

/** Seconds whose default is worked out from other keys. */
export function derivedSeconds(
	extra: Extra & { readonly derived: string },
): Leaf<number> {
	return leaf<number>("seconds", null, { min: 0, unit: "seconds", ...extra });
}

function leaf<T>(type: LeafType, value: T | null, extra: Extra): Leaf<T> {
	const { env = [], ...rest } = extra;
	return {
		...rest,
		type,
		default: value,
		env: typeof env === "string" ? [env] : env,
	};
}
