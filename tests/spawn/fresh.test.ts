import { describe, expect, test } from "bun:test";
import { parseActionLog } from "../../monitor/_state/action-log.ts";
import { STARTER_VARIABLES } from "../../monitor/_sys/claude-env.ts";
import { REFUSED, ZERO_ROWS } from "../fakes/tmux.ts";
import {
	FLOOR,
	IDLE,
	ROOT,
	S,
	type SpawnRig,
	spawnRig,
	TRUST,
	WORK,
} from "./rig.ts";

const SESSION = "0b7c2c1e-5d0f-4f0a-9a53-3c1d2e4f5a6b";

describe("what a started worker gets", () => {
	test("the prompt: environment, floor and task, in this order and byte for byte", async () => {
		const rig = spawnRig();
		expect((await rig.fresh()).rc).toBe(0);
		expect(rig.prompt()).toBe(
			[
				"## Worker environment",
				"",
				`- Workdir: ${WORK}`,
				`- Primary nexus root: ${ROOT}`,
				`- Reports dir: ${ROOT}/reports`,
				"",
				"---",
				"",
				FLOOR,
				"",
				"---",
				"",
				"Do the thing.\n\n$HOME `x` 'y'\n",
			].join("\n"),
		);
	});

	test("the prior report between environment and floor, found below the root too", async () => {
		const rig = spawnRig();
		rig.doors.files.seed("/root/reports/old.md", "OLD REPORT\n");
		const { err } = await rig.fresh("-r", "reports/old.md");
		const at = (text: string) => rig.prompt().indexOf(text);
		expect(at("## Worker environment")).toBe(0);
		expect(at("## Prior context")).toBeGreaterThan(0);
		expect(at("Path: /root/reports/old.md")).toBeGreaterThan(at("## Prior"));
		expect(at("OLD REPORT")).toBeGreaterThan(at("Path: "));
		expect(at(FLOOR)).toBeGreaterThan(at("OLD REPORT"));
		expect(at("Do the thing.")).toBeGreaterThan(at(FLOOR));
		expect(err).toContain("prior-report=/root/reports/old.md");
	});

	test("the launcher, line by line", async () => {
		const rig = spawnRig({
			NEXUS_STATE_DIR: S,
			NEXUS_WORKER_NPROC_LIMIT: "64",
		});
		await rig.fresh("--model", "it's");
		const id = rig.doors.files
			.text(`${S}/windows/w.json`)
			.match(/"session_id":"([^"]+)"/)?.[1];
		expect(rig.launcher().split("\n")).toEqual([
			"#!/bin/sh",
			"export NEXUS_ROOT='/root'",
			"export NEXUS_WORKER_WINDOW='w'",
			`export NEXUS_STATE_DIR='${S}'`,
			"export CLAUDE_CONFIG_DIR='/cc'",
			"export CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION='false'",
			"export CLAUDE_CODE_RESUME_THRESHOLD_MINUTES='999999999'",
			"export CLAUDE_CODE_RESUME_TOKEN_THRESHOLD='999999999999'",
			`unset ${STARTER_VARIABLES.join(" ")} NEXUS_IS_ORCHESTRATOR NEXUS_ORCHESTRATOR_WINDOW NEXUS_ORCH_SESSION_ID`,
			`export PATH='/code/monitor/notifywrap':'/opt/bun/bin':'/code/monitor':"$PATH"`,
			"if [ -r '/root/monitor/locals-env.sh' ]; then . '/root/monitor/locals-env.sh'; fi",
			"ulimit -Su 64 2>/dev/null || ulimit -Sp 64 2>/dev/null || :",
			`cd '${WORK}' || exit 1`,
			"prompt=$(cat '/tmp/spawn-prompt-w.4242.txt') || exit 1",
			"rm -f '/tmp/spawn-prompt-w.4242.txt' '/tmp/spawn-launcher-w.4242'",
			`exec '/code/node_modules/.bin/claude' --dangerously-skip-permissions --model 'it'\\''s' --settings '${S}/settings/worker-settings.json' --session-id ${id} "$prompt"`,
			"",
		]);
	});

	test("a composed prompt may have 120 KiB, and not a byte more", async () => {
		const spawn = async (bytes: number) => {
			const rig = spawnRig();
			rig.doors.files.seed("/root/task.md", "x".repeat(bytes));
			const { rc } = await rig.fresh();
			return { rc, size: Buffer.byteLength(rig.prompt()) };
		};
		const around = (await spawn(1)).size - 1;
		const most = 120 * 1024;
		expect(await spawn(most - around)).toEqual({ rc: 0, size: most });
		expect((await spawn(most - around + 1)).rc).toBe(5);
	});

	test.each([
		["without a word of it", undefined, false],
		["that is no number", "many", true],
		["with more behind its number", "64k", true],
		["below nothing", "-1", true],
		["of no word", "", false],
	])("a limit of processes %s is 8192", async (_name, limit, warns) => {
		const rig = spawnRig({ NEXUS_WORKER_NPROC_LIMIT: limit });
		const { rc, err } = await rig.fresh();
		expect(rc).toBe(0);
		expect(rig.launcher()).toContain("ulimit -Su 8192 2>/dev/null || ");
		expect(err.includes("NEXUS_WORKER_NPROC_LIMIT")).toBe(warns);
	});

	test("no --model and no state dir where none was asked for, and no limit at 0", async () => {
		const rig = spawnRig({ NEXUS_WORKER_NPROC_LIMIT: "0" });
		await rig.fresh();
		expect(rig.launcher()).not.toMatch(/--model|NEXUS_STATE_DIR|ulimit/);
	});

	test("settings with absolute paths, trust in its folder, and a window that keeps name and corpse", async () => {
		const rig = spawnRig();
		await rig.fresh();
		const { files, tmux } = rig.doors;
		expect(files.text(`${S}/settings/worker-settings.json`)).toBe(
			`{"command":"\\"/opt/bun/bin/bun\\" \\"${S}/settings/hooks/worker-heartbeat.js\\""}`,
		);
		expect(JSON.parse(files.text(TRUST))).toMatchObject({
			hasCompletedOnboarding: true,
			bypassPermissionsModeAccepted: true,
			theme: "dark",
			projects: { [WORK]: { hasTrustDialogAccepted: true } },
		});
		const id = rig.window("w")?.id;
		const options = tmux.calls.flatMap((c) =>
			c.op === "run" && c.cmd.kind === "set-option" && c.cmd.target === id
				? [`${c.cmd.name}=${c.cmd.value}`]
				: [],
		);
		expect(options).toEqual([
			"remain-on-exit=on",
			"automatic-rename=off",
			"allow-rename=off",
		]);
		expect(rig.window("w")?.pane.keys).toEqual([
			"'/tmp/spawn-launcher-w.4242'",
			"Enter",
		]);
	});

	test("in loop mode the loop is started, with the prompt's file and without a session id", async () => {
		const rig = spawnRig({ MONITOR_RETAIN_USE_LOOP_WRAPPER: "true" });
		const { err } = await rig.fresh("--model", "m");
		expect(rig.launcher()).toContain(
			"\nrm -f '/tmp/spawn-launcher-w.4242'\ntrap 'rm -f '\\''/tmp/spawn-prompt-w.4242.txt'\\''' EXIT",
		);
		expect(rig.launcher()).toContain(
			`'/opt/bun/bin/bun' --no-env-file --config=/dev/null --no-install '/code/monitor/claude-loop.ts' --window 'w' --prompt-file '/tmp/spawn-prompt-w.4242.txt' --settings '${S}/settings/worker-settings.json' --model 'm'`,
		);
		expect(err).toEndWith("loop=on");
		expect(rig.doors.files.text(`${S}/windows/w.json`)).toContain(
			'"session_id":""',
		);
	});
});

describe("a program that ends at its birth", () => {
	const said = "cannot be used with root/sudo privileges";

	test.each([
		["fresh", ["-n", "w", "-c", WORK, "-p", "/root/task.md"]],
		["resumed", ["--resume", SESSION, "-n", "w", "-c", WORK]],
	])(
		"is no started worker, and its last words say why (%s)",
		async (_, argv) => {
			const rig = spawnRig({}, { kind: "ended", said });
			rig.doors.files.seed(`/cc/projects/-work-w/${SESSION}.jsonl`, "{}\n");
			const { rc, err } = await rig.spawn(...argv);
			expect(rc).toBe(1);
			expect(err).toContain(`Claude Code ended right after its start`);
			expect(err).toContain(`in window w: ${said} (`);
			expect(err).not.toContain("spawned:");
			// Its shell is ended: a dead pane needs no grace to be retired.
			const pid = rig.window("w")?.pane.pid ?? 0;
			expect(rig.doors.proc.signals).toEqual([{ pid, sig: "SIGHUP" }]);
		},
	);

	test("is no reviewer: the request for one stays open", async () => {
		const rig = spawnRig({}, { kind: "ended", said });
		await rig.fresh("--skeptic-role", "--skeptic-target", "other");
		expect(rig.doors.files.has(`${S}/skeptic/pending/other`)).toBe(false);
	});

	test("may have taken its window with it: that is said, and nobody is signalled", async () => {
		const rig = spawnRig({}, { kind: "ended", said });
		const { tmux, proc } = rig.doors;
		let looks = 0;
		tmux.before((call) => {
			const window = rig.window("w");
			if (call.op !== "panes" || window === undefined) return;
			if (++looks === 2) tmux.model.closeWindow(window);
		});
		const { rc, err } = await rig.fresh();
		expect(rc).toBe(1);
		expect(err).toContain("window w was closed right after the start");
		expect(proc.signals).toEqual([]);
	});

	test.each([
		["whose shell is another's child", 901, "0"],
		["whose pane is dead", 900, "1"],
	] as const)("ends no shell %s", async (_name, serverPid, dead) => {
		const rig = spawnRig({}, { kind: "ended", said });
		const { tmux, proc } = rig.doors;
		proc.add({ pid: 901, comm: "tmux: server" });
		tmux.before((call) => {
			const window = rig.window("w");
			if (call.op !== "panes" || window === undefined) return;
			window.pane.dead = dead;
			tmux.model.server = { ...tmux.model.server, pid: serverPid };
		});
		expect((await rig.fresh()).rc).toBe(1);
		expect(proc.signals).toEqual([]);
	});

	test("is believed at the second look only", async () => {
		const rig = spawnRig({}, { kind: "ended", said });
		let looks = 0;
		rig.doors.tmux.before((call) => {
			const window = rig.window("w");
			if (call.op !== "panes" || window === undefined) return;
			window.pane.dead = ++looks === 1 ? "1" : "0";
			if (looks !== 2) return;
			const pid = window.pane.pid ?? 0;
			rig.doors.proc.add({ pid: 777, ppid: pid, comm: "claude" });
			window.pane.screen = IDLE;
		});
		expect((await rig.fresh()).rc).toBe(0);
	});

	test("may be slow: what still runs, or cannot be seen, is no death", async () => {
		const slow = spawnRig({}, { kind: "lives", screen: "Loading\n" });
		const began = slow.doors.clock.monoMs();
		expect((await slow.fresh()).rc).toBe(0);
		// 40 looks, 0.1 s apart.
		expect(slow.doors.clock.monoMs() - began).toBe(3900);
		const unseen = spawnRig({}, { kind: "ended", said });
		unseen.doors.proc.tableUnreadable = true;
		expect((await unseen.fresh()).rc).toBe(0);
		expect(unseen.doors.proc.signals).toEqual([]);
	});
});

describe("a start goes on, with a word", () => {
	test.each([
		[
			"where the folder cannot be marked as trusted",
			(rig: SpawnRig) =>
				rig.doors.files.faults.fail({
					path: /\.claude\.json/,
					ops: ["write"],
					code: "EROFS",
				}),
			/^spawn-worker: \/work\/w could not be marked as trusted \(.*EROFS.*\); Claude Code may ask$/m,
		],
		[
			"where an option of the window cannot be set",
			(rig: SpawnRig) => rig.doors.tmux.fail("set-option", REFUSED),
			/^spawn-worker: window option allow-rename: /m,
		],
		[
			"where the ages of the workers cannot be read",
			(rig: SpawnRig) => {
				rig.doors.files.seed(`${S}/engagement-log.tsv`, "other\t18\n");
				rig.doors.files.faults.fail({
					path: /engagement-log/,
					ops: ["read"],
					code: "EIO",
				});
			},
			/^spawn-worker: engagement log: .*EIO/m,
		],
	] as const)("%s", async (_name, spoil, says) => {
		const rig = spawnRig();
		spoil(rig);
		const { rc, err } = await rig.fresh();
		expect(rc).toBe(0);
		expect(err).toMatch(says);
		expect(rig.window("w")).toBeDefined();
	});

	test("and what could not be read is not written anew", async () => {
		const rig = spawnRig();
		const path = `${S}/engagement-log.tsv`;
		rig.doors.files.seed(path, "other\t18\n");
		const fault = { path: /engagement-log/, ops: ["read"] as const };
		const cure = rig.doors.files.faults.fail({ ...fault, code: "EIO" });
		await rig.fresh();
		cure();
		expect(rig.doors.files.text(path)).toBe("other\t18\n");
	});
});

describe("what is remembered of a start", () => {
	test("prompt, engagement, event and provenance", async () => {
		const rig = spawnRig();
		const { files, clock } = rig.doors;
		files.seed(`${S}/engagement-log.tsv`, "w\t17\nother\t18\n");
		const { err } = await rig.fresh("--kind", "interactive", "--topic", "T");
		const now = clock.now();
		expect(files.text(`${S}/spawn-prompts/w.txt`)).toBe(rig.prompt());
		expect(files.text(`${S}/engagement-log.tsv`)).toBe(
			`other\t18\nw\t${now}\n`,
		);
		const [event] = parseActionLog(files.text(`${S}/action-log.jsonl`), [
			"spawn",
		]);
		const record = JSON.parse(files.text(`${S}/windows/w.json`));
		expect(record).toEqual({
			window: "w",
			session_id: record.session_id,
			kind: "interactive",
			spawned_by: "orchestrator",
			workdir: WORK,
			prompt_file: "/root/task.md",
			topic: "T",
			spawned_at: clock.iso(),
			last_activity_ref: `${S}/heartbeat/w.json`,
			skeptic_mode: "auto",
			skeptic_depth: 0,
			skeptic_role: false,
			skeptic_target: "",
			skeptic_orig: "",
		});
		for (const [key, value] of [
			["window", "w"],
			["workdir", WORK],
			["session-id", record.session_id],
			["kind", "interactive"],
			["skeptic-mode", "auto"],
			["skeptic-depth", "0"],
			["mode", null],
			["model", null],
			["agent", "monitor"],
		])
			expect(event?.field(key ?? "")).toBe(value);
		expect(err).toBe(
			`spawned: window=w workdir=${WORK} prompt=/root/task.md kind=interactive floor=injected settings=${S}/settings/worker-settings.json session-id=${record.session_id}`,
		);
	});

	test("a record that cannot be written is a warning; the worker runs", async () => {
		const rig = spawnRig();
		rig.doors.files.faults.fail({
			path: /action-log|windows|spawn-prompts|engagement/,
			ops: ["write", "append"],
			code: "ENOSPC",
		});
		const { rc, err } = await rig.fresh();
		expect(rc).toBe(0);
		expect(rig.window("w")).toBeDefined();
		expect(err.match(/ENOSPC/g)).toHaveLength(4);
	});

	test("nothing of a vanished predecessor of that name, and everything of its neighbours", async () => {
		const rig = spawnRig();
		const { files } = rig.doors;
		const own = [
			"decisions/w.0894179b4af2.handled.json",
			"decisions/w.f5a582351dfd.json",
			"turn-failure/w.json",
			"skeptic/pending/w",
		];
		const others = [
			"decisions/w.x.f5a582351dfd.json",
			"heartbeat/w2.json",
			"skeptic/pending/w2",
		];
		for (const path of [...own, ...others]) files.seed(`${S}/${path}`, "{}");
		files.seed(
			`${S}/heartbeat/w.json`,
			'{"external_waits":[{"kind":"ci","id":"1"}]}',
		);
		expect(await rig.fresh()).toMatchObject({ rc: 0 });
		for (const path of [...own, "heartbeat/w.json"])
			expect({ path, isThere: files.has(`${S}/${path}`) }).toEqual({
				path,
				isThere: false,
			});
		for (const path of others) expect(files.has(`${S}/${path}`)).toBe(true);
	});

	test("the prompt file itself is never deleted", async () => {
		const rig = spawnRig();
		await rig.fresh();
		expect(rig.doors.files.has("/root/task.md")).toBe(true);
		expect(rig.doors.files.paths("/tmp")).toEqual([
			"/tmp/spawn-prompt-w.4242.txt",
		]);
	});
});

describe("a refusal starts nothing and leaves nothing behind", () => {
	type Spoil = (rig: ReturnType<typeof spawnRig>) => void;
	const cases: readonly (readonly [string, number, string, Spoil, string[]])[] =
		[
			[
				"prompt file missing",
				4,
				"the prompt file cannot be read: /root/task.md",
				(r) => r.doors.files.remove("/root/task.md"),
				[],
			],
			[
				"workdir is a file",
				6,
				"the workdir is not a folder: /root/task.md",
				() => {},
				["-c", "/root/task.md"],
			],
			[
				"workdir is missing",
				6,
				"the workdir is not a folder: /nowhere",
				() => {},
				["-c", "/nowhere"],
			],
			[
				"no claude",
				1,
				"/code/node_modules/.bin/claude",
				(r) => r.doors.files.remove("/code/node_modules/.bin/claude"),
				[],
			],
			[
				"a name with a colon",
				16,
				"a window name starts with a letter",
				() => {},
				["-n", "a:b"],
			],
			["a name with a newline", 16, "window name", () => {}, ["-n", "a\nb"]],
			["a long name", 16, "at most 100", () => {}, ["-n", "x".repeat(101)]],
			["dots", 16, "at most 100", () => {}, ["-n", `x${".".repeat(34)}`]],
			[
				"the orchestrator's name",
				16,
				"orchestrator is the name of a window or a service",
				() => {},
				["-n", "orchestrator"],
			],
			["the cockpit's", 16, "nobody would watch", () => {}, ["-n", "services"]],
			["one of the house", 16, "monitor is", () => {}, ["-n", "monitor"]],
			[
				"a service's name",
				16,
				"web is the name of a window or a service",
				(r) =>
					r.doors.files.seed(
						"/root/monitor/services.registry",
						"web\t/srv\trun\ttrue\n",
					),
				["-n", "web"],
			],
			[
				"no template of the settings",
				10,
				"settings need /code/monitor/worker-settings.json",
				(r) => r.doors.files.remove("/code/monitor/worker-settings.json"),
				[],
			],
			[
				"a hook that is missing",
				10,
				"settings need /code/monitor/worker-heartbeat.ts",
				(r) => r.doors.files.remove("/code/monitor/worker-heartbeat.ts"),
				[],
			],
			[
				"a state dir that takes no file",
				19,
				"the state dir cannot be written: ",
				(r) =>
					r.doors.files.faults.fail({
						path: "/root",
						ops: ["probe"],
						code: "EROFS",
					}),
				[],
			],
			[
				"a workdir that takes no file",
				15,
				"the worker could not write: ",
				(r) =>
					r.doors.files.faults.fail({
						path: WORK,
						ops: ["probe"],
						code: "EACCES",
					}),
				[],
			],
			[
				"a reports dir that takes no file",
				15,
				"the worker could not write: ",
				(r) =>
					r.doors.files.faults.fail({
						path: "/root/reports",
						ops: ["probe"],
						code: "EACCES",
					}),
				[],
			],
			[
				"no floor",
				2,
				"the worker floor is missing: /code/skills/nexus.worker-defaults/SKILL.md",
				(r) =>
					r.doors.files.remove("/code/skills/nexus.worker-defaults/SKILL.md"),
				[],
			],
			[
				"a floor without its section",
				3,
				'the section "## Worker floor" is empty or missing in /code/skills/',
				(r) =>
					r.doors.files.seed(
						"/code/skills/nexus.worker-defaults/SKILL.md",
						"# x\n## Worker floor \ny\n",
					),
				[],
			],
			[
				"an empty floor",
				3,
				"is empty or missing in /code/skills/",
				(r) =>
					r.doors.files.seed(
						"/code/skills/nexus.worker-defaults/SKILL.md",
						"## Worker floor\n\n## Next\n",
					),
				[],
			],
			[
				"no prior report",
				9,
				"the prior report cannot be read: /root/none.md",
				() => {},
				["-r", "none.md"],
			],
			[
				"a prompt too large for one word",
				5,
				"and 122880 is the limit",
				(r) => r.doors.files.seed("/root/task.md", "x".repeat(121 * 1024)),
				[],
			],
			[
				"tmux that cannot be asked",
				8,
				"no tmux server: ",
				(r) => r.doors.tmux.fail("panes", REFUSED),
				[],
			],
			[
				"tmux without a pane",
				8,
				"no tmux server: ",
				(r) => r.doors.tmux.fail("panes", ZERO_ROWS),
				[],
			],
			[
				"a name that is taken",
				7,
				"window w exists already",
				(r) => r.doors.tmux.window("w"),
				[],
			],
			["an unknown flag", 23, "--modle", () => {}, ["--modle", "m"]],
		];
	test.each(cases)("%s: exit %i", async (_name, rc, says, spoil, more) => {
		const rig = spawnRig();
		spoil(rig);
		const before = rig.disk();
		const windows = rig.doors.tmux.model.rows().length;
		const ran = await rig.fresh(...more);
		expect(ran.rc).toBe(rc);
		expect(ran.err).toStartWith("spawn-worker: ");
		expect(ran.err).toContain(says);
		expect(rig.disk()).toEqual(before);
		expect(rig.doors.tmux.model.rows()).toHaveLength(windows);
	});

	test("the first of two reasons is told, in the order of the questions", async () => {
		const order = [
			"prompt file missing",
			"workdir is missing",
			"no claude",
			"a name with a colon",
			"no template of the settings",
			"a state dir that takes no file",
			"a workdir that takes no file",
			"a reports dir that takes no file",
			"no floor",
			"no prior report",
			"a prompt too large for one word",
			"tmux that cannot be asked",
			"a name that is taken",
		].map((name) => cases.find(([known]) => known === name)!);
		for (const [at, [name, rc, , spoil, more]] of order.entries()) {
			const next = order[at + 1];
			const rig = spawnRig();
			next?.[3](rig);
			spoil(rig);
			const ran = await rig.fresh(...(next?.[4] ?? []), ...more);
			expect({ name, rc: ran.rc }).toEqual({ name, rc });
		}
	});

	test("who must not review himself is told so behind a bad name, and before anything is looked for", async () => {
		const rig = spawnRig({ NEXUS_WORKER_WINDOW: "dev" });
		const role = ["--skeptic-role", "--skeptic-target", "dev"];
		rig.doors.files.remove("/code/monitor/worker-settings.json");
		expect((await rig.fresh(...role)).rc).toBe(20);
		expect((await rig.fresh(...role, "-n", "a:b")).rc).toBe(16);
	});

	test("a corpse of that name is a taken name, too", async () => {
		const rig = spawnRig();
		rig.doors.tmux.window("w").pane.dead = "1";
		expect((await rig.fresh()).rc).toBe(7);
	});

	test.each([
		["spawn-prompt", 8, "no window could be opened: "],
		["spawn-launcher", 8, "no window could be opened: "],
		["worker-settings", 19, ""],
	])("a disk that is full at %s: exit %i", async (name, rc, says) => {
		const rig = spawnRig();
		rig.doors.files.faults.fail({
			path: new RegExp(name),
			ops: ["write"],
			code: "ENOSPC",
		});
		const ran = await rig.fresh();
		expect(ran.rc).toBe(rc);
		expect(ran.err).toMatch(new RegExp(`${says}.*ENOSPC`));
		expect(rig.window("w")).toBeUndefined();
		expect(rig.doors.files.paths("/tmp")).toEqual([]);
		expect(rig.doors.files.has(`${S}/windows/w.json`)).toBe(false);
	});

	test("a window that could not be opened leaves no temporary file", async () => {
		for (const step of ["new-window", "send-keys"]) {
			const rig = spawnRig();
			rig.doors.tmux.fail(step, REFUSED);
			const ran = await rig.fresh();
			expect(ran.rc).toBe(8);
			expect(ran.err).toContain("no window could be opened: ");
			expect(rig.window("w")).toBeUndefined();
			expect(rig.doors.files.paths("/tmp")).toEqual([]);
			expect(rig.doors.files.has(`${S}/windows/w.json`)).toBe(false);
		}
	});
});

test("--print-prompt prints what would be given, and does nothing else", async () => {
	const rig = spawnRig();
	const before = rig.disk();
	rig.doors.tmux.fail("panes", REFUSED);
	const { rc, out } = await rig.fresh("--print-prompt");
	expect(rc).toBe(0);
	expect(out).toContain(`- Workdir: ${WORK}`);
	expect(out).toEndWith("'y'");
	expect(rig.disk()).toEqual(before);
	expect(rig.doors.tmux.calls).toEqual([]);
	expect(rig.doors.files.faults.changes()).toBe(0);
});

describe("the primary clone as workdir", () => {
	test.each([
		["/root", true],
		["/root/", true],
		["/root/work/x", false],
		["/elsewhere/link", false],
	])("%s: warned of = %p", async (dir, warned) => {
		const rig = spawnRig();
		rig.doors.files.seedDir("/root/work/x");
		rig.doors.files.seedDir("/elsewhere");
		rig.doors.files.seedLink("/root", "/elsewhere/link");
		const { rc, err } = await rig.fresh("-c", dir);
		expect(rc).toBe(0);
		expect(err.includes("primary clone")).toBe(warned);
		expect(rig.prompt().includes("primary clone itself")).toBe(warned);
	});
});

test("a name of 100 characters is one; that of the orchestrator that is configured is none", async () => {
	const long = "x".repeat(100);
	const rig = spawnRig({ MONITOR_TARGET: "boss" });
	expect((await rig.fresh("-n", long)).rc).toBe(0);
	expect((await rig.fresh("-n", "boss")).rc).toBe(16);
	expect((await rig.fresh("-n", "services2")).rc).toBe(0);
});

test("a root with a floor of its own gives that one", async () => {
	const rig = spawnRig();
	const own = "/root/skills/nexus.worker-defaults/SKILL.md";
	rig.doors.files.seed(own, "## Worker floor\nours\n");
	await rig.fresh();
	expect(rig.prompt()).toContain("---\n\nours\n\n---");
});

test("relative paths start in the caller's folder, a prior report's there before the root", async () => {
	const rig = spawnRig();
	const { files } = rig.doors;
	files.seedDir("/else/dir");
	files.seed("/else/p.md", "TASK");
	for (const root of ["/else", ROOT])
		files.seed(`${root}/old.md`, `OF ${root}`);
	const argv = ["-n", "w", "-c", "dir", "-p", "p.md", "-r", "old.md"];
	const ran = await rig.from("/else", ...argv);
	expect(ran.rc).toBe(0);
	expect(rig.prompt()).toContain("- Workdir: /else/dir\n");
	expect(rig.prompt()).toContain(
		[
			"## Prior context",
			"",
			"Path: /else/old.md",
			"",
			"An earlier worker wrote the report below. Take it as what was known then, not as fact: check what you build on, and go on from it instead of starting over.",
			"",
			"---",
			"",
			"OF /else",
			"",
			"---",
			"",
			FLOOR,
			"",
			"---",
			"",
			"TASK",
		].join("\n"),
	);
	const [made] = rig.doors.tmux.calls.flatMap((c) =>
		c.op === "run" && c.cmd.kind === "new-window" ? [c.cmd.cwd] : [],
	);
	expect(made).toBe("/else/dir");
});

test("a worker is handed the configuration and the state dir that its starter has", async () => {
	const rig = spawnRig({ NEXUS_CONFIG: "/root/other.yml" });
	rig.doors.files.seed(
		"/root/other.yml",
		"github: {repo: a/b, user_login: me}\n",
	);
	await rig.fresh();
	expect(rig.launcher()).toContain("export NEXUS_CONFIG='/root/other.yml'\n");
});

test("without a state dir of the environment an unusable configuration starts nothing", async () => {
	const own = spawnRig({ NEXUS_ROOT: undefined });
	expect((await own.fresh()).rc).toBe(0);
	expect(own.prompt()).toContain("- Primary nexus root: /code\n");
	const rig = spawnRig({ NEXUS_ROOT: undefined });
	rig.doors.files.seed("/code/config/nexus.yml", "monitor: [\n");
	const { rc, err } = await rig.fresh();
	expect(rc).toBe(1);
	expect(err).toContain("nexus.yml");
	expect(rig.window("w")).toBeUndefined();
	const rooted = spawnRig();
	rooted.doors.files.seed("/root/config/nexus.yml", "monitor: [\n");
	expect((await rooted.fresh()).rc).toBe(0);
});

test("help goes to stdout, the usage of a refused call to stderr", async () => {
	const rig = spawnRig();
	const help = await rig.spawn("--help");
	expect(help).toMatchObject({ rc: 0, err: "" });
	expect(help.out).toStartWith("usage: spawn-worker -n <window> ");
	const refused = await rig.spawn("-n", "w");
	expect(refused).toMatchObject({ rc: 5, out: "" });
	expect(refused.err).toStartWith(
		"spawn-worker: -c <workdir> is missing\nusage: spawn-worker ",
	);
});

test("the window opens where the caller is, else beside the orchestrator", async () => {
	const rig = spawnRig();
	const { model } = rig.doors.tmux;
	const other = model.session("other");
	const caller = model.window(other, "caller");
	await rig.fresh();
	expect(other.windows.map((w) => w.window.name)).toEqual(["caller"]);
	rig.doors.proc.env.TMUX_PANE = caller.pane.id;
	await rig.spawn("-n", "w2", "-c", WORK, "-p", "/root/task.md");
	expect(other.windows.map((w) => w.window.name)).toEqual(["caller", "w2"]);
});

test("two spawns of one name at once: one window, one refusal", async () => {
	const rig = spawnRig();
	const rcs = await Promise.all([rig.fresh(), rig.fresh()]);
	expect(rcs.map((r) => r.rc).sort()).toEqual([0, 7]);
	const named = rig.doors.tmux.model.rows().filter((r) => r.windowName === "w");
	expect(named).toHaveLength(1);
});

test("another start that does not end is waited for, and then said", async () => {
	const rig = spawnRig();
	rig.doors.locks.takenElsewhere(`${S}/spawn.lock`);
	const began = rig.doors.clock.monoMs();
	const { rc, err } = await rig.fresh();
	expect(rc).toBe(1);
	expect(err).toContain("another start holds ");
	expect(err).toContain("and does not end: try again");
	expect(rig.doors.clock.monoMs() - began).toBe(30_000);
	expect(rig.window("w")).toBeUndefined();
});

test("a lock that cannot be opened keeps nobody from starting, with a word", async () => {
	const rig = spawnRig();
	rig.doors.locks.cannotOpen(`${S}/spawn.lock`, "EROFS");
	const { rc, err } = await rig.fresh();
	expect(rc).toBe(0);
	expect(err).toContain("spawn-worker: starts are not kept apart: EROFS\n");
	expect(rig.window("w")).toBeDefined();
});

test("two spawns of two names at once lose nothing of each other", async () => {
	const rig = spawnRig();
	rig.doors.files.seedDir("/work/v");
	await Promise.all([
		rig.fresh(),
		rig.spawn("-n", "v", "-c", "/work/v", "-p", "/root/task.md"),
	]);
	const { files } = rig.doors;
	const { projects } = JSON.parse(files.text(TRUST));
	expect(Object.keys(projects).sort()).toEqual(["/work/v", WORK]);
	expect(files.text(`${S}/engagement-log.tsv`).split("\n")).toHaveLength(3);
});

test("a shell that does not run the launcher is told of", async () => {
	const rig = spawnRig();
	rig.doors.tmux.before((call) => {
		if (call.op === "run" && call.cmd.kind === "send-keys")
			rig.doors.files.seed("/tmp/spawn-launcher-w.4242", "kept");
	});
	const began = rig.doors.clock.monoMs();
	const { rc, err } = await rig.fresh();
	expect(rc).toBe(0);
	expect(err).toContain("has not run /tmp/spawn-launcher-w.4242 yet");
	expect(rig.doors.clock.monoMs() - began).toBe(10_000);
});
