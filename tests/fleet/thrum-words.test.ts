/** The words of each call of thrum, and what its answers are read as (contract 09 §5). */
import { describe, expect, test } from "bun:test";
import { ARGV } from "../../monitor/_fleet/thrum/argv.ts";
import {
	captureDocOf,
	jsonIn,
	listAt,
	memberOf,
	membersIn,
	messagesIn,
	monitorOf,
	sessionsIn,
} from "../../monitor/_fleet/thrum/parse.ts";

const PIN = { model: "opus", effort: "high" } as const;
const SESSION = {
	...PIN,
	session: "s",
	cwd: "/r/s",
	agent: "a",
	role: "watcher",
	module: "m",
	runId: "r",
};
const JOB = {
	name: "j",
	argv: ["sh", "-c", "x --to y"],
	match: "^E",
	to: "a",
	cwd: "/c",
	env: { A: "1", B: "x y" },
	schedule: "*/5 * * * *",
	notifyOnSuccess: true,
};

describe("after `thrum` stands", () => {
	test.each<readonly [readonly string[], string]>([
		[ARGV.team(true), "team|--offline|--json"],
		[ARGV.team(false), "team|--all|--json"],
		[ARGV.member("a"), "team|@a|--offline|--json"],
		[ARGV.member("@a"), "team|@a|--offline|--json"],
		[ARGV.whoami, "whoami|--json"],
		[ARGV.worktreeCreate("w", {}), "worktree|create|w|--json"],
		[
			ARGV.worktreeCreate("w", { branch: "b", base: "main" }),
			"worktree|create|w|-b|b|--base|main|--json",
		],
		[ARGV.worktreeRemove("w", false), "worktree|teardown|w"],
		[ARGV.worktreeRemove("w", true), "worktree|teardown|w|--delete-branch"],
		[
			ARGV.sessionCreate(SESSION),
			"tmux|create|s|--cwd|/r/s|--name|a|--role|watcher|--module|m|--model|opus|--effort|high|--json",
		],
		[
			ARGV.sessionCreate({ ...SESSION, intent: "look on", runtime: "claude" }),
			"tmux|create|s|--cwd|/r/s|--name|a|--role|watcher|--module|m|--intent|look on|--runtime|claude|--model|opus|--effort|high|--json",
		],
		[
			ARGV.sessionLaunch({ ...PIN, session: "s", runtime: "claude" }),
			"tmux|launch|s|--runtime|claude|--model|opus|--effort|high|--json",
		],
		[ARGV.sessionKill("s"), "tmux|kill|s"],
		[
			ARGV.sessionRestart("s", PIN),
			"tmux|restart|s|--model|opus|--effort|high|--json",
		],
		[
			ARGV.sessionRestart("s", { ...PIN, runtime: "codex" }),
			"tmux|restart|s|--model|opus|--effort|high|--runtime|codex|--json",
		],
		[ARGV.sessions, "tmux|status|--json"],
		[ARGV.capture("a", 50), "tmux|capture|a|--lines|50"],
		[ARGV.capture("a", 9, "d1"), "tmux|capture|a|--lines|9|--daemon-id|d1"],
		[ARGV.sendKeys("a", ["Down", "1"]), "tmux|send|a|--keys|Down,1"],
		[ARGV.sendText("a", "two words"), "tmux|send|a|two words"],
		[ARGV.send("@a"), "send|--to|@a|--stdin|--json"],
		[ARGV.reply("msg_1"), "reply|msg_1|--stdin|--json"],
		[ARGV.inbox(false, 50), "inbox|--limit|50|--json"],
		[ARGV.inbox(true, 3), "inbox|--unread|--limit|3|--json"],
		[ARGV.sent(false, undefined, 50), "sent|--limit|50|--json"],
		[ARGV.sent(true, "a", 3), "sent|--unread|--to|@a|--limit|3|--json"],
		[ARGV.sent(false, "@a", 3), "sent|--to|@a|--limit|3|--json"],
		[
			ARGV.detect("/f", "claude"),
			"detect|--category|permission|--pane-file|/f|--runtime|claude",
		],
		[
			ARGV.monitorStart(JOB),
			"monitor|start|--name|j|--match|^E|--to|@a|--cwd|/c|--env|A=1|--env|B=x y|--notify-on-success|--schedule|*/5 * * * *|--|sh|-c|x --to y",
		],
		[ARGV.monitorList(false), "monitor|list|--json"],
		[ARGV.monitorList(true), "monitor|list|--all|--json"],
		[ARGV.monitorShow("j"), "monitor|show|j|--json"],
		[ARGV.monitorStop("j"), "monitor|stop|j"],
		[ARGV.monitorDelete("j"), "monitor|delete|j"],
		[ARGV.stateShow("k", "s"), "state|show|k:s|--json"],
		[ARGV.stateList("k"), "state|list|--kind|k|--json"],
	])("%j", (argv, words) => {
		expect(argv.join("|")).toBe(words);
	});
});

describe("an answer is read as", () => {
	test("JSON behind human lines, with or without hints, and null", () => {
		expect(jsonIn('✓ made\n{"a":1,"hints":["x"]}')).toMatchObject({ a: 1 });
		expect(jsonIn('{"result":[1],"hints":["x"]}')).toEqual([1]);
		expect(jsonIn("warm\nnull\n")).toBeNull();
		expect(listAt({ entries: null }, "entries")).toEqual([]);
		expect(listAt({}, "entries")).toBeNull();
		expect(listAt({ entries: "x" }, "entries")).toBeNull();
	});

	test("a member, wherever the list stands, and nobody reserved", () => {
		const row = {
			agent_id: "@a",
			role: "watcher",
			module: "m",
			runtime: "claude",
			worktree: "/w",
			branch: "b",
			hostname: "h",
			is_local: false,
			tmux_session: "s:0.0",
			tmux_state: "stale",
			agent_pid: 7,
			session_id: "ses_1",
			last_seen: "2026-01-02T00:00:00Z",
			inbox_total: 3,
			state: "offline",
			status: "x",
		};
		const member = {
			agentId: "a",
			role: "watcher",
			module: "m",
			runtime: "claude",
			worktree: "/w",
			branch: "b",
			hostname: "h",
			isLocal: false,
			tmuxTarget: "s:0.0",
			tmuxSession: "s",
			tmuxState: "stale",
			agentPid: 7,
			sessionId: "ses_1",
			lastSeen: "2026-01-02T00:00:00Z",
			inboxTotal: 3,
			state: "offline",
		} as const;
		const rows = [
			row,
			{ ...row, agent_id: "all", reserved: true },
			{ role: "x" },
		];
		expect(membersIn({ team: { members: rows } })).toEqual([member]);
		expect(membersIn({ members: rows })).toEqual([member]);
		expect(membersIn({ members: null })).toEqual([]);
		expect(membersIn({ team: {} })).toBeNull();
	});

	test.each([
		[
			{ tmux_alive: true, pid: 9 },
			{ tmuxState: "alive", agentPid: 9 },
		],
		[{ tmux_alive: false }, { tmuxState: "unknown", agentPid: undefined }],
		[{ tmux_state: "dead" }, { tmuxState: "dead", isLocal: true }],
		[
			{ tmux_state: 7, role: 7, agent_pid: "x" },
			{ tmuxState: "unknown", role: "" },
		],
		[{ tmux_session: "s:1" }, { tmuxSession: "s", tmuxTarget: "s:1" }],
		[{ tmux_session: "a-b" }, { tmuxSession: "a-b", tmuxTarget: "a-b" }],
	] as const)("a member that says %j", (row, read) => {
		expect(memberOf({ agent_id: "a", ...row })).toMatchObject(read);
	});

	test("sessions by name and agent", () => {
		const rows = [{ name: "s", agent: "a", state: "alive" }, { name: "t" }, {}];
		expect(sessionsIn({ sessions: rows })).toEqual([
			{ name: "s", agent: "a" },
			{ name: "t", agent: null },
		]);
		expect(sessionsIn({})).toBeNull();
	});

	test("a message that came, and one that was sent", () => {
		const base = { message_id: "m", created_at: "t", body: { content: "B" } };
		const rows = [
			{ ...base, agent_id: "@a", reply_to: "m0", is_read: true },
			{
				...base,
				recipients: [
					{ agent_id: "@b", read_at: "t" },
					{ agent_id: "c", read_at: "t" },
				],
			},
			{
				...base,
				recipients: [{ agent_id: "b", read_at: "t" }, { agent_id: "c" }],
			},
			{ ...base, body: "plain" },
			{ body: "no id" },
		];
		const read = messagesIn({ messages: rows }) ?? [];
		expect(read.map((m) => [m.from, m.to.join(), m.isRead, m.body])).toEqual([
			["a", "", true, "B"],
			["", "b,c", true, "B"],
			["", "b,c", false, "B"],
			["", "", false, "plain"],
		]);
		expect(read[0]).toMatchObject({
			messageId: "m",
			replyTo: "m0",
			createdAt: "t",
		});
	});

	test.each([
		["running", "running"],
		["stopped", "stopped"],
		["dead", "dead"],
		["paused", "dead"],
	] as const)("a monitor whose status is %s: %s", (status, read) => {
		const row = {
			id: "mon_1",
			name: "j",
			argv: ["a", 7],
			match: "M",
			target: "@a",
			cwd: "/c",
			env: { K: "<redacted>" },
			schedule: "* * * * *",
			status,
			pid: 5,
			created_at: "t",
			updated_at: "u",
		};
		expect(monitorOf(row)).toEqual({
			id: "mon_1",
			name: "j",
			argv: ["a"],
			match: "M",
			target: "a",
			cwd: "/c",
			envKeys: ["K"],
			schedule: "* * * * *",
			status: read,
			pid: 5,
			createdAt: "t",
			updatedAt: "u",
		});
		expect(monitorOf({ ...row, id: undefined })).toBeNull();
		expect(monitorOf({ ...row, name: "" })).toBeNull();
	});

	test("the document of a pane", () => {
		const json = {
			runtime: "claude",
			ok: true,
			line_count: 9,
			lines: ["x", 7, "y"],
			ghost_lines: [1, "z"],
			composer_text: "draft",
			footer: { model: "M", ctx: "C", ctx_used_pct: 5 },
			error: "",
		};
		expect(captureDocOf(json, "a")).toEqual({
			agent: "a",
			runtime: "claude",
			ok: true,
			lines: ["x", "y"],
			lineCount: 9,
			footer: { model: "M", ctx: "C", ctxUsedPct: 5 },
			ghostLines: [1],
			composerText: "draft",
			error: undefined,
		});
		const bare = captureDocOf({ lines: ["x"], footer: null }, "a");
		expect(bare).toMatchObject({ ok: true, lineCount: 1, footer: null });
		expect(captureDocOf({ lines: [" "] }, "a")?.ok).toBe(false);
		expect(captureDocOf({ lines: ["x"], ok: false }, "a")?.ok).toBe(false);
		expect(captureDocOf({ ok: true }, "a")).toBeNull();
	});
});
