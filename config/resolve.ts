/** Environment, then file, then default: the values in force and where each came from (contract 07 §0, §6.4). */
import { DERIVED } from "./derived.ts";
import type { ConfigIssue } from "./issues.ts";
import { expected, readEnvValue, readFileValue } from "./leaf-values.ts";
import type { Leaf } from "./leaves.ts";
import { printGot } from "./report.ts";
import { resolveRuntimes } from "./runtimes.ts";
import {
	CONFIG_KEYS,
	type Config,
	type ConfigKey,
	type ConfigValue,
	envNames,
	isFileKey,
	RUNTIMES_KEY,
	type Source,
} from "./schema.ts";
import { expandHome } from "./texts.ts";
import { getKey } from "./tree.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface ResolveFrom {
	/** `NEXUS_ROOT`, else the checkout: what `nexus.root` is when nobody says. */
	readonly root: string;
	readonly home: string;
	/** Recovery asks its own variables first (contract 07 §11.4). */
	readonly recover?: boolean;
}

export interface Resolved {
	readonly config: Config;
	/** Values that must not be replaced by a default: the caller refuses. */
	readonly issues: readonly ConfigIssue[];
	/** Environment values that are ignored: bad ones, and those that nothing reads yet. */
	readonly warnings: readonly ConfigIssue[];
}

interface Stated {
	readonly value: unknown;
	readonly source: Source;
}

/** `tree` has passed `validateTree`; a value in it that cannot be read is an issue without a place. */
export function resolveConfig(
	tree: unknown,
	env: Env,
	from: ResolveFrom,
): Resolved {
	const issues: ConfigIssue[] = [];
	const warnings: ConfigIssue[] = [];
	const known = new Map<ConfigKey, Stated>();

	const state = (key: ConfigKey): Stated => {
		const before = known.get(key);
		if (before !== undefined) return before;
		const now = fromEnv(key) ?? fromFile(key) ?? derived(key) ?? byDefault(key);
		known.set(key, now);
		return now;
	};

	const fromEnv = (key: ConfigKey): Stated | null => {
		const row: Leaf<unknown> = CONFIG_KEYS[key];
		const asked = from.recover && row.recoverEnv ? [row.recoverEnv] : [];
		const name = [...asked, ...envNames(key)].find((n) => env[n]);
		const text = name === undefined ? undefined : env[name];
		if (name === undefined || text === undefined) return null;
		const reading = readEnvValue(row, text);
		if (reading.kind === "ok") {
			if (row.unread !== undefined) warnings.push(unreadIn(key, row, name));
			return { value: reading.value, source: "env" };
		}
		const problem = { ...complaint(key, row, text), env: name };
		(row.envMustBeGood ? issues : warnings).push(problem);
		return null;
	};

	const fromFile = (key: ConfigKey): Stated | null => {
		const row: Leaf<unknown> = CONFIG_KEYS[key];
		const raw = isFileKey(key) ? getKey(tree, key) : undefined;
		if (raw === undefined || raw === null) return null;
		if (raw === "" && row.emptyMeansDefault) return null;
		const reading = readFileValue(row, raw);
		if (reading.kind === "ok") return { value: reading.value, source: "file" };
		issues.push(complaint(key, row, reading.got));
		return null;
	};

	const derived = (key: ConfigKey): Stated | null => {
		const value = DERIVED[key]?.({ get, source, root: from.root }) ?? null;
		return value === null ? null : { value, source: "derived" };
	};

	const source = (key: ConfigKey): Source => state(key).source;
	const get = <K extends ConfigKey>(key: K): ConfigValue<K> => {
		const row: Leaf<unknown> = CONFIG_KEYS[key];
		const value = settle(row, state(key).value, from.home);
		if (isValueOf(key, value)) return value;
		throw new Error(`config: ${key} resolved to ${typeof value}`);
	};

	known.set(RUNTIMES_KEY, resolveRuntimes(tree, env));

	const values = Object.fromEntries(allKeys().map((key) => [key, get(key)]));
	const config = Object.freeze({ ...values, source });
	if (!isConfig(config)) throw new Error("config: a key was left out");
	return { config, issues, warnings };
}

/** Every key there is, in the order of the schema. */
export function allKeys(): readonly ConfigKey[] {
	return Object.keys(CONFIG_KEYS).filter(isConfigKey);
}

function isConfigKey(key: string): key is ConfigKey {
	return Object.hasOwn(CONFIG_KEYS, key);
}

function byDefault(key: ConfigKey): Stated {
	return { value: CONFIG_KEYS[key].default, source: "default" };
}

function unreadIn(key: string, row: Leaf<unknown>, env: string): ConfigIssue {
	const what = key === env ? "" : `${key} `;
	return { key, env, message: `${what}is not read yet: ${row.unread}` };
}

function complaint(
	key: ConfigKey,
	row: Leaf<unknown>,
	value: unknown,
): ConfigIssue {
	const got = printGot(key, value);
	const message = `expected ${expected(row)}, got ${got}`;
	return { key, message, expected: expected(row), got };
}

/** The home directory in texts; unset as null or, where a text is promised, as an empty one. */
function settle(row: Leaf<unknown>, value: unknown, home: string): unknown {
	if (value === null || value === "") return row.nullable ? null : "";
	return typeof value === "string" ? expandHome(value, home) : value;
}

/** Whether a value is what its row promises; the readers see to it, this is where the type says so. */
function isValueOf<K extends ConfigKey>(
	key: K,
	value: unknown,
): value is ConfigValue<K> {
	const row: Leaf<unknown> = CONFIG_KEYS[key];
	if (value === null) return row.nullable === true;
	switch (row.type) {
		case "seconds":
		case "integer":
		case "bytes":
		case "decimal":
			return typeof value === "number";
		case "boolean":
			return typeof value === "boolean";
		case "enum":
			return row.choices?.some((choice) => choice === value) === true;
		case "patterns":
		case "decimals":
			return Array.isArray(value);
		case "commands":
			return typeof value === "object";
		default:
			return typeof value === "string";
	}
}

function isConfig(values: Readonly<Record<string, unknown>>): values is Config {
	return allKeys().every((key) => isValueOf(key, values[key]));
}
