/**
 * Copies of the kit's programs that outlive worktrees and sessions (contract 09 §2.3): each one file that needs nothing
 * but bun, made of our sources, proven where it lies.
 */
import { basename, join } from "node:path";
import type { Doors } from "../_sys/doors.ts";
import { BUN_FLAGS } from "../_sys/names.ts";

/** Programs of `resources/`, by kit. */
export const KITS = {
	"pane-watch": [
		"thrum-watch-pane-capture.ts",
		"thrum-capture-fallback.ts",
		"esc-cap.ts",
	],
	"roster-watch": [
		"roster-watch.ts",
		"capture_archive.ts",
		"jev_watcher_filter.ts",
	],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type KitName = keyof typeof KITS;

export interface Bundle {
	/** Base name of the program, and of its copy. */
	readonly name: string;
	readonly text: string;
}
export type Bundled =
	| { readonly kind: "ok"; readonly bundles: readonly Bundle[] }
	| { readonly kind: "failed"; readonly why: string };
export type Installed =
	| { readonly kind: "ok"; readonly files: readonly string[] }
	/** `files` are there all the same. */
	| {
			readonly kind: "failed";
			readonly why: string;
			readonly files: readonly string[];
	  };

type KitDoors = Pick<Doors, "files" | "proc">;
const BUNDLE_MS = 60_000;
const CHECK_MS = 20_000;
const BUNDLE_BYTES = 32 * 1024 * 1024;

/** Whether there is such a program in the kit. */
export function isKitName(name: string): name is KitName {
	return Object.hasOwn(KITS, name);
}

/** Bundles the kit and writes it below `destDir`, which must be there. */
export async function installKit(
	doors: KitDoors,
	codeRoot: string,
	kit: KitName,
	destDir: string,
): Promise<Installed> {
	const made = await bundleKit(doors, codeRoot, kit);
	return made.kind === "ok"
		? writeKit(doors, made.bundles, destDir)
		: { ...made, files: [] };
}

/** In memory: a program that does not bundle is known before anything is written. */
export async function bundleKit(
	doors: KitDoors,
	codeRoot: string,
	kit: KitName,
): Promise<Bundled> {
	const bundles: Bundle[] = [];
	for (const name of KITS[kit]) {
		const entry = join(codeRoot, "resources", name);
		const built = await doors.proc.exec(
			bundleArgv(doors.proc.execPath, entry),
			{
				timeoutMs: BUNDLE_MS,
				cwd: codeRoot,
				maxBytes: BUNDLE_BYTES,
			},
		);
		if (built.kind !== "exited" || built.rc !== 0)
			return {
				kind: "failed",
				why: `${name} does not bundle: ${built.kind === "exited" ? built.stderr.trim() : built.kind}`,
			};
		const text = withShebang(built.stdout, doors.proc.execPath);
		bundles.push({ name, text });
	}
	return { kind: "ok", bundles };
}

/** `onFile` hears of each file before it is written. */
export async function writeKit(
	doors: KitDoors,
	bundles: readonly Bundle[],
	destDir: string,
	onFile: (path: string) => void = () => {},
): Promise<Installed> {
	const files: string[] = [];
	for (const { name, text } of bundles) {
		const path = join(destDir, name);
		onFile(path);
		const written = doors.files.writeAtomic(path, text, {
			mode: 0o755,
			fsync: true,
		});
		if (written.kind !== "ok")
			return { kind: "failed", why: `${path}: ${written.reason}`, files };
		files.push(path);
		const why = await selfCheckProblem(doors, path, destDir);
		if (why !== null)
			return { kind: "failed", why: `${path} does not run: ${why}`, files };
	}
	return { kind: "ok", files };
}

/** What runs a copy: an absolute bun, since a job's PATH may hold none. */
export function copyArgv(bun: string, path: string): readonly string[] {
	return [bun, ...BUN_FLAGS, path];
}

/** Null: it ran where it lies, and said so. */
async function selfCheckProblem(
	{ proc }: KitDoors,
	path: string,
	cwd: string,
): Promise<string | null> {
	const argv = [...copyArgv(proc.execPath, path), "--self-check"];
	const ran = await proc.exec(argv, { timeoutMs: CHECK_MS, cwd });
	if (ran.kind !== "exited") return ran.kind;
	if (ran.rc !== 0) return `exit code ${ran.rc}: ${ran.stderr.trim()}`;
	return ran.stdout.trim() === `ok ${basename(path)}`
		? null
		: `it said ${JSON.stringify(ran.stdout.trim())}`;
}

function bundleArgv(bun: string, entry: string): readonly string[] {
	const build = ["build", "--target=bun", "--env=disable", entry];
	return [bun, ...BUN_FLAGS, ...build];
}

/** `env -S`, because a shebang hands over one word only; it has quotes and escapes of its own for any path. */
function withShebang(bundle: string, bun: string): string {
	const word = bun.replace(/["$\\]/g, "\\$&");
	const line = `#!/usr/bin/env -S "${word}" ${BUN_FLAGS.join(" ")}`;
	return `${line}\n${bundle.replace(/^#!.*\n/, "")}`;
}
