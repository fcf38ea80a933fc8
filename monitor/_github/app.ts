/** The GitHub App that this nexus acts as, from the configuration (contract 02 §3, 00 R7). Pure. */
import { resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { TokenIdentity } from "../_state/token-cache.ts";
import { type GitHubPlace, resolveApi } from "./api-url.ts";

export interface GitHubApp {
	readonly appId: string;
	readonly installationId: string;
	/** Absolute. */
	readonly keyPath: string;
	/** Absolute. */
	readonly cachePath: string;
	readonly place: GitHubPlace;
}

/** `off`: nobody set any bot key, and everything local works. `incomplete`: some are missing, by their dotted names. */
export type GitHubSetup =
	| { readonly kind: "on"; readonly app: GitHubApp }
	| { readonly kind: "off" }
	| { readonly kind: "incomplete"; readonly missing: readonly BotKey[] };

/** The three keys that make an App. */
export const BOT_KEYS = [
	"github.bot_app_id",
	"github.bot_installation_id",
	"github.bot_pem_path",
] as const;

export type BotKey = (typeof BOT_KEYS)[number];

/** Relative paths stand below `root`, the nexus root. */
export function gitHubSetup(config: Config, root: string): GitHubSetup {
	const appId = config["github.bot_app_id"] ?? "";
	const installationId = config["github.bot_installation_id"] ?? "";
	const keyPath = config["github.bot_pem_path"] ?? "";
	const missing = BOT_KEYS.filter((key) => !config[key]?.trim());
	if (missing.length === BOT_KEYS.length) return { kind: "off" };
	if (missing.length > 0) return { kind: "incomplete", missing };
	return {
		kind: "on",
		app: {
			appId,
			installationId,
			keyPath: resolve(root, keyPath),
			cachePath: resolve(root, config["github.bot_token_cache"]),
			place: resolveApi(config["github.api_url"]),
		},
	};
}

/** What a cached token must be bound to. */
export function identityOf(app: GitHubApp): TokenIdentity {
	const { appId, installationId, place } = app;
	return { appId, installationId, apiUrl: place.apiBase };
}
