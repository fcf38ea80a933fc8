/** `load --dump --effective`: what is in force, and where it comes from (contract 07 §4). */
import type { Places } from "./places.ts";
import { printSafely } from "./report.ts";
import type { Env } from "./resolve.ts";
import { type Config, envNames, FILE_KEYS, isFileKey } from "./schema.ts";

/** Every known key, sorted: `key=value  # env NAME`, `# file:<line>`, `# default` or `# derived`. */
export function effectiveLines(
	config: Config,
	loaded: { readonly places?: Places | null },
	from: { readonly env: Env; readonly home: string },
): readonly string[] {
	return Object.keys(FILE_KEYS)
		.filter(isFileKey)
		.sort()
		.map((key) => {
			const value = printSafely(key, config[key], from.home);
			const source = config.source(key);
			const name = envNames(key).find((n) => from.env[n]);
			const line = loaded.places?.value(key.split(".")).line;
			if (source === "env") return `${key}=${value}  # env ${name ?? ""}`;
			if (source === "file") return `${key}=${value}  # file:${line ?? ""}`;
			return `${key}=${value}  # ${source}`;
		});
}
