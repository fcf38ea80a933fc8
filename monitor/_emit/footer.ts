/** The last section of every report: where the operator's status page stands (contract 01 §10.3). Pure. */
import { ageSeconds } from "../_sys/age.ts";
import { programName } from "../_sys/names.ts";
import { oneLine } from "./clean-text.ts";
import { FOOTER_TITLES, headerOf } from "./sections.ts";

export interface StatusSurface {
	/** Empty = `overview-dashboard`. */
	readonly kind: string;
	readonly urlFile: string | null;
	/** First line of `urlFile`; null when it cannot be read. */
	readonly url: string | null;
	readonly feed: string | null;
}

/** A put older than this gets the advisory. */
const OLD_PUT_SECONDS = 7200;

/** Exactly these lines come and go with age alone; the emit dedup leaves them out. */
export const OLD_PUT_ADVISORY = [
	"(no put in > 2h. NOT a staleness check: nothing here reads the issue",
	" body, so the dashboard may be current, or stale, or edited elsewhere.",
	` To KNOW, read it: \`${programName("ng")} dashboard get\`.)`,
] as const;

/** `put` is the ISO stamp of the last `ng dashboard put` on this host, null when there is none. `now` in epoch seconds. */
export function renderFooter(
	surface: StatusSurface,
	put: string | null,
	now: number,
): string {
	if (surface.kind === "external") return renderExternal(surface);
	const known = surface.kind === "" || surface.kind === "overview-dashboard";
	return lines([
		headerOf(FOOTER_TITLES.dashboard),
		...(known ? [] : unknownKind(surface.kind)),
		...(put === null ? NO_PUT : putLines(oneLine(put, 64), now)),
	]);
}

const NO_PUT = [
	"last put: unknown",
	"(no dashboard-updated.ts — no put recorded on this host. Says nothing",
	` about the dashboard body; read it with \`${programName("ng")} dashboard get\`.)`,
];

function putLines(put: string, now: number): readonly string[] {
	const age = ageSeconds(now, Date.parse(put) / 1000, OLD_PUT_SECONDS);
	const old = age === null || age >= OLD_PUT_SECONDS;
	return [
		`last put: ${put} (local stamp — when \`ng dashboard put\` last ran here)`,
		...(old ? OLD_PUT_ADVISORY : []),
	];
}

function unknownKind(kind: string): readonly string[] {
	return [
		`CONFIG ERROR: status_surface.kind '${oneLine(kind, 64)}' is not a known kind (overview-dashboard | external).`,
		"Fix status_surface.kind in config/nexus.yml, then restart the watcher.",
	];
}

function renderExternal(surface: StatusSurface): string {
	return lines([
		headerOf(FOOTER_TITLES.statusSurface),
		`external page: ${externalPage(surface)} — operator-run status page; the overview dashboard is not maintained here.`,
		...(surface.feed === null
			? []
			: [`landings feed: ${oneLine(surface.feed)}`]),
	]);
}

function externalPage({ urlFile, url }: StatusSurface): string {
	if (urlFile === null) return "(status_surface.url_file unset)";
	if (url === null) return `(unreadable: ${oneLine(urlFile)})`;
	return oneLine(url);
}

function lines(all: readonly string[]): string {
	return all.map((line) => `${line}\n`).join("");
}
