/** The repositories that have the bot installed, asked for once a day (contract 02 §8.4). */
import {
	readInstalledRepos,
	writeInstalledRepos,
} from "../_state/installed-repos.ts";
import { listAt, textAt } from "./json-look.ts";
import { readPages } from "./pages.ts";
import type { SearchContext } from "./search.ts";

const DEADLINE_MS = 30_000;
const MAX_PAGES = 20;

export interface InstalledRepos {
	/** Full names; empty: nobody knows. A list that could not be had is not replaced. */
	readonly repos: readonly string[];
	/** GitHub has just named all of them. */
	readonly isNew: boolean;
}

/**
 * The list on disk while it is fresh, and also when GitHub cannot be asked. `isNew`: it was just fetched, to its end.
 */
export async function installedRepos(
	ctx: Pick<SearchContext, "doors" | "gitHub" | "stateDir" | "signal">,
): Promise<InstalledRepos> {
	const { doors, gitHub, stateDir, signal } = ctx;
	const known = readInstalledRepos(doors, stateDir);
	if (known.isFresh) return { repos: known.repos, isNew: false };
	const end = doors.clock.monoMs() + DEADLINE_MS;
	const pages = await readPages(
		(page) =>
			gitHub.rest(
				"GET /installation/repositories",
				{ per_page: 100, page },
				{
					deadlineMs: Math.max(1, end - doors.clock.monoMs()),
					signal,
					read: readRepos,
				},
			),
		{ maxPages: MAX_PAGES },
	);
	if (pages.kind === "failed" || pages.items.length === 0)
		return { repos: known.repos, isNew: false };
	writeInstalledRepos(doors.files, stateDir, pages.items);
	return { repos: pages.items, isNew: pages.stopped === "last" };
}

function readRepos(data: unknown): readonly string[] | null {
	const list = listAt(data, "repositories");
	return list === null
		? null
		: list.flatMap((repo) => textAt(repo, "full_name") ?? []);
}
