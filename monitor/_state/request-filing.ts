/** A new request comes into the inbox (contract 08 §6.1, §6.2): its id is reserved first, and its file appears whole. */
import { join } from "node:path";
import type { Doors } from "../_sys/doors.ts";
import { fromRaw, type NewRequest, renderRequest } from "./request-document.ts";
import { REQUEST_STATES, requestFileName } from "./requests.ts";
import { repliesDir, reservationDir, reservationsDir } from "./requests-dir.ts";

export type Filed =
	| { readonly kind: "ok"; readonly id: string }
	| { readonly kind: "failed"; readonly why: string };

/** `slug` is written in the alphabet of ids. A failure leaves no reservation. */
export function fileRequest(
	doors: Pick<Doors, "files" | "clock">,
	inbox: string,
	request: Omit<NewRequest, "id" | "created"> & { readonly slug: string },
): Filed {
	const { files, clock } = doors;
	const stem = `${stampOf(clock.nowMs())}-${request.origin}-${request.slug}`;
	const id = reserve(doors, inbox, stem);
	if (id === null) return { kind: "failed", why: "no id could be reserved" };
	const text = renderRequest({ ...request, id, created: clock.iso() });
	files.mkdir(repliesDir(inbox, id));
	const path = join(inbox, requestFileName({ id, state: "new" }));
	const wrote = files.writeAtomic(path, fromRaw(text), { fsync: true });
	if (wrote.kind === "ok") return { kind: "ok", id };
	files.removeTree(repliesDir(inbox, id));
	files.removeTree(reservationDir(inbox, id));
	return { kind: "failed", why: wrote.reason };
}

/** The request that this origin filed under this very slug before, whatever became of it; null: there is none. */
export function filedBefore(
	{ files }: Pick<Doors, "files">,
	inbox: string,
	{ origin, slug }: { readonly origin: string; readonly slug: string },
): string | null {
	const listed = files.list(reservationsDir(inbox));
	const isOurs = (id: string) =>
		/^\d{8}T\d{6}Z-/.test(id) &&
		id.slice("YYYYMMDDTHHMMSSZ-".length) === `${origin}-${slug}`;
	// A reservation without a file is of a filing that died.
	const isThere = (id: string) =>
		REQUEST_STATES.some(
			(state) =>
				files.lstat(join(inbox, requestFileName({ id, state }))).kind === "ok",
		);
	const ids = listed.kind === "ok" ? listed.names.filter(isOurs) : [];
	return ids.find(isThere) ?? null;
}

const MOST_TRIES = 999;

/** Making a folder succeeds for one of two alone. */
function reserve(
	{ files }: Pick<Doors, "files">,
	inbox: string,
	stem: string,
): string | null {
	files.mkdir(reservationsDir(inbox));
	for (let n = 0; n <= MOST_TRIES; n++) {
		const id = n === 0 ? stem : `${stem}-${String(n).padStart(2, "0")}`;
		const made = files.mkdirNew(reservationDir(inbox, id));
		if (made.kind === "ok") return id;
		if (made.code !== "EEXIST") return null;
	}
	return null;
}

function stampOf(ms: number): string {
	return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "");
}
