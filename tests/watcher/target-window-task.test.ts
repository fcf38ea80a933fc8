import { beforeEach, expect, test } from "bun:test";
import { targetWindowTask } from "../../monitor/watcher/_target_window.ts";
import type { TaskFn } from "../../monitor/watcher/context.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { HUNG, ZERO_ROWS } from "../fakes/tmux.ts";
import { STATE, schedulerPort, watcherContext } from "./watcher-rig.ts";

let doors: FakeDoors;
let asked: string[];
let said: string[];
let handed: string[];
let probe: (afterGap?: boolean) => Promise<number>;
beforeEach(() => {
	doors = fakeDoors();
	doors.files.seedDir(STATE);
	doors.tmux.window("shell");
	doors.tmux.window("orchestrator");
	const scheduler = schedulerPort();
	asked = scheduler.asked;
	said = [];
	handed = [];
	const task: TaskFn = targetWindowTask({
		absence: {
			present: () => void handed.push("there"),
			reset: () => void handed.push("no look"),
			missing: async () => void handed.push("missing"),
		},
		recover: async () => void handed.push("recover"),
		successor: () => {},
	}).make(watcherContext(doors, { scheduler: scheduler.port }));
	probe = async (afterGap = false) => {
		await doors.clock.advance(2_000);
		const run = {
			signal: new AbortController().signal,
			afterGap,
			log: (line: string) => said.push(line),
			doors,
		};
		return (await doors.clock.run(task(run))).rc;
	};
});
const alerts = () =>
	doors.files.has(`${STATE}/watcher-alerts.log`)
		? doors.files.text(`${STATE}/watcher-alerts.log`)
		: "";
const close = () =>
	doors.tmux.run({
		kind: "kill-window",
		target: doors.tmux.byName("orchestrator").id,
	});

test("a window that is there answers 0 and asks for nothing", async () => {
	expect(await probe()).toBe(0);
	expect([asked, said, alerts()]).toEqual([[], [], ""]);
});

test("a missing window answers 2 and pulls the emit forward; the fourth miss is the episode's one ALERT", async () => {
	await close();
	for (let i = 0; i < 8; i++) expect(await probe()).toBe(2);
	expect(asked.filter((a) => a.startsWith("fire"))).toEqual(
		Array(4).fill("fire compose_emit"),
	);
	expect(asked).toContain("override compose_emit 5/60");
	expect(alerts().match(/ ALERT /g)).toHaveLength(1);
	expect(alerts()).toContain("absent for 4 poll(s)");
});

test("a window whose only pane is dead is absent, and one with a pane of odd state is not", async () => {
	doors.tmux.byName("orchestrator").pane.dead = "1";
	expect(await probe()).toBe(2);
	doors.tmux.byName("orchestrator").pane.dead = "";
	expect(await probe()).toBe(0);
});

test("each look is handed on, after a word to whoever recovers what a predecessor began", async () => {
	await probe();
	await close();
	await probe();
	await probe(true);
	doors.tmux.fail("panes", HUNG);
	await probe();
	expect(handed).toEqual(["recover", "there", "missing", "no look", "no look"]);
});

test("its return is said, and what waited goes out", async () => {
	await close();
	await probe();
	doors.tmux.window("orchestrator");
	asked.length = 0;
	expect(await probe()).toBe(0);
	expect(said.at(-1)).toBe("target window 'orchestrator' is there");
	expect(asked).toEqual(["fire compose_emit", "override compose_emit 5/60"]);
});

test.each([
	["hangs", HUNG],
	["answers without a row", ZERO_ROWS],
])("a tmux that %s is not an absence, however long", async (_name, failure) => {
	doors.tmux.fail("panes", failure);
	for (let i = 0; i < 20; i++) expect(await probe()).toBe(1);
	expect(asked).toEqual([]);
	expect(alerts()).not.toContain("ALERT");
	expect(alerts().match(/WARN tmux does not answer/g)).toHaveLength(1);
});

test("in the grace after a clock gap nothing is counted and nothing hurried", async () => {
	await close();
	for (let i = 0; i < 6; i++) await probe(true);
	expect([asked, alerts()]).toEqual([[], ""]);
});

const split = () => {
	const { pane } = doors.tmux.byName("orchestrator");
	return { active: pane, next: doors.tmux.model.split(pane) };
};
const runsIn = (pid: number | null, comm: string) => {
	const shell = pid ?? 0;
	doors.proc.add({ pid: shell, comm: "bash" });
	if (comm !== "bash") doors.proc.add({ pid: shell + 1, ppid: shell, comm });
};
test.each<[string, boolean, () => void]>([
	["that holds nothing but an idle shell", true, () => {}],
	[
		"of an idle shell beside another",
		true,
		() => runsIn(split().next.pid, "bash"),
	],
	[
		"of an idle shell beside a log that is followed",
		true,
		() => runsIn(split().next.pid, "tail"),
	],
	[
		"of an idle shell beside the dead pane of its orchestrator",
		true,
		() => {
			split().next.dead = "1";
		},
	],
	[
		"of a dead pane beside an idle shell",
		true,
		() => {
			const { active, next } = split();
			active.dead = "1";
			runsIn(next.pid, "bash");
		},
	],
	[
		"of an idle shell beside a pane in which claude lives",
		false,
		() => runsIn(split().next.pid, "claude"),
	],
	[
		"of an idle shell beside a pane without a pid",
		false,
		() => {
			split().next.pid = null;
		},
	],
])("a window %s: set aside %p", async (_name, isSetAside, arrange) => {
	const { id } = doors.tmux.byName("orchestrator");
	arrange();
	for (let i = 0; i < 700; i++) await probe();
	const rows = await doors.tmux.panes();
	const named = rows.kind === "ok" ? rows.rows : [];
	expect(named.find((row) => row.windowId === id)?.windowName).toBe(
		isSetAside ? "orchestrator-shell" : "orchestrator",
	);
	expect(alerts()).toContain("holds no agent");
	expect(alerts().includes("the active pane of")).toBe(!isSetAside);
});
