import { describe, expect, test } from "bun:test";
import { namesWindow } from "../../monitor/_ng/retire-window/scan.ts";
import { parseActionLog } from "../../monitor/_state/action-log.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { type NgRig, ngRig, S } from "./rig.ts";

/** A window `w.1` that the gate lets go, with a few files. */
function rigWithWindow(gate = 0): NgRig {
	const rig = ngRig();
	const { files, tmux, proc } = rig.doors;
	tmux.window("orchestrator");
	const { pane } = tmux.window("w.1");
	proc.add({ pid: pane.pid ?? 0, cwd: "/work/w" });
	files.seed(
		`${S}/windows/w%2E1.json`,
		'{"session_id":"old","workdir":"/by/spawn"}',
	);
	files.seed(`${S}/heartbeat/w.1.json`, '{"session_id":"new"}');
	files.seed(`${S}/idle-state.tsv`, "w.1\twrapped\nw\twrapped\n");
	proc.answer(/retire-preflight/, {
		rc: gate,
		stdout: `safe=${gate === 0 ? 1 : 0} window=w.1 pane=idle reason=x\n`,
		stderr: "",
	});
	return rig;
}
const isThere = ({ doors }: NgRig) =>
	doors.tmux.model.rows().some((row) => row.windowName === "w.1");
const gateCall = ({ doors }: NgRig) =>
	doors.proc.execs.map((e) => e.argv.slice(5).join(" "));

describe("a window that the gate lets go", () => {
	test("is killed by id, its files go, and the log remembers where it was", async () => {
		const rig = rigWithWindow();
		const ran = await rig.ng("retire-window", "w.1", "--reason", "done");
		expect(ran.rc).toBe(0);
		expect(ran.out).toBe(
			"retire-window: window=w.1 killed=1 leftovers=0 unmanifested=0",
		);
		expect(isThere(rig)).toBe(false);
		expect(gateCall(rig)).toEqual(["-- w.1"]);
		const { files } = rig.doors;
		expect(files.has(`${S}/windows/w%2E1.json`)).toBe(false);
		expect(files.text(`${S}/idle-state.tsv`)).toBe("w\twrapped\n");
		const log = files.text(`${S}/action-log.jsonl`);
		const [event] = parseActionLog(log, ["window-close"]);
		expect(event?.window).toBe("w.1");
		expect(event?.field("reason")).toBe("done");
		expect(event?.field("workdir")).toBe("/by/spawn");
		expect(event?.field("session-id")).toBe("new");
	});

	test("stays with --keep-window; its files go all the same, and no close is logged", async () => {
		const rig = rigWithWindow();
		const ran = await rig.ng("retire-window", "w.1", "--keep-window");
		expect(ran.out).toContain("killed=0");
		expect(isThere(rig)).toBe(true);
		expect(rig.doors.files.has(`${S}/heartbeat/w.1.json`)).toBe(false);
		expect(rig.doors.files.has(`${S}/action-log.jsonl`)).toBe(false);
	});

	test("is remembered by what is known of it, and by nothing that is not", async () => {
		const fieldsOf = async (change: (rig: NgRig) => void) => {
			const rig = rigWithWindow();
			change(rig);
			await rig.ng("retire-window", "w.1");
			const log = rig.doors.files.text(`${S}/action-log.jsonl`);
			const [event] = parseActionLog(log, ["window-close"]);
			return [event?.field("workdir"), event?.field("session-id")];
		};
		const none = (rig: NgRig) => {
			rig.doors.files.remove(`${S}/windows/w%2E1.json`);
			rig.doors.files.remove(`${S}/heartbeat/w.1.json`);
		};
		expect(await fieldsOf(none)).toEqual(["/work/w", null]);
		expect(
			await fieldsOf((rig) =>
				rig.doors.files.remove(`${S}/heartbeat/w.1.json`),
			),
		).toEqual(["/by/spawn", "old"]);
		expect(
			await fieldsOf((rig) => {
				none(rig);
				rig.doors.tmux.byName("w.1").pane.pid = null;
			}),
		).toEqual([null, null]);
	});

	test("whose end cannot be logged is ended, and that is said", async () => {
		const rig = rigWithWindow();
		rig.doors.files.faults.fail({ path: /action-log/, code: "ENOSPC" });
		const ran = await rig.ng("retire-window", "w.1");
		expect(isThere(rig)).toBe(false);
		expect(ran.err).toContain("action log: ");
	});

	test("is only described in a dry run", async () => {
		const rig = rigWithWindow();
		const ran = await rig.ng("retire-window", "w.1", "--dry-run");
		expect(ran.rc).toBe(0);
		expect(ran.out.split("\n")).toEqual([
			"retire-window: window=w.1 would_kill=1 would_prune=3",
			"  heartbeat/w.1.json",
			"  windows/w%2E1.json",
			"  idle-state.tsv",
		]);
		expect(isThere(rig)).toBe(true);
		expect(rig.doors.files.has(`${S}/windows/w%2E1.json`)).toBe(true);
		const kept = await rig.ng(
			"retire-window",
			"w.1",
			"--dry-run",
			"--keep-window",
		);
		expect(kept.out).toContain("would_kill=0 would_prune=3");
	});
});

describe("nothing is killed and nothing pruned", () => {
	const untouched = (rig: NgRig) => {
		expect(isThere(rig)).toBe(true);
		expect(rig.doors.files.has(`${S}/windows/w%2E1.json`)).toBe(true);
		expect(rig.doors.files.has(`${S}/action-log.jsonl`)).toBe(false);
	};

	test.each([1, 2, 3])(
		"when the gate says no (exit %i), also under --keep-window",
		async (rc) => {
			for (const more of [[], ["--keep-window"]]) {
				const rig = rigWithWindow(rc);
				const ran = await rig.ng("retire-window", "w.1", ...more);
				expect([ran.rc, ran.out]).toEqual([rc, ""]);
				expect(ran.err).toContain("safe=0 window=w.1 pane=idle reason=x");
				untouched(rig);
			}
		},
	);

	test.each([
		["does not answer", "hang"],
		[
			"says yes by its exit code alone",
			{ rc: 0, stdout: "safe=0 window=w.1\n" },
		],
		["says nothing", { rc: 0, stdout: "" }],
	] as const)("when the gate %s", async (_name, answer) => {
		const rig = rigWithWindow();
		rig.doors.proc.answer(/retire-preflight/, answer);
		expect((await rig.ng("retire-window", "w.1")).rc).toBe(1);
		untouched(rig);
	});

	test("when tmux cannot be asked", async () => {
		const rig = rigWithWindow();
		rig.doors.tmux.fail("panes", REFUSED, 1);
		const ran = await rig.ng("retire-window", "w.1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("--assume-absent");
		expect(rig.doors.proc.execs).toEqual([]);
		untouched(rig);
	});

	test("when two windows bear the name", async () => {
		const rig = rigWithWindow();
		rig.doors.tmux.window("w.1");
		expect((await rig.ng("retire-window", "w.1")).rc).toBe(1);
		untouched(rig);
	});

	test("when the kill fails", async () => {
		const rig = rigWithWindow();
		rig.doors.tmux.fail("kill-window", REFUSED);
		const ran = await rig.ng("retire-window", "w.1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toMatch(/w\.1 was not killed: .*; nothing was pruned/);
		untouched(rig);
	});

	test.each([
		[[], 1, "needs a window"],
		[["w.1", "w.2"], 1, "positionals"],
		[["w.1", "--force"], 1, "unknown flag: --force"],
		[["w.1", "--reason"], 64, "--reason"],
	])("by a call like %j: exit %i", async (args, rc, says) => {
		const rig = rigWithWindow();
		const ran = await rig.ng("retire-window", ...args);
		expect(ran.rc).toBe(rc);
		expect(ran.err).toContain(says);
		expect(rig.doors.proc.execs).toEqual([]);
		untouched(rig);
	});

	test("while the configuration cannot be used", async () => {
		const rig = rigWithWindow();
		rig.doors.files.seed("/root/config/nexus.yml", "monitor: [1]\n", {
			mode: 0o600,
		});
		const ran = await rig.ng("retire-window", "w.1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("config:");
		untouched(rig);
	});

	test("when tmux was started anew, or the id means another window by now", async () => {
		for (const change of ["server", "name"]) {
			const rig = rigWithWindow();
			const { tmux } = rig.doors;
			let asked = 0;
			tmux.after((call) => {
				if (call.op !== "panes" || asked++ > 0) return;
				const { model } = tmux;
				if (change === "server")
					model.server = { ...model.server, startTime: 1 };
				else tmux.byName("w.1").name = "other";
			});
			expect((await rig.ng("retire-window", "w.1")).rc).toBe(1);
			expect(tmux.trace()).not.toContain("kill-window");
		}
	});
});

describe("a window that is gone", () => {
	test("is pruned after the gate has been told that it is absent", async () => {
		const rig = rigWithWindow();
		rig.doors.tmux.model.closeWindow(rig.doors.tmux.byName("w.1"));
		const ran = await rig.ng("retire-window", "w.1");
		expect(ran.out).toContain("killed=0 leftovers=0");
		expect(gateCall(rig)).toEqual(["--pane-state absent -- w.1"]);
	});

	test("on the caller's word, where tmux cannot be asked", async () => {
		const rig = rigWithWindow();
		rig.doors.tmux.fail("panes", REFUSED);
		const ran = await rig.ng("retire-window", "w.1", "--assume-absent");
		expect(ran.rc).toBe(0);
		expect(gateCall(rig)).toEqual(["--pane-state absent -- w.1"]);
		expect(rig.doors.tmux.trace()).not.toContain("kill-window");
	});
});

test("what is left over is listed, and is a failure", async () => {
	const rig = rigWithWindow();
	rig.doors.files.faults.fail({
		path: /heartbeat/,
		ops: ["remove"],
		code: "EACCES",
	});
	const ran = await rig.ng("retire-window", "w.1");
	expect(ran.rc).toBe(1);
	expect(ran.err).toContain("left over: heartbeat/w.1.json");
	expect(ran.out).toContain("killed=1 leftovers=1");
	expect(rig.doors.files.has(`${S}/action-log.jsonl`)).toBe(true);
});

test("what nobody listed is told, kept, and a failure only where that is asked for", async () => {
	for (const [more, rc] of [
		[[], 0],
		[["--strict"], 1],
	] as const) {
		const rig = rigWithWindow();
		const { files } = rig.doors;
		files.seed(`${S}/future/w.1.state`, "x");
		files.seed(`${S}/future/w.10.state`, "x");
		files.seed(`${S}/future.tsv`, "w.1\t1\n");
		const ran = await rig.ng("retire-window", "w.1", ...more);
		expect(ran.rc).toBe(rc);
		expect(ran.out).toContain("unmanifested=2");
		expect(ran.err).toContain("kept: future/w.1.state");
		expect(files.has(`${S}/future/w.1.state`)).toBe(true);
	}
});

test.each([
	["async-run/w", true],
	["x/w.json", true],
	["x/pre_w.9", true],
	["x/w1.json", false],
	["x/w-1", false],
	["watcher", false],
])("%s names the window w: %p", (path, expected) => {
	expect(namesWindow(path, "w")).toBe(expected);
});
