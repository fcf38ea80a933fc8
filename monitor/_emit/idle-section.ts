/** The `--- idle workers ---` section (contract 03 §12.7). Pure. */
import { formatAge } from "../_sys/age.ts";
import { programName } from "../_sys/names.ts";
import { oneLine } from "./clean-text.ts";
import { standsIn } from "./dedup.ts";
import type { IdleClass, IdleLimit, IdleRow } from "./idle-rows.ts";
import { sectionLines } from "./sections.ts";

export interface IdleSection {
	readonly text: string;
	/** The rows that it really shows. */
	readonly shown: readonly IdleRow[];
}

/**
 * Rows of windows that closed since they were staged are withheld and named: such a row says "look at it", and there is
 * nothing to look at. `live` is null when nobody could look: nothing is withheld then.
 */
export function idleSection(
	rows: readonly IdleRow[],
	live: ReadonlySet<string> | null,
	timeOf: (epochSeconds: number) => string,
): IdleSection {
	const isLive = (row: IdleRow) => live === null || live.has(row.window);
	const shown = rows.filter(isLive);
	if (shown.length === 0) return { text: "", shown };
	const gone = rows.filter((row) => !isLive(row)).map((row) => row.window);
	const lines = [
		...renderRows(shown, timeOf),
		...renderFooter(shown),
		...(gone.length === 0
			? []
			: [`  (withheld, window gone: ${gone.join(", ")})`]),
	];
	return { text: lines.map((line) => `${line}\n`).join(""), shown };
}

/** The rows among these that stand in the body of an earlier report; ages may have changed since. */
export function idleRowsIn(
	body: string,
	rows: readonly IdleRow[],
	timeOf: (epochSeconds: number) => string,
): readonly IdleRow[] {
	return rows.filter((row) =>
		row.class === "retained"
			? sectionLines(body, "idle").some(
					(line) =>
						line.includes("retained windows suppressed: ") &&
						line.includes(` ${row.window} (${reasonOf(row.detail)})`),
				)
			: standsIn(body, renderRows([row], timeOf).join("\n")),
	);
}

/**
 * One line a row; retained windows stand in the footer. `timeOf` gives the local time of day of an epoch: without it a
 * worker that stops a second time would read as it did the first, and the duplicate gate would swallow it.
 */
function renderRows(
	rows: readonly IdleRow[],
	timeOf: (epochSeconds: number) => string,
): readonly string[] {
	return rows
		.filter(isSingle)
		.map(
			(row) =>
				`  - ${rowText(row)} [since ${timeOf(row.askedAt ?? row.since)}]`,
		);
}

/** One line for all retained windows of the emit, or none. */
function renderFooter(rows: readonly IdleRow[]): readonly string[] {
	const retained = rows.filter((row) => row.class === "retained");
	if (retained.length === 0) return [];
	const named = retained.map(
		({ window, detail }) => `${window} (${reasonOf(detail)})`,
	);
	return [
		`(${retained.length} retained windows suppressed: ${named.join(", ")})`,
	];
}

const REASON_MAX = 40;

function reasonOf(detail: string): string {
	const points = [...oneLine(detail)];
	if (points.length === 0) return "no reason";
	return points.length > REASON_MAX
		? `${points.slice(0, REASON_MAX - 1).join("")}…`
		: points.join("");
}

type SingleRow = IdleRow & { readonly class: Exclude<IdleClass, "retained"> };

function isSingle(row: IdleRow): row is SingleRow {
	return row.class !== "retained";
}

function rowText(row: SingleRow): string {
	const { window: w, detail } = row;
	const age = formatAge(row.ageSeconds);
	switch (row.class) {
		case "wrapped":
			return `${w} wrapped up (idle ${age}; wrap-up logged)`;
		case "wrapped-but-stub":
			return `${w} wrapped-but-stub (${detail || "report incomplete"})`;
		case "no-wrap-up":
			return `${w} idle ${age} WITHOUT wrap-up — consider follow-up paste`;
		case "idle-too-long": {
			const report = detail === "" ? "" : ` — report incomplete: ${detail}`;
			return `${w} idle-too-long ${age} (exceeds close threshold; consider close)${report}`;
		}
		case "pane-absent":
			return `${w} pane-absent (${detail})`;
		case "over-limit":
			return `${w} OVER-LIMIT (${limitText(detail, row.limit)})`;
		case "operator-engaged":
			return `${w} operator-engaged (src=${detail}; idle ${age}; nothing to do while engaged)`;
		case "engaged-close-reminder":
			return `${w} operator-engaged but operator away ${age} (src=${detail}); consider closing it`;
		case "paste-unconfirmed":
			return `${w} paste-unconfirmed (${detail}; check first whether it was consumed, then ${programName("pasteFollowup")})`;
		case "idle-orphan-async":
			return `${w} idle-orphan-async (waits=${detail}; no resume mechanism — the watcher resolves it; install a monitor or poller)`;
		case "interrupted":
			return `${w} interrupted ${age} — turn crashed (${crashText(detail)})`;
		case "idle-children-clarify":
			return `${w} idle-children-clarify (${detail}; idle ${age} beside them; ask it: does it wait for them? it answers with ${programName("workerHealth")} --health running|done|stuck)`;
	}
}

/** Never a time that nobody understood: a worker was once resumed against the wrong reset. */
function limitText(resetAt: string, limit: IdleLimit | undefined): string {
	const flavour = limit?.flavour ?? "unknown";
	const kind = flavour === "unknown" ? "usage" : flavour.replaceAll("_", " ");
	const words = limit?.words ?? null;
	const known = words === null && resetAt !== "" && resetAt !== "unknown";
	return known
		? `resets ${resetAt}; ${kind} limit hit — schedule resume`
		: `${kind} limit hit; RESET TIME UNKNOWN: "${words ?? "no reset time shown"}" — never schedule against an unknown time`;
}

function crashText(detail: string): string {
	const [category = "", recovery] = detail.split(":");
	switch (recovery) {
		case "respawn":
			return `${category}; RESPAWN via \`claude --continue\``;
		case "operator":
			return `${category}; needs operator`;
		default:
			return `${category}; PASTE a resume nudge`;
	}
}
