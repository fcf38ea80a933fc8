/** A log that keeps its lines for the test to read. */
import type { Log } from "../../monitor/_sys/doors.ts";

export interface LogLine {
	readonly level: "info" | "warn";
	readonly msg: string;
}
export interface FakeLog extends Log {
	readonly lines: LogLine[];
	/** Messages alone, in order; of one level when given. */
	messages(level?: LogLine["level"]): string[];
	clear(): void;
}

export function fakeLog(): FakeLog {
	const lines: LogLine[] = [];
	return {
		lines,
		info: (msg) => lines.push({ level: "info", msg }),
		warn: (msg) => lines.push({ level: "warn", msg }),
		messages: (level) =>
			lines
				.filter((l) => level === undefined || l.level === level)
				.map((l) => l.msg),
		clear: () => {
			lines.length = 0;
		},
	};
}
