/** A respawn on fake doors: launcher, window, session (contract 04 §14). */
import { beforeEach, describe, expect, test } from "bun:test";
import { DEFAULT_TIMINGS } from "../../monitor/_delivery/timings.ts";
import { passSlowGrind } from "../../monitor/_liveness/pass-respawn-guard.ts";
import { STARTER_VARIABLES } from "../../monitor/_sys/claude-env.ts";
import { respawnAgent } from "../../monitor/watcher/_respawn/agent.ts";
import { renderOrchestratorLauncher } from "../../monitor/watcher/_respawn/launcher.ts";
import { respawnSettings } from "../../monitor/watcher/_respawn/settings.ts";
import { sessionFor } from "../../monitor/watcher/_respawn/window.ts";
import {
	type RespawnDeps,
	respawnOrchestrator,
} from "../../monitor/watcher/_respawn.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { STATE, watcherConfig } from "../watcher/watcher-rig.ts";
import { HOME, type RespawnWorld, respawnWorld, SID } from "./respawn-world.ts";

let doors: FakeDoors;
let text: RespawnWorld["text"];
let has: RespawnWorld["has"];
beforeEach(() => {
	({ doors, text, has } = respawnWorld());
});

test("the launcher removes itself, keeps its corpse, sets what the hooks need, and becomes claude", () => {
	const lines = renderOrchestratorLauncher({
		path: "/tmp/l",
		root: "/the root",
		target: "orchestrator",
		exports: [["NEXUS_STATE_DIR", STATE]],
		binFolders: ["/opt/bun"],
		localsEnv: "/the root/monitor/locals-env.sh",
		agentPrompt: "/code/monitor/agent-prompt.md",
		claude: "/bin/claude",
		settings: "/s.json",
		session: { kind: "fresh", sessionId: SID },
	}).split("\n");
	expect(lines.slice(0, 3)).toEqual([
		"#!/bin/sh",
		"rm -f '/tmp/l'",
		'tmux set-option -w -t "$TMUX_PANE" remain-on-exit on 2>/dev/null',
	]);
	for (const line of [
		"export NEXUS_ROOT='/the root'",
		"export NEXUS_IS_ORCHESTRATOR='1'",
		"export NEXUS_ORCHESTRATOR_WINDOW='orchestrator'",
		`export NEXUS_ORCH_SESSION_ID='${SID}'`,
		"export CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION='false'",
		"export CLAUDE_CODE_RESUME_THRESHOLD_MINUTES='999999999'",
		"export CLAUDE_CODE_RESUME_TOKEN_THRESHOLD='999999999999'",
		`unset ${STARTER_VARIABLES.join(" ")} NEXUS_WORKER_WINDOW`,
		`export PATH='/opt/bun':"$PATH"`,
		"prompt=$(cat '/code/monitor/agent-prompt.md')",
		"if [ -r '/the root/monitor/locals-env.sh' ]; then . '/the root/monitor/locals-env.sh'; fi",
	])
		expect(lines).toContain(line);
	expect(lines.at(-2)).toBe(
		`exec '/bin/claude' --dangerously-skip-permissions --session-id ${SID} --settings '/s.json' \${prompt:+--append-system-prompt "$prompt"}`,
	);
	expect(lines.join("\n")).not.toContain("--continue");
});

test("a new window goes where the old one was, and never into a session that ends with it", () => {
	const row = (windowName: string, sessionId: string) =>
		({ windowName, sessionId }) as Parameters<typeof sessionFor>[0][number];
	const rows = [row("w", "$1"), row("orchestrator", "$2"), row("x", "$2")];
	expect(sessionFor(rows, "orchestrator")).toBe("$2");
	expect(sessionFor(rows.slice(0, 2), "orchestrator")).toBe("$1");
	expect(sessionFor(rows.slice(1, 2), "orchestrator")).toBeNull();
});

describe("a respawn", () => {
	const deps = (): RespawnDeps => ({
		doors,
		stateDir: STATE,
		home: HOME,
		timings: DEFAULT_TIMINGS,
		lookAt: async () => ({ kind: "unreadable", reason: "a fake" }),
		settings: respawnSettings(watcherConfig()),
		onStage: () => {},
	});
	const ask = (over = {}) =>
		respawnOrchestrator(deps(), {
			target: "orchestrator",
			promptFile: null,
			forceReplace: false,
			streakStart: 0,
			...over,
		});
	const launchers = () => {
		const listed = doors.files.list("/tmp");
		return listed.kind === "ok"
			? listed.names.filter((n) => n.startsWith("nexus-respawn-launch"))
			: [];
	};
	beforeEach(() => {
		doors.files.seedDir("/tmp");
		doors.files.seed(
			"/code/monitor/orchestrator-settings.json",
			'{"x":"@BUN@"}',
		);
		doors.proc.programs.set("claude", "/usr/bin/claude");
	});

	test("without a claude to start is rc 1, and nothing is touched", async () => {
		doors.proc.programs.delete("claude");
		expect((await ask()).rc).toBe(1);
		expect(doors.tmux.trace()).toEqual([]);
	});

	test("opens one window, pins its session, renders the settings and trusts the root", async () => {
		const end = await ask();
		expect(end.rc).toBe(0);
		expect(doors.tmux.byName("orchestrator").id).toBe(end.windowId ?? "");
		const launcher = doors.files.text(`/tmp/${launchers()[0]}`);
		expect(launcher).toContain(
			`--session-id ${text("orchestrator-session-id").trim()}`,
		);
		expect(text("settings/orchestrator-settings.json")).toBe(
			'{"x":"/opt/bun/bin/bun"}',
		);
		expect(doors.files.text("/home/op/.claude.json")).toContain('"/root"');
	});

	test("finds an orchestrator alive right before the kill: rc 5, no launcher, no window", async () => {
		const { pane } = doors.tmux.window("elsewhere");
		doors.tmux.window("orchestrator");
		doors.proc.add({
			pid: pane.pid ?? 0,
			environ: { NEXUS_IS_ORCHESTRATOR: "1" },
		});
		const end = await ask();
		expect([end.rc, end.why]).toEqual([5, "orchestrator-alive-elsewhere"]);
		expect(doors.tmux.trace()).not.toContain("kill-window");
		expect(launchers()).toEqual([]);
	});

	test("holds the paste lock before there is a window: no report can be its first words", async () => {
		const lock = `${STATE}/paste-locks/orchestrator.lock`;
		const held: boolean[] = [];
		doors.tmux.before((call) => {
			if (call.op === "run" && call.cmd.kind === "new-window")
				held.push(doors.locks.heldPaths().includes(lock));
		});
		await ask();
		expect(held).toEqual([true]);
		expect(doors.locks.heldPaths()).toEqual([]);
	});

	test("looks again after it waited for the paste lock: one that came back meanwhile is not closed", async () => {
		const busy = doors.locks.hold(`${STATE}/paste-locks/orchestrator.lock`);
		doors.clock.after(5_000, () => {
			const { pane } = doors.tmux.window("orchestrator");
			const environ = { NEXUS_IS_ORCHESTRATOR: "1" };
			doors.proc.add({ pid: pane.pid ?? 0, environ });
			if (busy.kind === "acquired") busy.lock.release();
		});
		const end = await ask();
		expect([end.rc, end.why]).toEqual([5, "window-reappeared-live"]);
		expect(doors.tmux.trace()).not.toContain("kill-window");
		expect(launchers()).toEqual([]);
	});

	test("that is ended while it waits for the paste lock touches nothing", async () => {
		doors.locks.hold(`${STATE}/paste-locks/orchestrator.lock`);
		const ending = new AbortController();
		doors.clock.after(5_000, () => ending.abort());
		const forced = { forceReplace: true, signal: ending.signal };
		expect((await ask(forced)).rc).toBe(5);
		expect(doors.tmux.trace()).toEqual([]);
		expect(launchers()).toEqual([]);
	});

	test("that tmux gives no window is rc 3, and leaves no launcher", async () => {
		doors.tmux.fail("new-window", REFUSED);
		expect((await ask()).rc).toBe(3);
		expect(launchers()).toEqual([]);
	});

	test("whose brief is not there is rc 4: the window stands", async () => {
		expect((await ask({ promptFile: "/no/such" })).rc).toBe(4);
	});

	test("whose program ends at once is a failure, and five in a row pause; one that lives is none", async () => {
		const limits = {
			loopWindowSeconds: 120,
			loopLimit: 3,
			failureLimit: 5,
			cooldownSeconds: 600,
		};
		let isBornDead = true;
		doors.tmux.before(() => {
			for (const { windows } of doors.tmux.model.sessions)
				for (const { window } of windows)
					if (window.name === "orchestrator")
						window.pane.dead = isBornDead ? "1" : "0";
		});
		const agent = () =>
			respawnAgent(deps(), {
				target: "orchestrator",
				reason: "absent",
				since: 0,
				scratchDir: "/tmp/watcher-scratch",
				prompt: () => "You were respawned.",
			});
		for (let n = 1; n <= 5; n++) {
			expect(passSlowGrind(doors, STATE, limits)).toBe("open");
			expect(await agent()).toBe(4);
			expect(text("respawn-consecutive-failures.txt")).toStartWith(
				`count=${n}\n`,
			);
		}
		expect(passSlowGrind(doors, STATE, limits)).toBe("paused");
		isBornDead = false;
		expect(await agent()).toBe(4);
		expect(has("respawn-consecutive-failures.txt")).toBe(false);
	});

	describe("of an absent orchestrator", () => {
		const agent = () =>
			respawnAgent(deps(), {
				target: "orchestrator",
				reason: "it was gone",
				since: 0,
				scratchDir: "/tmp/watcher-scratch",
				prompt: () => "You were respawned.",
			});
		const events = () =>
			has("action-log.jsonl")
				? text("action-log.jsonl")
						.trim()
						.split("\n")
						.map((line) => JSON.parse(line))
						.map(({ event, note }) => [event, note])
				: [];

		test("leaves its brief nowhere but in the watcher's folder, and takes it away", async () => {
			const seen = new Set<string>();
			doors.tmux.before(() => {
				for (const path of doors.files.paths("/tmp")) seen.add(path);
			});
			await agent();
			const brief = "/tmp/watcher-scratch/respawn-brief.md";
			expect([...seen]).toContain(brief);
			expect([...seen].filter((path) => /respawn-\d/.test(path))).toEqual([]);
			expect(doors.files.has(brief)).toBe(false);
		});

		test("whose brief does not arrive is written down as undelivered, and requests are told anew", async () => {
			doors.files.seed(`${STATE}/requests-emit-state.tsv`, "x\t1\t1\n");
			expect(await agent()).toBe(4);
			expect(events()).toEqual([
				[
					"watcher-respawn-agent",
					expect.stringMatching(/^it was gone \(brief UNDELIVERED: /),
				],
			]);
			expect(text("requests-emit-state.tsv")).toBe("");
		});

		test("that lives after all is written down, and is no failure", async () => {
			const { pane } = doors.tmux.window("elsewhere");
			doors.tmux.window("orchestrator");
			const environ = { NEXUS_IS_ORCHESTRATOR: "1" };
			doors.proc.add({ pid: pane.pid ?? 0, environ });
			doors.files.seed(`${STATE}/requests-emit-state.tsv`, "x\t1\t1\n");
			expect(await agent()).toBe(0);
			expect(events()).toEqual([
				["respawn-aborted-live-orchestrator", "orchestrator-alive-elsewhere"],
			]);
			expect(text("requests-emit-state.tsv")).not.toBe("");
			expect(has("respawn-consecutive-failures.txt")).toBe(false);
		});

		test("for whom tmux makes no window is a failure that counts, and tells nothing anew", async () => {
			doors.tmux.fail("new-window", REFUSED);
			expect(await agent()).toBe(3);
			expect(events()).toEqual([]);
			expect(text("respawn-consecutive-failures.txt")).toStartWith("count=1\n");
		});
	});

	test("closes a corpse, by its id", async () => {
		const corpse = doors.tmux.window("orchestrator");
		corpse.pane.dead = "1";
		expect((await ask()).rc).toBe(0);
		const killed = doors.tmux.calls.flatMap((c) =>
			c.op === "run" && c.cmd.kind === "kill-window" ? [c.cmd.target] : [],
		);
		expect(killed).toEqual([corpse.id]);
	});

	test("a claude that outlives its closed window is killed before the next is opened", async () => {
		const { pane } = doors.tmux.window("orchestrator");
		const pid = 5555;
		doors.proc.add({ pid: pane.pid ?? 0, comm: "sh", exe: "/bin/sh" });
		doors.proc.add({
			pid,
			ppid: pane.pid ?? 0,
			comm: "claude",
			exe: "/x/claude",
		});
		await ask({ forceReplace: true });
		expect(doors.proc.signals).toEqual([{ pid, sig: "SIGKILL" }]);
	});
});
