/** The worker floor: rules that stand in front of every worker's task (contract 08 §8.3, §11.4). */
import { join } from "node:path";
import type { Home } from "../_state/home.ts";
import type { Files } from "../_sys/doors.ts";
import { TEXTS } from "../_sys/names.ts";

export type Floor =
	| { readonly kind: "ok"; readonly body: string; readonly path: string }
	| { readonly kind: "missing"; readonly path: string }
	/** There is no `## Worker floor` in it, or nothing below. */
	| { readonly kind: "empty"; readonly path: string };

/** The root's own floor, when the operator wrote one, else the checkout's. */
export function readFloor(files: Files, home: Home): Floor {
	const own = join(home.root, TEXTS.workerFloor);
	const path =
		files.stat(own).kind === "absent"
			? join(home.codeRoot, TEXTS.workerFloor)
			: own;
	const read = files.read(path);
	if (read.kind !== "ok") return { kind: "missing", path };
	const body = floorBody(read.text);
	return body === null ? { kind: "empty", path } : { kind: "ok", body, path };
}

/** What stands below the exact line `## Worker floor`, up to the next section; null when that is nothing. Pure. */
function floorBody(text: string): string | null {
	const lines = text.split("\n");
	const start = lines.indexOf("## Worker floor");
	if (start < 0) return null;
	const rest = lines.slice(start + 1);
	const end = rest.findIndex((line) => line.startsWith("## "));
	const body = (end < 0 ? rest : rest.slice(0, end)).join("\n").trim();
	return body === "" ? null : body;
}
