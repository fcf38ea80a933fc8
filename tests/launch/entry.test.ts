import { describe, expect, test } from "bun:test";
import { bootIntentPath } from "../../monitor/_state/boot-intent.ts";
import { instanceHeartbeatPath } from "../../monitor/_state/instance-heartbeat.ts";
import { instanceLockPath } from "../../monitor/_state/instance-lock.ts";
import { orchestratorSessionIdPath } from "../../monitor/_state/orchestrator-session-id.ts";
import {
	decideEntry,
	type EntryFacts,
} from "../../monitor/watcher/_entry/decide.ts";
import { type EntryArgs, enter } from "../../monitor/watcher/_entry.ts";
import {
	STATE,
	type WatcherWorld,
	watcherWorld,
} from "../support/watcher-world.ts";

const SID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const SANDBOX = { SANDBOX_ACTIVE: "1", SANDBOX_PROJECT_DIR: "/p" };
const PIN = orchestratorSessionIdPath(STATE);

/** Inside tmux, in a window `shell`, in the sandbox. */
async function world(
	env: Readonly<Record<string, string>> = {},
): Promise<WatcherWorld> {
	const made = await watcherWorld({
		env: { TMUX: "/tmp/t,1,0", ...SANDBOX, ...env },
	});
	made.doors.proc.env.TMUX_PANE = made.doors.tmux.window("shell").pane.id;
	made.doors.proc.answer(/\.ts/, 0);
	return made;
}
async function run(w: WatcherWorld, args: Partial<EntryArgs> = {}) {
	const rc = await enter(w.doors, w.settings, {
		continueFlag: false,
		acceptNoSandbox: false,
		isInteractive: false,
		...args,
	});
	const ran = w.doors.proc.execs.map((e) => e.argv.slice(4).join(" "));
	return { rc, ran, said: w.doors.log.messages().join("\n") };
}
const archived = (w: WatcherWorld) =>
	w.doors.files.paths(STATE).filter((p) => p.startsWith(`${PIN}.archived.`));

describe("the plan", () => {
	const row = (windowName: string, paneId: string, paneDead = "0") =>
		({ windowName, paneId, paneDead, windowId: "@1" }) as NonNullable<
			EntryFacts["rows"]
		>[number];
	const facts: EntryFacts = {
		continueFlag: false,
		inTmux: true,
		sandboxPassed: true,
		paneId: "%1",
		rows: [row("shell", "%1")],
		target: "orchestrator",
		pin: SID,
		pinFileThere: true,
		pinResolves: true,
	};
	test.each<[string, Partial<EntryFacts>, string]>([
		["outside tmux, before all else", { inTmux: false, rows: null }, "tmux"],
		["not in a sandbox", { sandboxPassed: false, rows: null }, "sandbox"],
		["tmux does not answer", { rows: null }, "does not answer"],
		["in no pane that tmux knows", { paneId: "%9" }, "$TMUX_PANE"],
		["the target has no name", { target: "" }, "name is empty"],
		["in the target itself", { target: "shell" }, "orchestrator's window"],
	])("%s: refused", (_what, over, words) => {
		const plan = decideEntry({ ...facts, ...over });
		expect(plan).toMatchObject({ kind: "refuse", exit: 2 });
		expect(plan.kind === "refuse" && plan.line).toContain(words);
	});
	test.each<[string, Partial<EntryFacts>, object]>([
		[
			"a pin is put aside",
			{},
			{ intent: "fresh", archivePin: true, lines: [] },
		],
		[
			"no pin, nothing to put aside",
			{ pinFileThere: false },
			{ intent: "fresh", archivePin: false },
		],
		[
			"--continue keeps it and says what becomes of it",
			{ continueFlag: true },
			{
				intent: "continue",
				archivePin: false,
				lines: [`--continue: session ${SID} will be resumed`],
			},
		],
		[
			"its transcript could not be looked for",
			{ continueFlag: true, pinResolves: null },
			{
				lines: [
					`--continue: could not look for the transcript of session ${SID}`,
				],
			},
		],
		[
			"a live orchestrator",
			{ rows: [row("shell", "%1"), row("orchestrator", "%2")] },
			{ intent: null, archivePin: false, lines: [] },
		],
		[
			"a dead one",
			{ rows: [row("shell", "%1"), row("orchestrator", "%2", "1")] },
			{ intent: "fresh", archivePin: true },
		],
	])("%s", (_what, over, expected) => {
		expect(decideEntry({ ...facts, ...over })).toMatchObject(expected);
	});
});

describe("where it may start", () => {
	test("from a window of its own: everything up, wait, the cockpit", async () => {
		const w = await world();
		expect(await run(w)).toMatchObject({
			rc: 0,
			ran: [
				"/code/monitor/svc.ts up",
				"/code/monitor/watcher/verify-stack.ts",
				"/code/monitor/svc.ts",
			],
		});
	});

	const refusals: readonly (readonly [
		string,
		(w: WatcherWorld) => void,
		string,
	])[] = [
		["outside tmux", (w) => delete w.doors.proc.env.TMUX, "tmux"],
		[
			"outside a sandbox",
			(w) => delete w.doors.proc.env.SANDBOX_ACTIVE,
			"sandbox",
		],
		["without a pane", (w) => delete w.doors.proc.env.TMUX_PANE, "$TMUX_PANE"],
		[
			"with a pane that is gone",
			(w) => {
				w.doors.proc.env.TMUX_PANE = "%999";
			},
			"$TMUX_PANE",
		],
		[
			"when tmux does not answer",
			(w) => {
				w.doors.tmux.fail("panes", { kind: "hung" });
			},
			"tmux",
		],
		[
			"inside the orchestrator's window",
			(w) => {
				w.doors.tmux.byName("shell").name = "orchestrator";
			},
			"orchestrator's window",
		],
	];
	for (const [rule, arrange, says] of refusals)
		test(`${rule} → 2, and nothing is touched`, async () => {
			const w = await world();
			w.doors.files.seed(PIN, `${SID}\n`);
			arrange(w);
			const done = await run(w);
			expect(done).toMatchObject({ rc: 2, ran: [] });
			expect(done.said).toContain(says);
			expect(w.doors.files.text(PIN)).toBe(`${SID}\n`);
			expect(w.doors.files.has(bootIntentPath(STATE))).toBe(false);
		});

	test("an unusable configuration → 2 with its lines", async () => {
		const w = await world();
		const settings = { ...w.settings, problems: ["config: nexus.yml:3:1: no"] };
		expect(await run({ ...w, settings })).toMatchObject({
			rc: 2,
			ran: [],
			said: "config: nexus.yml:3:1: no",
		});
	});

	test.each([
		["", () => {}],
		[
			" in a fresh clone, too, which has no state dir yet",
			(w: WatcherWorld) => w.doors.files.removeTree(STATE),
		],
	])("the sandbox flag is remembered%s", async (_, arrange) => {
		const w = await world({ SANDBOX_ACTIVE: "" });
		arrange(w);
		expect((await run(w, { acceptNoSandbox: true })).rc).toBe(0);
		expect(w.doors.files.has(bootIntentPath(STATE))).toBe(true);
		expect((await run(w)).rc).toBe(0);
	});

	test("what the disk does not remember is said: the watcher that starts below would refuse", async () => {
		const w = await world({ SANDBOX_ACTIVE: "" });
		w.doors.files.faults.readOnly = true;
		const { said } = await run(w, { acceptNoSandbox: true });
		expect(said).toContain("could not be remembered: EROFS");
	});
});

describe("the last session", () => {
	test("no orchestrator, no flag: set aside, never deleted; the intent is fresh", async () => {
		const w = await world();
		w.doors.files.seed(PIN, `${SID}\n`);
		await run(w);
		expect(w.doors.files.has(PIN)).toBe(false);
		expect(archived(w).map((p) => w.doors.files.text(p))).toEqual([`${SID}\n`]);
		expect(w.doors.files.text(bootIntentPath(STATE))).toMatch(
			/^mode=fresh\nts=\d+\nsource=entry\npid=4242\n$/,
		);
	});

	const says: readonly (readonly [string, string | null, boolean, string])[] = [
		["its transcript is there", SID, true, "will be resumed"],
		["its transcript is gone", SID, false, "its transcript is gone"],
		["none is recorded", null, false, "no session is recorded"],
	];
	for (const [rule, pin, transcript, text] of says)
		test(`--continue leaves it and says whether it resolves: ${rule}`, async () => {
			const w = await world();
			if (pin) w.doors.files.seed(PIN, `${pin}\n`);
			if (transcript)
				w.doors.files.seed(
					`/home/op/.claude/projects/-root/${SID}.jsonl`,
					"{}\n",
				);
			const done = await run(w, { continueFlag: true });
			expect(done.said).toContain(text);
			expect(w.doors.files.has(PIN)).toBe(pin !== null);
			expect(w.doors.files.text(bootIntentPath(STATE))).toStartWith(
				"mode=continue\n",
			);
		});

	for (const continueFlag of [true, false])
		test(`a live orchestrator keeps it, ${continueFlag ? "and the flag has no effect" : "flag or not"}`, async () => {
			const w = await world();
			w.doors.tmux.window("orchestrator");
			w.doors.files.seed(PIN, `${SID}\n`);
			const done = await run(w, { continueFlag });
			expect(done.rc).toBe(0);
			expect(w.doors.files.text(PIN)).toBe(`${SID}\n`);
			expect(w.doors.files.has(bootIntentPath(STATE))).toBe(false);
			expect(done.said.includes("no effect")).toBe(continueFlag);
		});

	test("a window of dead panes is no orchestrator", async () => {
		const w = await world();
		w.doors.tmux.window("orchestrator").pane.dead = "1";
		w.doors.files.seed(PIN, `${SID}\n`);
		await run(w);
		expect(archived(w)).toHaveLength(1);
	});
});

describe("another instance", () => {
	test("on this host → 3, nothing started", async () => {
		const w = await world();
		w.doors.locks.takenElsewhere(
			instanceLockPath(STATE),
			"pid: 9\nhost: host-a\npid_ns: another\n",
		);
		const done = await run(w);
		expect(done).toMatchObject({ rc: 3, ran: [] });
		expect(done.said).toContain("same-host instance flock");
	});

	test("on another host → 3", async () => {
		const w = await world();
		const now = w.doors.clock.now();
		w.doors.files.seed(
			instanceHeartbeatPath(STATE),
			`host: host-b\nepoch: ${now - 9}\nts: then\n`,
		);
		expect((await run(w)).rc).toBe(3);
	});

	test("our own running watcher is no other instance", async () => {
		const w = await world();
		w.doors.locks.takenElsewhere(
			instanceLockPath(STATE),
			`pid: 9\nhost: host-a\npid_ns: ${w.doors.proc.pidNamespace()}\n`,
		);
		expect((await run(w)).rc).toBe(0);
	});
});

test("a watcher that does not start is told; the status is shown all the same", async () => {
	const w = await world();
	w.doors.proc.answer(/svc\.ts up$/, 1);
	const done = await run(w);
	expect(done.rc).toBe(0);
	expect(done.ran).toEqual(["/code/monitor/svc.ts up", "/code/monitor/svc.ts"]);
	expect(done.said).toContain("monitor/svc.ts up ended with 1");
});

describe("the cockpit", () => {
	test("takes the window it was started in, by id, and gives it its name for as long as it shows", async () => {
		const w = await world();
		const shown: string[] = [];
		w.doors.proc.answer(/svc\.ts$/, () => {
			shown.push(w.doors.tmux.byName("services").pane.id);
			return { kind: "exited", rc: 0, stdout: "", stderr: "" };
		});
		expect((await run(w, { isInteractive: true })).ran.at(-1)).toBe(
			"/code/monitor/svc.ts",
		);
		const own = w.doors.proc.env.TMUX_PANE!;
		expect(shown).toEqual([own]);
		const window = w.doors.tmux.byName("shell");
		expect(window.pane.id).toBe(own);
		// tmux names it by what runs in it, as before.
		expect(window.options).toEqual({});
	});

	test("gives back a name that somebody chose, and leaves it chosen", async () => {
		const w = await world();
		const { options } = w.doors.tmux.byName("shell");
		options["automatic-rename"] = "off";
		await run(w, { isInteractive: true });
		expect(w.doors.tmux.byName("shell").options).toEqual({
			"automatic-rename": "off",
		});
	});

	test("leaves a name that somebody gave the window meanwhile", async () => {
		const w = await world();
		w.doors.proc.answer(/svc\.ts$/, () => {
			w.doors.tmux.byName("services").name = "mine";
			return { kind: "exited", rc: 0, stdout: "", stderr: "" };
		});
		await run(w, { isInteractive: true });
		expect(() => w.doors.tmux.byName("mine")).not.toThrow();
	});

	test("that runs elsewhere is named, and no second one is opened", async () => {
		const w = await world();
		const desk = w.doors.tmux.window("desk");
		desk.pane.pid = 700;
		w.doors.proc.add({ pid: 700, argv: ["sh"] });
		w.doors.proc.add({
			pid: 701,
			ppid: 700,
			environ: { NEXUS_STATE_DIR: STATE },
			argv: ["bun", "--no-install", "/code/monitor/svc.ts"],
		});
		w.doors.proc.env.NEXUS_STATE_DIR = STATE;
		const done = await run(w, { isInteractive: true });
		expect(done).toMatchObject({ rc: 0 });
		expect(done.said).toContain("runs in window 'desk' already (pid 701)");
		expect(done.ran.at(-1)).not.toBe("/code/monitor/svc.ts");
		w.doors.tmux.byName("shell");
	});

	test("without a terminal leaves the window's name alone", async () => {
		const w = await world();
		await run(w);
		w.doors.tmux.byName("shell");
	});
});
