import { describe, expect, test } from "bun:test";
import { decideSpawn } from "../../monitor/_ng/spawn-decision/decide.ts";
import { appendEvent } from "../../monitor/_state/action-log-append.ts";
import { NO_TMUX, REFUSED } from "../fakes/tmux.ts";
import { readFixture } from "../pane/cli-support.ts";
import { ngRig, S } from "./rig.ts";

describe("the table", () => {
	const seen = (state: string) => ({ kind: "seen", state }) as const;
	test.each([
		[{ kind: "no-tmux" }, null, "ambiguous", "no-tmux", 1],
		[{ kind: "could-not-look" }, 5, "ambiguous", "enumeration-failed", 1],
		[{ kind: "no-window" }, 5, "spawn", "window-absent", 0],
		[
			seen("busy"),
			5,
			"ambiguous",
			"pane-mid-flight-queue-as-paste-buffer-followup",
			0,
		],
		[
			seen("user-typing"),
			5,
			"ambiguous",
			"pane-mid-flight-queue-as-paste-buffer-followup",
			0,
		],
		[seen("blocked"), 5, "spawn", "pane-blocked-fresh-spawn-after-triage", 0],
		[seen("absent"), 5, "spawn", "pane-absent-fresh-spawn", 0],
		[seen("idle"), null, "spawn", "no-retain-on-record", 0],
		[seen("idle"), 101, "spawn", "retain-ttl-expired", 0],
		[seen("idle"), 100, "continue", "retained-and-idle", 0],
		[seen("autosuggest-only"), 0, "continue", "retained-and-idle", 0],
		[seen("empty"), 0, "continue", "retained-and-idle", 0],
		[seen("idle"), "could-not-look", "ambiguous", "action-log-unreadable", 1],
		[seen("absent"), "could-not-look", "spawn", "pane-absent-fresh-spawn", 0],
		[seen("unknown"), 0, "ambiguous", "pane-state-unknown", 0],
		[seen("working-background"), 0, "ambiguous", "pane-state-unknown", 0],
		[seen("over-limit"), 0, "ambiguous", "pane-state-unknown", 0],
		[seen("idle-orphan-async"), 0, "ambiguous", "pane-state-unknown", 0],
	] as const)(
		"%j, retained %p s ago: %s (%s)",
		(pane, retainAge, decision, reason, rc) => {
			expect(
				decideSpawn({ pane, retainAge, retainTtlSeconds: 100 }),
			).toMatchObject({ decision, reason, rc });
		},
	);
});

describe("the line", () => {
	test("tells the ages of retain and spawn", async () => {
		const rig = ngRig();
		rig.doors.tmux.window("x");
		for (const event of ["spawn", "window-retain"]) {
			appendEvent(rig.doors, S, {
				agent: "monitor",
				event,
				extras: [
					["window", "w"],
					["reason", "r"],
				],
			});
			await rig.doors.clock.advance(10_000);
		}
		expect(await rig.ng("spawn-decision", "w", "--topic", "t")).toMatchObject({
			rc: 0,
			out: "decision=spawn reason=window-absent pane_state=absent retain_age_s=10 spawn_age_s=20",
		});
	});

	test("without tmux is two fields; a listing that fails is no absence", async () => {
		const none = ngRig();
		none.doors.tmux.fail("panes", NO_TMUX);
		expect(await none.ng("spawn-decision", "w")).toMatchObject({
			rc: 1,
			out: "decision=ambiguous reason=no-tmux",
		});
		const failed = ngRig();
		failed.doors.tmux.fail("panes", REFUSED);
		expect(await failed.ng("spawn-decision", "w")).toMatchObject({
			rc: 1,
			out: "decision=ambiguous reason=enumeration-failed pane_state=unknown retain_age_s=none spawn_age_s=none",
		});
	});

	test("with a broken config nothing is decided", async () => {
		const rig = ngRig();
		rig.doors.files.seed("/root/config/nexus.yml", "monitor: [\n", {
			mode: 0o600,
		});
		const ran = await rig.ng("spawn-decision", "w");
		expect([ran.rc, ran.out]).toEqual([1, ""]);
		expect(ran.err).not.toBe("");
	});

	test("a log that cannot be read retains nobody, and lets nobody go", async () => {
		const rig = ngRig();
		const { pane } = rig.doors.tmux.window(
			"w",
			readFixture("claude-code/2.1.332-160x45/idle-fresh"),
		);
		const shell = { pid: pane.pid ?? 0, comm: "bash", exe: "/bin/bash" };
		rig.doors.proc.add(shell);
		rig.doors.proc.add({
			pid: 4821,
			ppid: shell.pid,
			comm: "claude",
			exe: "/opt/claude",
		});
		rig.doors.files.seedDir(`${S}/action-log.jsonl`);
		expect(await rig.ng("spawn-decision", "w")).toMatchObject({
			rc: 1,
			out: expect.stringMatching(
				/^decision=ambiguous reason=action-log-unreadable pane_state=\S+ retain_age_s=none /,
			),
		});
	});

	test("reads the pane: one without a claude that answers is not continued", async () => {
		const rig = ngRig();
		rig.doors.tmux.window("w");
		const { out } = await rig.ng("spawn-decision", "w");
		expect(out).toMatch(/^decision=(spawn|ambiguous) reason=/);
	});
});

describe("respawn", () => {
	test("is spawn-worker --resume with its own names for the flags", async () => {
		const rig = ngRig();
		const calls: (readonly string[])[] = [];
		rig.doors.proc.foreground = async (argv) => {
			calls.push(argv.slice(5));
			return 13;
		};
		const args = ["w", "--workdir=/d", "--dry-run", "--window", "x", "--nudge"];
		args.push("--model", "m");
		expect((await rig.ng("respawn", ...args)).rc).toBe(13);
		expect(calls).toEqual([
			[
				...["--resume", "w", "-n", "x", "-c", "/d", "--model", "m"],
				...["--nudge", "--dry-run"],
			],
		]);
	});
	test("needs a target and knows its flags", async () => {
		expect((await ngRig().ng("respawn")).rc).toBe(1);
		expect((await ngRig().ng("respawn", "w", "--force")).rc).toBe(1);
	});
});
