/** What reached the orchestrator, by the transcripts of all its sessions. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deliveredText } from "../../monitor/_delivery/evidence.ts";

export interface Told {
	/** ms since the epoch. */
	readonly at: number;
	readonly text: string;
}

const SIGNATURE = "--- nexus-emit-sig ";

/** Every report of the watcher that is in a transcript, oldest first; a record that two files hold counts once. */
export function readTold(configDir: string): readonly Told[] {
	const seen = new Set<unknown>();
	return transcripts(configDir)
		.flatMap((path) => readFileSync(path, "utf8").split("\n").slice(0, -1))
		.flatMap((line) => {
			const record = parsed(line);
			if (record === null || record.type !== "user") return [];
			const text = deliveredText(record);
			if (text === null || !text.includes(SIGNATURE)) return [];
			if (seen.has(record.uuid)) return [];
			seen.add(record.uuid);
			return [{ at: Date.parse(String(record.timestamp)), text }];
		})
		.sort((a, b) => a.at - b.at);
}

/** A session that was killed leaves a torn line behind. */
function parsed(line: string): Readonly<Record<string, unknown>> | null {
	try {
		return JSON.parse(line);
	} catch {
		return null;
	}
}

function transcripts(configDir: string): readonly string[] {
	const projects = join(configDir, "projects");
	return readdirSync(projects).flatMap((project) =>
		readdirSync(join(projects, project))
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => join(projects, project, name)),
	);
}
