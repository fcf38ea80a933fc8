/** Answers one `pane-state` call: what is printed and the exit code (contract 03 §2). */
import {
	type Explanation,
	explain,
	renderExplanation,
} from "../_pane/explain.ts";
import { captureWitness, type ReaderDeps } from "../_pane/gather.ts";
import { formatLine } from "../_pane/line.ts";
import { targetOf as lineTargetOf } from "../_pane/look.ts";
import { processView } from "../_pane/process.ts";
import { judgePane, type PaneReport } from "../_pane/report.ts";
import { PANE_STATES } from "../_pane/types.ts";
import type { PaneRow, TmuxFailure } from "../_sys/doors.ts";
import { depsWith, fixtureWitnesses, liveWitnesses } from "./overridden.ts";
import { DEFAULT_SESSION, type Request, type Target } from "./request.ts";

export interface Answer {
	readonly code: 0 | 1 | 2 | 3;
	readonly out: readonly string[];
	readonly err: readonly string[];
}
type Asked<K extends Request["kind"]> = Extract<Request, { kind: K }>;

const USAGE = `usage: pane-state.ts <window-index | session:index | window-name> [--explain [--json]]
       pane-state.ts --all [<session>] [--explain [--json]]
       pane-state.ts --fixture <path> [--window N] [--name S] [--active 0|1] [--pane-pid PID] [overrides]
       pane-state.ts --states
overrides: --now EPOCH --session-file P [--session-dead] --heartbeat-file P --over-limit-file P
           --heartbeat-staleness S --heartbeat-turn-end-staleness S --heartbeat-async-staleness S
           --bg-shells N --bg-cpu J --bg-oldest-start EPOCH`;

/** `open` loads the configuration; a request that needs none does not pay for it. */
export async function answerRequest(
	request: Request,
	open: () => Promise<ReaderDeps>,
): Promise<Answer> {
	switch (request.kind) {
		case "states":
			return { code: 0, out: PANE_STATES, err: [] };
		case "refused":
			return failed(2, `pane-state.ts: ${request.message}`, USAGE);
		case "fixture":
			return answerFixture(request, depsWith(await open(), request.overrides));
		case "all":
		case "target":
			return answerLive(request, depsWith(await open(), request.overrides));
	}
}

function answerFixture(
	{ fixture, overrides, output }: Asked<"fixture">,
	deps: ReaderDeps,
): Answer {
	const { files, proc } = deps.doors;
	const read = files.read(fixture.path);
	if (read.kind !== "ok")
		return failed(2, `pane-state.ts: no fixture at ${fixture.path}`);
	const view = fixture.panePid === null ? null : processView(proc);
	const report = judgePane(
		fixture,
		fixtureWitnesses(deps, view, fixture, read.text, overrides),
	);
	return printed([{ report, session: null, pane: null }], output);
}

async function answerLive(
	request: Asked<"all" | "target">,
	deps: ReaderDeps,
): Promise<Answer> {
	const { tmux, proc } = deps.doors;
	const listed = await tmux.panes();
	if (listed.kind !== "ok") return couldNotAsk(request, listed);
	const wanted = rowsAsked(
		request,
		listed.rows.filter((row) => row.paneActive),
	);
	if (wanted.length === 0)
		return failed(3, `pane-state.ts: no window ${nameOf(request)}`);
	const shots = await tmux.captureAll(wanted.map((row) => row.paneId));
	const view = processView(proc);
	const panes = wanted.map((row) => {
		const text = shots.kind === "ok" ? shots.text.get(row.paneId) : undefined;
		const capture =
			text === undefined
				? ({ kind: "failed", why: "capture failed" } as const)
				: captureWitness(text, row.width);
		const witnesses = liveWitnesses(
			deps,
			view,
			row,
			capture,
			request.overrides,
		);
		const report = judgePane(lineTargetOf(row), witnesses);
		return { report, session: row.session, pane: row.paneId };
	});
	return printed(panes, request.output);
}

function rowsAsked(
	request: Asked<"all" | "target">,
	rows: readonly PaneRow[],
): readonly PaneRow[] {
	if (request.kind === "target")
		return rows.filter((row) => isTarget(request.target, row)).slice(0, 1);
	const name = request.session ?? DEFAULT_SESSION;
	const own = rows.filter((row) => row.session === name);
	return own.length === 0 && request.session === null ? rows : own;
}

function isTarget(target: Target, row: PaneRow): boolean {
	return target.kind === "name"
		? row.windowName === target.name
		: row.session === target.session && row.windowIndex === target.index;
}

/** tmux that is not installed is a line like any other; one that cannot be asked says nothing about a name. */
function couldNotAsk(
	request: Asked<"all" | "target">,
	failure: TmuxFailure,
): Answer {
	const why =
		failure.kind === "failed" ? failure.stderr : `tmux: ${failure.kind}`;
	if (request.kind === "all") return failed(1, `pane-state.ts: ${why}`);
	if (failure.kind !== "no-tmux" && request.target.kind === "name")
		return failed(2, `pane-state.ts: could not ask tmux: ${why}`);
	const { target } = request;
	const line = formatLine(
		{
			active: false,
			window: target.kind === "index" ? target.index : "?",
			name: target.kind === "name" ? target.name : "?",
		},
		"unknown",
		[
			["reason", failure.kind === "no-tmux" ? "no-tmux" : "tmux-failed"],
			["site", "gather"],
		],
	);
	return { code: 0, out: [line], err: [] };
}

interface Printable {
	readonly report: PaneReport;
	readonly session: string | null;
	readonly pane: string | null;
}

function printed(
	panes: readonly Printable[],
	output: Asked<"target">["output"],
): Answer {
	const render = (p: Printable): string => {
		if (output === "line") return p.report.line;
		const { session, pane } = p;
		const record: Explanation = explain(p.report, { session, pane });
		return output === "explain"
			? renderExplanation(record)
			: JSON.stringify(record);
	};
	return { code: 0, out: panes.map(render), err: [] };
}

function nameOf(request: Asked<"all" | "target">): string {
	if (request.kind === "all")
		return `in session ${request.session ?? DEFAULT_SESSION}`;
	return describe(request.target);
}

function describe(target: Target): string {
	return target.kind === "name"
		? `named ${target.name}`
		: `${target.session}:${target.index}`;
}

function failed(code: 1 | 2 | 3, ...err: readonly string[]): Answer {
	return { code, out: [], err };
}
