/** The agents' half of the cockpit as lines. Pure. */
import { masked } from "../../_sys/control-characters.ts";
import type { AgentFact, FleetFacts } from "./fleet-facts.ts";
import { fmtAge } from "./rows.ts";

export interface FleetLine {
	readonly text: string;
	readonly alarming: boolean;
}

/** Always there: how many workers of which state, the last reports, what waits, GitHub and limits. */
export function fleetSummary(f: FleetFacts): readonly FleetLine[] {
	return [agentsLine(f), reportsLine(f), decisionsLine(f), gitHubLine(f)];
}

/** One line a worker, who waits for somebody first; at most so many, and then how many more. */
export function workerLines(f: FleetFacts, room: number): readonly FleetLine[] {
	const workers = (f.workers ?? []).toSorted(
		(a, b) =>
			Number(isWaiting(b)) - Number(isWaiting(a)) ||
			a.window.localeCompare(b.window),
	);
	if (room <= 0 || workers.length === 0) return [];
	const shown = workers.length > room ? workers.slice(0, room - 1) : workers;
	const width = Math.max(12, ...shown.map((w) => w.window.length));
	return [
		...shown.map((w) => ({
			text: `   ${masked(w.window).padEnd(width)} ${w.state.padEnd(18)} ${ageOf(w.ageSeconds)}`,
			alarming: isWaiting(w),
		})),
		...(shown.length < workers.length
			? [plain(`   +${workers.length - shown.length} more`)]
			: []),
	];
}

function agentsLine({ orchestrator, workers }: FleetFacts): FleetLine {
	if (workers === null)
		return { text: " agents: tmux does not answer", alarming: true };
	const lead =
		orchestrator === null
			? ""
			: ` orchestrator: ${orchestrator.state} ${ageOf(orchestrator.ageSeconds)}  `;
	const alarming = orchestrator !== null && isWaiting(orchestrator);
	if (workers.length === 0) return { text: `${lead} workers: none`, alarming };
	const counts = new Map<string, number>();
	for (const { state } of workers) {
		const word = state.split(" ")[0] ?? state;
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	const words = [...counts].map(([state, n]) => `${n} ${state}`).join(", ");
	return { text: `${lead} workers: ${workers.length} (${words})`, alarming };
}

function reportsLine(f: FleetFacts): FleetLine {
	const { lastAt, failures } = f.delivery;
	const last = f.reports
		.map(({ at, reason }) => `${masked(reason)} ${ageOf(f.now - at)} ago`)
		.join(", ");
	const arrived =
		lastAt === null
			? "none delivered yet"
			: `delivered ${ageOf(f.now - lastAt)} ago`;
	const failed = failures > 0 ? `; ${failures} failed since` : "";
	return {
		text: ` reports: ${[last, arrived].filter(Boolean).join("; ")}${failed}`,
		alarming: failures > 0,
	};
}

function decisionsLine({ decisions }: FleetFacts): FleetLine {
	if (decisions.length === 0) return plain(" decisions waiting: none");
	const each = decisions
		.map(({ window, ageSeconds }) => `${masked(window)} ${ageOf(ageSeconds)}`)
		.join(", ");
	return {
		text: ` decisions waiting: ${decisions.length} (${each})`,
		alarming: true,
	};
}

function gitHubLine({ gitHub, limits, now }: FleetFacts): FleetLine {
	const state =
		gitHub.kind === "paused"
			? `paused for ${ageOf(gitHub.until - now)}`
			: { on: "on", off: "off", incomplete: "off (not wholly configured)" }[
					gitHub.kind
				];
	const held = (limits ?? []).filter(({ resetAt }) => resetAt > now);
	const next = Math.min(...held.map(({ resetAt }) => resetAt));
	const waits =
		held.length === 0
			? "none"
			: `${held.map(({ window }) => masked(window)).join(", ")}; next reset in ${ageOf(next - now)}`;
	return {
		text: ` github: ${state}   usage limits: ${limits === null ? "cannot be read" : waits}`,
		alarming: gitHub.kind === "paused" || held.length > 0,
	};
}

/** Somebody has to do something before it goes on. */
function isWaiting({ state }: AgentFact): boolean {
	return /^(?:blocked|over-limit|user-typing)/.test(state);
}

function ageOf(seconds: number | null): string {
	return seconds === null ? "?" : fmtAge(seconds);
}

function plain(text: string): FleetLine {
	return { text, alarming: false };
}
