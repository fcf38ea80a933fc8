/** Where a service can be reached, for the DETAIL column (contract 06 §7.2). Only shown: what is probed never changes. Pure. */
import type { ServiceRow } from "../../_state/services-registry.ts";

/** What was looked up for a row. */
export interface EndpointFacts {
	/** Text of `<workdir>/.deploy/endpoint`; null: none. */
	readonly deployed: string | null;
	/** What the check's own `pgrep` printed first; null: nothing, or not asked. */
	readonly pgrep: string | null;
}

/** Sockets that listen, and this machine's full name. */
export interface Reach {
	readonly listeners: readonly Listener[];
	readonly fqdn: string;
}
export interface Listener {
	readonly port: number;
	/** Bound to `127.*` or `[::1]`. */
	readonly loopback: boolean;
}

export function endpointFor(
	row: Pick<ServiceRow, "healthcheck">,
	found: EndpointFacts,
	reach: Reach,
): string {
	const url = urlOf(row.healthcheck) ?? deployedUrl(found.deployed);
	if (url !== null) return asSeenFromOutside(url, reach);
	if (pgrepOf(row.healthcheck) !== null)
		return `pid:${/^\d+$/.test(found.pgrep ?? "") ? found.pgrep : "-"}`;
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
export function pgrepOf(healthcheck: string): string | null {
	return /^\s*(pgrep\s[^<>|&;]*)/.exec(healthcheck)?.[1]?.trim() ?? null;
}

/** Listening rows of `/proc/net/tcp` and `/proc/net/tcp6`. */
export function parseListeners(table: string): readonly Listener[] {
	return table.split("\n").flatMap((line) => {
		const [, address, state] = line.trim().split(/\s+/).toSpliced(2, 1);
		const [host = "", port = ""] = (address ?? "").split(":");
		if (state !== LISTEN || !/^[0-9A-F]+$/i.test(port)) return [];
		return [{ port: Number.parseInt(port, 16), loopback: isLoopback(host) }];
	});
}

const LISTEN = "0A";
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

/** Words of 32 bits, each with its lowest byte first. */
function isLoopback(hex: string): boolean {
	const v4 = hex.length === 8 ? hex : /^0{16}FFFF0{4}(.{8})$/i.exec(hex)?.[1];
	if (v4 !== undefined) return v4.slice(6).toUpperCase() === "7F";
	return /^0{24}01000000$/.test(hex);
}
