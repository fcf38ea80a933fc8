/** Which repositories the bot is installed on. */
import { sameRepo } from "../_state/emit-block-target.ts";
import { COMMAND_MS } from "./deadline.ts";
import { failure, type GhFailure } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { listAt, textAt } from "./json-look.ts";
import { readPages } from "./pages.ts";

export type InstallationLook =
	| {
			readonly kind: "ok";
			readonly isInstalled: boolean;
			readonly selection: "all" | "selected" | "unknown";
			/** It sees some repository of the same owner: the configured installation is that owner's. */
			readonly isOwnersOwn: boolean;
	  }
	| { readonly kind: "unknown"; readonly failure: GhFailure };

interface Row {
	readonly name: string;
	readonly selection: string | null;
}

const MOST_PAGES = 100;

/** `unknown` when a page failed, or there are more than were read; never "no" for want of a page. */
export async function botInstalled(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
): Promise<InstallationLook> {
	const pages = await readPages(
		(page) =>
			gitHub.rest(
				"GET /installation/repositories",
				{ per_page: 100, page },
				{ deadlineMs: COMMAND_MS, read: readRows },
			),
		{ maxPages: MOST_PAGES },
	);
	if (pages.kind === "failed")
		return { kind: "unknown", failure: pages.failure };
	const rows = pages.items;
	const isThere = rows.some(({ name }) => sameRepo(name, repo));
	if (!isThere && pages.stopped === "limit") {
		const message = `more than ${MOST_PAGES} pages of repositories`;
		return { kind: "unknown", failure: failure("client", { message }) };
	}
	const [owner = ""] = repo.split("/");
	const word = rows[0]?.selection;
	return {
		kind: "ok",
		isInstalled: isThere,
		selection: word === "all" || word === "selected" ? word : "unknown",
		isOwnersOwn: rows.some(({ name }) =>
			name.toLowerCase().startsWith(`${owner.toLowerCase()}/`),
		),
	};
}

function readRows(data: unknown): readonly Row[] | null {
	const selection = textAt(data, "repository_selection");
	const rows = listAt(data, "repositories")?.map((row): Row | null => {
		const name = textAt(row, "full_name");
		return name === null ? null : { name, selection };
	});
	return rows?.every((row) => row !== null) ? rows : null;
}
