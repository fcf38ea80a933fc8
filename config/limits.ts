/** What a row allows, in words: for the template and the reference page. */
import type { Leaf } from "./leaves.ts";

/** Type and unit, bounds, what 0 means, default, variables. */
export function describeLimits(row: Leaf<unknown>): readonly string[] {
	const parts = [describeType(row)];
	if (row.zeroDisables) parts.push("0 disables");
	parts.push(`default ${describeDefault(row)}`);
	if (row.env.length > 0) parts.push(`env ${row.env.join(" or ")}`);
	return parts;
}

/** The words of an enum, else the unit, else the type; then its bounds. A lower bound of 0 goes without saying. */
export function describeType(row: Leaf<unknown>): string {
	const words = row.choices?.join(", ") ?? row.unit ?? WORDS[row.type];
	if (row.max !== undefined) return `${words}, ${row.min ?? 0} to ${row.max}`;
	return row.min ? `${words}, at least ${row.min}` : words;
}

/** What stands in the template for the default; a default that is worked out from other keys is told in words. */
export function describeDefault(row: Leaf<unknown>): string {
	if (row.derived !== undefined) return row.derived;
	if (row.default === null) return row.required ? "none" : "unset";
	if (row.default === "") return "empty";
	if (typeof row.default === "string") return row.default;
	if (row.type === "decimals" && Array.isArray(row.default))
		return row.default.join(" ");
	return JSON.stringify(row.default);
}

const WORDS: Readonly<Record<Leaf<unknown>["type"], string>> = {
	seconds: "seconds",
	integer: "count",
	bytes: "bytes",
	decimal: "seconds",
	decimals: "seconds, separated by blanks",
	boolean: "true or false",
	string: "text",
	window: "window name",
	path: "path",
	url: "URL",
	patterns: "list of patterns",
	enum: "one word",
	hhmm: "HH:MM",
	repo: "owner/name",
	login: "login",
	issue: "number or owner/repo#n",
	commands: "command line by runtime",
};
