/** `--scheduler`: each task's last row in the scheduler's telemetry (contract 05 §14.1). */
import { numberAt, parseObject, textAt } from "../../_state/json-object.ts";
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

/** The last row a task, by task in byte order; other lines are skipped. */
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

/** `fires` null: there is no telemetry. */
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
	const row = parseObject(line);
	const [task, phase] = [textAt(row, "task"), textAt(row, "phase")];
	const [ts, rc] = [textAt(row, "ts"), numberAt(row, "rc")];
	if (task === null || phase === null || ts === null || rc === null)
		return null;
	return { task, phase, rc, elapsedMs: numberAt(row, "elapsed_ms") ?? 0, ts };
}
