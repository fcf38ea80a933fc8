/**
 * `nexus-instance.lock`: flock target whose body names the holder (contract 01 §2.4).
 * The flock decides who may run; the text is only ever used in messages.
 */
import { join } from "node:path";
import { parseColonLines, renderColonLines } from "./kv.ts";

export interface InstanceMeta {
	readonly pid: string | null;
	readonly host: string | null;
	readonly bootId: string | null;
	readonly pidNs: string | null;
	readonly sandbox: string | null;
	readonly tmux: string | null;
	readonly user: string | null;
	readonly nexusRoot: string | null;
	readonly startedAt: string | null;
}

export function instanceLockPath(stateDir: string): string {
	return join(stateDir, "nexus-instance.lock");
}

/** Missing, empty and `unknown` fields are null. */
export function parseInstanceMeta(text: string): InstanceMeta {
	const lines = parseColonLines(text);
	const known = (key: string): string | null => {
		const value = lines.get(key)?.trim() ?? "";
		return value === "" || value === "unknown" ? null : value;
	};
	return {
		pid: known("pid"),
		host: known("host"),
		bootId: known("boot_id"),
		pidNs: known("pid_ns"),
		sandbox: known("sandbox"),
		tmux: known("tmux"),
		user: known("user"),
		nexusRoot: known("nexus_root"),
		startedAt: known("started_at"),
	};
}

/** Nine lines in fixed order. */
export function renderInstanceMeta(meta: InstanceMeta): string {
	return renderColonLines([
		["pid", meta.pid ?? "unknown"],
		["host", meta.host ?? "unknown"],
		["boot_id", meta.bootId ?? "unknown"],
		["pid_ns", meta.pidNs ?? "unknown"],
		["sandbox", meta.sandbox ?? "none"],
		["tmux", meta.tmux ?? "none"],
		["user", meta.user ?? "unknown"],
		["nexus_root", meta.nexusRoot ?? "unknown"],
		["started_at", meta.startedAt ?? "unknown"],
	]);
}
