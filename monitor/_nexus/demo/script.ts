/** What the demo's model says: a worker with a job and a report, a worker that needs leave, an orchestrator that listens. */
import type { ModelScript } from "./model/script.ts";
import type { DemoWorld } from "./world.ts";

export const REPORTER_PROMPT =
	"Measure the cache sizes, write your report, then stop.";
export const ASKER_PROMPT = "Publish the package.";
const PUBLISH_COMMAND = "npm publish --access public";
/** As Claude Code's settings name it. */
export const PUBLISH_RULE = "Bash(npm publish:*)";

export function demoScript(world: DemoWorld): ModelScript {
	const wait = (flag: string) => `until [ -e '${flag}' ]; do sleep 0.2; done`;
	return {
		rules: [
			{
				when: REPORTER_PROMPT,
				replies: [
					{
						kind: "tool",
						name: "Bash",
						input: {
							command: wait(world.jobDone),
							description: "Run the measurement",
						},
						text: "Measuring.",
					},
					{
						kind: "tool",
						name: "Write",
						input: { file_path: world.reportPath, content: REPORT },
					},
					{ kind: "text", text: "The report is written. I am done." },
				],
			},
			{
				when: ASKER_PROMPT,
				replies: [
					{
						kind: "tool",
						name: "Bash",
						input: {
							command: wait(world.askNow),
							description: "Build the package",
						},
						text: "Building.",
					},
					{
						kind: "tool",
						name: "Bash",
						input: { command: PUBLISH_COMMAND, description: "Publish it" },
					},
				],
			},
		],
		otherwise: "Read. Nothing needs me right now; I wait for the next report.",
	};
}

const REPORT = `---
date: 2026-01-01
window: bench-a
---
# Cache sizes

Measured, compared, written down. The numbers are made up: this is a demo.
`;
