import { describe, expect, test } from "bun:test";
import {
	ancestry,
	ownPane,
	windowHasOrchestrator,
} from "../../monitor/_liveness/own-window.ts";
import {
	respawnAllowed,
	slowGrind,
} from "../../monitor/_liveness/respawn-guard.ts";
import {
	sandboxGate,
	sandboxText,
} from "../../monitor/_liveness/sandbox-gate.ts";
import { fakeDoors } from "../fakes/doors.ts";

describe("the sandbox gate", () => {
	const IN = { SANDBOX_ACTIVE: "1", SANDBOX_PROJECT_DIR: "/p" };
	const YES = { NEXUS_I_ACCEPT_NO_SANDBOX: "1" };
	for (const [rule, env, marker, flag, verdict] of [
		["in the sandbox", IN, true, true, { kind: "in-sandbox" }],
		[
			"a sandbox without a project",
			{ SANDBOX_ACTIVE: "1" },
			false,
			false,
			{ kind: "refused" },
		],
		[
			"SANDBOX_ACTIVE=true is not 1",
			{ ...IN, SANDBOX_ACTIVE: "true" },
			false,
			false,
			{ kind: "refused" },
		],
		["the flag", {}, false, true, { kind: "accepted", by: "flag" }],
		["the environment", YES, false, false, { kind: "accepted", by: "env" }],
		[
			"the environment, but not 1",
			{ NEXUS_I_ACCEPT_NO_SANDBOX: "0" },
			false,
			false,
			{ kind: "refused" },
		],
		["the marker", {}, true, false, { kind: "accepted", by: "marker" }],
		["nothing", {}, false, false, { kind: "refused" }],
	] as const)
		test(`${rule} → ${verdict.kind}`, () => {
			expect(sandboxGate(env, marker, flag)).toEqual(verdict);
		});

	test("warns every time it proceeds outside, and says how to accept when it refuses", () => {
		expect(sandboxText({ kind: "in-sandbox" }, "/m")).toBeNull();
		for (const [by, source] of [
			["flag", "--i-accept-no-sandbox; remembered in /m"],
			["env", "NEXUS_I_ACCEPT_NO_SANDBOX=1"],
			["marker", "/m"],
		] as const)
			expect(sandboxText({ kind: "accepted", by }, "/m")).toStartWith(
				`WARNING: not in a sandbox (accepted by ${source})`,
			);
		expect(sandboxText({ kind: "refused" }, "/m")).toContain(
			"--i-accept-no-sandbox",
		);
	});
});

describe("the respawn burst guard", () => {
	for (const [rule, history, kind] of [
		["two within the window pass", [900, 950], "allowed"],
		["the third entry within the window refuses", [880, 900, 950], "refused"],
		[
			"an entry older than the window does not count",
			[879, 900, 950],
			"allowed",
		],
		["nor does one from far ahead", [900, 950, 1121], "allowed"],
	] as const)
		test(rule, () => {
			expect(respawnAllowed(history, 1000, 120, 3).kind).toBe(kind);
		});

	test("says how many, in which time, against which limit", () => {
		expect(respawnAllowed([990, 991, 992, 993], 1000, 120, 3)).toEqual({
			kind: "refused",
			reason: "crash-loop guard: 4 respawns within 120s (limit=3)",
		});
	});
});

describe("the slow-grind guard", () => {
	const facts = { now: 1000, limit: 5, cooldownSeconds: 600 };
	for (const [failures, trippedAt, verdict] of [
		[4, null, "open"],
		[5, null, "trip"],
		[5, 401, "paused"],
		[0, 401, "paused"],
		[5, 400, "clear"],
		[5, 9999, "clear"],
	] as const)
		test(`${failures} failures, tripped at ${trippedAt} → ${verdict}`, () => {
			expect(
				slowGrind({ ...facts, consecutiveFailures: failures, trippedAt }),
			).toBe(verdict);
		});
});

describe("our own window", () => {
	test("a row counts only when its process is ours or an ancestor's: TMUX_PANE is inherited", () => {
		const { tmux, proc } = fakeDoors();
		const { pane } = tmux.window("orchestrator");
		const other = tmux.window("notes").pane;
		const rows = tmux.model.rows();
		const ownWindow = (tmuxPane: string | undefined) => {
			proc.env.TMUX_PANE = tmuxPane;
			return ownPane(proc, rows)?.windowName;
		};
		proc.add({ pid: proc.pid, ppid: pane.pid ?? 0 });
		expect(ownWindow(pane.id)).toBe("orchestrator");
		expect(ownWindow(other.id)).toBeUndefined();
		expect(ownWindow("%999")).toBeUndefined();
		expect(ownWindow(undefined)).toBeUndefined();
	});

	test("ancestry walks at most 25 parents and stops at init", () => {
		const deep = Array.from({ length: 40 }, (_, i) => ({
			pid: 100 + i,
			ppid: i === 39 ? 1 : 101 + i,
		}));
		const doors = fakeDoors({ proc: { processes: deep } });
		expect(ancestry(doors.proc, 100)).toHaveLength(26);
		expect(ancestry(doors.proc, 138)).toEqual([138, 139]);
	});

	test("neither a dead pane's pid nor another window's process makes it an orchestrator's", () => {
		const environ = { NEXUS_IS_ORCHESTRATOR: "1" };
		const { tmux, proc } = fakeDoors();
		const { id, pane } = tmux.window("orchestrator");
		proc.add({ pid: pane.pid ?? 0, environ });
		const ask = () => windowHasOrchestrator({ proc }, tmux.model.rows(), id);
		expect(ask()).toBe("yes");
		// By now it may be another process.
		pane.dead = "1";
		expect(ask()).toBe("no");
		const other = tmux.window("notes");
		proc.add({ pid: other.pane.pid ?? 0 });
		expect(windowHasOrchestrator({ proc }, tmux.model.rows(), other.id)).toBe(
			"no",
		);
	});

	for (const [rule, child, answer] of [
		[
			"a grandchild that carries the mark",
			{ pid: 61, ppid: 60, environ: { NEXUS_IS_ORCHESTRATOR: "1" } },
			"yes",
		],
		["an unmarked tree", { pid: 61, ppid: 60, environ: {} }, "no"],
		[
			"a tree that cannot be read",
			{ pid: 61, ppid: 60, foreign: true },
			"unknown",
		],
		[
			"a marked process elsewhere",
			{ pid: 61, ppid: 1, environ: { NEXUS_IS_ORCHESTRATOR: "1" } },
			"no",
		],
	] as const)
		test(`${rule} → ${answer}`, () => {
			const doors = fakeDoors({ proc: { processes: [child] } });
			const window = doors.tmux.window("orchestrator");
			doors.proc.add({ pid: window.pane.pid ?? 0 });
			doors.proc.add({ pid: 60, ppid: window.pane.pid ?? 0 });
			expect(
				windowHasOrchestrator(doors, doors.tmux.model.rows(), window.id),
			).toBe(answer);
		});
});
