/** Each witness as it stands in an explanation (contract 03 §9.3). Pure. */
import type { ScreenFacts } from "./facts.ts";
import type {
	CaptureWitness,
	ProcessWitness,
	Witnesses,
	WitnessName,
} from "./witnesses.ts";

export interface WitnessRecord {
	readonly name: WitnessName;
	/** The statement, or null. */
	readonly says: string | null;
	readonly fresh: boolean;
	/** One sentence. */
	readonly why: string;
	readonly [more: string]: unknown;
}

/** Always all five, in order of trust. */
export function witnessRecords(w: Witnesses): readonly WitnessRecord[] {
	const { session, heartbeat, stamp } = w;
	const stampSpeaks = stamp.kind === "valid";
	return [
		processRecord(w),
		{
			name: "session",
			says: session.says,
			fresh: session.live,
			why: session.why,
			pid: session.pid,
			status: session.status,
			waitingFor: session.waitingFor,
			version: session.version,
			statusUpdatedAt: session.statusUpdatedAt,
		},
		{
			name: "heartbeat",
			says: heartbeat.says,
			fresh: heartbeat.fresh,
			why: heartbeat.why,
			state: heartbeat.state,
			age: heartbeat.age,
		},
		{
			name: "stamp",
			says: stampSpeaks ? "over-limit" : null,
			fresh: stampSpeaks,
			why: stamp.kind === "none" ? stamp.why : `${stamp.kind}: ${stamp.why}`,
		},
		screenRecord(w.capture),
	];
}

function processRecord({
	process,
	shells,
	paneDead,
}: Witnesses): WitnessRecord {
	const counts = { bgShells: shells.count, bgReliable: shells.reliable };
	if (paneDead)
		return {
			name: "process",
			says: "dead",
			fresh: true,
			why: "pane_dead",
			...counts,
		};
	const { says, why } = processStatement(process);
	return { name: "process", says, fresh: says !== null, why, ...counts };
}

function processStatement(p: ProcessWitness): {
	readonly says: string | null;
	readonly why: string;
} {
	switch (p.kind) {
		case "none":
			return { says: null, why: "no pid given" };
		case "assumed-live":
			return {
				says: "alive",
				why: "the session file counts as a live process's",
			};
		case "no-pid":
			return { says: null, why: "tmux named no pid" };
		case "seen":
			if (p.blind)
				return { says: null, why: "the process table cannot be trusted" };
			if (p.live === "yes")
				return {
					says: p.isStopped ? "suspended" : "alive",
					why: `pid ${p.claudePid} lives under ${p.pid}`,
				};
			if (p.live === "unknown")
				return { says: null, why: `a process under ${p.pid} says nothing` };
			return {
				says: "dead",
				why: p.exists ? `no claude under ${p.pid}` : `pid ${p.pid} is gone`,
			};
	}
}

function screenRecord(capture: CaptureWitness): WitnessRecord {
	const base = { name: "screen", says: null, fresh: false } as const;
	if (capture.kind === "failed") return { ...base, why: capture.why };
	if (capture.kind === "blank") return { ...base, why: "not one character" };
	const { facts } = capture;
	return {
		...base,
		says: statementOf(facts),
		fresh: true,
		why: "captured just now",
		...details(facts),
	};
}

function statementOf(facts: ScreenFacts): string | null {
	const { overlay, activity, composer } = facts;
	if (overlay) return "blocked";
	if (composer?.input === "typed") return "user-typing";
	if (activity.turn.length > 0 || activity.queue !== null) return "busy";
	return composer === null ? null : "idle";
}

function details(facts: ScreenFacts) {
	const { screen, overlay, activity, limit, menu, composer } = facts;
	const { counts } = activity;
	return {
		input: composer?.input ?? null,
		overlay: overlay?.kind ?? null,
		turn: activity.turn.map((t) => t.sign),
		queue: activity.queue !== null,
		menu: menu !== null,
		limit: limit && { resetAt: limit.resetAt, flavour: limit.flavour },
		counts: { shells: counts.shells, monitors: counts.monitors },
		regions: {
			rows: screen.grid.rows.length,
			width: screen.grid.width,
			box: screen.box?.row ?? null,
			boxTo: screen.box?.rest.to ?? null,
			status: screen.status,
			live: screen.live.map((row) => row.from),
			transcript: screen.transcript,
			panel: screen.panel,
		},
	};
}
