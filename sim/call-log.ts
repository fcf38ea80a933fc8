/** The last calls of doors that changed something, for whoever has to understand a night that broke. */
import { type DoorCall, isAsync, isChange } from "./door-call.ts";

export interface CallLog {
	/** `at`: the time of day; `pid`: whose call it is. */
	note(at: string, pid: number, call: DoorCall): void;
	/** Oldest first; what was repeated at once stands there once, with its number. */
	lines(): readonly string[];
}

/** What looks, and changes nothing, would hide the rest: thousands of calls an hour. */
function tells(call: DoorCall): boolean {
	switch (call.door) {
		case "files":
			return isChange(call);
		case "tmux":
			return call.op === "run";
		case "proc":
			return isAsync(call.door, call.op) || /spawn|signal/.test(call.op);
		default:
			return true;
	}
}

/** Keeps the last `most` lines. */
export function callLog(most: number): CallLog {
	let kept: readonly { readonly text: string; readonly times: number }[] = [];
	return {
		note: (at, pid, call) => {
			if (!tells(call)) return;
			const text = `${at} ${pid} ${call.door}.${call.op} ${call.on.split("\n")[0] ?? ""}`;
			const last = kept.at(-1);
			kept =
				last?.text === text
					? [...kept.slice(0, -1), { text, times: last.times + 1 }]
					: [...kept.slice(1 - most), { text, times: 1 }];
		},
		lines: () =>
			kept.map(({ text, times }) => (times > 1 ? `${text} (${times}x)` : text)),
	};
}
