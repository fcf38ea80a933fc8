/** Reading the screens of a fleet in which most panes show what they showed at the last sweep: only what changed is read anew. */
import type { PaneRow } from "../_sys/doors.ts";
import { captureWitness } from "./gather.ts";
import type { CaptureWitness } from "./witnesses.ts";

/** Captures by pane id (one that is missing failed) to what each screen says. */
export type ReadScreens = (
	rows: readonly Pick<PaneRow, "paneId" | "width">[],
	captures: ReadonlyMap<string, string>,
) => ReadonlyMap<string, CaptureWitness>;

/** Remembers the screens of its last call, and nothing older. */
export function screenMemo(): ReadScreens {
	let before: ReadonlyMap<string, Reading> = new Map();
	return (rows, captures) => {
		const now = new Map<string, Reading>();
		for (const { paneId, width } of rows) {
			const text = captures.get(paneId);
			if (text === undefined) continue;
			const known = before.get(paneId);
			const same = known?.text === text && known.width === width;
			const witness = same ? known.witness : captureWitness(text, width);
			now.set(paneId, { text, width, witness });
		}
		before = now;
		return new Map([...now].map(([id, { witness }]) => [id, witness]));
	};
}

interface Reading {
	readonly text: string;
	readonly width: number;
	readonly witness: CaptureWitness;
}
