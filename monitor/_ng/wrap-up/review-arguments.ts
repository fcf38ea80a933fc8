/** What a wrap-up says of its review (contract 08 §7): the decision of a worker, or the verdict of a reviewer. */
import type { Cli } from "../../_sys/cli.ts";
import { requireInt } from "../../_sys/require-int.ts";

const VERDICTS = ["confirmed", "partial", "refuted"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface ReviewArguments {
	/** Shall somebody else look at the work? Null: not said. */
	readonly decision: "yes" | "no" | null;
	readonly rationale: string;
	/** Why no review is needed where one was ordered. */
	readonly waive: string;
	/** Another round, although the last one is still open. */
	readonly newRound: boolean;
	/** The caller is a reviewer. */
	readonly role: boolean;
	readonly target: string;
	readonly orig: string;
	readonly verdict: Verdict | null;
	readonly depth: number | null;
	readonly findings: number | null;
	/** How many of the findings contradict the report. */
	readonly contradicted: number | null;
}

export const REVIEW_FLAGS = {
	"--skeptic-decision": "value",
	"--skeptic-rationale": "value",
	"--skeptic-waive": "value",
	"--skeptic-new-round": "switch",
	"--skeptic-role": "switch",
	"--skeptic-target": "value",
	"--skeptic-orig": "value",
	"--skeptic-verdict": "value",
	"--skeptic-depth": "value",
	"--skeptic-findings": "value",
	"--skeptic-contradicted": "value",
} as const;

/** A count in words must not become "no findings". */
export function reviewArguments(
	cli: Extract<Cli, { kind: "ok" }>,
): ReviewArguments | { readonly kind: "refused"; readonly why: string } {
	const refused = (why: string) => ({ kind: "refused", why }) as const;
	const decision = cli.value("--skeptic-decision") ?? null;
	if (decision !== null && decision !== "yes" && decision !== "no")
		return refused("--skeptic-decision is yes or no");
	const word = cli.value("--skeptic-verdict");
	const verdict = VERDICTS.find((known) => known === word) ?? null;
	if (word !== undefined && verdict === null)
		return refused(`--skeptic-verdict is one of ${VERDICTS.join(", ")}`);
	const counts = [
		"--skeptic-depth",
		"--skeptic-findings",
		"--skeptic-contradicted",
	].map((flag) => {
		const given = cli.value(flag);
		return given === undefined ? null : requireInt(flag, given, 0);
	});
	for (const count of counts)
		if (count?.kind === "refused") return refused(count.message);
	const [depth = null, findings = null, contradicted = null] = counts.map(
		(count) => (count?.kind === "ok" ? count.value : null),
	);
	const text = (flag: string) => (cli.value(flag) ?? "").trim();
	return {
		decision,
		verdict,
		depth,
		findings,
		contradicted,
		rationale: text("--skeptic-rationale"),
		waive: text("--skeptic-waive"),
		newRound: cli.on("--skeptic-new-round"),
		role: cli.on("--skeptic-role"),
		target: text("--skeptic-target"),
		orig: text("--skeptic-orig"),
	};
}
