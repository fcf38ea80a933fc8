/** Looks at the request inbox, moves on what must move, and renders what is due (contract 08 §6.3). */
import { join } from "node:path";
import type { StateDoors } from "../_state/damaged.ts";
import {
	parseRequestName,
	type RequestState,
	readRequest,
	requestFileName,
} from "../_state/requests.ts";
import { repliesDir, reservationDir } from "../_state/requests-dir.ts";
import {
	readRequestStamps,
	updateRequestStamps,
} from "../_state/requests-emit.ts";
import type { Locks } from "../_sys/doors.ts";
import {
	type ClaimConfig,
	type InboxAction,
	type InboxFile,
	needsLook,
	planInbox,
} from "./request-claims.ts";
import {
	commitRequests,
	type DueConfig,
	renderRequests,
	requestRow,
	requestsIn,
	selectDue,
} from "./requests-section.ts";

type Doors = StateDoors & { readonly locks: Locks };

export interface RequestsConfig extends ClaimConfig, DueConfig {
	readonly enabled: boolean;
}

export interface InboxLook {
	readonly stateDir: string;
	readonly inbox: string;
	readonly config: RequestsConfig;
	/** The startup sweep shows everything that is still claimed, due or not. */
	readonly everything: boolean;
	/** In the grace after a clock gap no age is a reason to fail or to collect anything. */
	readonly afterGap: boolean;
}

/** The rows that are due now, empty when none is; null: the inbox could not be looked at. */
export async function renderPendingRequests(
	doors: Doors,
	look: InboxLook,
): Promise<string | null> {
	const { stateDir, inbox, config } = look;
	if (!config.enabled) return "";
	const listed = doors.files.list(inbox);
	if (listed.kind === "unreadable") return null;
	const names = listed.kind === "ok" ? listed.names : [];
	const files = names
		.flatMap((name) => inboxFile(doors, inbox, name) ?? [])
		.map((file) => (look.afterGap ? { ...file, ageSeconds: 0 } : file));
	const moved = new Map<string, RequestState>();
	for (const action of planInbox(files, config))
		if (carryOut(doors, inbox, action) && action.kind === "move")
			moved.set(`${action.id}.${action.from}`, action.to);
	const rows = files
		.filter((f) => (moved.get(`${f.id}.${f.state}`) ?? f.state) === "claimed")
		.map((f) =>
			requestRow(
				f.id,
				join(inbox, requestFileName({ id: f.id, state: "claimed" })),
				f.look?.kind === "ok" ? f.look.head : null,
				filedAtMs(doors, inbox, f.id),
			),
		);
	const claimed = new Set(rows.map((row) => row.id));
	await updateRequestStamps(
		doors,
		stateDir,
		(stamps) => stamps?.filter((s) => claimed.has(s.id)) ?? null,
	);
	if (look.everything) {
		const all = { ...config, maxPerEmit: Number.POSITIVE_INFINITY };
		return renderRequests(selectDue(rows, [], doors.clock.now(), all));
	}
	// Could not look: shown once too often rather than never.
	const stamps = readRequestStamps(doors, stateDir) ?? [];
	return renderRequests(selectDue(rows, stamps, doors.clock.now(), config));
}

/** A report with this body was delivered, or repeats one that was. */
export async function commitPendingRequests(
	doors: Doors,
	stateDir: string,
	body: string,
): Promise<void> {
	const ids = requestsIn(body);
	if (ids.length === 0) return;
	// Stamps that cannot be read are forgotten, or these requests would be pasted every cycle.
	await updateRequestStamps(doors, stateDir, (stamps) =>
		commitRequests(stamps ?? [], ids, doors.clock.now()),
	);
}

function inboxFile(
	doors: Doors,
	inbox: string,
	name: string,
): InboxFile | null {
	const request = parseRequestName(name);
	const found = doors.files.lstat(join(inbox, name));
	if (request === null || found.kind !== "ok") return null;
	return {
		...request,
		ageSeconds: Math.max(0, doors.clock.now() - found.stat.mtimeMs / 1000),
		look: needsLook(request.state)
			? readRequest(doors.files, inbox, name)
			: null,
	};
}

/** The folder that reserved the id is made when the request is filed, and never touched again; a claim makes the file young. */
function filedAtMs({ files }: Doors, inbox: string, id: string): number {
	const found = files.lstat(reservationDir(inbox, id));
	return found.kind === "ok" ? found.stat.mtimeMs : 0;
}

/** Only exact paths, never a pattern. True when it was done. */
function carryOut(doors: Doors, inbox: string, action: InboxAction): boolean {
	const { files, log } = doors;
	if (action.kind === "collect") {
		files.remove(join(inbox, requestFileName(action)));
		files.removeTree(repliesDir(inbox, action.id));
		files.removeTree(reservationDir(inbox, action.id));
		return true;
	}
	const { id, from, to, why } = action;
	const source = join(inbox, requestFileName({ id, state: from }));
	const target = join(inbox, requestFileName({ id, state: to }));
	// Young before it moves: one that failed of old age would be collected as soon as it is there.
	files.touch(source);
	const done = files.renameNew(source, target);
	if (done.kind === "failed") {
		log.warn(`request ${id}: ${from} could not become ${to}: ${done.reason}`);
		return false;
	}
	if (why !== undefined) log.warn(`request ${id}: ${from} → ${to}: ${why}`);
	return true;
}
