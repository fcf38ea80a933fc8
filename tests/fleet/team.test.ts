/** Who is in a local fleet, and how each of them does (contract 09 §6.2). */
import { beforeEach, describe, expect, test } from "bun:test";
import {
	decideTeam,
	type TeamFacts,
} from "../../monitor/_fleet/local/members.ts";
import type { Entry } from "../../monitor/_state/fleet/entries.ts";
import type { RegistryEntry } from "../../monitor/_state/fleet/registry.ts";
import type { Looked, ProcStat } from "../../monitor/_sys/doors.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { NO_TMUX } from "../fakes/tmux.ts";

let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors();
	doors.tmux.window("Boss");
});

function entry(part: Partial<RegistryEntry> = {}): Entry<RegistryEntry> {
	const value: RegistryEntry = {
		agentId: "w1",
		role: "watcher",
		module: "w1",
		runtime: "claude",
		worktree: "/wt/w1",
		branch: null,
		tmuxSession: "w1",
		tmuxPane: null,
		tmuxServer: null,
		agentPid: null,
		agentStart: null,
		sessionId: null,
		intent: null,
		model: "m",
		effort: "low",
		runId: "r",
		registeredAt: "",
		...part,
	};
	return { kind: "ok", name: value.agentId, value };
}
/** A session of the agent's own. */
const session = (name: string) =>
	doors.tmux.model.window(doors.tmux.model.session(name), "sh");
const team = (part: Partial<TeamFacts> = {}) =>
	decideTeam({
		registered: [],
		panes: { kind: "ok", rows: doors.tmux.model.rows() },
		targetWindow: "Boss",
		isAgentWindow: () => true,
		stat: () => ({ kind: "absent" }),
		cwd: () => "/repo",
		inboxTotal: () => 0,
		...part,
	});
const process = (startTicks: string): Looked<ProcStat> => ({
	kind: "ok",
	value: {
		...{ pid: 7, ppid: 1, pgid: 7, sid: 7, comm: "claude", state: "S" },
		...{ utime: 0, stime: 0, startTicks },
	},
});

describe("a registered agent is", () => {
	const PID = { agentPid: 7, agentStart: "50" };
	test.each([
		["alive with its process", PID, process("50"), "alive"],
		["stale when its process is gone", PID, { kind: "absent" }, "stale"],
		["stale when another has its number", PID, process("51"), "stale"],
		[
			"alive where nobody knows when its process began",
			{ agentPid: 7 },
			process("51"),
			"alive",
		],
		[
			"alive while its process cannot be looked at",
			PID,
			{ kind: "unknown", reason: "EPERM" },
			"alive",
		],
		["alive where no process is known", {}, { kind: "absent" }, "alive"],
	] satisfies [string, Partial<RegistryEntry>, Looked<ProcStat>, string][])(
		"%s",
		(_name, part, stat, state) => {
			session("w1");
			const [own] = team({ registered: [entry(part)], stat: () => stat });
			expect(own?.member.tmuxState as string).toBe(state);
		},
	);

	test("dead without a pane, or with a dead one; unknown while tmux does not answer", () => {
		const registered = [entry()];
		const state = (part: Partial<TeamFacts> = {}) =>
			team({ registered, ...part })[0]?.member.tmuxState;
		expect(state()).toBe("dead");
		expect(state({ panes: NO_TMUX })).toBe("unknown");
		const window = session("w1");
		expect(state()).toBe("alive");
		for (const pane of window.panes) pane.dead = "1";
		expect(state()).toBe("dead");
	});

	test("known by its name while its entry is damaged", () => {
		const damaged = { kind: "damaged", name: "w9", why: "torn" } as const;
		expect(team({ registered: [damaged] })[0]?.member).toMatchObject({
			agentId: "w9",
			tmuxState: "dead",
		});
	});
});

test("a window of the project's own session is a member, by its name; a registered agent wins over one of its name", () => {
	doors.tmux.window("Fix It");
	doors.tmux.window("W1");
	session("elsewhere");
	const members = team({ registered: [entry()] }).map(({ member: m }) => [
		...[m.agentId, m.role, m.runtime, m.worktree],
	]);
	expect(members).toEqual([
		["w1", "watcher", "claude", "/wt/w1"],
		["boss", "orchestrator", "claude", "/repo"],
		["fix_it", "worker", "claude", "/repo"],
	]);
});
