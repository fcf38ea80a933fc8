/** When one window of waiting looks at the pane, and what ends it (contract 04 §5.5 step 7). Times in ms from its start. */
import { describe, expect, test } from "bun:test";
import type { DeliveryJob } from "../../monitor/_delivery/job.ts";
import type { TranscriptSight } from "../../monitor/_delivery/transcript.ts";
import type { PaneVerdict } from "../../monitor/_delivery/verdict.ts";
import { watchWindow } from "../../monitor/_delivery/window.ts";
import type { LookResult, PaneLook } from "../../monitor/_pane/types.ts";
import { EMIT, IDLE_LOOK, makeRig, NO_PICTURE, TARGET } from "./rig.ts";

const look = (more: Partial<PaneLook> = {}): LookResult => ({
	kind: "ok",
	look: { ...IDLE_LOOK, ...more },
});
const held = look({ state: "user-typing", input: "typed" });
const draft = look({ state: "user-typing", input: "?" });
const clear = look();
const queued = look({ state: "busy" });
const blocked = look({ state: "blocked", overlay: "askuq" });

type Case = readonly [
	rule: string,
	/** What each look shows; the last one for ever. */
	looks: readonly LookResult[],
	end: PaneVerdict | "proven",
	lookedAt: readonly number[],
	more?: { source?: TranscriptSight["source"]; provenAt?: number; ms?: number },
];

async function watched([, looks, , , more = {}]: Case) {
	const { source = "readable", provenAt = Infinity, ms = 3000 } = more;
	const { deps, doors } = makeRig();
	const { clock } = doors;
	const start = clock.monoMs();
	const passed = () => clock.monoMs() - start;
	const lookedAt: number[] = [];
	const rows = await doors.tmux.panes();
	if (rows.kind !== "ok" || rows.rows[0] === undefined) throw new Error("rows");
	const job: DeliveryJob = {
		...deps,
		pane: rows.rows[0],
		window: TARGET,
		payload: EMIT,
		command: false,
		role: "paste",
		lookAt: async () => {
			lookedAt.push(passed());
			return looks[Math.min(lookedAt.length, looks.length) - 1] ?? clear;
		},
	};
	const evidence = {
		proof: () => (passed() >= provenAt ? ("submission" as const) : null),
		sight: () => ({ source, grew: false, records: [] }),
	};
	return { end: await watchWindow(job, evidence, ms), lookedAt };
}

const NONE = { source: "none" } as const;

describe("a window of 3 s", () => {
	const ROWS: readonly Case[] = [
		[
			"is over once the text is proven",
			[clear],
			"proven",
			[250],
			{ provenAt: 700 },
		],
		[
			"looks at nothing where it is proven at once",
			[clear],
			"proven",
			[],
			{ provenAt: 0 },
		],
		[
			"looks early, then each second, and to its end while nothing is proven",
			[clear],
			"clear",
			[250, 1250, 2250],
		],
		[
			"ends after two looks at a held box; the early one does not count",
			[held],
			"held",
			[250, 1250, 2250],
		],
		[
			"of more than that ends so as well, whatever the first look was",
			[clear, held],
			"held",
			[250, 1250, 2250],
			{ ms: 6000 },
		],
		[
			"ends after two looks at a held box, and not because of two that were held in all",
			[clear, held, clear, held],
			"held",
			[250, 1250, 2250, 4000],
		],
		["ends with the first dialog", [blocked], "blocked", [250]],
		["ends with a dialog in between", [clear, blocked], "blocked", [250, 1250]],
		[
			"without any evidence ends after two looks that held nothing, the early one too",
			[clear],
			"clear",
			[250, 1250],
			NONE,
		],
		[
			"without any evidence goes on while one of two is held",
			[clear, held, clear, clear],
			"clear",
			[250, 1250, 2250, 4000],
			NONE,
		],
		[
			"looks once more where the last look alone was clear",
			[clear, held, clear, clear],
			"clear",
			[250, 1250, 2250, 4000],
		],
		[
			"looks once more where it alone saw a running turn",
			[clear, queued, held],
			"held",
			[250, 1250, 2250],
			NONE,
		],
		[
			"looks once more where it alone saw a box that cannot be read",
			[clear, clear, draft, held],
			"held",
			[250, 1250, 2250, 4000],
		],
		[
			"does not where it alone could not look",
			[clear, clear, NO_PICTURE],
			"unknown",
			[250, 1250, 2250],
		],
		[
			"does not where it alone was held",
			[clear, clear, held],
			"held",
			[250, 1250, 2250],
		],
		["that is over at once still looks", [blocked], "blocked", [0], { ms: 0 }],
	];
	for (const row of ROWS)
		test(row[0], async () => {
			const [, , end, lookedAt] = row;
			expect(await watched(row)).toEqual({ end, lookedAt: [...lookedAt] });
		});
});
