/** The commented template `nexus.example.yml`, from the rows (contract 07 §10). */
import { programName } from "../monitor/_sys/names.ts";
import type { Leaf } from "./leaves.ts";
import { describeLimits } from "./limits.ts";
import { FILE_KEYS } from "./schema.ts";

const HEADER = `# nexus.example.yml: the template of the operator's configuration, and its documentation.
# Generated from config/schema/ by config/generate.ts; edit the rows there, not this file.
#
# To set up:
#   1. clone this repository
#   2. create a private repository for assets and issues
#   3. cp config/nexus.example.yml config/nexus.yml && chmod 600 config/nexus.yml
#   4. edit config/nexus.yml: only the values marked "required" have to change
#   5. create a GitHub App, install it on that repository, keep its private key at mode 0600;
#      without one, leave the three bot_… keys marked "required" without a value
#   6. optional: accounts for pushes, each secret in a file of its own with mode 0600
#
# A value comes from the environment, else from this file, else from the default; files are never
# merged. While there is no nexus.yml this template is read, placeholders and all. A key without a
# value is absent. Changes need a restart of the watcher (${programName("svc")} restart watcher).
`;

const REQUIRED = {
	identity: "Required. ",
	bot: "Required with a GitHub App. ",
} as const;

type Row = Leaf<unknown>;
type Branch = Map<string, Branch | Row>;

/** The whole file. Every key that something reads is in it, unless its row says why not; the others are named at its end. */
export function renderExample(): string {
	const root: Branch = new Map();
	for (const [key, row] of Object.entries<Row>(FILE_KEYS))
		if (isShown(row)) plant(root, key.split("."), row);
	return `${HEADER}\n${lines(root, 0).join("\n")}\n${unreadKeys()}`;
}

/** So that nobody has to guess why a key that older files have is not here. */
function unreadKeys(): string {
	const named = Object.entries<Row>(FILE_KEYS).flatMap(([key, row]) =>
		row.unread === undefined ? [] : [`#   ${key}: ${row.unread}`],
	);
	const title =
		"# Known, and not read yet; whoever sets one of these is told so:";
	return ["", title, ...named, ""].join("\n");
}

function isShown(row: Row): boolean {
	if (row.notInTemplate !== undefined) return false;
	return row.unread === undefined || row.template !== undefined;
}

function plant(branch: Branch, path: readonly string[], row: Row): void {
	const [name = "", ...rest] = path;
	if (rest.length === 0) {
		branch.set(name, row);
		return;
	}
	const below = branch.get(name);
	const grown: Branch = below instanceof Map ? below : new Map();
	branch.set(name, grown);
	plant(grown, rest, row);
}

/** A mapping's own values first: one between two mappings is easily taken for a part of the upper one. */
function lines(branch: Branch, depth: number): readonly string[] {
	const indent = "  ".repeat(depth);
	const out: string[] = [];
	for (const [name, node] of branch) {
		if (node instanceof Map) continue;
		out.push(
			...comment(node).map((line) => `${indent}# ${line}`),
			`${indent}${name}:${yamlOf(node, indent)}`,
		);
	}
	for (const [name, node] of branch) {
		if (!(node instanceof Map)) continue;
		if (out.length > 0) out.push("");
		out.push(`${indent}${name}:`, ...lines(node, depth + 1));
	}
	return out;
}

function comment(row: Row): readonly string[] {
	const required = row.required ? REQUIRED[row.required] : "";
	const unread = row.unread === undefined ? "" : "Not read yet. ";
	return [
		`${required}${unread}${row.doc}`,
		`(${describeLimits(row).join("; ")})`,
	];
}

/** What follows the colon; nothing for a key that is left unset. */
function yamlOf(row: Row, indent: string): string {
	// Numbers of the App are placeholders of zeros; quoted they would be other texts.
	if (row.required !== undefined) return ` ${row.template ?? ""}`;
	const value = row.template ?? row.default;
	if (value === null) return "";
	if (Array.isArray(value))
		return value.map((entry) => `\n${indent}  - ${quoted(entry)}`).join("");
	return ` ${typeof value === "string" ? quoted(value) : String(value)}`;
}

/** Quoted only where YAML, old or new, would read something else. */
function quoted(text: string): string {
	const plain = /^[A-Za-z~/][A-Za-z0-9._/~<>-]*$/.test(text);
	return plain && !/^(true|false|null|yes|no|on|off|y|n|~)$/i.test(text)
		? text
		: JSON.stringify(text);
}
