/** What reached the orchestrator, by the transcripts of all its sessions. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deliveredText } from "../../monitor/_delivery/evidence.ts";
import { isObject } from "../../monitor/_state/json-object.ts";

export interface Told {
	/** ms since the epoch. */
	readonly at: number;
	readonly text: string;
}

const SIGNATURE = "--- nexus-emit-sig ";

/**
 * Every report of the watcher that is in a conversation, oldest first; a record that two files hold counts once. One
 * that waits in the queue behind a turn is not told yet: it dies with the process.
 */
export function readTold(configDir: string): readonly Told[] {
	const seen = new Set<unknown>();
	return transcripts(configDir)
		.flatMap((path) => readFileSync(path, "utf8").split("\n").slice(0, -1))
		.flatMap((line) => {
			const record = parsed(line);
			const text = record === null ? null : conversationText(record);
			if (record === null || text === null || seen.has(record.uuid)) return [];
			seen.add(record.uuid);
			const at = Date.parse(String(record.timestamp));
			const reports = text.includes(SIGNATURE) ? [text] : namedIn(text);
			return reports.map((report) => ({ at, text: report }));
		})
		.sort((a, b) => a.at - b.at);
}

/** What a brief, or a word of the watcher to a successor, asks to read: reports that waited behind the last turn of a session that was killed. */
export function namedIn(brief: string): readonly string[] {
	return [...brief.matchAll(/^ *- (\S+\.md) \(nexus-emit-sig /gm)].flatMap(
		([, path = ""]) => (existsSync(path) ? [readFileSync(path, "utf8")] : []),
	);
}

/** A prompt of its own, or one that was put into a running turn. */
function conversationText(
	record: Readonly<Record<string, unknown>>,
): string | null {
	if (record.type === "user") return deliveredText(record);
	const { attachment } = record;
	if (!isObject(attachment) || attachment.type !== "queued_command")
		return null;
	return typeof attachment.prompt === "string" ? attachment.prompt : null;
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
