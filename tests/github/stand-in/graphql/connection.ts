/** Pages of a GraphQL connection: `first`/`after` from the front, `last`/`before` from the back. */

export interface PageArgs {
	readonly first?: number | null;
	readonly after?: string | null;
	readonly last?: number | null;
	readonly before?: string | null;
}

export function connection<T>(
	items: readonly T[],
	args: PageArgs,
	node: (item: T) => unknown,
) {
	const from = args.after == null ? 0 : indexOf(args.after) + 1;
	const to = args.before == null ? items.length : indexOf(args.before);
	const start = args.last == null ? from : Math.max(from, to - args.last);
	const end = args.first == null ? to : Math.min(to, start + args.first);
	const page = items.slice(start, end);
	return {
		totalCount: items.length,
		pageInfo: {
			hasNextPage: end < items.length,
			hasPreviousPage: start > 0,
			startCursor: page.length === 0 ? null : cursor(start),
			endCursor: page.length === 0 ? null : cursor(end - 1),
		},
		nodes: () => page.map(node),
		edges: () =>
			page.map((item, i) => ({ cursor: cursor(start + i), node: node(item) })),
	};
}

function cursor(index: number): string {
	return Buffer.from(`cursor:${index}`).toString("base64");
}

function indexOf(text: string): number {
	const index = /^cursor:(\d+)$/.exec(Buffer.from(text, "base64").toString());
	return index === null ? -1 : Number(index[1]);
}
