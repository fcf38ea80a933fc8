/** The shapes of texts (contract 07 §6.1), and the home directory in them (§3). */
import { isLoopback } from "../monitor/_sys/loopback.ts";
import type { Leaf } from "./leaves.ts";

const REPO = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/;
const HHMM = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const ISSUE = /^$|^[0-9]+$|^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+#[0-9]+$/;
const WINDOW = /^[^:.\s]+$/;

/** Whether a text has the shape of its row. A path is not looked up. */
export function checkText(row: Leaf<unknown>, text: string): boolean {
	// A blank value at a required key is the placeholder guard's to report (contract 07 §5).
	if (row.required !== undefined && text.trim() === "") return true;
	if (row.emptyMeansDefault && text === "") return true;
	switch (row.type) {
		case "window":
			return WINDOW.test(text);
		case "hhmm":
			return HHMM.test(text);
		case "issue":
			return ISSUE.test(text);
		case "repo":
			return REPO.test(text);
		case "url":
			return isSafeUrl(text);
		case "path":
			return !row.absolute || text === "" || /^(\/|~$|~\/)/.test(text);
		default:
			return true;
	}
}

/** `~` and `~/…` at the start become the home directory; any other `~` stays. */
export function expandHome(text: string, home: string): string {
	return text === "~" || text.startsWith("~/") ? home + text.slice(1) : text;
}

/** http(s); plain http only to this machine, for a token is sent there. A login in it would be printed wherever the address is. */
function isSafeUrl(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || url.username !== "" || url.password !== "") return false;
	if (url.protocol === "https:") return url.hostname !== "";
	return url.protocol === "http:" && isLoopback(url.hostname);
}
