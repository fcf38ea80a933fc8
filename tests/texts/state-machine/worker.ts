/** The life of a worker, asked of the product's own decisions. */
import { decisionRowActionable } from "../../../monitor/_emit/decision-gate.ts";
import { LADDER_RULES } from "../../../monitor/_pane/classify.ts";
import { paneAssertsDead, standingOf } from "../../../monitor/_pane/gates.ts";
import { PANE_STATES } from "../../../monitor/_pane/types.ts";
import {
	type HeartbeatToken,
	nextHeartbeat,
} from "../../../monitor/_state/heartbeat-next.ts";
import type { JsonObject } from "../../../monitor/_state/json-object.ts";
import { type Given, NOW, probe } from "../../idle/worker-facts.ts";
import { diagram, type Edge, table } from "./diagram.ts";

export function paneLadder(): string {
	return table(
		["", "the first that holds decides"],
		LADDER_RULES.map(({ n, rule }) => [`${n}`, rule]),
	);
}

export function paneGates(): string {
	return table(
		[
			"state of the pane",
			"may it be closed",
			"is its question told",
			"is Claude gone",
		],
		PANE_STATES.map((state) => [
			`\`${state}\``,
			CLOSING[standingOf(state)],
			decisionRowActionable(state, false) ? "yes" : "later",
			paneAssertsDead(state) ? "yes" : "no",
		]),
	);
}

const CLOSING = {
	retirable: "yes",
	active: "no: somebody works or waits",
	indeterminate: "no: it cannot be told",
} as const;

interface HookEvent {
	readonly name: string;
	readonly token: HeartbeatToken;
	readonly payload: JsonObject;
}
const HOOK_EVENTS: readonly HookEvent[] = [
	{ name: "a prompt", token: "user_prompt", payload: {} },
	{ name: "a tool", token: "busy", payload: {} },
	{ name: "a subagent's tool", token: "busy", payload: { agent_id: "a1" } },
	{ name: "asks for leave", token: "permission_prompt", payload: {} },
	{ name: "the turn ends", token: "turn_end", payload: {} },
	{
		name: "a subagent ends",
		token: "turn_end",
		payload: { hook_event_name: "SubagentStop" },
	},
	{
		name: "waits for input",
		token: "notify",
		payload: { notification_type: "idle_prompt" },
	},
	{
		name: "another notice",
		token: "notify",
		payload: { notification_type: "auth_success" },
	},
];

/** Every event in every state that some events lead to. */
export function heartbeatLife(): string {
	const seen = new Map<string, JsonObject | null>([["[*]", null]]);
	const edges: Edge[] = [];
	for (const [from, prior] of seen)
		for (const { name, token, payload } of HOOK_EVENTS) {
			const next = nextHeartbeat(prior, token, payload, "w", NOW);
			if (next === null) continue;
			const to = String(next.state);
			if (!seen.has(to)) seen.set(to, next);
			if (to !== from) edges.push({ from, to, why: name });
		}
	return diagram(edges);
}

const DAY = 86_400;
const WRAPPED = { wrapUp: { at: NOW - 100, report: "r.md" } };
/** What may be true of a worker, in words, and as the probe sees it. */
const SITUATIONS: readonly (readonly [string, Given])[] = [
	["its turn runs", { pane: { state: "busy" } }],
	["its turn has ended, nothing is handed over", {}],
	["handed over, with a complete report", { events: WRAPPED }],
	[
		"handed over, with an incomplete report",
		{ events: WRAPPED, reportProblems: ["Summary"] },
	],
	[
		"kept on purpose",
		{
			events: { ...WRAPPED, retain: { at: NOW - 90, reason: "why" } },
		},
	],
	["idle for a day", { engagedAt: NOW - DAY, windowActivity: NOW - DAY }],
	[
		"a dialog waits for an answer",
		{ pane: { state: "blocked", overlay: "permission" } },
	],
	["its Claude is gone", { pane: { state: "absent" } }],
	["at its usage limit", { pane: { state: "over-limit" } }],
	[
		"its turn crashed",
		{
			failure: {
				at: NOW - 60,
				category: "overloaded",
				recovery: "paste",
				sessionId: null,
			},
		},
	],
	["a paste of ours that no submit followed", { submittedPasteAt: NOW - 200 }],
	[
		"nothing will wake it for the outside work it waits for",
		{ pane: { state: "idle-orphan-async", orphanKinds: "slurm:1" } },
	],
	["its background jobs run", { pane: { state: "working-background" } }],
	["somebody types in it", { pane: { state: "user-typing" } }],
	["nobody can tell", { pane: { state: "unknown" } }],
];

export function workerRows(): string {
	return table(
		["what is true", "row that is told"],
		SITUATIONS.map(([words, given]) => [words, rowOf(given)]),
	);
}

export function workerLife(): string {
	const edges = SITUATIONS.slice(1).map(([words, given]) => ({
		from: "at work",
		to: rowOf(given).replaceAll("`", ""),
		why: words,
	}));
	const told = edges.filter(({ to }) => to !== NOTHING);
	const back = [...new Set(told.map(({ to }) => to))].map((from) => ({
		from,
		to: "at work",
		why: "a new turn",
	}));
	return diagram([
		{ from: "[*]", to: "at work", why: "spawn-worker" },
		...told,
		...back,
		{ from: "wrapped", to: "[*]", why: "ng retire-window" },
	]);
}

const NOTHING = "nothing";

function rowOf(given: Given): string {
	const { row } = probe(given);
	return row === null ? NOTHING : `\`${row.class}\``;
}
