/**
 * Installs Claude Code into this checkout (contract 06 §11.3). A failed install never leaves the tree without a
 * binary that worked, and success is never said unless the binary ran and told the version in force.
 */
import { join } from "node:path";
import { ccInstallLockPath } from "../_state/cc-install-lock.ts";
import {
	type EffectiveVersion,
	effectiveVersion,
} from "../_state/cc-version-local.ts";
import type { Settings } from "../_state/settings.ts";
import { trashDirOf } from "../_state/trash-dir.ts";
import type { Doors } from "../_sys/doors.ts";
import {
	emptyOldTrash,
	moveAside,
	putBack,
	sweepLeftovers,
	type Tree,
	treeAt,
} from "./install-claude/aside.ts";
import {
	isBusyFailure,
	nodeMajor,
	npmWords,
	versionWord,
} from "./install-claude/steps.ts";

export type InstallResult =
	| ({ readonly kind: "already" | "installed" } & EffectiveVersion)
	| { readonly kind: "failed"; readonly why: string };

export type InstallDoors = Pick<
	Doors,
	"files" | "proc" | "clock" | "random" | "locks" | "log"
>;
type Watch = (text: string, stream: "stdout" | "stderr") => void;

const NPM_LIMIT_MS = 10 * 60_000;
const LOOK_LIMIT_MS = 60_000;
const OLDEST_NODE = 18;

/** `watch` sees npm's output as it comes. */
export async function installClaude(
	doors: InstallDoors,
	settings: Settings,
	watch: Watch,
): Promise<InstallResult> {
	const { home, config } = settings;
	const wanted = effectiveVersion(doors.files, {
		...home,
		pinFile: config.NEXUS_CC_LOCAL_PIN,
	});
	if (wanted === null)
		return failed(
			`no version to install: no local pin, and ${join(home.codeRoot, "package.json")} names none`,
		);
	const trash = trashDirOf(home.stateDir, config.NEXUS_TRASH_DIR);
	const tree = treeAt(home.codeRoot, trash);
	doors.files.mkdir(home.stateDir);
	const lock = ccInstallLockPath(home.stateDir);
	const held = await doors.locks.acquireWithin(lock, NPM_LIMIT_MS);
	if (held.kind !== "acquired")
		return failed(`another install holds ${lock} (${held.kind})`);
	try {
		if ((await versionOf(doors, tree.bin)) === wanted.version)
			return { kind: "already", ...wanted };
		return await install(doors, settings, tree, wanted, watch);
	} finally {
		held.lock.release();
	}
}

async function install(
	doors: InstallDoors,
	{ home, config }: Settings,
	tree: Tree,
	wanted: EffectiveVersion,
	watch: Watch,
): Promise<InstallResult> {
	const npm = await findNpm(doors);
	if (npm.kind === "failed") return npm;
	emptyOldTrash(doors, tree);
	sweepLeftovers(doors, tree);
	const aside = moveAside(doors, tree);
	if (aside.kind === "stuck")
		return failed(
			`${aside.path} could not be moved aside; nothing was changed`,
		);
	const words = npmWords({
		wanted,
		useCi: config.CLAUDE_INSTALL_USE_CI,
		hasLockfile:
			doors.files.stat(join(home.codeRoot, "package-lock.json")).kind === "ok",
	});
	const run = () => runNpm(doors, home.codeRoot, [npm.path, ...words], watch);
	let ran = await run();
	if (!ran.ok && isBusyFailure(ran.output)) {
		doors.log.warn(
			"a running session holds files of the old package; once more",
		);
		sweepLeftovers(doors, tree);
		ran = await run();
	}
	const now = ran.ok ? await versionOf(doors, tree.bin) : null;
	if (now === wanted.version) return { kind: "installed", ...wanted };
	const why = ran.ok
		? `after npm, ${tree.bin} ${now === null ? "does not run" : `is ${now}`}, not ${wanted.version}`
		: `npm ${words.join(" ")} failed (${ran.how})`;
	const lost = putBack(doors, tree, aside.moved);
	const kept = aside.moved.length > 0 ? "; the old one is back in place" : "";
	return failed(
		lost.length > 0
			? `${why}; NOT put back: ${lost.join(", ")}`
			: `${why}${kept}`,
	);
}

async function findNpm({
	proc,
}: InstallDoors): Promise<
	| { readonly kind: "ok"; readonly path: string }
	| { readonly kind: "failed"; readonly why: string }
> {
	const node = proc.which("node");
	const npm = proc.which("npm");
	if (node === null || npm === null)
		return failed(
			`${node === null ? "node" : "npm"} is not on PATH; Node.js ${OLDEST_NODE} or newer with npm installs Claude Code`,
		);
	const said = await proc.exec([node, "--version"], {
		timeoutMs: LOOK_LIMIT_MS,
	});
	const major = said.kind === "exited" ? nodeMajor(said.stdout) : null;
	return major !== null && major >= OLDEST_NODE
		? { kind: "ok", path: npm }
		: failed(
				`${node} is ${major === null ? "of no known version" : `version ${major}`}; ${OLDEST_NODE} or newer is needed`,
			);
}

/** The first word of `<bin> --version`; null when it does not run. */
async function versionOf(
	{ files, proc }: InstallDoors,
	bin: string,
): Promise<string | null> {
	if (files.stat(bin).kind !== "ok") return null;
	const ran = await proc.exec([bin, "--version"], { timeoutMs: LOOK_LIMIT_MS });
	return ran.kind === "exited" && ran.rc === 0 ? versionWord(ran.stdout) : null;
}

async function runNpm(
	{ proc }: InstallDoors,
	codeRoot: string,
	argv: readonly string[],
	onOutput: Watch,
): Promise<{
	readonly ok: boolean;
	readonly how: string;
	readonly output: string;
}> {
	const { env } = proc;
	const cache = env.npm_config_cache || env.NPM_CONFIG_CACHE;
	const done = await proc.exec(argv, {
		timeoutMs: NPM_LIMIT_MS,
		cwd: codeRoot,
		env: {
			...present(env),
			// Beside the tree: the home may be read-only.
			npm_config_cache: cache || join(codeRoot, ".npm-cache"),
			npm_config_audit: "false",
			npm_config_fund: "false",
		},
		onOutput,
	});
	const output = "stdout" in done ? `${done.stdout}\n${done.stderr}` : "";
	if (done.kind !== "exited") return { ok: false, how: done.kind, output };
	return { ok: done.rc === 0, how: `exit code ${done.rc}`, output };
}

function present(
	env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
	return Object.fromEntries(
		Object.entries(env).filter(
			(pair): pair is [string, string] => pair[1] !== undefined,
		),
	);
}

function failed(why: string): {
	readonly kind: "failed";
	readonly why: string;
} {
	return { kind: "failed", why };
}
