/** The report of a pass, and the one line that wakes the watcher (contract 09 §11). Pure. */
import { harmless } from "../../monitor/_sys/stderr.ts";
import { isFlagged, type MemberVerdict } from "./classify.ts";

const TAIL_LINES = 40;

export interface Section {
	readonly agent: string;
	readonly verdict: MemberVerdict;
}
export interface PassResult {
	readonly watcher: string;
	/** UTC, with seconds. */
	readonly at: string;
	readonly sections: readonly Section[];
	/** Members that can be asked over SSH. */
	readonly sshReady: number;
	readonly reportPath: string;
}

/** In the order of the roster. */
export function renderReport(r: PassResult): string {
	const head = [
		`# ${r.watcher} pane-watch report`,
		`# generated: ${r.at}`,
		`# roster: ${r.sections.map(({ agent }) => agent).join(" ")}`,
		`# ssh-fallback resolved: ${r.sshReady}/${r.sections.length} roster agent(s)`,
		"",
	];
	return `${[...head, ...r.sections.flatMap(sectionLines)].join("\n")}\n`;
}

/** RESOLUTION-FAIL: nobody was seen, and nobody is absent on purpose. */
export function tickLine(r: PassResult): string {
	const verdicts = r.sections.map(({ verdict }) => verdict);
	const isBlind = verdicts.every(({ kind }) => kind === "capture-failed");
	if (isBlind)
		return `watch-tick: RESOLUTION-FAIL ${r.at} -- no roster member could be captured -- report: ${r.reportPath}`;
	const flagged = verdicts.filter(isFlagged).length;
	const failed = verdicts.filter((v) => v.kind === "capture-failed").length;
	return `watch-tick: cycle done ${r.at} -- ${verdicts.length} agent(s), ${flagged} flagged (${failed} capture-failed), ${r.sshReady} ssh-fallback-ready -- report: ${r.reportPath}`;
}

function sectionLines({ agent, verdict }: Section): readonly string[] {
	const { pane, status } = verdict;
	const shown =
		pane === null
			? []
			: [
					`--- pane tail (last ${TAIL_LINES} lines) ---`,
					...tail(pane),
					"--- end pane ---",
				];
	return [`===== @${agent} =====`, `status: ${oneLine(status)}`, ...shown, ""];
}

/** Blank rows at the end are padding of a tall window. */
function tail(pane: string): readonly string[] {
	const lines = pane.trimEnd().split(/\r?\n|[\r\u0085\u2028\u2029]/);
	return lines.slice(-TAIL_LINES).map(quoted);
}

/** What a pane shows is anybody's text: none of it steers a terminal, or passes for a line of the report itself. */
function quoted(line: string): string {
	const shown = harmless(line);
	return OWN_LINE.test(shown) ? `> ${shown}` : shown;
}
/** However it is indented: whoever reads sees a line, not its column. */
const OWN_LINE =
	/^[\s\p{Cf}]*(?:=====|status:|--- (?:pane tail|end pane)|watch-tick:|# (?:\S+ pane-watch report|generated:|roster:|ssh-fallback))/u;

function oneLine(text: string): string {
	return harmless(text).replace(/\s+/g, " ");
}
