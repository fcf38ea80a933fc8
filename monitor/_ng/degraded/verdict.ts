/** Can something be written there (contract 05 §14.3)? Pure: what a helper process said, as a word. */
import type { ExecResult } from "../../_sys/doors.ts";

export type Verdict =
	| "OK"
	| "EROFS"
	| "ENOSPC"
	| "EACCES"
	| "HANG"
	| "MISSING"
	| "ERROR";

export interface Probed {
	readonly verdict: Verdict;
	/** Empty: nothing more to say. */
	readonly detail: string;
}

/** `ran`: of `write-probe <folder>`, which tries the nearest folder there is. `isThere`: whether it is the folder itself; asked only of a helper that came back. */
export function verdictOf(ran: ExecResult, isThere: () => boolean): Probed {
	if (ran.kind === "timeout") return { verdict: "HANG", detail: "" };
	if (ran.kind !== "exited")
		return { verdict: "ERROR", detail: `the helper did not run (${ran.kind})` };
	if (!isThere()) return { verdict: "MISSING", detail: "" };
	if (ran.rc === 0) return { verdict: "OK", detail: "" };
	const said = ran.stderr.trim().split("\n").at(0) ?? "";
	const code = /: (E[A-Z]+)\b/.exec(said)?.[1] ?? "";
	return { verdict: WORDS[code] ?? "ERROR", detail: WORDS[code] ? "" : said };
}

/** One line of `ng degraded`. */
export function surfaceLine(name: string, path: string, p: Probed): string {
	const detail = p.detail === "" ? "" : ` detail=${p.detail}`;
	return `surface=${name} verdict=${p.verdict} path=${path}${detail}`;
}

const WORDS: Readonly<Record<string, Verdict>> = {
	EROFS: "EROFS",
	ENOSPC: "ENOSPC",
	EDQUOT: "ENOSPC",
	EACCES: "EACCES",
	EPERM: "EACCES",
};
