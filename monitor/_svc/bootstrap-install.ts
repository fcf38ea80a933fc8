/** The first installation, by an agent that is told how (contract 06 §5.6). */
import { join } from "node:path";
import { resolveClaudeBin } from "../_sys/claude-bin.ts";
import type { Doors, Files, Proc } from "../_sys/doors.ts";
import { programArgv, programName, TEXTS } from "../_sys/names.ts";

export interface Refusal {
	/** 3: there is an installation already. */
	readonly exit: 2 | 3;
	readonly line: string;
}

/** Null: the installation may begin. `root` holds the programs, and will hold the configuration. */
export function preflight(
	env: Proc["env"],
	files: Pick<Files, "stat">,
	root: string,
	force: boolean,
): Refusal | null {
	const refuse = (line: string, exit: Refusal["exit"] = 2) => ({ exit, line });
	if (!env.TMUX)
		return refuse("not inside tmux: start tmux, then run this in a window");
	if (env.SANDBOX_ACTIVE !== "1" || !env.SANDBOX_PROJECT_DIR)
		return refuse(
			"no sandbox (SANDBOX_ACTIVE=1 with SANDBOX_PROJECT_DIR): the agent that installs asks for no permission",
		);
	const needed = [
		programName("ng"),
		programName("entry"),
		EXAMPLE,
		TEXTS.installPrompt,
	];
	const missing = needed.find(
		(path) => files.stat(join(root, path)).kind !== "ok",
	);
	if (missing !== undefined)
		return refuse(`this checkout is not whole: ${missing} is missing`);
	if (!force && files.stat(join(root, CONFIG)).kind === "ok")
		return refuse(`${CONFIG} exists; --force begins all the same`, 3);
	return null;
}

const EXAMPLE = "config/nexus.example.yml";
const CONFIG = "config/nexus.yml";

/** Claude Code's exit code; 1 when there is none and none could be installed. `waitForEnter`: a person would not see why it failed. */
export async function bootstrapInstall(
	doors: Pick<Doors, "files" | "proc" | "log">,
	root: string,
	force: boolean,
	waitForEnter: () => Promise<void>,
): Promise<number> {
	const { files, proc, log } = doors;
	const refusal = preflight(proc.env, files, root, force);
	if (refusal !== null) {
		log.warn(refusal.line);
		return refusal.exit;
	}
	const claude = await claudeOrInstall(doors, root);
	const prompt = files.read(join(root, TEXTS.installPrompt));
	if (claude === null || prompt.kind !== "ok") return 1;
	const text = installPrompt(root, prompt.text);
	const argv = [claude, "--dangerously-skip-permissions", text];
	const rc = (await proc.foreground(argv)) ?? 1;
	if (rc !== 0) {
		log.warn(`claude ended with ${rc}`);
		await waitForEnter();
	}
	return rc;
}

/** What the agent is told. It begins with a plain word: `#` or `/` would make a command of it. Pure. */
function installPrompt(root: string, text: string): string {
	return `Install nexus in ${root}, for the operator who sits at this terminal.\n\n${text}`;
}

async function claudeOrInstall(
	doors: Pick<Doors, "files" | "proc" | "log">,
	root: string,
): Promise<string | null> {
	const { proc, log } = doors;
	const found = resolveClaudeBin(doors, root);
	if (found.kind === "ok") return found.path;
	log.info("no claude yet; installing it into this checkout");
	await proc.foreground(programArgv(proc.execPath, "installClaude", [], root));
	const installed = resolveClaudeBin(doors, root);
	if (installed.kind === "ok") return installed.path;
	log.warn(installed.message);
	return null;
}
