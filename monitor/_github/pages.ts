/**
 * Lists that come page by page. The URL of a `Link` header is never followed, only its number or cursor
 * is taken: an answer must not lead a credential to another host (contract 02 §2.1).
 */
import { failure, type GhFailure } from "./errors.ts";
import type { Answer } from "./send.ts";

/** `last`: the list ended. `enough`: the caller had seen enough. `limit`: more pages than were allowed. */
export type Pages<T> =
	| {
			readonly kind: "ok";
			readonly items: readonly T[];
			readonly stopped: "last" | "enough" | "limit";
	  }
	| {
			readonly kind: "failed";
			readonly failure: GhFailure;
			/** Of the pages before. */
			readonly items: readonly T[];
	  };

export interface PageRules<T> {
	readonly maxPages: number;
	/** Asked after each page, with all items so far. */
	readonly enough?: (items: readonly T[]) => boolean;
}

/** `ask` gets the page's number, 1 first. */
export async function readPages<T>(
	ask: (page: number) => Promise<Answer<readonly T[]>>,
	{ maxPages, enough }: PageRules<T>,
): Promise<Pages<T>> {
	const items: T[] = [];
	for (let page = 1; ; ) {
		const answer = await ask(page);
		if (answer.kind === "failed") return { ...answer, items };
		items.push(...answer.value);
		if (enough?.(items)) return { kind: "ok", items, stopped: "enough" };
		const next = nextPage(answer.headers);
		if (next === null) return { kind: "ok", items, stopped: "last" };
		if (next !== page + 1)
			return { kind: "failed", failure: outOfOrder(page, next), items };
		if (next > maxPages) return { kind: "ok", items, stopped: "limit" };
		page = next;
	}
}

/** The `page` of `rel="next"`; null: this was the last one. */
export function nextPage(
	headers: Readonly<Record<string, string>>,
): number | null {
	const page = nextParameter(headers, "page");
	return page !== null && /^\d{1,9}$/.test(page) ? Number(page) : null;
}

/** The `cursor` of `rel="next"`; null: this was the last page. */
export function nextCursor(
	headers: Readonly<Record<string, string>>,
): string | null {
	return nextParameter(headers, "cursor") || null;
}

function nextParameter(
	headers: Readonly<Record<string, string>>,
	name: string,
): string | null {
	for (const [, url = "", rest = ""] of (headers.link ?? "").matchAll(LINK)) {
		if (!/;\s*rel="?next"?/.test(rest)) continue;
		return URL.parse(url)?.searchParams.get(name) ?? null;
	}
	return null;
}

const LINK = /<([^>]*)>([^<]*)/g;

function outOfOrder(page: number, next: number): GhFailure {
	return failure("malformed", {
		message: `page ${page} is followed by page ${next}`,
	});
}
