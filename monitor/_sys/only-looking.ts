/** A disk door for questions that must leave no trace: readers set aside what is damaged and remove what is over. */
import type { Files } from "./doors.ts";

/** Reads as it is and changes nothing. What would be said of a removal is not worth a word; a rename says that it was not made. */
export function onlyLooking(files: Files): Files {
	const nothing = () => ({ kind: "ok" }) as const;
	return {
		...files,
		remove: nothing,
		removeTree: nothing,
		rename: () => ({ kind: "failed", code: "EROFS", reason: "only looking" }),
		append: nothing,
		writeAtomic: nothing,
	};
}
