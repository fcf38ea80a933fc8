/** Where GitHub's API and its web pages are (contract 02 §2.1). Pure. */
import { CONFIG_KEYS } from "../../config/schema.ts";

export interface GitHubPlace {
	/** Without a trailing slash. */
	readonly apiBase: string;
	/** Origin of the html URLs. */
	readonly webOrigin: string;
}

/**
 * `url` is `github.api_url` as resolved: https, or http to this machine. Empty = the default.
 * Enterprise Server (`/api/v3`) and a stand-in on this machine serve pages from the API's own origin.
 */
export function resolveApi(url: string): GitHubPlace {
	const given = url || String(CONFIG_KEYS["github.api_url"].default);
	const apiBase = given.replace(/\/+$/, "");
	const { origin, protocol, hostname } = new URL(apiBase);
	const cloud = /^api\.(github\.com|[^.]+\.ghe\.com)$/.exec(hostname)?.[1];
	return {
		apiBase,
		webOrigin: cloud === undefined ? origin : `${protocol}//${cloud}`,
	};
}
