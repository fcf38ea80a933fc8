/** May this worker be started, and with what prompt (contract 08 §8.2)? Pure; the order of the questions is the contract's. */
import { isWorkerName, type WorkerRules } from "../_pane/workers.ts";
import { windowKey } from "../_state/window-key.ts";
import type { ClaudeBin } from "../_sys/claude-bin.ts";
import type { ReadResult, WriteResult } from "../_sys/doors.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";
import type { FreshRequest, Refusal } from "./args.ts";
import { EX_USAGE } from "./args.ts";
import { composePrompt, MAX_PROMPT_BYTES } from "./compose.ts";
import type { Floor } from "./floor.ts";
import type { SelfSpawn } from "./self-spawn.ts";

export interface FreshFacts extends Ground {
	/** As the prompt names it. */
	readonly workdir: string;
	readonly workdirIsFolder: boolean;
	readonly inPrimaryClone: boolean;
	readonly workers: WorkerRules;
	readonly root: string;
	readonly reportsDir: string;
	readonly prompt: ReadResult;
	readonly selfSpawn: SelfSpawn;
	readonly floor: Floor;
	readonly prior: {
		readonly path: string;
		readonly read: ReadResult;
	} | null;
}
/** What a start needs, whatever it starts. */
export interface Ground {
	readonly claude: ClaudeBin;
	/** The template of the worker's settings, or a hook that it runs, that is not there. */
	readonly missing: string | null;
	/** Write probes; null when nothing may be tried (`--print-prompt`, `--dry-run`). */
	readonly probes: {
		readonly stateDir: WriteResult;
		readonly workdir: WriteResult;
		readonly reportsDir: WriteResult;
	} | null;
}
export interface FreshPlan {
	readonly kind: "go";
	readonly prompt: string;
	/** Path of the program. */
	readonly claude: string;
}

/** The first question that fails gives the refusal and its exit code. */
export function planFresh(
	req: FreshRequest,
	facts: FreshFacts,
): FreshPlan | Refusal {
	const { prompt, claude, floor, prior, selfSpawn } = facts;
	if (prompt.kind !== "ok")
		return refused(4, `the prompt file cannot be read: ${req.promptFile}`);
	if (!facts.workdirIsFolder)
		return refused(6, `the workdir is not a folder: ${req.workdir}`);
	if (claude.kind === "missing") return refused(1, claude.message);
	const badName = nameFlaw(req.window, facts.workers);
	if (badName !== null) return refused(16, badName);
	if (selfSpawn.kind === "refused") return selfSpawn;
	const cannotRun = refuseWithoutGround(facts);
	if (cannotRun !== null) return cannotRun;
	if (floor.kind === "missing")
		return refused(2, `the worker floor is missing: ${floor.path}`);
	if (floor.kind === "empty")
		return refused(
			3,
			`the section "## Worker floor" is empty or missing in ${floor.path}`,
		);
	if (prior !== null && prior.read.kind !== "ok")
		return refused(9, `the prior report cannot be read: ${prior.path}`);
	const { workdir, root, reportsDir, inPrimaryClone } = facts;
	const composed = composePrompt({
		workdir,
		root,
		reportsDir,
		inPrimaryClone,
		skeptic: req.skeptic,
		prior:
			prior?.read.kind === "ok"
				? { path: prior.path, text: prior.read.text }
				: null,
		floor: floor.body,
		task: prompt.text,
	});
	const bytes = Buffer.byteLength(composed);
	if (bytes > MAX_PROMPT_BYTES)
		return refused(
			EX_USAGE,
			`the composed prompt has ${bytes} bytes, and ${MAX_PROMPT_BYTES} is the limit: put what is long into a file and name it in the prompt`,
		);
	return { kind: "go", prompt: composed, claude: claude.path };
}

/** Files are called by the name, with more behind it, and a file's name has 255 bytes. */
const MAX_NAME_BYTES = 100;

function nameFlaw(window: string, workers: WorkerRules): string | null {
	const flaw = validateWindowName(window);
	if (flaw !== null) return flaw;
	if (windowKey(window).length > MAX_NAME_BYTES)
		return `a window name has at most ${MAX_NAME_BYTES} characters, and a dot counts as three`;
	return isWorkerName(window, workers)
		? null
		: `${window} is the name of a window or a service of the fleet's own: nobody would watch a worker there`;
}

/** Settings, and folders that can be written. */
export function refuseWithoutGround(
	ground: Omit<Ground, "claude">,
): Refusal | null {
	const { missing, probes } = ground;
	if (missing !== null)
		return refused(
			10,
			`the worker's settings need ${missing}, which is missing`,
		);
	if (probes === null) return null;
	if (probes.stateDir.kind === "failed")
		return refused(
			19,
			`the state dir cannot be written: ${probes.stateDir.reason}`,
		);
	for (const probe of [probes.workdir, probes.reportsDir])
		if (probe.kind === "failed")
			return refused(15, `the worker could not write: ${probe.reason}`);
	return null;
}

/** With the exit code of contract 08 §8.1. */
export function refused(rc: number, message: string): Refusal {
	return { kind: "refused", rc, message };
}
