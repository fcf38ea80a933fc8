/** A walk over the pages of a search (contract 02 §7.3). What is not whole is dropped and said, never salvaged. */
import type { PartialReason } from "./partial-row.ts";

/** A page that was asked for. */
export type PageAnswer<T> =
	| {
			readonly kind: "page";
			readonly items: readonly T[];
			readonly next: NextPage;
	  }
	/** Errors beside the data, or reactions that are missing: nulled ones would make every answered comment look new. */
	| { readonly kind: "partial"; readonly next: NextPage }
	| { readonly kind: "malformed" }
	| { readonly kind: "failed" }
	/** The run was ended from outside: no statement about GitHub. */
	| { readonly kind: "ended" };

export interface NextPage {
	readonly hasNext: boolean;
	/** Null or empty: GitHub does not say where it is. */
	readonly cursor: string | null;
}

export interface WalkOptions {
	readonly maxPages: number;
	readonly budgetMs: number;
	readonly monoMs: () => number;
	/** A line for `watcher-alerts.log`. */
	readonly note: (reason: PartialReason, detail: string) => void;
}

export interface Walk<T> {
	readonly items: readonly T[];
	/** Pages. */
	readonly ok: number;
	readonly failed: number;
	/** Nobody knows what stands behind the last page. */
	readonly truncated: boolean;
	readonly ended: boolean;
}

/** `fetchPage` gets the cursor to go on from; null for the first page. */
export async function walkSearch<T>(
	fetchPage: (after: string | null) => Promise<PageAnswer<T>>,
	{ maxPages, budgetMs, monoMs, note }: WalkOptions,
): Promise<Walk<T>> {
	const started = monoMs();
	const items: T[] = [];
	const seen = new Set<string>();
	let ok = 0;
	let failed = 0;
	let after: string | null = null;
	const end = (truncated: boolean, ended = false): Walk<T> => ({
		items,
		ok,
		failed,
		truncated,
		ended,
	});

	for (let page = 1; ; page++) {
		if (monoMs() - started >= budgetMs) {
			note(
				"budget_exhausted",
				`after ${page - 1} page(s): the rest is missing`,
			);
			return end(true);
		}
		const answer = await fetchPage(after);
		switch (answer.kind) {
			case "ended":
				return end(true, true);
			case "failed":
				failed += 1;
				return end(true);
			case "malformed":
				return malformed(page);
			case "partial":
				failed += 1;
				break;
			case "page":
				ok += 1;
				items.push(...answer.items);
		}
		const { hasNext, cursor } = answer.next;
		const isPartial = answer.kind === "partial";
		if (!hasNext) {
			if (isPartial)
				note(
					"partial_resolution",
					`page ${page} dropped, no later pages exist`,
				);
			return end(false);
		}
		if (cursor === null || cursor === "") {
			if (!isPartial) return malformed(page);
			note(
				"partial_resolution",
				`page ${page} dropped, and every later page is withheld: no cursor`,
			);
			return end(true);
		}
		if (seen.has(cursor)) return malformed(page);
		if (isPartial)
			note("partial_resolution", `page ${page} dropped, walk CONTINUES`);
		if (page >= maxPages) {
			note("page_cap", `stopped after ${page} page(s): later ones not fetched`);
			return end(true);
		}
		seen.add(cursor);
		after = cursor;
	}

	function malformed(page: number): Walk<T> {
		failed += 1;
		note("malformed_page", `page ${page} is no answer to the search`);
		return end(true);
	}
}
