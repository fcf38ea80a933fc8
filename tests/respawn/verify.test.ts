/** The look at stamps before an orchestrator is taken for dead (contract 04 §13.1, 00 C8). */
import { beforeEach, describe, expect, test } from "bun:test";
import { transcriptPaths } from "../../monitor/watcher/_respawn/resume-choice.ts";
import { verifyTargetAbsent } from "../../monitor/watcher/_respawn/verify.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import type { FakeProcess } from "../fakes/proc.ts";
import { HUNG, NO_TMUX, ZERO_ROWS } from "../fakes/tmux.ts";
import type { FakeWindow } from "../fakes/tmux-model.ts";
import { QUIET } from "./respawn-world.ts";

const STATE = "/root/monitor/.state";

test.each([
	["of a moment ago is a sign of life", 0, "abort"],
	["a little ahead is one", 30, "abort"],
	["from before the clock stepped back an hour is none", 3600, "proceed"],
])("a heartbeat %s", async (_what, ahead, kind) => {
	const doors = fakeDoors({ auto: true });
	doors.tmux.window("worker");
	const now = doors.clock.now();
	doors.files.seed(`${STATE}/orchestrator-heartbeat`, "", {
		mtime: now + ahead,
	});
	const ended = await verifyTargetAbsent(
		{
			doors,
			lookAt: async () => ({ kind: "gone", evidence: "none" }),
			root: "/root",
			stateDir: STATE,
			reprobeMs: 0,
		},
		"orchestrator",
		now - 8,
	);
	expect(ended.kind).toBe(kind as "abort");
});

describe("what the look finds", () => {
	const OURS = "aaaaaaaa-0000-4000-8000-000000000000";
	const STRAY = "bbbbbbbb-0000-4000-8000-000000000000";
	let doors: FakeDoors;
	beforeEach(() => {
		doors = fakeDoors({ auto: true });
		doors.files.seedDir(STATE);
		doors.tmux.window("worker");
	});

	/** A window with this program as its pane's own process. */
	function runs(name: string, program: Omit<FakeProcess, "pid">): FakeWindow {
		const window = doors.tmux.window(name);
		doors.proc.add({ pid: window.pane.pid ?? 0, ...program });
		return window;
	}
	const orchestrator = (name: string, id: string) =>
		runs(name, {
			comm: "claude",
			environ: { NEXUS_IS_ORCHESTRATOR: "1", NEXUS_ORCH_SESSION_ID: id },
		});
	/** `strayIn`: the window whose live session file names the stray session. */
	const verify = (signal?: AbortSignal, strayIn = "") =>
		verifyTargetAbsent(
			{
				doors,
				lookAt: async ({ windowId }) =>
					windowId === strayIn
						? { kind: "ok", look: { ...QUIET, sessionId: STRAY } }
						: { kind: "unreadable", reason: "x" },
				root: "/root",
				stateDir: STATE,
				reprobeMs: 2000,
			},
			"orchestrator",
			doors.clock.now() - 8,
			signal,
		);
	const closed = () =>
		doors.tmux.calls.flatMap((call) =>
			call.op === "run" && call.cmd.kind === "kill-window"
				? [call.cmd.target]
				: [],
		);

	test("no tmux at all is absence; one that does not answer is none", async () => {
		doors.tmux.fail("panes", NO_TMUX, 1);
		expect(await verify()).toMatchObject({
			kind: "proceed",
			reason: "verified-absent",
		});
		for (const failure of [HUNG, ZERO_ROWS]) {
			doors.tmux.fail("panes", failure, 1);
			expect(await verify()).toMatchObject({
				kind: "abort",
				reason: "could-not-look",
			});
		}
		doors.proc.tableUnreadable = true;
		expect(await verify()).toMatchObject({ reason: "could-not-look" });
	});

	test("one under another name gets its name back, and keeps it", async () => {
		const window = orchestrator("renamed", OURS);
		expect(await verify()).toMatchObject({
			kind: "abort",
			reason: "orchestrator-process-alive",
		});
		expect(window.name).toBe("orchestrator");
		expect(window.options).toMatchObject({
			"automatic-rename": "off",
			"allow-rename": "off",
		});
		expect(doors.log.messages("warn")).toContain(
			`respawn: the orchestrator lives in window ${window.id}, which gets its name 'orchestrator' back`,
		);
		expect(closed()).toEqual([]);
	});

	test("of two, the one whose session is not the pin's is closed", async () => {
		doors.files.seed(`${STATE}/orchestrator-session-id`, `${OURS}\n`);
		orchestrator("orchestrator", OURS);
		const stray = orchestrator("second", STRAY);
		expect(await verify()).toMatchObject({
			kind: "abort",
			reason: "window-reappeared-live",
		});
		expect(closed()).toEqual([stray.id]);
		expect(doors.log.messages("warn")).toContain(
			`respawn: window ${stray.id} holds a second orchestrator; it is closed`,
		);
	});

	test("of two without a pin, neither is touched", async () => {
		orchestrator("orchestrator", OURS);
		orchestrator("second", STRAY);
		expect(await verify()).toMatchObject({
			reason: "multiple-orchestrators-unresolvable",
		});
		expect(closed()).toEqual([]);
	});

	test("another program in the window gives way, after a second look, and the log says so", async () => {
		runs("orchestrator", { comm: "vim", environ: {} });
		const from = doors.clock.monoMs();
		expect(await verify()).toEqual({
			kind: "proceed",
			reason: "impostor-in-slot",
		});
		expect(doors.clock.monoMs() - from).toBe(2000);
		expect(doors.log.messages("warn")).toContain(
			"respawn: what runs in window 'orchestrator' is no orchestrator of ours and gives way (impostor-in-slot)",
		);
	});

	test.each<[string, Omit<FakeProcess, "pid">]>([
		["a claude without our mark", { comm: "claude", environ: {} }],
		["a program that cannot be read", { comm: "vim", foreign: true }],
	])("%s in it stays", async (_what, program) => {
		runs("orchestrator", program);
		expect(await verify()).toMatchObject({
			kind: "abort",
			reason: "window-reappeared",
		});
	});

	test("a corpse is replaced without a word", async () => {
		runs("orchestrator", { comm: "claude", environ: {} }).pane.dead = "1";
		expect(await verify()).toEqual({
			kind: "proceed",
			reason: "verified-absent (dead panes only)",
		});
		expect(doors.log.lines).toEqual([]);
	});

	test.each<[string, () => void]>([
		["does not answer", () => doors.tmux.fail("panes", HUNG, 1)],
		["finds no tmux", () => doors.tmux.fail("panes", NO_TMUX, 1)],
	])("a second look that %s decides nothing", async (_what, fail) => {
		runs("orchestrator", { comm: "vim", environ: {} });
		let looks = 0;
		doors.tmux.after((call) => {
			if (call.op === "panes" && ++looks === 1) fail();
		});
		expect(await verify()).toMatchObject({
			kind: "abort",
			reason: "could-not-look",
		});
		expect(looks).toBe(2);
	});

	test.each<[string, readonly string[]]>([
		["--session-id", ["claude", "--session-id", STRAY]],
		["--resume", ["claude", "-v", "--resume", STRAY]],
	])(
		"without an id in its environment it is what %s says",
		async (_flag, argv) => {
			doors.files.seed(`${STATE}/orchestrator-session-id`, `${OURS}\n`);
			orchestrator("orchestrator", OURS);
			const environ = { NEXUS_IS_ORCHESTRATOR: "1" };
			const stray = runs("second", { comm: "claude", environ, argv });
			await verify();
			expect(closed()).toEqual([stray.id]);
		},
	);

	test.each<[string, readonly string[]]>([
		["nothing", ["claude"]],
		["another word", ["claude", "--session-id", "new"]],
		["a flag without its value", ["claude", "--resume"]],
		["an id alone", [STRAY]],
	])("one whose argv says %s is nobody else's", async (_what, argv) => {
		doors.files.seed(`${STATE}/orchestrator-session-id`, `${OURS}\n`);
		orchestrator("orchestrator", OURS);
		const environ = { NEXUS_IS_ORCHESTRATOR: "1" };
		runs("second", { comm: "claude", environ, argv });
		await verify();
		expect(closed()).toEqual([]);
	});

	test("what its live session file says goes before its environment", async () => {
		doors.files.seed(`${STATE}/orchestrator-session-id`, `${OURS}\n`);
		orchestrator("orchestrator", OURS);
		const cleared = orchestrator("second", OURS);
		await verify(undefined, cleared.id);
		expect(closed()).toEqual([cleared.id]);
	});

	test.each([
		[3, "window-reappeared-live"],
		[4, "window-reappeared"],
	])(
		"the mark %d processes below the pane's own: %s",
		async (below, reason) => {
			const { pane } = runs("orchestrator", { comm: "bash", environ: {} });
			let ppid = pane.pid ?? 0;
			for (let depth = 1; depth <= below; depth++) {
				const pid = 70_000 + depth;
				const isLast = depth === below;
				const environ = { NEXUS_IS_ORCHESTRATOR: isLast ? "1" : "0" };
				doors.proc.add({
					pid,
					ppid,
					environ,
					comm: isLast ? "claude" : "bash",
				});
				ppid = pid;
			}
			expect(await verify()).toMatchObject({ reason });
		},
	);

	test("a pane whose process tmux does not tell may hold one", async () => {
		runs("orchestrator", { comm: "vim", environ: {} }).pane.pid = null;
		expect(await verify()).toMatchObject({ reason: "window-reappeared" });
	});

	test("a transcript written since is a sign of life, but only the pinned session's", async () => {
		doors.proc.env.HOME = "/home/op";
		for (const path of transcriptPaths(doors.proc.env, "/root", OURS))
			doors.files.seed(path, "", { mtime: doors.clock.now() });
		expect(await verify()).toMatchObject({ kind: "proceed" });
		doors.files.seed(`${STATE}/orchestrator-session-id`, `${OURS}\n`);
		expect(await verify()).toMatchObject({
			kind: "abort",
			reason: "orchestrator-jsonl-fresh",
		});
	});
});
