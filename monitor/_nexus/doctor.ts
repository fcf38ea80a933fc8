/** `./nexus doctor`: looks at the machine and the configuration, and says for each finding what to do. Exit 1 when something fails. */
import { dirname, join } from "node:path";
import { integrationBranch } from "../../config/integration-branch.ts";
import type { Config } from "../../config/schema.ts";
import { sandboxGate } from "../_liveness/sandbox-gate.ts";
import { resolveHome } from "../_state/home.ts";
import { noSandboxAccepted } from "../_state/no-sandbox-accepted.ts";
import type { Doors } from "../_sys/doors.ts";
import { lookForRemoteBranch } from "../_sys/git-remote.ts";
import { gitHubFacts } from "./doctor/ask-github.ts";
import { type Check, exitCodeOf, renderChecks } from "./doctor/check.ts";
import { checkClone } from "./doctor/clone.ts";
import { readConfigFacts } from "./doctor/config-facts.ts";
import { checkConfig } from "./doctor/configuration.ts";
import { checkEnvironment } from "./doctor/environment.ts";
import { checkGitHub } from "./doctor/github.ts";
import {
	checkClock,
	checkFlock,
	checkLibc,
	checkSandbox,
	checkShell,
	checkStateDir,
	checkUser,
	loginShell,
} from "./doctor/host.ts";
import {
	checkBun,
	checkClaude,
	checkDiff,
	checkGit,
	checkLogin,
	checkTmux,
} from "./doctor/programs.ts";
import type { Verb, VerbContext } from "./verb.ts";

const ANSWER_LIMIT_MS = 15_000;

export const run: Verb = async (_args, ctx) => {
	const { doors, codeRoot, print } = ctx;
	const root = doors.proc.env.NEXUS_ROOT || codeRoot;
	const config = await readConfigFacts(doors, root);
	const { env } = doors.proc;
	const { stateDir } = resolveHome(env, config.root, codeRoot, doors.files);
	print(`code root  ${codeRoot}`);
	print(`state dir  ${stateDir}`);
	print("");
	const checks = [
		...(await lookAtPrograms(ctx)),
		...lookAtHost(doors, codeRoot, stateDir),
		...checkEnvironment(env),
		...checkConfig(config.facts),
		...(await lookAtClone(doors, codeRoot, config.config)),
		...(config.config === null
			? []
			: checkGitHub(
					await gitHubFacts(
						doors,
						config.config,
						config.root ?? root,
						stateDir,
					),
				)),
	];
	for (const line of renderChecks(checks)) print(line);
	return exitCodeOf(checks);
};

async function lookAtPrograms(ctx: VerbContext): Promise<readonly Check[]> {
	const { doors, codeRoot } = ctx;
	const bin = join(codeRoot, "node_modules/.bin");
	const claude = join(bin, "claude");
	const tmux = await doors.tmux.version();
	const version = await answer(doors, claude);
	return [
		checkBun({
			version: (await answer(doors, doors.proc.execPath)) ?? "unknown",
			onPath: doors.proc.which("bun") !== null,
			projectBin: bin,
		}),
		checkTmux(tmux.kind === "ok" ? tmux.stdout.trim() : null),
		checkGit(await answer(doors, "git")),
		checkDiff(doors.proc.which("diff") !== null),
		checkClaude({
			answer: version,
			wanted: pinnedClaude(doors, codeRoot),
		}),
		...(version === null ? [] : [checkLogin(await loginOf(doors, claude))]),
	];
}

function lookAtHost(
	doors: Doors,
	codeRoot: string,
	stateDir: string,
): readonly Check[] {
	const { files, proc, clock, locks } = doors;
	const place = nearestFolder(doors, stateDir);
	const writable = files.probeWritable(place);
	const lockPath = join(place, ".nexus-doctor.lock");
	const lock = locks.hold(lockPath);
	const flock = checkFlock(lock, locks.probe(lockPath));
	if (lock.kind === "acquired") {
		lock.lock.release();
		files.remove(lockPath);
	}
	const marker = noSandboxAccepted(files, stateDir);
	const passwd = files.read("/etc/passwd");
	const accounts = passwd.kind === "ok" ? passwd.text : "";
	return [
		checkLibc(["/lib", "/lib64"].flatMap((dir) => namesIn(doors, dir))),
		checkClock({
			now: clock.now(),
			bootTime: proc.bootTime(),
			newestWrite: newestWrite(doors, [codeRoot, stateDir]),
		}),
		checkStateDir(place, writable),
		...(writable.kind === "ok" ? [flock] : []),
		checkSandbox(sandboxGate(proc.env, marker, false).kind),
		checkUser(proc.uid, proc.env.IS_SANDBOX),
		checkShell(proc.env.SHELL || loginShell(accounts, proc.uid)),
	];
}

/** Nothing while nobody watches how far the checkout is behind. */
async function lookAtClone(
	{ proc }: Pick<Doors, "proc">,
	codeRoot: string,
	config: Config | null,
): Promise<readonly Check[]> {
	if (config === null || !config["monitor.clone_drift.enabled"]) return [];
	const { branch } = integrationBranch(config, proc.env);
	const limit = ANSWER_LIMIT_MS;
	return checkClone(
		branch,
		await lookForRemoteBranch(proc, codeRoot, branch, limit),
	);
}

/** What a program says to `--version`; null when it is not there or fails. */
async function answer(
	{ proc }: Pick<Doors, "proc">,
	program: string,
): Promise<string | null> {
	const ran = await proc.exec([program, "--version"], {
		timeoutMs: ANSWER_LIMIT_MS,
	});
	return ran.kind === "exited" && ran.rc === 0 ? ran.stdout.trim() : null;
}

/** What Claude Code prints of its account, which ends it with 1 when there is none; null when it does not answer. */
async function loginOf(
	{ proc }: Pick<Doors, "proc">,
	claude: string,
): Promise<string | null> {
	const ran = await proc.exec([claude, "auth", "status"], {
		timeoutMs: ANSWER_LIMIT_MS,
	});
	return ran.kind === "exited" ? ran.stdout : null;
}

function pinnedClaude({ files }: Doors, codeRoot: string): string {
	const read = files.read(join(codeRoot, "package.json"));
	const text = read.kind === "ok" ? read.text : "";
	return /"@anthropic-ai\/claude-code": "([^"]+)"/.exec(text)?.[1] ?? "unknown";
}

function namesIn({ files }: Doors, dir: string): readonly string[] {
	const listed = files.list(dir);
	return listed.kind === "ok" ? listed.names : [];
}

/** The folder itself, or the nearest one above it: before the first start there is no state dir. */
function nearestFolder({ files }: Pick<Doors, "files">, dir: string): string {
	return files.stat(dir).kind === "ok" || dirname(dir) === dir
		? dir
		: nearestFolder({ files }, dirname(dir));
}

/** Newest modification time of these folders and what lies directly in them, epoch seconds. */
function newestWrite(doors: Doors, dirs: readonly string[]): number | null {
	const paths = dirs.flatMap((dir) => [
		dir,
		...namesIn(doors, dir).map((name) => join(dir, name)),
	]);
	const times = paths.flatMap((path) => {
		const stat = doors.files.lstat(path);
		return stat.kind === "ok" ? [stat.stat.mtimeMs / 1000] : [];
	});
	return times.length === 0 ? null : Math.round(Math.max(...times));
}
