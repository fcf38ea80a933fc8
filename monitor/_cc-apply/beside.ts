/** A candidate installed beside the one that runs, where nobody takes it by accident (contract 06 §13.3). */
import { join } from "node:path";
import { candidateDir } from "../_state/cc-auto-update.ts";
import { CC_PACKAGE } from "../_state/cc-version-local.ts";
import type { Doors } from "../_sys/doors.ts";
import { findNpm, runNpm, versionOf } from "../_sys/npm.ts";

export type Beside =
	| { readonly kind: "ok"; readonly binary: string }
	| { readonly kind: "failed"; readonly why: string };

/** `binary` answers with the candidate's version, or it failed. One that is there already is used. */
export async function installBeside(
	doors: Pick<Doors, "files" | "proc">,
	place: { readonly stateDir: string; readonly codeRoot: string },
	candidate: string,
): Promise<Beside> {
	const { files, proc } = doors;
	const dir = candidateDir(place.stateDir, candidate);
	const binary = join(dir, "node_modules/.bin/claude");
	const isThere = files.stat(binary).kind === "ok";
	// Left by a proof that was broken off.
	if (isThere && (await versionOf({ proc }, binary)) === candidate)
		return { kind: "ok", binary };
	const npm = await findNpm({ proc });
	if (npm.kind === "failed") return npm;
	files.removeTree(dir);
	const made = files.mkdir(dir);
	if (made.kind !== "ok") return { kind: "failed", why: made.reason };
	const words = ["install", "--no-save", "--prefix", dir];
	const ran = await runNpm(
		{ proc },
		[npm.path, ...words, `${CC_PACKAGE}@${candidate}`],
		{ cwd: dir, cache: join(place.codeRoot, ".npm-cache") },
	);
	if (!ran.ok)
		return {
			kind: "failed",
			why: `npm (${ran.how}): ${lastLines(ran.output)}`,
		};
	const says = await versionOf({ proc }, binary);
	return says === candidate
		? { kind: "ok", binary }
		: {
				kind: "failed",
				why: `${binary} ${says === null ? "does not run" : `is ${says}`}`,
			};
}

/** The folder of that candidate, where there is one. */
export function removeBeside(
	{ files }: Pick<Doors, "files">,
	stateDir: string,
	candidate: string,
): void {
	files.removeTree(candidateDir(stateDir, candidate));
}

function lastLines(output: string): string {
	return output.trim().split("\n").slice(-3).join(" / ");
}
