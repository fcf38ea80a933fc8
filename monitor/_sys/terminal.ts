/**
 * The terminal that a program fills and leaves as it found it. What was changed is undone by one idempotent call, so
 * that every way out of the program can make it: a key, a signal, an error nobody caught.
 */
import { writeSync } from "node:fs";

export interface Terminal {
	/** Null: it does not say. */
	size(): { readonly rows: number; readonly cols: number } | null;
	/** One write. */
	write(text: string): void;
	/** The other screen, no cursor, keys as they are pressed. */
	enter(): void;
	/** Back to what was before. Idempotent; never throws, and waits for nothing. */
	leave(): void;
	onKeys(handler: (chunk: string) => void): void;
	onResize(handler: () => void): void;
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";

/**
 * `size` is null where no terminal is. `enter` switches to the alternate screen and raw keys; `leave` takes both
 * back, and a second one does nothing.
 */
export function realTerminal(): Terminal {
	const { stdin, stdout } = process;
	let entered = false;
	return {
		size: () =>
			stdout.rows > 0 && stdout.columns > 0
				? { rows: stdout.rows, cols: stdout.columns }
				: null,
		write: (text) => put(text),
		enter: () => {
			if (entered) return;
			entered = true;
			put(ENTER);
			setRaw(true);
			stdin.resume();
		},
		leave: () => {
			if (!entered) return;
			entered = false;
			setRaw(false);
			stdin.pause();
			put(LEAVE);
		},
		onKeys: (handler) => {
			stdin.setEncoding("utf8");
			stdin.on("data", (chunk) => handler(String(chunk)));
		},
		onResize: (handler) => {
			stdout.on("resize", handler);
		},
	};

	function setRaw(on: boolean): void {
		try {
			stdin.setRawMode(on);
		} catch {
			// The terminal hung up: there is nothing left to restore.
		}
	}
}

/** Written at once: what a stream still holds is lost when the process ends. */
function put(text: string): void {
	let rest = Buffer.from(text);
	let tries = 0;
	while (rest.length > 0 && tries < MOST_TRIES)
		try {
			rest = rest.subarray(writeSync(1, rest));
		} catch (error) {
			const code = error instanceof Error && "code" in error ? error.code : "";
			// A slow line (ssh) that takes no more right now; anything else is a terminal that is gone.
			if (code !== "EAGAIN") return;
			tries++;
			Bun.sleepSync(1);
		}
}

const MOST_TRIES = 200;
