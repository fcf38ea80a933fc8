/** Where a service can be reached, for the DETAIL column (contract 06 §7.2). Only shown: what is probed never changes. Pure. */
import type { ServiceRow } from "../../_state/services-registry.ts";
import type { Listener } from "../../_sys/doors.ts";

/** What was looked up for a row. */
export interface EndpointFacts {
	/** Text of `<workdir>/.deploy/endpoint`; null: none. */
	readonly deployed: string | null;
	/** The first pid that the check's own look for a process printed; null: none, or not asked. */
	readonly firstPid: string | null;
}

/** Sockets that listen, and this machine's full name. */
export interface Reach {
	readonly listeners: readonly Listener[];
	readonly fqdn: string;
}

/** The address in the check, else the deployed one, else the pid; `-` for none. */
export function endpointFor(
	row: Pick<ServiceRow, "healthcheck">,
	found: EndpointFacts,
	reach: Reach,
): string {
	const url = urlOf(row.healthcheck) ?? deployedUrl(found.deployed);
	if (url !== null) return asSeenFromOutside(url, reach);
	if (processQueryOf(row.healthcheck) !== null)
		return `pid:${/^\d+$/.test(found.firstPid ?? "") ? found.firstPid : "-"}`;
	return "-";
}

/** Is the listeners' table worth reading for these rows? */
export function wantsReach(
	row: Pick<ServiceRow, "healthcheck">,
	deployed: string | null,
): boolean {
	const url = urlOf(row.healthcheck) ?? deployedUrl(deployed);
	return url !== null && LOCAL.test(url);
}

/** The `pgrep` a check begins with, up to its redirections; null: it is no such check. */
export function processQueryOf(healthcheck: string): string | null {
	return /^\s*(pgrep\s[^<>|&;]*)/.exec(healthcheck)?.[1]?.trim() ?? null;
}

const LOCAL = /^(https?:\/\/)(?:localhost|127\.0\.0\.1):(\d+)(?=[/?#]|$)/i;
/** It lands in a terminal: what is no plain address is no address. */
const DEPLOYED = /^https?:\/\/[A-Za-z0-9._~:/?#@%+=,&-]+$/;

function urlOf(healthcheck: string): string | null {
	return /https?:\/\/[^\s"'`<>|;)\\]+/i.exec(healthcheck)?.[0] ?? null;
}

function deployedUrl(text: string | null): string | null {
	const line = (text ?? "").split("\n", 1)[0]?.replace(/\s/g, "") ?? "";
	return DEPLOYED.test(line) ? line : null;
}

function asSeenFromOutside(url: string, { listeners, fqdn }: Reach): string {
	const port = Number(LOCAL.exec(url)?.[2] ?? Number.NaN);
	const open = listeners.some((l) => l.port === port && !l.loopback);
	return open ? url.replace(LOCAL, `$1${fqdn}:$2`) : url;
}
