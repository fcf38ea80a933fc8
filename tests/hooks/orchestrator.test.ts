/** The orchestrator's hooks (contract 08 §2.10–§2.12). */
import { describe, expect, test } from "bun:test";
import { refuseQuestion } from "../../monitor/hooks/_block-question.ts";
import { pinOrchestrator } from "../../monitor/hooks/_orchestrator-pin.ts";
import { touchOrchestrator } from "../../monitor/hooks/_orchestrator-touch.ts";
import { HUNG } from "../fakes/tmux.ts";
import { hookRig, NOW } from "./hook-rig.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const BOSS = { NEXUS_IS_ORCHESTRATOR: "1", NEXUS_ORCHESTRATOR_WINDOW: "boss" };

describe("the pin", () => {
	test("follows the session, which a /clear replaces", async () => {
		const rig = hookRig({});
		await rig.run(pinOrchestrator, { session_id: ID });
		expect(rig.text("orchestrator-session-id")).toBe(`${ID}\n`);
		await rig.run(pinOrchestrator, { session_id: OTHER });
		expect(rig.text("orchestrator-session-id")).toBe(`${OTHER}\n`);
	});

	test.each([
		[{ session_id: "" }],
		[{ session_id: "nonsense" }],
		[{ session_id: `${ID}x` }],
		[{ session_id: 7 }],
		[{}],
		[null],
		["{"],
	])("%j leaves a good one alone", async (payload) => {
		const rig = hookRig({});
		await rig.run(pinOrchestrator, { session_id: ID });
		await rig.run(pinOrchestrator, payload);
		expect(rig.text("orchestrator-session-id")).toBe(`${ID}\n`);
	});

	test("is not a background session's to set", async () => {
		const rig = hookRig({ ...BOSS, CLAUDE_JOB_DIR: "/j" }, "bash");
		await rig.run(pinOrchestrator, { session_id: ID });
		expect(rig.paths()).toEqual([]);
		expect(rig.window!.name).toBe("bash");
	});
});

describe("the window's name", () => {
	const rename = async (
		env: Readonly<Record<string, string>>,
		before = "bash",
	) => {
		const rig = hookRig(env, before);
		rig.doors.tmux.window("neighbour");
		const end = await rig.run(pinOrchestrator, { session_id: ID });
		expect(end.code).toBe(0);
		const { name, options } = rig.window!;
		return { name, options, trace: rig.doors.tmux.trace() };
	};

	test("becomes the configured one, and stays it", async () => {
		expect(await rename(BOSS)).toEqual({
			name: "boss",
			options: { "automatic-rename": "off", "allow-rename": "off" },
			trace: ["panes", "set-option", "set-option", "rename-window"],
		});
	});
	test("is `orchestrator` when none is configured", async () => {
		const env = { NEXUS_IS_ORCHESTRATOR: "1" };
		expect((await rename(env)).name).toBe("orchestrator");
	});
	test("that is right already is not set again", async () => {
		expect((await rename(BOSS, "boss")).trace).not.toContain("rename-window");
	});
	test.each([
		[
			"a session that is not the orchestrator's",
			{ NEXUS_ORCHESTRATOR_WINDOW: "boss" },
		],
		[
			"NEXUS_IS_ORCHESTRATOR other than 1",
			{ ...BOSS, NEXUS_IS_ORCHESTRATOR: "yes" },
		],
	])("is left alone for %s", async (_, env) => {
		expect((await rename(env)).name).toBe("bash");
	});
	test.each([
		["no pane", BOSS],
		["a pane of no row", { ...BOSS, TMUX_PANE: "%99" }],
	])("is left alone for %s", async (_, env) => {
		const rig = hookRig(env);
		const window = rig.doors.tmux.window("bash");
		await rig.run(pinOrchestrator, { session_id: ID });
		expect(window.name).toBe("bash");
	});
	test("is left alone when tmux does not answer, and nobody waits for it", async () => {
		const rig = hookRig(BOSS, "bash");
		rig.doors.tmux.fail("panes", HUNG);
		const end = await rig.run(pinOrchestrator, { session_id: ID });
		expect(end.code).toBe(0);
		expect(rig.text("orchestrator-session-id")).toBe(`${ID}\n`);
	});
});

describe("a touch", () => {
	test.each(["heartbeat", "paste-received"])(
		"of %s tells by its time",
		async (stamp) => {
			const rig = hookRig({});
			await rig.run(touchOrchestrator, {}, stamp);
			await rig.wait(60);
			await rig.run(touchOrchestrator, null, stamp);
			expect(rig.paths()).toEqual([`orchestrator-${stamp}`]);
			const found = rig.doors.files.stat(`/state/orchestrator-${stamp}`);
			if (found.kind !== "ok") throw new Error(found.kind);
			expect(Math.floor(found.stat.mtimeMs / 1000)).toBe(NOW + 60);
		},
	);
	test.each([
		[{}, "session-id"],
		[{}, ""],
		[{ CLAUDE_JOB_DIR: "/j" }, "heartbeat"],
	])("%j %j: nothing", async (env, stamp) => {
		const rig = hookRig(env);
		await rig.run(touchOrchestrator, {}, stamp);
		expect(rig.paths()).toEqual([]);
	});
});

test.each([[{ tool_name: "AskUserQuestion" }], [null], ["garbage"]])(
	"a question with a modal is refused, whatever stdin holds: %j",
	async (payload) => {
		const end = await hookRig({}).run(refuseQuestion, payload);
		expect(end.code).toBe(2);
		expect(end.out).toEqual([]);
		const [text = ""] = end.err;
		expect(text).toStartWith("BLOCKED:");
		for (const said of [
			"AskUserQuestion",
			"paste channel",
			"plain text",
			"idle",
			"tracking issue",
			"not on the overview issue",
			"sandbox-notify",
		])
			expect(text).toContain(said);
	},
);
