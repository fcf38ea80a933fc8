/** Opens the fleet of a folder: says which backend keeps it, and why (contract 09 §4). Writes nothing. */
import {
	type BackendRead,
	readBackend,
	writeBackend,
} from "../_state/fleet/backend.ts";
import type { Doors, Files, WriteResult } from "../_sys/doors.ts";
import { fail, ok } from "./failure.ts";
import type { BackendName, Fleet, R } from "./fleet.ts";
import type { FleetHands } from "./hands.ts";
import { localFleet } from "./local.ts";
import type { FleetPlace } from "./paths.ts";
import { type BackendChoice, backendByProbe, backendByWord } from "./select.ts";
import type { FleetSettings } from "./settings.ts";
import { probeThrum } from "./thrum/probe.ts";
import { thrumFleet } from "./thrum.ts";

export interface FleetDeps {
	readonly doors: Doors;
	readonly hands: FleetHands;
	readonly settings: FleetSettings;
	/** Who speaks, when that is not said by `THRUM_NAME` or the worktree's identity. */
	readonly as?: string;
}
export interface OpenedFleet {
	readonly fleet: Fleet;
	readonly choice: BackendChoice;
}

/** `option` is the caller's `--backend`. A recorded backend that is down makes calls fail; it is never replaced. */
export async function openFleet(
	deps: FleetDeps,
	place: FleetPlace,
	option?: BackendName | "auto",
): R<OpenedFleet> {
	const recorded = readBackend(deps.doors.files, place.thrumDir);
	const choice = await chooseBackend(deps, place, option, recorded);
	if (choice === null)
		return fail("refused", recorded.kind === "damaged" ? recorded.why : "");
	const open = choice.backend === "thrum" ? thrumFleet : localFleet;
	return ok({ fleet: open(deps, place), choice });
}

/** On the first call that created something; a word that stands is left alone. */
export function recordBackend(
	files: Files,
	thrumDir: string,
	backend: BackendName,
): WriteResult {
	return readBackend(files, thrumDir).kind === "absent"
		? writeBackend(files, thrumDir, backend)
		: { kind: "ok" };
}

/** Null: a damaged record, and nobody who overrides it. */
async function chooseBackend(
	deps: FleetDeps,
	place: FleetPlace,
	option: BackendName | "auto" | undefined,
	recorded: BackendRead,
): Promise<BackendChoice | null> {
	const { doors, settings } = deps;
	const said = backendByWord({
		option,
		configured: settings.backend,
		recorded: recorded.kind === "ok" ? recorded.backend : null,
	});
	if (said !== null) return said;
	if (recorded.kind === "damaged") return null;
	const choice = backendByProbe(await probeThrum(deps, place));
	if (choice.note !== undefined)
		doors.log.info(`fleet: backend local: ${choice.note}`);
	return choice;
}
