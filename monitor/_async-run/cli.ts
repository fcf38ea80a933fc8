/** The command line of `async-run` (contract 08 §4.2). */
import {
	asyncRunDir,
	findAsyncRun,
	listAsyncRuns,
	readAsyncRun,
} from "../_state/async-run.ts";
import { lookAtRun, lookAtToken } from "../_state/async-run-look.ts";
import { disposition } from "../_state/async-run-verdict.ts";
import { type CliSpec, parseCli } from "../_sys/cli.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";
import { cancelAsyncRun } from "./cancel.ts";
import { launchAsyncRun } from "./launch.ts";
import { type AsyncRunTool, RC, type Rc, runLook } from "./tool.ts";

const USAGE = `usage: async-run [--desc TEXT] [--cwd FOLDER] [--allow-concurrent] -- <command> [arguments]
       async-run --status | --status-line | --disposition-line | --dir | --cancel <token>
       async-run --verdict-disposition <word>
       async-run --list`;

/** Each takes a token, and is the whole call. */
const QUERIES = [
	"--status",
	"--status-line",
	"--disposition-line",
	"--dir",
	"--cancel",
] as const;

const FLAGS: CliSpec["flags"] = {
	"--desc": "text",
	"--cwd": "value",
	"--allow-concurrent": "switch",
	"--list": "switch",
	"--verdict-disposition": "text",
	...Object.fromEntries(QUERIES.map((flag) => [flag, "value"] as const)),
};

/** The exit code of contract 08 §4.2. The command begins behind `--`, or at the first word that is no flag of ours. */
export async function asyncRun(
	argv: readonly string[],
	tool: AsyncRunTool,
): Promise<Rc> {
	const { out } = tool;
	const refuse = (why: string): Rc => {
		tool.err(`async-run: ${why}`);
		return RC.usage;
	};
	const { flags, command } = splitCommand(argv);
	const cli = parseCli(flags, { flags: FLAGS });
	if (cli.kind === "help") {
		out(USAGE);
		return RC.ok;
	}
	if (cli.kind === "refused") return refuse(`${cli.message}\n${USAGE}`);
	if (argv.length === 0) return refuse(USAGE);
	const word = cli.value("--verdict-disposition");
	if (word !== undefined) {
		out(disposition(word));
		return RC.ok;
	}
	const query = QUERIES.find((flag) => cli.on(flag));
	if (query !== undefined)
		return answerQuery(tool, query, cli.value(query) ?? "");
	const window = tool.window ?? "";
	if (window === "") return refuse("NEXUS_WORKER_WINDOW is not set");
	const badName = validateWindowName(window);
	if (badName !== null) return refuse(badName);
	if (cli.on("--list")) return list(tool, window);
	if (command.length === 0) return refuse(USAGE);
	return launchAsyncRun(tool, window, {
		argv: command,
		desc: cli.value("--desc") ?? "",
		cwd: cli.value("--cwd") ?? tool.cwd,
		allowConcurrent: cli.on("--allow-concurrent"),
	});
}

/** Our flags end at `--`, or at the first word that is none of them: bun keeps a `--` behind the script for itself. */
function splitCommand(argv: readonly string[]): {
	readonly flags: readonly string[];
	readonly command: readonly string[];
} {
	let at = 0;
	while (argv[at]?.startsWith("-") && argv[at] !== "--") {
		const kind = FLAGS[argv[at] ?? ""];
		at += kind === undefined || kind === "switch" ? 1 : 2;
	}
	const start = argv[at] === "--" ? at + 1 : at;
	return { flags: argv.slice(0, at), command: argv.slice(start) };
}

async function answerQuery(
	tool: AsyncRunTool,
	query: (typeof QUERIES)[number],
	token: string,
): Promise<Rc> {
	const { doors, stateDir, window, out } = tool;
	if (query === "--cancel") return cancelAsyncRun(tool, token);
	if (query === "--dir") {
		const dir = findAsyncRun(doors.files, stateDir, window, token);
		if (dir === null) return RC.noToken;
		out(dir);
		return RC.ok;
	}
	const { word, detail } = lookAtToken(runLook(tool), stateDir, window, token);
	if (query === "--status") out(`${word}: ${detail}`);
	else if (query === "--status-line") out(`${word}|${detail}`);
	else out(`${disposition(word)}|${word}|${detail}`);
	return RC.ok;
}

/** `<token>\t<word>\t<what it is>`. */
function list(tool: AsyncRunTool, window: string): Rc {
	const { doors, stateDir, out } = tool;
	for (const token of listAsyncRuns(doors.files, stateDir, window)) {
		const dir = asyncRunDir(stateDir, window, token);
		const { desc, argv } = readAsyncRun(doors.files, dir);
		out(
			`${token}\t${lookAtRun(runLook(tool), dir).word}\t${desc || argv.join(" ")}`,
		);
	}
	return RC.ok;
}
