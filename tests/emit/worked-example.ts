/** The contract's worked example (01 §22): the body, and the inputs that must compose to it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderBells } from "../../monitor/_emit/bells.ts";
import { renderFooter } from "../../monitor/_emit/footer.ts";
import type { ReportInput } from "../../monitor/_emit/report.ts";
import { armSection } from "../../monitor/_liveness/supervisor-text.ts";

export const EXAMPLE = readFileSync(
	join(import.meta.dir, "../fixtures/emit/worked-example.md"),
	"utf8",
);

export const DASHBOARD = {
	kind: "overview-dashboard",
	urlFile: null,
	url: null,
	feed: null,
} as const;

const NOW = Date.parse("2026-05-11T13:42:01-07:00") / 1000;

export const EXAMPLE_INPUT: ReportInput = {
	iso: "2026-05-11T13:42:01-07:00",
	reason: "poll",
	nonce: "a1b2c3",
	workspace:
		"workspace: 4 busy | 2 idle | 0 retained | 1 idle-too-long | 0 pane-absent | 0 over-limit | 0 orphan-async | 0 interrupted | 0 parked-skeptic | 0 idle-children | 0 awaiting-input",
	sections: {
		arm: armSection({
			enabled: true,
			codeRoot: "/srv/nexus",
			stateDir: "/srv/nexus/monitor/.state",
			now: NOW,
			supervisorBeatAt: null,
			staleSeconds: 90,
		}),
		serviceHealth: linesBetween(
			"--- service health ---",
			"--- local state changes ---",
		),
		localDiff: linesBetween(
			"--- local state changes ---",
			"--- eligible github comments ---",
		),
		gh: linesBetween(
			"--- eligible github comments ---",
			"--- standing bells ---",
		),
		bells: renderBells([{ index: 4, name: "worker-3" }]),
		// Without its newline: every payload ends in exactly one, whatever it brings.
		idle: "  - bench-c wrapped up (idle 1h12m; wrap-up logged)",
	},
	footer: renderFooter(DASHBOARD, "2026-05-11T11:10:00-07:00", NOW),
	sectionMaxLines: 50,
};

function linesBetween(from: string, to: string): string {
	const lines = EXAMPLE.split("\n");
	return `${lines.slice(lines.indexOf(from) + 1, lines.indexOf(to)).join("\n")}\n`;
}
