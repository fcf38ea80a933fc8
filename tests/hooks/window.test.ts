/** Whose window a hook writes for (contract 08 §1.2). */
import { describe, expect, test } from "bun:test";
import {
	stampPlace,
	stampWindow,
	type WindowNames,
	WORKER,
	WORKER_OR_ORCHESTRATOR,
} from "../../monitor/hooks/_stamp_path.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { HUNG, NO_TMUX, ZERO_ROWS } from "../fakes/tmux.ts";

type Env = Readonly<Record<string, string>>;

async function windowOf(env: Env, names: WindowNames = WORKER) {
	const doors = fakeDoors({ auto: true });
	doors.tmux.window("alpha");
	doors.tmux.window("other");
	const pane = (await doors.tmux.panes()) as Extract<
		Awaited<ReturnType<typeof doors.tmux.panes>>,
		{ kind: "ok" }
	>;
	const own = pane.rows.find((row) => row.windowName === "alpha");
	const filled = Object.fromEntries(
		Object.entries(env).map(([k, v]) => [k, v.replace("OWN", own!.paneId)]),
	);
	doors.tmux.calls.length = 0;
	const place = await stampPlace(
		{ env: filled, stateDir: "/state", tmux: async () => doors.tmux },
		names,
	);
	return { window: place?.window ?? null, asked: doors.tmux.calls.length };
}

const W = { NEXUS_WORKER_WINDOW: "w1" };
const O = { NEXUS_ORCHESTRATOR_WINDOW: "boss" };
const PANE = { TMUX_PANE: "OWN" };

describe("the window is", () => {
	const rows: readonly (readonly [string, Env, WindowNames, string | null])[] =
		[
			["the worker's variable", { ...W, ...PANE }, WORKER, "w1"],
			[
				"the worker's before the orchestrator's",
				{ ...W, ...O },
				WORKER_OR_ORCHESTRATOR,
				"w1",
			],
			[
				"the orchestrator's where the hook says so",
				O,
				WORKER_OR_ORCHESTRATOR,
				"boss",
			],
			["not the orchestrator's where it does not", O, WORKER, null],
			["that of our pane in tmux's rows", PANE, WORKER, "alpha"],
			["none for a pane that is in no row", { TMUX_PANE: "%99" }, WORKER, null],
			["none without a pane", {}, WORKER, null],
			[
				"none for a background session",
				{ ...W, ...PANE, CLAUDE_JOB_DIR: "/j" },
				WORKER,
				null,
			],
			[
				"none for a name that leaves its folder",
				{ NEXUS_WORKER_WINDOW: "../x" },
				WORKER,
				null,
			],
			[
				"none for a name with a line break",
				{ NEXUS_WORKER_WINDOW: "a\nb" },
				WORKER,
				null,
			],
			[
				"none for a name too long for a file",
				{ NEXUS_WORKER_WINDOW: "é".repeat(150) },
				WORKER,
				null,
			],
			[
				"none for a bad name, though the pane has a good one",
				{ NEXUS_WORKER_WINDOW: "..", ...PANE },
				WORKER,
				null,
			],
			["a name with dots", { NEXUS_WORKER_WINDOW: "v1.2" }, WORKER, "v1.2"],
		];
	test.each(rows)("%s", async (_, env, names, window) => {
		expect((await windowOf(env, names)).window).toBe(window);
	});
});

test("tmux is asked only when no variable names the window", async () => {
	expect((await windowOf({ ...W, ...PANE })).asked).toBe(0);
	expect((await windowOf({})).asked).toBe(0);
	expect((await windowOf({ ...PANE, CLAUDE_JOB_DIR: "/j" })).asked).toBe(0);
	expect((await windowOf(PANE)).asked).toBe(1);
});

test.each([HUNG, NO_TMUX, ZERO_ROWS])(
	"tmux that says %j names none",
	(rows) => {
		expect(stampWindow({ TMUX_PANE: "%1" }, rows, WORKER)).toBeNull();
	},
);

test("without a state dir nothing has a place", async () => {
	const { tmux } = fakeDoors();
	const call = { env: W, stateDir: null, tmux: async () => tmux };
	expect(await stampPlace(call, WORKER)).toBeNull();
});
