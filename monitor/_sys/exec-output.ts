/** One output stream of a child, kept up to a limit and read on beyond it, so that the child never blocks on a full pipe. */
import type { NamelessFile } from "./nameless-file.ts";

export interface Collected {
	/** What was kept so far, decoded leniently. */
	text(): string;
	/** Bytes that arrived, kept or not. */
	received(): number;
	/** Resolves at the end of the stream; never when a grandchild holds it open. */
	readonly ended: Promise<void>;
	/** Stops reading. Idempotent. */
	cancel(): void;
}

/**
 * `text` may be asked at any time and holds the first `maxBytes`; `received` counts all bytes. `ended` resolves at
 * the end of the stream and never rejects.
 */
export function collect(
	stream: ReadableStream<Uint8Array>,
	maxBytes: number,
	onText?: (text: string) => void,
): Collected {
	const reader = stream.getReader();
	const kept: Uint8Array[] = [];
	let size = 0;
	let received = 0;
	const decoder = new TextDecoder();

	async function readOn(): Promise<void> {
		try {
			for (;;) {
				const { value, done } = await reader.read();
				if (done) return;
				received += value.length;
				onText?.(decoder.decode(value, { stream: true }));
				const part = value.subarray(0, maxBytes - size);
				if (part.length > 0) kept.push(part);
				size += part.length;
			}
		} catch {
			// Cancelled, or the pipe broke: what was kept is all there is.
		}
	}

	return {
		text: () => Buffer.concat(kept).toString("utf8"),
		received: () => received,
		ended: readOn(),
		cancel: () => {
			reader.cancel().catch(() => {});
		},
	};
}

/** The same of a file that the child writes: it ends with the child. Null: what is said is lost. */
export function collectFile(
	file: NamelessFile | null,
	maxBytes: number,
): Collected {
	return {
		text: () => file?.text(maxBytes) ?? "",
		received: () => 0,
		ended: Promise.resolve(),
		cancel: () => file?.close(),
	};
}
