/** Which TCP ports are listened to, and from how far away they can be reached. */
import { readFileSync } from "node:fs";
import type { Listener, Looked } from "./doors.ts";
import { errnoOf } from "./errno.ts";

/** Of both address families; `unknown` when neither table could be read. */
export function tcpListeners(): Looked<readonly Listener[]> {
	const found: Listener[] = [];
	let read = 0;
	let reason = "";
	for (const table of ["tcp", "tcp6"])
		try {
			found.push(...parseListeners(readFileSync(`/proc/net/${table}`, "utf8")));
			read++;
		} catch (e) {
			reason = errnoOf(e);
		}
	return read === 0
		? { kind: "unknown", reason }
		: { kind: "ok", value: found };
}

/** Pure: the listening rows of `/proc/net/tcp` or `/proc/net/tcp6`. */
export function parseListeners(table: string): readonly Listener[] {
	return table.split("\n").flatMap((line) => {
		const [, local = "", , state] = line.trim().split(/\s+/);
		const [host = "", port = ""] = local.split(":");
		if (state !== LISTEN || !/^[0-9A-F]+$/i.test(port)) return [];
		return [{ port: Number.parseInt(port, 16), loopback: isLoopback(host) }];
	});
}

const LISTEN = "0A";

/** Words of 32 bits, each with its lowest byte first. */
function isLoopback(hex: string): boolean {
	const v4 = hex.length === 8 ? hex : /^0{16}FFFF0{4}(.{8})$/i.exec(hex)?.[1];
	if (v4 !== undefined) return v4.slice(6).toUpperCase() === "7F";
	return /^0{24}01000000$/.test(hex);
}
