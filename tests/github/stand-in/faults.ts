/** What goes wrong on demand: every way in which GitHub, or what stands in between, has been seen to fail. */

export type Fault =
	/** 403 or 429 with nothing left of the hour. */
	| {
			readonly kind: "primary";
			readonly resetAt?: number;
			readonly status?: 403 | 429;
	  }
	/** 403 in GitHub's words; without `retryAfter` it does not say for how long. */
	| { readonly kind: "secondary"; readonly retryAfter?: number }
	/** A page of HTML with status 403. */
	| { readonly kind: "abuse-page" }
	| { readonly kind: "forbidden" }
	| { readonly kind: "unauthorized" }
	/** A page of HTML. */
	| { readonly kind: "server"; readonly status?: number }
	/** GraphQL: status 200, and errors in it. */
	| { readonly kind: "graphql-errors"; readonly errors: readonly unknown[] }
	/** GraphQL: the real answer with every `reactions` behind the first nulled, as when a query is too expensive. */
	| { readonly kind: "graphql-partial" }
	/** The real answer, cut in half. */
	| { readonly kind: "truncated" }
	/** The head and half of the real answer, and then silence. */
	| { readonly kind: "stalled-body" }
	/** Not even a head. */
	| { readonly kind: "no-answer" }
	/** Status 200, no content type, no text. */
	| { readonly kind: "empty" }
	/** The real answer; every `Link` leads to another host. */
	| { readonly kind: "foreign-links"; readonly origin: string }
	| { readonly kind: "redirect"; readonly to: string; readonly status?: number }
	/** Anything else. */
	| {
			readonly kind: "answer";
			readonly status: number;
			readonly body: unknown;
			readonly headers?: Readonly<Record<string, string>>;
	  };

export interface FaultRow {
	/** A route of GitHub's description, `POST /graphql`, or a pattern on `METHOD /path?query` or on the GraphQL query. */
	readonly on: string | RegExp;
	readonly fault: Fault;
	/** So many requests, then it heals. Default: for ever. */
	readonly times?: number;
	/** So many fitting requests pass first. */
	readonly after?: number;
	/** The request is carried out, and only its answer is lost. Default: it is not. */
	readonly executed?: boolean;
}

export interface Faults {
	/** Returns the cure. */
	add(row: FaultRow): () => void;
	clear(): void;
	/** The newest row that fits; counts. */
	take(route: string, line: string, query: string): FaultRow | null;
}

export function faultTable(): Faults {
	let rows: { row: FaultRow; seen: number }[] = [];
	return {
		add: (row) => {
			const entry = { row, seen: 0 };
			rows.unshift(entry);
			return () => {
				rows = rows.filter((r) => r !== entry);
			};
		},
		clear: () => {
			rows = [];
		},
		take: (route, line, query) => {
			for (const entry of rows) {
				const { on, after = 0, times = Number.POSITIVE_INFINITY } = entry.row;
				const fits =
					typeof on === "string"
						? on === route
						: on.test(line) || (query !== "" && on.test(query));
				if (!fits) continue;
				entry.seen += 1;
				if (entry.seen > after && entry.seen <= after + times) return entry.row;
			}
			return null;
		},
	};
}
