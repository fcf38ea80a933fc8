/** A whole `WatcherConfig` for tests of the watcher's parts: the defaults, with what a test changes. */
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import {
	resolveWatcherConfig,
	type WatcherConfig,
} from "../../config/watcher.ts";

type Changes = { readonly [K in ConfigKey]?: ConfigValue<K> };

/** `watcherConfig({ "monitor.interval_seconds": 30 })`. Changed values do not move what is derived from them. */
export function watcherConfig(changes: Changes = {}): WatcherConfig {
	const resolved = resolveWatcherConfig(
		{
			path: "/srv/nexus/config/nexus.yml",
			sha256: "0".repeat(64),
			tree: { github: { repo: "acme/ada-assets", user_login: "ada" } },
		},
		{},
		{ root: "/srv/nexus", home: "/home/ada" },
	);
	if (resolved.kind === "bad") throw new Error("the defaults do not resolve");
	return Object.freeze({ ...resolved.config, ...changes });
}
