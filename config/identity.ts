/**
 * The guard against placeholders (contract 07 §5): a fresh worktree without a file of its own once
 * "started clean", polled a repository that does not exist and filed an incident about it.
 */
import { basename } from "node:path";
import type { Leaf } from "./leaves.ts";
import { plainNumber } from "./numbers.ts";
import { envNames, FILE_KEYS, type FileKey, isFileKey } from "./schema.ts";
import { getKey } from "./tree.ts";

/** `identity`: who the operator is. `all`: the bot's credentials, too. */
export type Scope = "identity" | "all";

export interface RequiredProblem {
	readonly key: FileKey;
	/** As shown: the placeholder, or `(empty)`. */
	readonly value: string;
	readonly remedy: string;
}

/**
 * Required keys whose value in force is blank or the template's own. Absent ones are not problems
 * here; who needs them says so. `example` is the parsed template.
 */
export function checkRequired(
	tree: unknown,
	example: unknown,
	env: Readonly<Record<string, string | undefined>>,
	scope: Scope,
): readonly RequiredProblem[] {
	return Object.keys(FILE_KEYS)
		.filter(isFileKey)
		.flatMap((key): readonly RequiredProblem[] => {
			const row: Leaf<unknown> = FILE_KEYS[key];
			const { required, remedy = "" } = row;
			if (!required || (required === "bot" && scope === "identity")) return [];
			const given = envNames(key).find((name) => env[name]);
			const value = given ? env[given] : getKey(tree, key);
			if (value === undefined || value === null) return [];
			const shown = asText(value);
			if (shown.trim() === "") return [{ key, value: "(empty)", remedy }];
			const placeholder = getKey(example, key) ?? null;
			const same = placeholder !== null && shown === asText(placeholder);
			return same ? [{ key, value: shown, remedy }] : [];
		});
}

/** The report on stderr. `path` is the file in force. */
export function placeholderLines(
	problems: readonly RequiredProblem[],
	path: string,
	scope: Scope,
): readonly string[] {
	return [
		`config: REFUSING: ${problems.length} required value(s) are blank or still the template's`,
		...problems.flatMap((problem) => [
			`    ${problem.key} = ${problem.value}`,
			`        -> set to ${problem.remedy}${hint(problem.key, scope)}`,
		]),
		...(problems.some(({ key }) => isBotKey(key)) ? [WITHOUT_A_BOT] : []),
		`  resolved config: ${path}`,
		basename(path) === "nexus.example.yml"
			? `  ${COPY}`
			: `  edit that file; to begin anew, ${COPY}`,
	];
}

const COPY =
	"copy config/nexus.example.yml to config/nexus.yml (chmod 600) and fill in every value";
const WITHOUT_A_BOT =
	"  no GitHub App yet: leave all three github.bot_… keys without a value, and GitHub is off";

function isBotKey(key: FileKey): boolean {
	const row: Leaf<unknown> = FILE_KEYS[key];
	return row.required === "bot";
}

function hint(key: FileKey, scope: Scope): string {
	return scope === "all" && isBotKey(key) ? " (mint-token needs it)" : "";
}

/** As the file's reader prints it: `0000000` is the number 0 on both sides. */
function asText(value: unknown): string {
	if (typeof value === "number" && Number.isFinite(value))
		return plainNumber(value);
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}
