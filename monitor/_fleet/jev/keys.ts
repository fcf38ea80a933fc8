/** The keys of the classifiers, from the environment or a file that is read as data and never run (contract 09 §12.5). */
import type { Files } from "../../_sys/doors.ts";

export interface JevKeys {
	readonly typesafe: string | null;
	readonly openrouter: string | null;
}
type Env = Readonly<Record<string, string | undefined>>;

const TYPESAFE_KEY = "THRUM_TYPESAFE_KEY";
const OPENROUTER_KEY = "OPENROUTER_API_KEY";
const KEY_NAMES: readonly string[] = [TYPESAFE_KEY, OPENROUTER_KEY];

/** The environment wins over the file. Null: neither holds a key. */
export function findKeys(
	files: Pick<Files, "read" | "stat">,
	env: Env,
	envFile: string | null,
): JevKeys | null {
	const read =
		envFile === null || isAnybodys(files, envFile)
			? null
			: files.read(envFile, 1024 * 1024);
	const said = read?.kind === "ok" ? parseEnvFile(read.text) : new Map();
	const key = (name: string): string | null =>
		env[name] || said.get(name) || null;
	const keys = {
		typesafe: key(TYPESAFE_KEY),
		openrouter: key(OPENROUTER_KEY),
	};
	return keys.typesafe === null && keys.openrouter === null ? null : keys;
}

/** Then anybody can say to whose account our panes are sent. */
function isAnybodys(files: Pick<Files, "stat">, path: string): boolean {
	const found = files.stat(path);
	return found.kind === "ok" && (found.stat.mode & 0o002) !== 0;
}

/** Without the keys: no program that we run has a use for them. For `realDoors({ childEnv })`. */
export function keylessEnv(env: Env): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(env).filter(
			(pair): pair is [string, string] =>
				pair[1] !== undefined && !KEY_NAMES.includes(pair[0]),
		),
	);
}

/** `NAME=value` lines, with or without `export` and quotes; the last one counts. */
function parseEnvFile(text: string): ReadonlyMap<string, string> {
	const rows = text.split("\n").flatMap((line) => {
		const [, name, value] =
			/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
		if (name === undefined || value === undefined) return [];
		const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
		return [[name, quoted ?? value.replace(/\s+#.*$/, "")] as const];
	});
	return new Map(rows);
}
