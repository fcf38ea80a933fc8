/** A stalled file system is an error, not a hang (contract 07 §8.2). */
import { dirname } from "node:path";
import { ownConfigPath } from "./choose.ts";
import type { LoadFrom } from "./read.ts";

const STALL_MS = 5000;

/**
 * Lists the folder of the file off the loop, with a limit, before anything reads it without one.
 * Null when the folder answers (or is not there, which the reader finds out at once).
 */
export async function findStall(from: LoadFrom): Promise<string | null> {
	const dir = dirname(from.env.NEXUS_CONFIG || ownConfigPath(from.root));
	const listed = await from.files.listSlow(dir, STALL_MS);
	return listed.kind === "unreadable"
		? `config: ${dir}: cannot be listed: ${listed.reason}`
		: null;
}
