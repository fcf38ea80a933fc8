import { describe, expect, test } from "bun:test";
import { makeLookAt } from "../../monitor/_pane/look.ts";
import { screenMemo } from "../../monitor/_pane/screen-memo.ts";
import { DEFAULT_SETTINGS } from "../../monitor/_pane/settings.ts";
import { sweepPanes } from "../../monitor/_pane/sweep.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { HUNG, NO_TMUX, REFUSED } from "../fakes/tmux.ts";
import { readFixture, STATE, session } from "./cli-support.ts";

const DAY = 86_400;

/** A window `w` with a claude under its shell, and this screen. */
function world(
	screen: string,
	opts: { readonly claude?: boolean; readonly state?: string } = {},
) {
	const doors = fakeDoors();
	const { pane, id } = doors.tmux.window("w", readFixture(screen));
	const started = String((DAY - 2000) * 100);
	doors.proc.add({
		pid: pane.pid ?? 0,
		comm: "bash",
		exe: "/bin/bash",
		startTicks: started,
	});
	if (opts.claude !== false)
		doors.proc.add({
			pid: 4821,
			ppid: pane.pid ?? 0,
			comm: "claude",
			exe: "/opt/claude",
			startTicks: "188259",
			state: opts.state ?? "S",
			environ: { CLAUDE_CONFIG_DIR: "/cc" },
		});
	const deps = { doors, stateDir: STATE, settings: DEFAULT_SETTINGS };
	return { doors, pane, id, deps, look: () => makeLookAt(deps)(row(doors)) };
}
function row(doors: FakeDoors) {
	const [first] = doors.tmux.model.rows();
	if (first === undefined) throw new Error("no pane");
	return first;
}
const IDLE_SCREEN = "claude-code/2.1.332-160x45/idle-fresh";

describe("a look at one pane", () => {
	test("costs one capture and no other call of tmux", async () => {
		const { doors, look } = world(IDLE_SCREEN);
		expect(await look()).toMatchObject({
			kind: "ok",
			look: {
				state: "idle",
				input: "blank",
				overlay: null,
				menu: false,
				queued: false,
				sessionId: null,
			},
		});
		expect(doors.tmux.trace()).toEqual(["capture"]);
	});
	test("tells what is in the box, row by row", async () => {
		const { look } = world("claude-code/2.1.332-160x45/draft-two-lines");
		expect(await look()).toMatchObject({
			look: {
				state: "user-typing",
				composer: {
					input: "typed",
					row: "first line of the draft",
					rest: ["  second line of it"],
					shellMode: false,
				},
			},
		});
	});
	test("names the selected entry of a completion menu", async () => {
		const { look } = world("claude-code/2.1.332-160x45/draft-slash-menu");
		expect(await look()).toMatchObject({
			look: { menu: true, menuSelected: "/status" },
		});
	});
	test("knows the session by Claude Code's own file", async () => {
		const { doors, look } = world(IDLE_SCREEN);
		doors.files.seed(
			"/cc/sessions/4821.json",
			JSON.stringify(session({ status: "busy" })),
		);
		expect(await look()).toMatchObject({
			look: { state: "busy", sessionId: "session-a" },
		});
	});
	test("of two sessions in one folder hears each pane's own", async () => {
		const { doors, deps } = world(IDLE_SCREEN);
		const other = doors.tmux.window("x", readFixture(IDLE_SCREEN));
		const shell = { pid: other.pane.pid ?? 0, comm: "bash" };
		doors.proc.add(shell);
		doors.proc.add({
			pid: 4900,
			ppid: shell.pid,
			comm: "claude",
			exe: "/opt/claude",
			startTicks: "200000",
			environ: { CLAUDE_CONFIG_DIR: "/cc" },
		});
		const cwd = "/home/op/work";
		const files = {
			"4821": session({ cwd, status: "busy", sessionId: "one" }),
			"4900": session({
				cwd,
				status: "idle",
				sessionId: "two",
				pid: 4900,
				procStart: "200000",
			}),
			// Of a session that is over: newest in the folder, and nobody's.
			"4999": session({ cwd, status: "waiting", pid: 4999 }),
		};
		for (const [pid, text] of Object.entries(files))
			doors.files.seed(`/cc/sessions/${pid}.json`, JSON.stringify(text));
		const swept = await sweepPanes(deps);
		expect(
			swept.kind === "ok" &&
				swept.panes.map(({ row, verdict, witnesses }) => [
					row.windowName,
					verdict.answer.state,
					witnesses.session.sessionId,
				]),
		).toEqual([
			["w", "busy", "one"],
			["x", "idle", "two"],
		]);
	});
	test("takes the file of a pid that another process has now for nobody's", async () => {
		const { doors, look } = world(IDLE_SCREEN);
		const before = session({ status: "busy", procStart: "99" });
		doors.files.seed("/cc/sessions/4821.json", JSON.stringify(before));
		expect(await look()).toMatchObject({
			look: { state: "idle", sessionId: null },
		});
	});
	test("tells an unknown status word once", async () => {
		const { doors, deps } = world(IDLE_SCREEN);
		doors.files.seed(
			"/cc/sessions/4821.json",
			JSON.stringify(session({ status: "dreaming" })),
		);
		const lookAt = makeLookAt(deps);
		await lookAt(row(doors));
		await lookAt(row(doors));
		expect(
			doors.log.lines.filter((l) => l.msg.includes("dreaming")),
		).toHaveLength(1);
	});
});

describe("a pane is gone only on positive evidence", () => {
	test("its process has ended", async () => {
		const { doors, look, pane } = world(IDLE_SCREEN);
		doors.proc.end(4821);
		doors.proc.end(pane.pid ?? 0);
		expect(await look()).toEqual({ kind: "gone", evidence: "pid-gone" });
	});
	test("nothing is left under a shell that is no longer starting", async () => {
		const { look } = world(IDLE_SCREEN, { claude: false });
		expect(await look()).toEqual({
			kind: "gone",
			evidence: "tree-empty-past-grace",
		});
	});
	test("tmux keeps a corpse", async () => {
		const { look, pane } = world(IDLE_SCREEN);
		pane.dead = "1";
		expect(await look()).toEqual({ kind: "gone", evidence: "pane_dead" });
	});
	test("tmux says that there is no such pane", async () => {
		const { doors, deps, id } = world(IDLE_SCREEN);
		const old = row(doors);
		doors.tmux.window("other");
		doors.tmux.model.closeWindow(doors.tmux.byName("w"));
		expect(id).toBe(old.windowId);
		expect(await makeLookAt(deps)(old)).toEqual({
			kind: "gone",
			evidence: "pane-not-listed",
		});
	});
});

describe("what cannot be seen is unreadable, never gone", () => {
	test.each([NO_TMUX, HUNG, REFUSED])("tmux fails: %j", async (failure) => {
		const { doors, deps } = world(IDLE_SCREEN);
		doors.tmux.fail("capture", failure);
		const seen = doors.clock.run(makeLookAt(deps)(row(doors)));
		expect(await seen).toMatchObject({ kind: "unreadable" });
	});
	test("the process table cannot be read", async () => {
		const { doors, look } = world(IDLE_SCREEN);
		doors.proc.tableUnreadable = true;
		expect(await look()).toMatchObject({ kind: "unreadable" });
	});
	test("its claude is suspended: the screen is that of another time", async () => {
		const { look } = world(IDLE_SCREEN, { state: "T" });
		expect(await look()).toMatchObject({
			kind: "unreadable",
			isStopped: true,
		});
	});
	test("something runs there that is no claude", async () => {
		const { doors, look, pane } = world(IDLE_SCREEN, { claude: false });
		doors.proc.add({
			pid: 7,
			ppid: pane.pid ?? 0,
			comm: "vim",
			exe: "/usr/bin/vim",
		});
		expect(await look()).toEqual({
			kind: "unreadable",
			reason: "live-descendant",
			isForeign: true,
		});
	});
});

describe("a sweep", () => {
	test("reads every window with two calls of tmux", async () => {
		const { doors, deps } = world(IDLE_SCREEN);
		for (const name of ["x", "y"])
			doors.tmux.window(name, readFixture(IDLE_SCREEN));
		const swept = await sweepPanes(deps);
		expect(doors.tmux.trace()).toEqual(["panes", "captureAll"]);
		expect(
			swept.kind === "ok" &&
				swept.panes.map((p) => [p.row.windowName, p.verdict.answer.state]),
		).toEqual([
			["w", "idle"],
			["x", "absent"],
			["y", "absent"],
		]);
	});
	test("a pane that could not be captured is unknown while its claude lives", async () => {
		const { doors, deps } = world(IDLE_SCREEN);
		doors.tmux.fail("captureAll", REFUSED);
		const swept = await sweepPanes(deps);
		expect(swept.kind === "ok" && swept.panes[0]?.line).toBe(
			"state=unknown active=1 window=0 name=w reason=live-claude site=empty-capture capture=failed",
		);
	});
	test("a tmux that cannot be asked says nothing about any pane", async () => {
		const { doors, deps } = world(IDLE_SCREEN);
		doors.tmux.fail("panes", REFUSED);
		expect(await sweepPanes(deps)).toEqual({
			kind: "failed",
			failure: REFUSED,
		});
	});
});

describe("a sweep that remembers screens", () => {
	test("reads a screen anew when it changed, and only then", async () => {
		const { doors, deps, pane } = world(IDLE_SCREEN);
		const readScreens = screenMemo();
		const factsNow = async () => {
			const swept = await sweepPanes(deps, { readScreens });
			const capture = swept.kind === "ok" && swept.panes[0]?.witnesses.capture;
			return capture && capture.kind === "ok" ? capture.facts : null;
		};
		const first = await factsNow();
		expect(await factsNow()).toBe(first);
		pane.screen = readFixture("claude-code/2.1.332-160x45/busy-streaming");
		const second = await factsNow();
		expect(second?.contentHash).not.toBe(first?.contentHash);
		pane.width = 80;
		expect(await factsNow()).not.toBe(second);
		const heal = doors.tmux.fail("captureAll", REFUSED);
		expect(await factsNow()).toBeNull();
		heal();
		expect(await factsNow()).not.toBeNull();
	});
});
