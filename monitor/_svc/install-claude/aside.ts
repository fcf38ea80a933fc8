/** The installed package and its link, moved aside for an install and put back when it fails (contract 06 §11.3). */
import { join } from "node:path";
import type { MovedAside } from "../../_state/cc-install-aside.ts";
import { CC_PACKAGE } from "../../_state/cc-version-local.ts";
import type { Doors } from "../../_sys/doors.ts";
import { restoreTrashed, trashPath } from "../../_sys/trash.ts";

type AsideDoors = Pick<Doors, "files" | "random" | "clock">;

export interface Tree {
	readonly modules: string;
	readonly packageDir: string;
	/** The link that is run. */
	readonly bin: string;
	/** In order of preference; the last stands on the tree's own filesystem. */
	readonly trashDirs: readonly string[];
}
export type Aside =
	| { readonly kind: "aside"; readonly moved: readonly MovedAside[] }
	| { readonly kind: "stuck"; readonly path: string };

const KEPT_DAYS = 7;

/** Paths only; `trashDirs` are tried in this order. */
export function treeAt(codeRoot: string, trashDir: string): Tree {
	const modules = join(codeRoot, "node_modules");
	return {
		modules,
		packageDir: join(modules, CC_PACKAGE),
		bin: join(modules, ".bin/claude"),
		trashDirs: [trashDir, join(modules, ".claude-trash")],
	};
}

/** Package before link. On `stuck` all is where it was. */
export function moveAside(doors: AsideDoors, tree: Tree): Aside {
	const moved: MovedAside[] = [];
	for (const path of [tree.packageDir, tree.bin]) {
		if (doors.files.lstat(path).kind === "absent") continue;
		const kept = trashPath(doors, path, tree.trashDirs);
		if (kept === null) {
			putBack(doors, tree, moved);
			return { kind: "stuck", path };
		}
		// Its week in the trash begins now.
		if (path === tree.packageDir) doors.files.touch(kept);
		moved.push({ path, kept });
	}
	return { kind: "aside", moved };
}

/** Paths that could not be put back, with where their old content lies. */
export function putBack(
	doors: AsideDoors,
	{ trashDirs }: Tree,
	moved: readonly MovedAside[],
): readonly string[] {
	return moved
		.filter(({ path, kept }) => !restoreTrashed(doors, kept, path, trashDirs))
		.map(({ path, kept }) => `${path} (it lies in ${kept})`);
}

/** npm leaves its half-made folders behind when it is killed, and stumbles over them the next time. */
export function sweepLeftovers({ files }: AsideDoors, tree: Tree): void {
	const scope = join(tree.packageDir, "..");
	const listed = files.list(scope);
	for (const name of listed.kind === "ok" ? listed.names : [])
		if (name.startsWith(".claude-code-")) files.removeTree(join(scope, name));
}

/** A package is 400 MB; after a week no session runs from it any more. The folder may be the operator's own: what we did not put there stays. */
export function emptyOldTrash({ files, clock }: AsideDoors, tree: Tree): void {
	const oldest = clock.nowMs() - KEPT_DAYS * 86_400_000;
	for (const dir of tree.trashDirs) {
		const listed = files.list(dir);
		for (const name of listed.kind === "ok" ? listed.names : []) {
			if (!/^claude(?:-code)?\.[0-9a-f]{8}$/.test(name)) continue;
			const path = join(dir, name);
			const look = files.lstat(path);
			if (look.kind === "ok" && look.stat.mtimeMs < oldest)
				files.removeTree(path);
		}
	}
}
