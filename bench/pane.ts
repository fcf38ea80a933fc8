#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Judging one screen from its bytes to its line, over every labelled capture; p50, p95 and worst of
 * the means by capture. `--runs N` (default 200) readings of each. Wanted: about 1 ms or less.
 */
import { capture, expectations, judgeScreen } from "../tests/pane/fixtures.ts";
import { numberFlag, percentile, report, timed } from "./measure.ts";

const runs = numberFlag("runs", 200);
for (const set of ["claude-code", "panes"] as const) {
	const texts = expectations(set).map(([file]) => capture(set, file));
	const judgeAll = (text: string) => {
		for (let n = 0; n < runs; n++) judgeScreen(text);
	};
	for (const text of texts) judgeAll(text);
	const means = texts.map((text) => timed(() => judgeAll(text)) / runs);
	const figures = [0.5, 0.95, 1].map((p) => percentile(means, p).toFixed(3));
	report({
		name: `judging a screen (${set}), p95`,
		value: percentile(means, 0.95),
		unit: "ms",
		limit: 0.5,
	});
	console.log(
		`${set}: ${texts.length} screens, ms a screen: p50 ${figures[0]}  p95 ${figures[1]}  worst ${figures[2]}`,
	);
}
