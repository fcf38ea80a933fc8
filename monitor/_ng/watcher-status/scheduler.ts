/** `--scheduler`: each task's last row in the scheduler's telemetry (contract 05 §14.1). */
import type { Files } from "../../_sys/doors.ts";

export interface LastFire {
	readonly task: string;
	readonly phase: string;
	readonly rc: number;
	readonly elapsedMs: number;
	readonly ts: string;
}

/** The telemetry turns over at 50 MiB; the last rows of all tasks stand in its last few thousand lines. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** By task, in byte order; null when there is no telemetry. Torn and foreign lines cost only themselves. */
export function lastFires(
	files: Files,
	path: string,
): readonly LastFire[] | null {
	const found = files.stat(path);
	if (found.kind !== "ok") return null;
	const from = Math.max(0, found.stat.size - TAIL_BYTES);
	const read = files.readFrom(path, from, TAIL_BYTES);
	return read.kind === "ok" ? parseFires(read.text) : null;
}

export function parseFires(text: string): readonly LastFire[] {
	const last = new Map<string, LastFire>();
	for (const line of text.split("\n")) {
		const fire = parseFire(line);
		if (fire !== null) last.set(fire.task, fire);
	}
	return [...last.values()].sort((a, b) =>
		Buffer.compare(Buffer.from(a.task), Buffer.from(b.task)),
	);
}

export function schedulerLines(
	path: string,
	fires: readonly LastFire[] | null,
): readonly string[] {
	if (fires === null) return ["scheduler: telemetry absent"];
	return [
		`scheduler: telemetry ${path}`,
		...fires.map(
			(f) =>
				`  ${f.task.padEnd(22)} phase=${f.phase} rc=${f.rc} elapsed_ms=${f.elapsedMs} last_fire=${f.ts}`,
		),
	];
}

function parseFire(line: string): LastFire | null {
	let row: unknown;
	try {
		row = JSON.parse(line);
	} catch {
		return null;
	}
	if (typeof row !== "object" || row === null) return null;
	const field = (name: string): unknown => Reflect.get(row, name);
	const [task, phase, ts] = [field("task"), field("phase"), field("ts")];
	const [rc, elapsedMs] = [field("rc"), field("elapsed_ms")];
	if (typeof task !== "string" || typeof phase !== "string") return null;
	if (typeof ts !== "string" || typeof rc !== "number") return null;
	return {
		task,
		phase,
		rc,
		elapsedMs: typeof elapsedMs === "number" ? elapsedMs : 0,
		ts,
	};
}
