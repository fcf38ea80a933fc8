/** May this machine's `thrum` keep the fleet? (contract 09 §4). */
import type { FleetCaps } from "../fleet.ts";
import type { FleetDeps } from "../open.ts";
import type { FleetPlace } from "../paths.ts";
import type { Probe } from "../select.ts";
import { thrumCaller } from "./call.ts";
import { CAP_NAMES, probeCaps } from "./caps.ts";
import { findThrum } from "./program.ts";

const DAEMON_MS = 5000;
const NEEDED: readonly (keyof FleetCaps)[] = [
	"keys",
	"notifyOnSuccess",
	"modelPin",
];

/** In the order of the contract; `no` names the first condition that failed. */
export async function probeThrum(
	deps: FleetDeps,
	place: FleetPlace,
): Promise<Probe> {
	const { thrumBin } = deps.settings;
	if (deps.doors.proc.env.THRUM_SHIM === "1")
		return no("we were started by our own shim");
	const found = findThrum(deps.doors, thrumBin);
	if (found.kind === "none")
		return no(
			found.shims > 0
				? `the only ${thrumBin} on PATH is our own shim`
				: `no ${thrumBin} on PATH`,
		);
	const thrum = thrumCaller(deps, place);
	const team = await thrum(["team", "--json"], { timeoutMs: DAEMON_MS });
	if (team.kind !== "ok") return no(`thrum team --json: ${team.stderr}`);
	const caps = await probeCaps(thrum);
	if (caps.kind !== "ok") return no(`thrum --help: ${caps.stderr}`);
	const lacks = NEEDED.find((key) => !caps.value[key]);
	return lacks === undefined
		? { kind: "yes" }
		: no(`this thrum has no ${CAP_NAMES[lacks]}`);
}

function no(why: string): Probe {
	return { kind: "no", why };
}
