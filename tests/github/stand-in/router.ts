/** From a method and a path to a route, as GitHub's description spells it. */
import type { Handler } from "./http.ts";
import { appRoutes } from "./routes/apps.ts";
import { contentRoutes } from "./routes/contents.ts";
import { gitRoutes } from "./routes/git.ts";
import { issueRoutes } from "./routes/issues.ts";
import { pullRoutes } from "./routes/pulls.ts";
import { reactionRoutes } from "./routes/reactions.ts";

export interface Match {
	readonly route: string;
	readonly params: Readonly<Record<string, string>>;
	readonly handler: Handler;
}

/** Null: no route of the stand-in. */
export function matchRoute(method: string, path: string): Match | null {
	for (const row of TABLE) {
		const found = row.method === method ? row.pattern.exec(path) : null;
		if (found === null) continue;
		const params = Object.fromEntries(
			row.names.map((name, i) => [
				name,
				decodeURIComponent(found[i + 1] ?? ""),
			]),
		);
		return { route: row.route, params, handler: row.handler };
	}
	return null;
}

/** A ref and a file's path hold slashes; nothing else does. */
const MANY = new Set(["ref", "path", "basehead"]);

const TABLE = Object.entries({
	...appRoutes,
	...issueRoutes,
	...reactionRoutes,
	...pullRoutes,
	...gitRoutes,
	...contentRoutes,
}).map(([route, handler]) => {
	const [method = "", template = ""] = route.split(" ");
	const names = [...template.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? "");
	const source = template.replace(/\{(\w+)\}/g, (_, name: string) =>
		MANY.has(name) ? "(.+)" : "([^/]+)",
	);
	return { route, method, names, handler, pattern: new RegExp(`^${source}$`) };
});
