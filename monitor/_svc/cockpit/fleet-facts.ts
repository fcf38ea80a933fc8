/** What the cockpit shows of the agents: workers, the last reports, open decisions, GitHub, usage limits. */
import { gitHubSetup } from "../../_github/app.ts";
import { readerSettings } from "../../_pane/settings.ts";
import { type SweptPane, sweepPanes } from "../../_pane/sweep.ts";
import { liveClaude } from "../../_pane/witnesses.ts";
import {
	decisionAge,
	decisionsDir,
	parseDecisionName,
} from "../../_state/decisions.ts";
import { epochOfArchive, listArchives } from "../../_state/emit-archive.ts";
import { readEmitDelivery } from "../../_state/emit-delivery.ts";
import {
	gitHubPausePath,
	parseGitHubPause,
} from "../../_state/github-pause.ts";
import {
	overLimitStatePath,
	parseLimitRow,
} from "../../_state/over-limit-state.ts";
import { peekState } from "../../_state/peek.ts";
import type { Settings } from "../../_state/settings.ts";
import type { Doors, Files } from "../../_sys/doors.ts";

export interface AgentFact {
	readonly window: string;
	readonly state: string;
	/** Since its session file last changed its word, else since the window last showed anything new; null: unknown. */
	readonly ageSeconds: number | null;
}
export interface FleetFacts {
	readonly now: number;
	/** Null: none lives in its window, or tmux could not be asked. */
	readonly orchestrator: AgentFact | null;
	/** Null: tmux could not be asked. */
	readonly workers: readonly AgentFact[] | null;
	readonly reports: readonly { readonly at: number; readonly reason: string }[];
	readonly delivery: {
		readonly lastAt: number | null;
		readonly failures: number;
	};
	readonly decisions: readonly {
		readonly window: string;
		readonly ageSeconds: number | null;
	}[];
	readonly gitHub:
		| { readonly kind: "off" | "on" | "incomplete" }
		| { readonly kind: "paused"; readonly until: number };
	/** Null: the file could not be read. */
	readonly limits:
		| readonly { readonly window: string; readonly resetAt: number }[]
		| null;
}

const REPORTS = 3;
const MAX_BYTES = 256 * 1024;

/** A picture only: a damaged file is left to whoever acts on it, and the pane reader tidies what it always does. */
export async function gatherFleet(
	doors: Doors,
	settings: Settings,
	/** Windows that are no workers, beside the orchestrator's. */
	noWorkers: ReadonlySet<string>,
	signal?: AbortSignal,
): Promise<FleetFacts> {
	const { files, clock } = doors;
	const { home, config } = settings;
	const { stateDir } = home;
	const now = clock.now();
	const reader = readerSettings(config);
	const sweep = await sweepPanes(
		{ doors, stateDir, settings: reader },
		signal === undefined ? {} : { signal },
	);
	const agents = sweep.kind === "ok" ? sweep.panes.filter(isAgent) : null;
	const target = config["monitor.target_window"];
	const lead = agents?.find(({ row }) => row.windowName === target);
	return {
		now,
		orchestrator: lead === undefined ? null : agentOf(lead, now),
		workers:
			agents
				?.filter(
					({ row }) => row !== lead?.row && !noWorkers.has(row.windowName),
				)
				.map((pane) => agentOf(pane, now)) ?? null,
		reports: (listArchives(files, stateDir) ?? [])
			.slice(-REPORTS)
			.toReversed()
			.flatMap(reportOf),
		delivery: readEmitDelivery(files, stateDir),
		decisions: openDecisions(files, stateDir, now),
		gitHub: gitHubOf(files, settings, now),
		limits: limitsOf(files, stateDir),
	};
}

/** Claude Code lives there, or nobody can tell. */
function isAgent({ witnesses }: SweptPane): boolean {
	return liveClaude(witnesses) !== "no";
}

function agentOf(
	{ row, verdict, witnesses }: SweptPane,
	now: number,
): AgentFact {
	const { answer } = verdict;
	const changedMs = witnesses.session.statusUpdatedAt;
	const since = changedMs === null ? row.windowActivity : changedMs / 1000;
	return {
		window: row.windowName,
		state: answer.overlay ? `${answer.state} ${answer.overlay}` : answer.state,
		ageSeconds: since === null ? null : Math.max(0, now - since),
	};
}

/** `2026-05-11_13-42-01_<hex>_<tag>.md`; without a tag it is a plain one. */
function reportOf(name: string) {
	const at = epochOfArchive(name);
	const tag = /^[^_]+_[^_]+_[0-9a-f]+_(.+)\.md$/.exec(name)?.[1];
	return at === null ? [] : [{ at, reason: tag ?? "poll" }];
}

function openDecisions(files: Files, stateDir: string, now: number) {
	const listed = files.list(decisionsDir(stateDir));
	const names = listed.kind === "ok" ? listed.names : [];
	const handled = new Set(names);
	return names.flatMap((name) => {
		const parsed = parseDecisionName(name);
		if (parsed === null || parsed.handled) return [];
		if (handled.has(name.replace(/\.json$/, ".handled.json"))) return [];
		const ageSeconds = decisionAge(files, stateDir, name, now);
		return [{ window: parsed.window, ageSeconds }];
	});
}

function gitHubOf(
	files: Files,
	{ config, home }: Settings,
	now: number,
): FleetFacts["gitHub"] {
	const setup = gitHubSetup(config, home.root);
	if (setup.kind !== "on") return { kind: setup.kind };
	const until = (["core", "app"] as const).map((bucket) => {
		const path = gitHubPausePath(home.stateDir, bucket);
		const pause = peekState(files, path, parseGitHubPause);
		return pause.kind === "ok" ? pause.value.until : 0;
	});
	const latest = Math.max(...until);
	return latest > now ? { kind: "paused", until: latest } : { kind: "on" };
}

function limitsOf(files: Files, stateDir: string): FleetFacts["limits"] {
	const read = files.read(overLimitStatePath(stateDir), MAX_BYTES);
	if (read.kind === "absent") return [];
	if (read.kind === "unreadable") return null;
	return read.text.split("\n").flatMap((line) => {
		const row = parseLimitRow(line);
		return row === null ? [] : [{ window: row.window, resetAt: row.resetAt }];
	});
}
