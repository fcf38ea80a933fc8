/** Figures as a table. Pure. */
import type { Figure } from "./measure.ts";

export interface Measured extends Figure {
	/** How many times a bare bun; null: nothing of a bun's compares. */
	readonly ratio: number | null;
}

/** Name, figure, limit, ratio; `ok` or `MISS` where there is a limit. */
export function tableOf(figures: readonly Measured[]): string {
	const rows = figures.map((figure) => [
		figure.name,
		`${short(figure.value)} ${figure.unit}`,
		figure.limit === undefined ? "" : `${figure.limit}`,
		figure.ratio === null ? "" : short(figure.ratio),
		markOf(figure),
	]);
	const all = [["", "figure", "limit", "x bare bun", ""], ...rows];
	const widths = [0, 1, 2, 3].map((at) =>
		Math.max(...all.map((row) => (row[at] ?? "").length)),
	);
	return all
		.map((row) =>
			row
				.map((cell, at) =>
					at === 0
						? cell.padEnd(widths[0] ?? 0)
						: cell.padStart(widths[at] ?? 0),
				)
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

function markOf({ value, limit }: Figure): string {
	if (limit === undefined) return "";
	return value <= limit ? "ok" : "MISS";
}

/** Three digits that count. */
function short(value: number): string {
	if (value === 0) return "0";
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
	return value.toFixed(Math.min(4, digits));
}
