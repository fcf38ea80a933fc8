/** When is a report the same report again (contract 01 §11.5). Pure. */
import { createHash } from "node:crypto";
import type { RingEntry } from "../_state/emit-ring.ts";
import { ageSeconds } from "../_sys/age.ts";
import { OLD_PUT_ADVISORY } from "./footer.ts";
import { SIGNATURE_PREFIX, sectionLines } from "./sections.ts";

/** sha256 hex of the body without what time alone changes. */
export function stableHash(body: string): string {
	return createHash("sha256").update(volatileStrip(body)).digest("hex");
}

/**
 * The body without what time alone changes. A renderer that adds a time-derived token must be
 * taught here: one new age made every body unique and silently disabled the gate for weeks.
 */
export function volatileStrip(body: string): string {
	return body
		.split("\n")
		.filter((line) => !isVolatileLine(line))
		.map(stripLine)
		.join("\n");
}

/** Does every line of a section's text stand in this body, whatever time has changed since? An empty text does not. */
export function standsIn(body: string, text: string): boolean {
	const there = new Set(volatileStrip(body).split("\n"));
	const lines = volatileStrip(text)
		.split("\n")
		.filter((line) => line.trim() !== "");
	return lines.length > 0 && lines.every((line) => there.has(line));
}

/** Comments and requests are rated elsewhere and always go through. Decisions do not: one parked worker once repeated its own every 5 s. */
export function bypassesDedup(body: string): boolean {
	return (
		sectionLines(body, "gh").some((line) =>
			/^\S(.* )?id=\d+( |$)/.test(line),
		) ||
		sectionLines(body, "requests").some((line) => line.startsWith("request="))
	);
}

/** A `quietSeconds` of 0 switches the gate off. A stamp that cannot be believed mutes nothing. */
export function isDuplicate(
	ring: readonly RingEntry[],
	hash: string,
	now: number,
	quietSeconds: number,
): boolean {
	if (quietSeconds <= 0) return false;
	return ring.some((entry) => {
		const age = ageSeconds(now, entry.epoch, quietSeconds);
		return entry.hash === hash && age !== null && age < quietSeconds;
	});
}

/** The ring after a delivery, newest last. A ring, because two alternating bodies defeat a single slot. */
export function pushRing(
	ring: readonly RingEntry[],
	hash: string,
	now: number,
	size: number,
): readonly RingEntry[] {
	const others = ring.filter((entry) => entry.hash !== hash);
	return [...others, { epoch: now, hash }].slice(-Math.max(1, size));
}

const VOLATILE_STARTS = ["last put: ", "last updated: ", SIGNATURE_PREFIX];
const VOLATILE_LINES: ReadonlySet<string> = new Set(OLD_PUT_ADVISORY);

function isVolatileLine(line: string): boolean {
	return (
		VOLATILE_LINES.has(line) || VOLATILE_STARTS.some((s) => line.startsWith(s))
	);
}

// Runs of ages or counts go at once, so that stripping what is stripped changes nothing.
const AGES =
	/\b(idle-too-long|idle|away|interrupted|paste)(?: (?:\d+h\d\dm|\d+m|\d+s)\b)+/g;
const AWAITING = /\b(?:\d+ )+awaiting-input\b/g;
const TAKEN = /\btaken(?: \d+s)+ ago\b/g;
const QUOTE_NONCE = /\[(\/?quote)(?: [0-9a-f]{6})+\]/g;

function stripLine(line: string): string {
	const stripped = line
		.replace(
			/^=== nexus state changed at \S+ \((.*)\) ===$/,
			"=== state ($1) ===",
		)
		.replace(AGES, "$1")
		.replace(AWAITING, "awaiting-input")
		.replace(TAKEN, "taken ago")
		.replace(QUOTE_NONCE, "[$1]");
	return stripped.startsWith("workspace: ") ? foldIdle(stripped) : stripped;
}

/** A worker that moves from idle to idle-too-long did nothing but wait: only their sum counts. */
function foldIdle(line: string): string {
	const counters = line.slice("workspace: ".length).split(" | ");
	const idle = sumOf(counters, /^(\d+) idle$/);
	const tooLong = sumOf(counters, /^(\d+) idle-too-long$/);
	if (idle === null || tooLong === null) return line;
	const folded = counters.map((counter) =>
		counter
			.replace(/^\d+ idle$/, `${idle + tooLong} idle-incl-too-long`)
			.replace(/^\d+ idle-too-long$/, "idle-too-long"),
	);
	return `workspace: ${folded.join(" | ")}`;
}

function sumOf(counters: readonly string[], shape: RegExp): number | null {
	const counts = counters.flatMap((c) => shape.exec(c)?.[1] ?? []);
	return counts.length === 0
		? null
		: counts.reduce((sum, count) => sum + Number(count), 0);
}
