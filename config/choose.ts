/** Which file is the configuration (contract 07 §2). There is no merging between files. */
import { join } from "node:path";
import type { FileStat, Files } from "../monitor/_sys/doors.ts";
import type { ConfigIssue } from "./issues.ts";

export type Choice =
	| {
			readonly kind: "file";
			readonly path: string;
			readonly stat: FileStat;
			/** The template; its values are placeholders and its mode is nobody's business. */
			readonly isExample: boolean;
			readonly warnings: readonly ConfigIssue[];
	  }
	/** There, but not a file that can be read: never fallen through, or a fleet would start on placeholders. */
	| {
			readonly kind: "bad";
			readonly path: string;
			readonly reason: string;
			readonly warnings: readonly ConfigIssue[];
	  }
	| {
			readonly kind: "none";
			readonly tried: readonly string[];
			readonly warnings: readonly ConfigIssue[];
	  };

/** The operator's file; it wins over the example when it is there (contract 07 §2). */
export function ownConfigPath(root: string): string {
	return join(root, "config/nexus.yml");
}

/** The shipped template, read where the operator has no file of his own. */
export function exampleConfigPath(root: string): string {
	return join(root, "config/nexus.example.yml");
}

/** `NEXUS_CONFIG`, then the operator's file, then the template, which counts only while there is no other. */
export function chooseConfigFile(
	env: Readonly<Record<string, string | undefined>>,
	root: string,
	files: Files,
): Choice {
	const named = env.NEXUS_CONFIG;
	const example = exampleConfigPath(root);
	const tried = [...(named ? [named] : []), ownConfigPath(root), example];
	const warnings: ConfigIssue[] = [];
	for (const path of tried) {
		const stat = files.stat(path);
		if (stat.kind === "ok" && stat.stat.kind === "file") {
			const isExample = path === example;
			return { kind: "file", path, stat: stat.stat, isExample, warnings };
		}
		const reason = whyBad(files, path, stat);
		if (reason !== null) return { kind: "bad", path, reason, warnings };
		if (path === named)
			warnings.push({
				key: "",
				env: "NEXUS_CONFIG",
				message: `no such file: ${path}`,
			});
	}
	return { kind: "none", tried, warnings };
}

/** Null when nothing is there at all. */
function whyBad(
	files: Files,
	path: string,
	stat: ReturnType<Files["stat"]>,
): string | null {
	if (stat.kind === "ok") return "not a regular file";
	if (stat.kind === "unreadable") return `unreadable: ${stat.reason}`;
	return files.lstat(path).kind === "ok" ? "a link to nothing" : null;
}
