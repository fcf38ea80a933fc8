/** `load --dump --effective`: what is in force, and where it comes from (contract 07 §4). */
import type { Places } from "./places.ts";
import { inOneLine, printSafely } from "./report.ts";
import type { Env } from "./resolve.ts";
import { runtimeCommands } from "./runtimes.ts";
import {
	type Config,
	envNames,
	FILE_KEYS,
	type FileKey,
	isFileKey,
	RUNTIMES_KEY,
} from "./schema.ts";

interface From {
	readonly env: Env;
	readonly home: string;
}

/** Every known key, sorted: `key=value  # env NAME`, `# file:<line>`, `# default` or `# derived`; the open map, entry by entry. */
export function effectiveLines(
	config: Config,
	loaded: { readonly tree: unknown; readonly places?: Places | null },
	from: From,
): readonly string[] {
	const fileLine = (key: string) =>
		`file:${loaded.places?.value(key.split(".")).line ?? ""}`;
	const sourceOf = (key: FileKey) => {
		const source = config.source(key);
		if (source === "env")
			return `env ${envNames(key).find((n) => from.env[n]) ?? ""}`;
		return source === "file" ? fileLine(key) : source;
	};
	const line = (key: string, value: unknown, source: string) =>
		`${inOneLine(`${key}=${printSafely(key, value, from.home)}`)}  # ${source}`;

	const single = Object.keys(FILE_KEYS)
		.filter(isFileKey)
		.filter((key) => key !== RUNTIMES_KEY)
		.map((key) => line(key, config[key], sourceOf(key)));
	const runtimes = [...runtimeCommands(loaded.tree, from.env)].map(
		([runtime, { command, from: origin }]) => {
			const key = RUNTIMES_KEY.replace("<rt>", runtime);
			if (origin.kind === "env")
				return line(key, command, `env ${origin.name}`);
			return line(
				key,
				command,
				origin.kind === "file" ? fileLine(key) : "default",
			);
		},
	);
	return [...single, ...runtimes].sort();
}
