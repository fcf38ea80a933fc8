/** A fleet that the `thrum` program keeps (contract 09 §5). */
import type { Done, Fleet, FleetCaps, R } from "./fleet.ts";
import type { FleetDeps } from "./open.ts";
import type { FleetPlace } from "./paths.ts";
import { thrumCaller } from "./thrum/call.ts";
import { probeCaps } from "./thrum/caps.ts";
import { thrumMail } from "./thrum/mail.ts";
import { thrumMonitors } from "./thrum/monitors.ts";
import { thrumPanes } from "./thrum/panes.ts";
import { thrumSessions } from "./thrum/sessions.ts";
import { thrumTeam } from "./thrum/team.ts";

/** The build's abilities are probed once, at the first call that depends on them. */
export function thrumFleet(deps: FleetDeps, place: FleetPlace): Fleet {
	const thrum = thrumCaller(deps, place);
	const caps = once(() => probeCaps(thrum));
	return {
		backend: "thrum",
		...place,
		caps,
		...thrumTeam(thrum, caps),
		...thrumSessions(deps, place, thrum, caps),
		...thrumPanes(deps, thrum, caps),
		...thrumMail(thrum, caps),
		...thrumMonitors(thrum, caps),
	};
}

/** Asked once a process; an answer that did not come is asked for again. */
function once(ask: () => R<FleetCaps>): () => R<FleetCaps> {
	let known: Done<FleetCaps> | null = null;
	return async () => {
		if (known?.kind !== "ok") known = await ask();
		return known;
	};
}
