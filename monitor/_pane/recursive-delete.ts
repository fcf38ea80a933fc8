/** Does a command delete whole folders anywhere but below its work tree or among temporary files? (contract 04 §8.3). Pure. */
import { normalize } from "node:path";
import { callsOf, shellCommands } from "./shell-words.ts";
import type { VetoContext } from "./veto.ts";

/** True also when the place cannot be told: a variable, a home, a folder that was changed into. */
export function asksDeletion(text: string, ctx: VetoContext): boolean {
	const commands = shellCommands(text);
	const moved = runsElsewhere(commands);
	const isOutside = (target: string) => !isInside(target, ctx, moved);
	return (
		callsOf(commands, "rm").some((args) => {
			if (!isRecursive(args)) return false;
			const targets = operands(args);
			return targets.length === 0 || targets.some(isOutside);
		}) ||
		callsOf(commands, "find").some(
			(args) => args.includes("-delete") && startsOf(args).some(isOutside),
		) ||
		callsOf(commands, "git").some(
			(args) => cleans(args) && cleanTargets(args).some(isOutside),
		)
	);
}

/** Relative names may belong to another folder than the pane's. */
function runsElsewhere(commands: readonly (readonly string[])[]): boolean {
	return (
		["cd", "pushd"].some((p) => callsOf(commands, p).length > 0) ||
		callsOf(commands, "env").some((args) => args.includes("-C")) ||
		commands.flat().some((word) => /^--(?:chdir|work-tree)(?:=|$)/.test(word))
	);
}

/** Provably below the work tree or a temporary folder, and not one of them as a whole. */
function isInside(target: string, ctx: VetoContext, moved: boolean): boolean {
	if (/[$~{}`?[\]\\]/.test(target) || target.split("/").includes(".."))
		return false;
	const path = normalize(target).replace(/\/+$/, "");
	if (!path.startsWith("/")) return !moved && !/^(?:\.?\*?|\.\*)$/.test(path);
	// `<folder>/*` is the folder as a whole.
	const whole = path.replace(/\/\.?\*$/, "");
	return [ctx.workTree, ...ctx.tempDirs].some(
		(dir) => dir !== null && dir !== "/" && whole.startsWith(`${dir}/`),
	);
}

function isRecursive(args: readonly string[]): boolean {
	return args.some((word) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(word));
}

function operands(args: readonly string[]): readonly string[] {
	const end = args.indexOf("--");
	const options = end < 0 ? args : args.slice(0, end);
	const rest = end < 0 ? [] : args.slice(end + 1);
	return [...options.filter((word) => !word.startsWith("-")), ...rest];
}

/** What is deleted lies below the starting points, so that the work tree itself may be one. */
function startsOf(args: readonly string[]): readonly string[] {
	const end = args.findIndex((word) => /^[-!(]/.test(word));
	const starts = end < 0 ? args : args.slice(0, end);
	return (starts.length > 0 ? starts : ["."]).map(belowIt);
}

function cleans(args: readonly string[]): boolean {
	const at = args.indexOf("clean");
	const flags =
		at < 0
			? ""
			: args
					.slice(at + 1)
					.filter(isFlag)
					.join(" ");
	return /(?:^| )-\w*d/.test(flags) && /(?:^| )(?:-\w*f|--force)/.test(flags);
}

/** Without a path: the folder it runs in, or the one after `-C`. */
function cleanTargets(args: readonly string[]): readonly string[] {
	const folder = args[args.indexOf("-C") + 1];
	const named = operands(args.slice(args.indexOf("clean") + 1));
	const base = args.includes("-C") && folder !== undefined ? [folder] : [];
	const targets = [...base, ...named];
	return (targets.length > 0 ? targets : ["."]).map(belowIt);
}

function isFlag(word: string): boolean {
	return word.startsWith("-");
}

function belowIt(folder: string): string {
	return `${folder}/x`;
}
