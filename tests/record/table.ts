/** Releases and sizes against scenes: right, wrong, or not reached. */
import type { Outcome } from "./play.ts";

const MARKS = { right: "ok", wrong: "WRONG", unreached: "-" } as const;

export function renderTable(outcomes: readonly Outcome[]): string {
	const columns = [...new Set(outcomes.map((o) => `${o.version} ${o.size}`))];
	const scenes = [...new Set(outcomes.map((o) => `${o.act}/${o.scene}`))];
	const mark = (scene: string, column: string) => {
		const o = outcomes.find(
			(x) =>
				`${x.act}/${x.scene}` === scene && `${x.version} ${x.size}` === column,
		);
		return o === undefined ? "" : MARKS[o.kind];
	};
	const width = Math.max(...scenes.map((s) => s.length), 5);
	const row = (head: string, cells: readonly string[]) =>
		[
			head.padEnd(width),
			...cells.map((c, i) => c.padEnd(columns[i]?.length ?? 0)),
		].join("  ");
	const count = (kind: Outcome["kind"]) =>
		outcomes.filter((o) => o.kind === kind).length;
	return [
		row("scene", columns),
		...scenes.map((s) =>
			row(
				s,
				columns.map((c) => mark(s, c)),
			),
		),
		`${count("right")} right, ${count("wrong")} wrong, ${count("unreached")} not reached`,
	].join("\n");
}
