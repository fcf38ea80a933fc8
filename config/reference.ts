/** `docs/config-reference.md`, from the rows: one table a section (contract 07 §0). */
import { programName } from "../monitor/_sys/names.ts";
import type { Leaf } from "./leaves.ts";
import { describeDefault, describeType } from "./limits.ts";
import { RETIRED } from "./retired.ts";
import { envNames, isFileKey, SECTIONS } from "./schema.ts";

const LOAD = programName("configLoad");
const HEADER = `# Configuration reference

Generated from \`config/schema/\` by \`config/generate.ts\`; edit the rows there.

A value is the environment's, else the one of the chosen file, else the default. The chosen file is
the first that exists of \`$NEXUS_CONFIG\`, \`config/nexus.yml\` and \`config/nexus.example.yml\`;
files are never merged. A bad value in the file refuses the start; a bad environment value warns and
is ignored, but for \`NEXUS_GITHUB_API_URL\`, which decides where a token goes. The watcher reads its
configuration once: changes need \`${programName("svc")} restart watcher\`.

\`${LOAD} <key>\` prints a value of the file, \`${LOAD} --dump --effective\` every value
in force and where it comes from, \`${LOAD} --validate\` checks the file.

Keys marked † are known and checked, and nothing reads them yet: whoever sets one is told so.
`;

/** The whole page as Markdown, with a last section of retired keys. Pure: same rows, same bytes. */
export function renderReference(): string {
	const sections = SECTIONS.map(({ title, rows }) =>
		[`## ${title}`, "", ...table(rows)].join("\n"),
	);
	return [HEADER, ...sections, retired()].join("\n").concat("\n");
}

function table(rows: Readonly<Record<string, Leaf<unknown>>>): string[] {
	const head = ["Key", "Type", "Default", "Environment", "Meaning"];
	const body = Object.entries(rows).map(([key, row]) => line(cells(key, row)));
	return [line(head), line(head.map(() => "---")), ...body, ""];
}

function cells(key: string, row: Leaf<unknown>): string[] {
	const unread =
		row.unread === undefined ? "" : ` **Not read yet:** ${row.unread}.`;
	const zero = row.zeroDisables ? "; 0 disables" : "";
	const required = row.required ? " **Required.**" : "";
	const deprecated = row.deprecated ? ` Deprecated: ${row.deprecated}.` : "";
	return [
		code(key) + (row.unread === undefined ? "" : " †"),
		describeType(row) + zero,
		defaultOf(row),
		variables(key, row),
		row.doc + required + deprecated + unread,
	];
}

function variables(key: string, row: Leaf<unknown>): string {
	// An environment-only knob is its own variable.
	const names = isFileKey(key) ? envNames(key) : [];
	const recover = row.recoverEnv ? [row.recoverEnv] : [];
	return [
		...names.map(code),
		...recover.map((name) => `${code(name)} (recovery)`),
	].join(", ");
}

/** Words as words, values and keys as code. */
function defaultOf(row: Leaf<unknown>): string {
	const text = describeDefault(row);
	const isWords = row.derived
		? text.includes(" ")
		: row.default === null || row.default === "";
	return isWords ? text : code(text);
}

function retired(): string {
	const rows = Object.entries(RETIRED).map(([key, advice]) =>
		line([code(key), advice]),
	);
	const head = [line(["Key", "Instead"]), line(["---", "---"])];
	return ["## Retired", "", ...head, ...rows].join("\n");
}

function line(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(text: string): string {
	return `\`${text}\``;
}
