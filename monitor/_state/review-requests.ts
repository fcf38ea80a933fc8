/** Requests of kind `spawn-skeptic` in the inbox: somebody shall review a window's work (contract 08 §6.5). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { parseRequestName, type RequestHead, readRequest } from "./requests.ts";

export interface ReviewRequest {
	readonly id: string;
	/** File name in the inbox. */
	readonly name: string;
	/** Epoch seconds. */
	readonly askedAt: number;
}

/** Those for this window that nobody has answered. An inbox that is not there holds none. */
export function openReviewRequests(
	files: Files,
	inbox: string,
	window: string,
): readonly ReviewRequest[] {
	const listed = files.list(inbox);
	if (listed.kind !== "ok") return [];
	return listed.names.flatMap((name) => {
		const parsed = parseRequestName(name);
		if (parsed?.state !== "new" && parsed?.state !== "claimed") return [];
		const look = readRequest(files, inbox, name);
		const found = files.stat(join(inbox, name));
		if (look.kind !== "ok" || found.kind !== "ok") return [];
		if (!asksForReview(look.head, window)) return [];
		return [{ id: parsed.id, name, askedAt: found.stat.mtimeMs / 1000 }];
	});
}

function asksForReview(
	head: Pick<RequestHead, "kind" | "origin">,
	window: string,
): boolean {
	return head.kind === "spawn-skeptic" && head.origin === originOf(window);
}

/** A window's name in the alphabet of a request's origin. Pure. */
export function originOf(window: string): string {
	return window.replace(/[^A-Za-z0-9_-]/g, "_");
}
