/**
 * Strict reading of a command line (contract 05 §2.2): flags and positionals in any order, every
 * flag known, every value there. The words are put in `--flag=value` form first, so that a value may
 * look like a flag (`--note -h`); minimist then gathers them.
 */
import minimist from "minimist";
import { excerpt } from "./excerpt.ts";

/** `value`: needs a text that is not empty. `text`: may be empty. `list`: a `value` that may be given again and again. */
export type FlagKind = "switch" | "value" | "text" | "list";

export interface CliSpec {
	/** By name, with its dashes: `--target`. */
	readonly flags: Readonly<Record<string, FlagKind>>;
	/** Other spellings, for example `-1` for `--status`. */
	readonly aliases?: Readonly<Record<string, string>>;
	/** Default 0. */
	readonly maxPositionals?: number;
}

export type Cli =
	| {
			readonly kind: "ok";
			readonly positionals: readonly string[];
			on(flag: string): boolean;
			/** The last one given. */
			value(flag: string): string | undefined;
			list(flag: string): readonly string[];
	  }
	/** `-h` or `--help` stood where a flag can stand. */
	| { readonly kind: "help" }
	/** The face prints `<program>: <message>` and exits with `rc`. */
	| {
			readonly kind: "refused";
			readonly rc: 1 | 64;
			readonly message: string;
			/** The flag that nobody knows, for programs with an exit code of its own for it. */
			readonly unknownFlag?: string;
	  };

/**
 * `value` is the last one given, `list` all in order. A flag that is not in `spec`, or one without its value, makes
 * the whole line an error with the sentence to print.
 */
export function parseCli(argv: readonly string[], spec: CliSpec): Cli {
	const joined = joinValues(argv, spec);
	if (joined.kind !== "ok") return joined;
	const names = Object.keys(spec.flags).map((flag) => flag.slice(2));
	const parsed = minimist([...joined.flags, "--", ...joined.positionals], {
		string: [...names, "_"],
	});
	const list = (flag: string): readonly string[] => {
		const given: unknown = parsed[flag.slice(2)];
		if (given === undefined) return [];
		return (Array.isArray(given) ? given : [given]).map(String);
	};
	return {
		kind: "ok",
		positionals: parsed._,
		on: (flag) => list(flag).length > 0,
		value: (flag) => list(flag).at(-1),
		list,
	};
}

type Joined =
	| {
			readonly kind: "ok";
			readonly flags: readonly string[];
			readonly positionals: readonly string[];
	  }
	| Exclude<Cli, { kind: "ok" }>;

function joinValues(argv: readonly string[], spec: CliSpec): Joined {
	const flags: string[] = [];
	const positionals: string[] = [];
	for (let i = 0; i < argv.length; i++) {
		const word = argv[i] ?? "";
		if (word === "--") {
			positionals.push(...argv.slice(i + 1));
			break;
		}
		if (word === "-" || !word.startsWith("-")) {
			positionals.push(word);
			continue;
		}
		const equals = word.startsWith("--") ? word.indexOf("=") : -1;
		const given = equals < 0 ? word : word.slice(0, equals);
		const flag = spec.aliases?.[given] ?? given;
		const kind = Object.hasOwn(spec.flags, flag) ? spec.flags[flag] : undefined;
		if (kind === undefined) {
			if (word === "-h" || word === "--help") return { kind: "help" };
			return {
				...refused(1, `unknown flag: ${excerpt(given)}`),
				unknownFlag: given,
			};
		}
		if (kind === "switch") {
			if (equals >= 0) return refused(1, `${flag} takes no value`);
			flags.push(`${flag}=1`);
			continue;
		}
		const value = equals < 0 ? argv[++i] : word.slice(equals + 1);
		if (value === undefined || (value === "" && kind !== "text"))
			return refused(64, `${flag} needs a value`);
		flags.push(`${flag}=${value}`);
	}
	const surplus = positionals[spec.maxPositionals ?? 0];
	if (surplus !== undefined)
		return refused(
			1,
			`unexpected argument '${excerpt(surplus)}': flags start with --, and positionals bind in order`,
		);
	return { kind: "ok", flags, positionals };
}

function refused(rc: 1 | 64, message: string) {
	return { kind: "refused", rc, message } as const;
}
