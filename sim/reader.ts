/** What the orchestrator does with the comments in a report. */
import { sectionLines } from "../monitor/_emit/sections.ts";
import type { SimGitHub } from "./github.ts";

/** It lets the issue lie until it has come so often: what nobody deals with comes again. */
const ISSUE_TELLINGS = 4;

/** Each comment gets its EYES at once, the issue after a few tellings. */
export function readerOf(gitHub: SimGitHub): (report: string) => void {
	let tellings = 0;
	return (report) => {
		for (const line of sectionLines(report, "gh")) {
			const id = /\bid=(\d+)/.exec(line)?.[1];
			if (id === undefined) continue;
			const issue = /\bissue_new=(\d+)/.exec(line)?.[1];
			if (issue === undefined) gitHub.acknowledges(Number(id));
			else if (++tellings === ISSUE_TELLINGS)
				gitHub.acknowledgesIssue(Number(issue));
		}
	};
}
