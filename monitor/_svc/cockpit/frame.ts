/** One picture of the cockpit, made to fit (contract 06 §7.3). Pure. */
import { programName } from "../../_sys/names.ts";
import type { CoreFacts } from "./facts.ts";
import type { FleetFacts } from "./fleet-facts.ts";
import { type FleetLine, fleetSummary, workerLines } from "./fleet-lines.ts";
import { costOf, fitted, type Geometry } from "./geometry.ts";
import { type Block, pageOf } from "./paging.ts";
import type { Row } from "./row.ts";
import { coreRows, targetRow } from "./rows.ts";
import { serviceLines, serviceRows } from "./service-rows.ts";
import type { ServicesFacts } from "./services.ts";
import { painted, tableWith } from "./table.ts";

export interface Model {
	/** `YYYY-MM-DDTHH:MM:SS…` of this picture. */
	readonly iso: string;
	/** Null: not looked at yet. */
	readonly core: CoreFacts | null;
	readonly services: ServicesFacts;
	readonly fleet: FleetFacts | null;
	readonly registry: string;
	/** Problems of the configuration. */
	readonly problems: readonly string[];
	readonly page: number;
	/** Name of the row whose log is open. */
	readonly following: string | null;
	readonly notice: string | null;
	/** First digit of a service's number, while the second is awaited. */
	readonly digit: string | null;
	readonly colour: boolean;
}

/** `lines` fill at most the screen; the last is the prompt. */
export interface Frame {
	readonly lines: readonly string[];
	readonly page: number;
	readonly pages: number;
}

const KEYS =
	"1-9 log  0 watcher's log  x close log  n/p page  r refresh  q quit";
/** An empty line and the prompt. */
const PROMPT_ROWS = 2;
/** Two services and the line that tells of the others. */
const LEAST_SERVICE_ROWS = 3;
/** One healthy service and that line. */
const LEAST_BESIDE_THE_SICK = 2;

/** Never taller than the terminal: services are paged, and the rest gives way in a fixed order. */
export function renderFrame(m: Model, g: Geometry): Frame {
	const core = m.core === null ? [] : [...coreRows(m.core), targetRow(m.core)];
	const services = serviceRows(m.services);
	const table = tableWith(
		{ iso: m.iso, registry: m.registry },
		[...core, ...services],
		{ colour: m.colour, following: m.following },
	);
	const body = g.rows - PROMPT_ROWS;
	const told = serviceLines(briefly(m.services), m.registry);
	const blocks = services.map(blockOf(table.linesOf));
	const rowsOf = (some: readonly Block[]) =>
		costOf(
			some.flatMap(({ lines }) => lines),
			g.cols,
		);
	const wanted = rowsOf(blocks);
	const sick = rowsOf(blocks.filter((b) => b.wantsAttention));
	const { top, foot } = shed(
		{
			problems: m.problems,
			head: table.head,
			core: core.flatMap(table.linesOf),
			told,
			agents: [
				...(m.fleet === null ? [" agents: looking…"] : []),
				...fleet(m, (f) => fleetSummary(f)),
			],
		},
		{
			least: body - Math.min(wanted, LEAST_SERVICE_ROWS),
			allSick: body - Math.min(wanted, sick + LEAST_BESIDE_THE_SICK),
		},
		g.cols,
	);
	const room = body - costOf(top, g.cols) - costOf(foot, g.cols);
	const page = pageOf(blocks, room, g.cols, m.page);
	// Its one row is kept, on a narrow screen too: what is out of sight must be said.
	const indicator =
		page.indicator === null
			? []
			: [clipped(page.indicator, g.cols)].map((line) =>
					painted(line, m.colour && page.isAlarming),
				);
	const inSight = page.blocks.flatMap(({ lines }) => lines);
	const shown = [
		...fitted(inSight, room - indicator.length, g.cols),
		...indicator,
	];
	const left = room - costOf(shown, g.cols);
	const workers = fleet(m, (f) => workerLines(f, left));
	const lines = fitted([...top, ...shown, ...foot, ...workers], body, g.cols);
	const prompt = clipped(promptOf(m), g.cols);
	return { lines: [...lines, "", prompt], page: page.page, pages: page.pages };
}

/** One sloppy registry has a warning for each of its rows, and would fill the screen that shows how they do. */
function briefly(services: ServicesFacts): ServicesFacts {
	if (services.kind !== "rows") return services;
	const [first, ...others] = services.warnings;
	if (first === undefined || others.length <= 1) return services;
	const rest = `${others.length} more like it: ${programName("svc")} list`;
	return { ...services, warnings: [first, rest] };
}

/**
 * On a small screen the services, with who wants attention among them, count more than the agents' summary, and that
 * more than titles. Pure.
 */
function shed(
	parts: {
		readonly problems: readonly string[];
		readonly head: readonly string[];
		readonly core: readonly string[];
		readonly told: readonly string[];
		readonly agents: readonly string[];
	},
	room: { readonly least: number; readonly allSick: number },
	cols: number,
): { readonly top: readonly string[]; readonly foot: readonly string[] } {
	const { problems, head, core, told, agents } = parts;
	const whole = { top: [...problems, ...head, ...core], foot: [...told] };
	const choices = [
		{ ...whole, foot: [...told, ...agents] },
		whole,
		{ top: [...problems, ...head.slice(-1), ...core], foot: told },
		{ top: core, foot: [] },
		{ top: core.slice(0, 2), foot: [] },
		{ top: [], foot: [] },
	];
	const within =
		(rows: number) =>
		({ top, foot }: (typeof choices)[number]) =>
			costOf(top, cols) + costOf(foot, cols) <= rows;
	// The sick may push away what is told of the fleet, not the core rows: then they turn pages.
	const roomy = choices.slice(0, 4).find(within(room.allSick));
	return roomy ?? choices.find(within(room.least)) ?? { top: [], foot: [] };
}

/** The bytes of one write: home, each line with what was behind it wiped, all below wiped; `whole` wipes first. */
export function drawn(
	{ lines }: Frame,
	{ cols }: Geometry,
	whole: boolean,
): string {
	const wiped = lines.map((line) => {
		const width = Bun.stringWidth(line);
		// At the right edge the cursor waits on the last letter, and wiping would take it.
		return width > 0 && width % cols === 0 ? line : `${line}\u001b[K`;
	});
	return `${whole ? "\u001b[2J" : ""}\u001b[H${wiped.join("\r\n")}\u001b[J`;
}

function fleet(
	m: Model,
	linesOf: (f: FleetFacts) => readonly FleetLine[],
): readonly string[] {
	if (m.fleet === null) return [];
	return linesOf(m.fleet).map(({ text, alarming }) =>
		painted(text, m.colour && alarming),
	);
}

function blockOf(
	linesOf: (row: Row) => readonly string[],
): (row: Row) => Block {
	return (row) => ({
		lines: linesOf(row),
		wantsAttention:
			row.status !== "UP" || ["stale", "orphan"].includes(row.supervisor),
	});
}

function promptOf({ notice, digit }: Model): string {
	if (digit !== null) return `service ${digit}_`;
	return notice ?? KEYS;
}

function clipped(text: string, cols: number): string {
	return text.length <= cols ? text : `${text.slice(0, cols - 1)}…`;
}
