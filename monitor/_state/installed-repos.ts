/** `bot-installed-repos.txt`: the repositories that have the bot installed, `owner/name` a line (contract 02 §8.4). */
import { join } from "node:path";
import { ageSeconds } from "../_sys/age.ts";
import type { Clock, Files } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

/** Seconds for which the list is good. */
const GOOD_FOR = 86_400;

function installedReposPath(stateDir: string): string {
	return join(stateDir, "bot-installed-repos.txt");
}

export interface InstalledRepos {
	/** Empty: nobody knows. */
	readonly repos: readonly string[];
	readonly isFresh: boolean;
}

/** Lines that are no `owner/name` are skipped. A list that is old, from the future or empty is not fresh. */
export function readInstalledRepos(
	{ files, clock }: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
): InstalledRepos {
	const path = installedReposPath(stateDir);
	const read = files.read(path);
	const repos =
		read.kind === "ok"
			? read.text
					.split("\n")
					.map((line) => line.trim())
					.filter((line) => /^[^\s/]+\/[^\s/]+$/.test(line))
			: [];
	const age = ageSeconds(clock.now(), mtimeOf(files, path), GOOD_FOR);
	// A list without a name was torn off, or never was one.
	return { repos, isFresh: repos.length > 0 && age !== null && age < GOOD_FOR };
}

/** Best effort: the list is asked for again. */
export function writeInstalledRepos(
	files: Files,
	stateDir: string,
	repos: readonly string[],
): void {
	const text = repos.map((repo) => `${repo}\n`).join("");
	files.writeAtomic(installedReposPath(stateDir), text);
}
