/**
 * What a start makes beside its own things: folders of the store and above the worktree, the agents' `thrum`, the line
 * that keeps the store out of git. A failed start leaves none of it behind (contract 09 §10.3).
 */
import { dirname } from "node:path";
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { excludeFileOf } from "../../monitor/_fleet/local/store.ts";
import { shimPath } from "../../monitor/_state/fleet/shim.ts";
import {
	binDir,
	isIgnored,
	missingFolders,
	removeEmptyFolders,
	unignore,
} from "../../monitor/_state/fleet/store.ts";
import type { Doors, Files } from "../../monitor/_sys/doors.ts";

export interface Surroundings {
	/** As it was before, as far as nobody else uses it by now. */
	readonly restore: () => void;
}

/** Before anything is made. `worktree`: where it will stand; "" when nobody knows. */
export async function rememberSurroundings(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	{ repoRoot, thrumDir }: Pick<Fleet, "repoRoot" | "thrumDir">,
	worktree: string,
): Promise<Surroundings> {
	const store = missingFolders(files, thrumDir);
	const above = worktree === "" ? [] : missingAbove(files, worktree);
	const exclude = await excludeFileOf({ proc }, repoRoot);
	const wasIgnored = exclude.kind !== "ok" || isIgnored(files, exclude.value);
	return {
		restore: () => {
			if (store.includes(binDir(thrumDir))) files.remove(shimPath(thrumDir));
			removeEmptyFolders(files, store);
			removeEmptyFolders(files, above);
			const isUsed = store.some((dir) => files.lstat(dir).kind !== "absent");
			if (!wasIgnored && !isUsed) unignore(files, exclude.value);
		},
	};
}

/** Parents first. */
function missingAbove(
	files: Pick<Files, "lstat">,
	path: string,
): readonly string[] {
	const parent = dirname(path);
	return parent === path || files.lstat(parent).kind !== "absent"
		? []
		: [...missingAbove(files, parent), parent];
}
