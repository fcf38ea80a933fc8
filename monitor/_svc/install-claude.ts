/**
 * Installs Claude Code into this checkout (contract 06 §11.3). A failed install never leaves the tree without a
 * binary that worked, and success is never said unless the binary ran and told the version in force.
 */
import { join } from "node:path";
import {
	readCcInstallAside,
	writeCcInstallAside,
} from "../_state/cc-install-aside.ts";
import { ccInstallLockPath } from "../_state/cc-install-lock.ts";
import {
	type EffectiveVersion,
	effectiveVersion,
	lookAtPin,
} from "../_state/cc-version-local.ts";
import type { Settings } from "../_state/settings.ts";
import { trashDirOf } from "../_state/trash-dir.ts";
import type { Doors } from "../_sys/doors.ts";
import { findNpm, runNpm, versionOf } from "../_sys/npm.ts";
import {
	emptyOldTrash,
	moveAside,
	putBack,
	sweepLeftovers,
	type Tree,
	treeAt,
} from "./install-claude/aside.ts";
import { isBusyFailure, npmWords } from "./install-claude/steps.ts";

export type InstallResult =
	| ({ readonly kind: "already" | "installed" } & EffectiveVersion)
	| {
			readonly kind: "failed";
			/** `verify`: npm was content, and the program was not what was asked for. */
			readonly stage: "npm" | "verify";
			readonly why: string;
	  };

export type InstallDoors = Pick<
	Doors,
	"files" | "proc" | "clock" | "random" | "locks" | "log"
>;
type Watch = (text: string, stream: "stdout" | "stderr") => void;

const LOCK_LIMIT_MS = 10 * 60_000;

/** `watch` sees npm's output as it comes; `signal` breaks npm off, and then the old copy comes back as after any failure. */
export async function installClaude(
	doors: InstallDoors,
	settings: Settings,
	watch: Watch,
	signal?: AbortSignal,
): Promise<InstallResult> {
	const { home, config } = settings;
	const place = { ...home, pinFile: config.NEXUS_CC_LOCAL_PIN };
	const pin = lookAtPin(doors.files, place);
	// The floor may be months older.
	if (pin.kind === "unreadable")
		return failed(`the local pin cannot be read: ${pin.why}`);
	if (pin.kind === "no-version")
		doors.log.warn(`the local pin is passed over: ${pin.why}`);
	const wanted = effectiveVersion(doors.files, place);
	if (wanted === null)
		return failed(
			`no version to install: no local pin, and ${join(home.codeRoot, "package.json")} names none`,
		);
	const trash = trashDirOf(home.stateDir, config.NEXUS_TRASH_DIR);
	const tree = treeAt(home.codeRoot, trash);
	doors.files.mkdir(home.stateDir);
	const lock = ccInstallLockPath(home.stateDir);
	const held = await doors.locks.acquireWithin(lock, LOCK_LIMIT_MS);
	if (held.kind === "held")
		return failed(`another install holds ${lock} and does not end`);
	if (held.kind === "cannot-open")
		return failed(`${lock} cannot be opened: ${held.reason}`);
	try {
		await bringBack(doors, home.stateDir, tree);
		if ((await versionOf(doors, tree.bin)) === wanted.version)
			return { kind: "already", ...wanted };
		const asked = { wanted, watch, ...(signal && { signal }) };
		return await install(doors, settings, tree, asked);
	} finally {
		held.lock.release();
	}
}

/** An install that was killed had moved the working copy aside: it comes first, for the next one may fail. */
async function bringBack(
	doors: InstallDoors,
	stateDir: string,
	tree: Tree,
): Promise<void> {
	const moved = readCcInstallAside(doors, stateDir);
	if (moved.length === 0) return;
	if ((await versionOf(doors, tree.bin)) === null) {
		const lost = putBack(doors, tree, moved);
		doors.log.warn(
			lost.length === 0
				? "an install was broken off; the copy before it is back in place"
				: `an install was broken off; NOT put back: ${lost.join(", ")}`,
		);
	}
	writeCcInstallAside(doors.files, stateDir, []);
}

interface Asked {
	readonly wanted: EffectiveVersion;
	readonly watch: Watch;
	readonly signal?: AbortSignal;
}

async function install(
	doors: InstallDoors,
	{ home, config }: Settings,
	tree: Tree,
	{ wanted, watch, signal }: Asked,
): Promise<InstallResult> {
	const npm = await findNpm(doors);
	if (npm.kind === "failed") return failed(npm.why);
	emptyOldTrash(doors, tree);
	sweepLeftovers(doors, tree);
	const aside = moveAside(doors, tree);
	if (aside.kind === "stuck")
		return failed(
			`${aside.path} could not be moved aside; nothing was changed`,
		);
	const note = (moved: typeof aside.moved) =>
		writeCcInstallAside(doors.files, home.stateDir, moved);
	// A killed install is mended by this note alone.
	const noted = note(aside.moved);
	if (noted.kind === "failed") {
		const lost = putBack(doors, tree, aside.moved);
		return failed(withLost(`nothing was tried: ${noted.reason}`, lost));
	}
	const words = npmWords({
		wanted,
		useCi: config.CLAUDE_INSTALL_USE_CI,
		hasLockfile:
			doors.files.stat(join(home.codeRoot, "package-lock.json")).kind === "ok",
	});
	const run = () =>
		runNpm(doors, [npm.path, ...words], {
			cwd: home.codeRoot,
			cache: join(home.codeRoot, ".npm-cache"),
			onOutput: watch,
			...(signal && { signal }),
		});
	let ran = await run();
	if (!ran.ok && isBusyFailure(ran.output)) {
		doors.log.warn(
			"a running session holds files of the old package; once more",
		);
		sweepLeftovers(doors, tree);
		ran = await run();
	}
	const now = ran.ok ? await versionOf(doors, tree.bin) : null;
	if (now === wanted.version) {
		note([]);
		return { kind: "installed", ...wanted };
	}
	const why = ran.ok
		? `after npm, ${tree.bin} ${now === null ? "does not run" : `is ${now}`}, not ${wanted.version}`
		: `npm ${words.join(" ")} failed (${ran.how})`;
	const lost = putBack(doors, tree, aside.moved);
	note([]);
	const kept = aside.moved.length > 0 ? "; the old one is back in place" : "";
	return failed(
		lost.length > 0 ? withLost(why, lost) : `${why}${kept}`,
		ran.ok ? "verify" : "npm",
	);
}

function withLost(why: string, lost: readonly string[]): string {
	return lost.length === 0 ? why : `${why}; NOT put back: ${lost.join(", ")}`;
}

function failed(
	why: string,
	stage: "npm" | "verify" = "npm",
): Extract<InstallResult, { kind: "failed" }> {
	return { kind: "failed", stage, why };
}
