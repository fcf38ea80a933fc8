/** The life of the orchestrator, asked of the watcher's own decisions. */
import {
	decideLiveness,
	gateRespawn,
	type LivenessFacts,
} from "../../../monitor/watcher/_orchestrator_liveness/decide.ts";
import {
	type AbsenceFacts,
	onTargetAbsent,
	PRESENT,
} from "../../../monitor/watcher/_target_absent.ts";
import { watcherConfig } from "../../config/watcher-config.ts";
import { diagram, type Edge, table } from "./diagram.ts";

const NOW = 1_800_000_000;
const LIMITS = { grace: 120, unstick: 150, dead: 450, ceiling: 1800 };

/** Ages at which something may change, and whether it has answered, was asked again, was replaced lately. */
function* silences(): Generator<{
	facts: LivenessFacts;
	spawnAt: number | null;
	age: number;
}> {
	for (const age of [60, 200, 400, 600, 2000])
		for (const signal of [null, NOW - age + 30])
			for (const since of [null, NOW - 200])
				for (const resubmitAt of [null, NOW - 30, NOW - 300])
					for (const spawnAt of [null, NOW - 60])
						yield {
							age,
							spawnAt,
							facts: {
								now: NOW,
								afterGap: false,
								lastPaste: NOW - age,
								signals: [signal],
								since,
								resubmitAt,
								gapEndedAt: null,
							},
						};
}

export function liveness(): string {
	const found = new Map<string, string>();
	for (const { facts, spawnAt } of silences()) {
		const made = gateRespawn(decideLiveness(facts, LIMITS), {
			now: NOW,
			lastSpawnAt: spawnAt,
			cooldownSeconds: 1800,
			isSuspicious: false,
			streak: 0,
		});
		found.set(`${made.word} ${made.reason}`, made.word);
	}
	const edges: Edge[] = [...found].map(([key, to]) => ({
		from: "a report was delivered",
		to,
		why: key.slice(to.length + 1),
	}));
	const words: readonly string[] = [...new Set(found.values())];
	const deeds: readonly Edge[] = [
		{
			from: "resubmit",
			to: "a report was delivered",
			why: "the report once more",
		},
		{
			from: "respawn",
			to: "a report was delivered",
			why: "a new window, with a brief",
		},
	];
	return diagram([
		...edges,
		...deeds.filter(({ from }) => words.includes(from)),
	]);
}

/** Look after look without the window, with the delay of the configuration. */
export function absence(): string {
	const confirmingPolls =
		watcherConfig()["monitor.agent_missing_respawn_delay"];
	const ways: readonly (readonly [string, Partial<AbsenceFacts>])[] = [
		["nothing speaks against it", {}],
		["one is under way", { inFlight: () => true }],
		[
			"respawns in a circle",
			{ crashLoop: () => ({ kind: "refused", reason: "circle" }) },
		],
		["failures in a row", { slowGrind: () => "paused" }],
	];
	const looks = confirmingPolls + 1;
	return table(
		["look", ...ways.map(([words]) => words)],
		Array.from({ length: looks }, (_, nth) => [
			`${nth + 1}`,
			...ways.map(([, way]) => {
				let state = PRESENT;
				let kind = "";
				for (let n = 0; n <= nth; n++) {
					const next = onTargetAbsent(state, {
						now: NOW,
						confirmingPolls,
						slowGrind: () => "open" as const,
						crashLoop: () => ({ kind: "allowed" }),
						inFlight: () => false,
						...way,
					});
					state = next.state;
					kind = next.action.kind;
				}
				return kind;
			}),
		]),
	);
}
