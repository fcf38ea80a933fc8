/** What is never allowed by an Enter of ours, whatever the prompt (contract 04 §8.3). Pure; a veto too many only asks a person. */
import { asksDeletion } from "./recursive-delete.ts";
import { callsOf, programOf, shellCommands } from "./shell-words.ts";

export interface VetoContext {
	/** The work tree of the pane's agent; null: not known. */
	readonly workTree: string | null;
	/** Folders for temporary files. */
	readonly tempDirs: readonly string[];
}

/** The first entry that matches what is shown, or null. `@name` is a rule of ours, anything else a regular expression. */
export function vetoOf(
	shown: string,
	entries: readonly string[],
	ctx: VetoContext,
): string | null {
	const readings = readingsOf(shown);
	return (
		entries.find((entry) =>
			readings.some((text) =>
				entry.startsWith("@")
					? (BUILT_IN[entry]?.(text, ctx) ?? true)
					: new RegExp(entry).test(text),
			),
		) ?? null
	);
}

type Rule = (text: string, ctx: VetoContext) => boolean;

/** A name that is not in here vetoes everything: the operator meant something by it. */
const BUILT_IN: Readonly<Record<string, Rule>> = {
	"@force-push": (text) =>
		callsOf(shellCommands(text), "git").some(isForcePush),
	"@recursive-delete": (text, ctx) => asksDeletion(text, ctx),
	"@disk-tools": (text) => shellCommands(text).some(touchesDisks),
	"@credential-files": (text) => CREDENTIALS.test(text),
	"@package-publish": (text) => shellCommands(text).some(publishes),
};

/** A pane breaks lines: at a blank, or in the middle of a long word. What a blank row parts stays parted. */
function readingsOf(shown: string): readonly string[] {
	const rows = shown.split("\n").map((row) => row.trim());
	const joined = (glue: string) =>
		rows
			.join("\n")
			.split(/\n{2,}/)
			.map((piece) => piece.replaceAll("\n", glue).replace(/\s+/g, " "))
			.join("\n");
	return [rows.join("\n"), joined(" "), joined("")];
}

/** Options of git that take the next word. */
const GIT_VALUES = new Set(["-C", "-c", "--git-dir", "--work-tree"]);

function isForcePush(args: readonly string[]): boolean {
	let at = 0;
	while (args[at]?.startsWith("-"))
		at += GIT_VALUES.has(args[at] ?? "") ? 2 : 1;
	if (args[at] !== "push") return false;
	return args
		.slice(at + 1)
		.some((word) =>
			/^(?:-[a-zA-Z]*[fd][a-zA-Z]*$|--(?:force|mirror|delete|prune)|\+|:.)/.test(
				word,
			),
		);
}

const DISK_TOOLS = /^(?:mkfs(?:\..+)?|s?fdisk|parted|wipefs|losetup|u?mount)$/;

function touchesDisks(words: readonly string[]): boolean {
	if (words.some((word) => DISK_TOOLS.test(programOf(word)))) return true;
	return (
		words.some((word) => programOf(word) === "dd") &&
		words.some((word) => /^of=\/dev\/(?!null$)/.test(word))
	);
}

/** `process.env` is none: nothing but a path or a blank stands before such a name. */
const CREDENTIALS =
	/(?<!\w)(?:\.ssh\/|\.env(?![A-Za-z0-9_])|\.netrc\b|\.npmrc\b|\.aws\/|\.credentials\.json\b|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?\b)|\.pem\b/;

const PACKAGERS = new Set(["npm", "yarn", "pnpm", "bun", "cargo", "poetry"]);

function publishes(words: readonly string[]): boolean {
	const after = (program: (name: string) => boolean, word: string) => {
		const at = words.findIndex((w) => program(programOf(w)));
		return at >= 0 && words.slice(at + 1).includes(word);
	};
	return (
		after((name) => PACKAGERS.has(name), "publish") ||
		after((name) => name === "twine", "upload") ||
		after((name) => name === "gem", "push")
	);
}
