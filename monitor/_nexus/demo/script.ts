/** What the model says in the demo. The asker waits for a flag, so that its question comes while somebody listens. */
import { programPath } from "../../_sys/names.ts";
import { shellQuote } from "../../_sys/shell-quote.ts";
import type { Errand } from "./errand.ts";
import type { ModelReply, ModelScript } from "./model/script.ts";
import {
	type DemoWorld,
	OPERATOR,
	REPORTER,
	taskFile,
	workFolder,
} from "./world.ts";

export const ASKER_PROMPT = "Publish the package.";
const PUBLISH_COMMAND = "npm publish --access public";
/** As Claude Code's settings name it. */
export const PUBLISH_RULE = "Bash(npm publish:*)";

/** The first rule that matches answers; without one, `otherwise`. */
export function demoScript(world: DemoWorld): ModelScript {
	return {
		rules: [
			{
				// As a report tells of the operator's comment.
				when: new RegExp(`\\bissue=(\\d+) id=(\\d+) author=${OPERATOR}\\b`),
				replies: (issue = "", comment = "") =>
					handOut(world, { issue, comment }),
			},
			{
				when: /of comment (\d+) on issue (\d+)/,
				replies: (comment = "", issue = "") => work({ issue, comment }),
			},
			{ when: ASKER_PROMPT, replies: publish(world) },
		],
		otherwise: "Read. Nothing needs me right now; I wait for the next report.",
	};
}

/** The orchestrator takes the comment on and gives it to a worker: one call, so that no later report comes between. */
function handOut(
	world: DemoWorld,
	{ issue, comment }: Errand,
): readonly ModelReply[] {
	const task = shellQuote(taskFile(world, REPORTER));
	const folder = shellQuote(workFolder(world, REPORTER));
	const prompt = `Measure the cache sizes: the wish of comment ${comment} on issue ${issue}. Write a report and wrap up.`;
	return [
		bash(
			"Take the comment on and start a worker",
			`${NG} process ${comment}`,
			`echo ${shellQuote(prompt)} > ${task}`,
			`${SPAWN} -n ${REPORTER} -c ${folder} -p ${task}`,
		),
		{ kind: "text", text: `${REPORTER} is on it.` },
	];
}

/** The worker's report, from its skeleton to its hand-over. */
function work({ issue, comment }: Errand): readonly ModelReply[] {
	return [
		bash(
			"Begin the report",
			`${NG} report-init cache-sizes --issue ${issue} --comment-id ${comment} > report.path`,
		),
		bash(
			"Fill it in",
			"report=$(cat report.path)",
			`sed -e 's/^status: .*/status: completed/' -e '/^# /q' "$report" > filled.md`,
			`printf %s ${shellQuote(FINDINGS)} >> filled.md`,
			'mv filled.md "$report"',
			`${NG} report-check "$report"`,
		),
		bash(
			"Hand it over",
			`${NG} wrap-up ${issue} "$(cat report.path)" --trigger-comment ${comment} --skeptic-decision no --skeptic-rationale ${shellQuote(NO_REVIEW)}`,
		),
		{ kind: "text", text: "The report is handed over. I am done." },
	];
}

function publish(world: DemoWorld): readonly ModelReply[] {
	const wait = `until [ -e ${shellQuote(world.askNow)} ]; do sleep 0.2; done`;
	return [
		{ ...bash("Build the package", wait), text: "Building." },
		bash("Publish it", PUBLISH_COMMAND),
	];
}

const NG = shellQuote(programPath("ng"));
const SPAWN = shellQuote(programPath("spawnWorker"));

/** Lines of a shell script that ends at the first that fails. */
function bash(description: string, ...lines: readonly string[]) {
	const command = ["set -e", ...lines].join("\n");
	const input = { command, description };
	return { kind: "tool", name: "Bash", input } as const;
}

const NO_REVIEW = "it only measured; anybody can repeat it";

const FINDINGS = `
## Summary

The caches hold 40, 12 and 3 MB. The numbers are made up: this is a demo, and its model is a script.

## What Was Done

Each cache was measured three times, cold and warm, with the machine otherwise idle. The medians are given in
the summary. Nothing was changed: the measurement only reads, and what it wrote for itself was removed again.

## Current State

The measurement is complete and can be repeated. The first cache is three times as large as the other two
together, as expected, since it holds the results of every build and nobody empties it.

## What Remains

Nothing that was asked for.

## How to Resume

Run the measurement again; it needs no preparation.
`;
