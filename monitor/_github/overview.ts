/** Which issue is the overview (contract 05 §10.1). */
import {
	readOverviewNumber,
	writeOverviewNumber,
} from "../_state/overview-number.ts";
import type { Doors } from "../_sys/doors.ts";
import { COMMAND_MS } from "./deadline.ts";
import { failureLine } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { idAt, listAt } from "./json-look.ts";
import { ownerAndName } from "./target-repo.ts";

export type Overview =
	| { readonly kind: "ok"; readonly number: string }
	/** Never to be read as a number: whoever asked ends. */
	| { readonly kind: "unknown"; readonly why: string };

const LABEL = "nexus:overview";
/** GitHub's index of labels lags, and answers an empty list meanwhile. */
const WAITS_MS = [1000, 2000];

/** `pinned`: `github.overview_issue_number`. A number that is found is kept. */
export async function overviewNumber(
	gitHub: Pick<GitHub, "rest">,
	doors: Pick<Doors, "files" | "clock" | "log">,
	at: {
		readonly repo: string;
		readonly pinned: number | null;
		/** Where a number is kept; null: it is another repository's, and none is. */
		readonly stateDir: string | null;
	},
): Promise<Overview> {
	if (at.pinned !== null) return { kind: "ok", number: String(at.pinned) };
	const { stateDir } = at;
	const kept = stateDir === null ? null : readOverviewNumber(doors, stateDir);
	if (kept !== null) return { kind: "ok", number: kept };
	let why = "no open issue has it";
	for (const wait of [0, ...WAITS_MS]) {
		if (wait > 0) await doors.clock.sleep(wait);
		const answer = await gitHub.rest(
			"GET /repos/{owner}/{repo}/issues",
			{ ...ownerAndName(at.repo), labels: LABEL, state: "open", per_page: 5 },
			{ deadlineMs: COMMAND_MS, read: firstNumber },
		);
		if (answer.kind === "failed") {
			why = failureLine(answer.failure);
			continue;
		}
		const { number } = answer.value;
		if (number === null) continue;
		if (stateDir !== null) writeOverviewNumber(doors.files, stateDir, number);
		return { kind: "ok", number };
	}
	return {
		kind: "unknown",
		why: `no overview issue after 3 attempts (label ${LABEL} in ${at.repo}): ${why}; github.overview_issue_number pins one`,
	};
}

function firstNumber(data: unknown): { readonly number: string | null } | null {
	const rows = listAt({ data }, "data");
	if (rows === null) return null;
	return rows.length === 0
		? { number: null }
		: { number: idAt(rows[0], "number") };
}
