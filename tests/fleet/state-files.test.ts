import { describe, expect, test } from "bun:test";
import { fleetTmuxEnv } from "../../monitor/_fleet/tmux-env.ts";
import { capDir } from "../../monitor/_state/fleet/esc-cap.ts";
import { readFleetConfig } from "../../monitor/_state/fleet/fleet-config.ts";
import { identityName } from "../../monitor/_state/fleet/identity.ts";
import {
	markRead,
	putInInbox,
	putInSent,
} from "../../monitor/_state/fleet/inbox.ts";
import {
	parseMessage,
	writeMessage,
} from "../../monitor/_state/fleet/message.ts";
import {
	appendRun,
	type RunRow,
	readRuns,
} from "../../monitor/_state/fleet/monitor-log.ts";
import { schedulerBeatPath } from "../../monitor/_state/fleet/monitor-spec.ts";
import {
	agentIdOfWindow,
	bareName,
	isAgentName,
	isWatcherName,
	safeWord,
	sessionNameOf,
} from "../../monitor/_state/fleet/names.ts";
import { writeNudge } from "../../monitor/_state/fleet/nudge.ts";
import {
	paneWatchLockDir,
	paneWatchReportPath,
} from "../../monitor/_state/fleet/pane-watch-files.ts";
import { shimPath } from "../../monitor/_state/fleet/shim.ts";
import { sortableId } from "../../monitor/_state/fleet/sortable-id.ts";
import {
	startJournalPath,
	startLockDir,
} from "../../monitor/_state/fleet/start-journal.ts";
import {
	listStateScopes,
	readStateRow,
	writeStateRow,
} from "../../monitor/_state/fleet/state-row.ts";
import {
	briefPath,
	ensureStore,
	launcherPath,
} from "../../monitor/_state/fleet/store.ts";
import { captureDir } from "../../monitor/_state/fleet/watch-captures.ts";
import { watchParamsPath } from "../../monitor/_state/fleet/watch-params.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { T } from "./local-rig.ts";

describe("a name", () => {
	test.each([
		["w1", true, true],
		["user:ana", true, false],
		["-w", true, false],
		["W1", false, false],
		["a b", false, false],
		["all", false, false],
		["daemon", false, false],
		["a".repeat(64), true, false],
		["", false, false],
	])("%j is an agent's: %p, a steward's: %p", (name, agent, watcher) => {
		expect([isAgentName(name), isWatcherName(name)]).toEqual([agent, watcher]);
	});

	test("is shown in the forms of its neighbours", () => {
		expect(bareName(" @w1")).toBe("w1");
		expect(sessionNameOf("a:b.c")).toBe("a-b-c");
		expect(agentIdOfWindow("Fix #12")).toBe("fix__12");
		expect(safeWord("a/../b c")).toBe("a_.._b_c");
		expect(safeWord("..")).toBe("_..");
	});
});

test("ids sort by their time and have the form that thrum's have", () => {
	const { clock, random } = fakeDoors();
	const ids = [0, 1, 60_000].map((ms) => {
		clock.stepWall(ms);
		return sortableId("msg", clock, random);
	});
	for (const id of ids) expect(id).toMatch(/^msg_[0-9A-Z]{26}$/);
	const times = ids.map((id) => id.slice(0, 14));
	expect([...times].sort()).toEqual(times);
	expect(new Set(ids).size).toBe(3);
});

test.each([
	['{"agent": {"Name": "w1"}}', "w1"],
	['{"agent": {"name": "w1"}}', "w1"],
	['{"agent": {"role": "x"}}', null],
	["torn", null],
])("an identity %j is %p", (text, name) => {
	expect(identityName(text)).toBe(name);
});

test("the store is made once, and one line keeps it out of git", () => {
	const { files } = fakeDoors();
	files.seed("/repo/.git/info/exclude", "*.log");
	for (let n = 0; n < 2; n++)
		expect(ensureStore(files, T, "/repo/.git/info/exclude").kind).toBe("ok");
	expect(files.text("/repo/.git/info/exclude")).toBe("*.log\n.thrum/\n");
});

test("files lie where other programs of the same store look for them", () => {
	const { files } = fakeDoors();
	const at = (dir: string) => dir.slice(T.length + 1);
	const message = { messageId: "msg_0123456789ABCDEFGHJKMNPQRS", from: "a" };
	const { messageId: id } = message;
	writeMessage(files, T, { ...message, to: ["b"], content: "", createdAt: "" });
	putInInbox(files, T, "b", id);
	putInSent(files, T, "a", id);
	writeNudge(files, T, "b", "a");
	writeStateRow(files, T, "agent_pool", "a", {});
	expect(files.paths(T).map(at)).toEqual([
		`inbox/b/new/${id}`,
		`messages/${id}.json`,
		"nudges/b",
		`sent/a/${id}`,
		"state/agent_pool/a.json",
	]);
	markRead(files, T, "b", id);
	expect(files.has(`${T}/inbox/b/cur/${id}`)).toBe(true);
	for (const [path, where] of [
		[capDir(T, "w"), "agents/w/esc"],
		[watchParamsPath(T, "w"), "agents/w/watch_params.json"],
		[captureDir(T, "w"), "agents/w/watch-captures"],
		[launcherPath(T, "w"), "agents/w/launch"],
		[briefPath(T, "w"), "agents/w/brief.md"],
		[shimPath(T), "bin/thrum"],
		[schedulerBeatPath(T), "monitors/.heartbeat"],
		[paneWatchReportPath(T, "w"), "var/log/w-pane-watch-report.txt"],
		[paneWatchLockDir(T, "w"), "var/w-pane-watch.lockdir"],
		[startJournalPath(T, "w"), "var/start-watcher-w.journal.json"],
		[startLockDir(T, "w"), "var/start-watcher-w.lockdir"],
	] as const)
		expect(at(path)).toBe(where);
});

test("a state row's names cannot leave its folder", () => {
	const { files } = fakeDoors();
	writeStateRow(files, T, "a/b", "../x", { n: 1 });
	expect(files.paths(T)).toEqual([`${T}/state/a_b/.._x.json`]);
	expect(readStateRow(files, T, "a/b", "../x")).toEqual({
		kind: "ok",
		value: { n: 1 },
	});
	expect(listStateScopes(files, T, "a/b")).toEqual([".._x"]);
	files.seed(`${T}/state/k/torn.json`, "{");
	expect(readStateRow(files, T, "k", "torn").kind).toBe("damaged");
});

test("what is no message is none", () => {
	expect(parseMessage('{"message_id": "x"}')).toBeNull();
	expect(parseMessage("")).toBeNull();
});

test("a job's log keeps its last 500 rows, and a torn line costs only itself", () => {
	const { files } = fakeDoors();
	const row = (seconds: number): RunRow => ({
		at: "2026-01-01T00:00:00Z",
		outcome: "ok",
		exitCode: 0,
		seconds,
		matched: 0,
		messageId: null,
	});
	files.seedDir(`${T}/monitors`);
	for (let n = 0; n < 600; n++) appendRun(files, T, "j", row(n));
	const runs = readRuns(files, T, "j");
	expect([runs.length, runs.at(-1)?.seconds]).toEqual([500, 599]);
	files.append(`${T}/monitors/j.log.jsonl`, '{"at": "x"');
	expect(readRuns(files, T, "j", 1)).toEqual([row(599)]);
});

describe("the operator's file", () => {
	const read = (text: string) => {
		const { files } = fakeDoors();
		files.seed(`${T}/config.json`, text);
		return readFleetConfig(files, T);
	};

	test("names supervisors, models by role, and where worktrees go", () => {
		const text = JSON.stringify({
			permission_supervisors: ["coordinator", "@user:ana", 3],
			runtime: {
				primary: "claude",
				role_models: { a: "m", b: { model: "n", effort: "low" }, c: 3 },
			},
			worktrees: { base_path: "/wt" },
		});
		expect(read(text)).toEqual({
			kind: "ok",
			config: {
				permissionSupervisors: ["coordinator", "@user:ana"],
				primaryRuntime: "claude",
				roleModels: {
					a: { model: "m", effort: null },
					b: { model: "n", effort: "low" },
				},
				worktreeBase: "/wt",
				projectName: null,
			},
		});
	});

	test("that is torn is not guessed at", () => {
		expect(read("{").kind).toBe("unusable");
	});
});

test("tmux is given nobody's identity and no client's server", () => {
	const env = {
		PATH: "/bin",
		TMUX: "/tmp/x,1,0",
		TMUX_PANE: "%1",
		TMUX_TMPDIR: "/t",
		THRUM_NAME: "a",
		UNSET: undefined,
	};
	expect(fleetTmuxEnv(env)).toEqual({ PATH: "/bin", TMUX_TMPDIR: "/t" });
});
