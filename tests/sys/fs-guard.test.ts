import { describe, expect, test } from "bun:test";
import {
	decideFsGuard,
	type FsFacts,
	fsGuardStep,
	type KnownFsMode,
} from "../../monitor/_sys/fs-guard.ts";
import { fsStatusPath } from "../../monitor/_sys/fs-status.ts";
import { fakeDoors } from "../fakes/doors.ts";

const OK = { kind: "ok" } as const;
const EROFS = { kind: "failed", code: "EROFS", reason: "EROFS: /s" } as const;
const told = (alarmedAt: number | null) =>
	({ mode: "degraded", alarmedAt }) as const;

describe("the decision, at 1000 with a throttle of 120 s", () => {
	test.each<
		readonly [
			string,
			Pick<FsFacts, "previous" | "probe" | "status">,
			readonly ["ok" | "degraded", string | null, boolean, boolean],
		]
	>([
		[
			"all is well",
			{ previous: "ok", probe: OK, status: null },
			["ok", null, false, false],
		],
		[
			"the disk turns read-only",
			{ previous: "ok", probe: EROFS, status: null },
			["degraded", "to-degraded", true, true],
		],
		[
			"it stays so: no second alarm, but a fresh status",
			{ previous: "degraded", probe: EROFS, status: told(900) },
			["degraded", null, false, true],
		],
		[
			"it heals",
			{ previous: "degraded", probe: OK, status: told(900) },
			["ok", "to-ok", false, true],
		],
		[
			"it flaps within the throttle",
			{ previous: "ok", probe: EROFS, status: told(881) },
			["degraded", "to-degraded", false, true],
		],
		[
			"it flaps after the throttle",
			{ previous: "ok", probe: EROFS, status: told(880) },
			["degraded", "to-degraded", true, true],
		],
		[
			"an alarm a little ahead has just been given: the clock stepped back",
			{ previous: "ok", probe: EROFS, status: told(1100) },
			["degraded", "to-degraded", false, true],
		],
		[
			"an alarm from further ahead than the throttle is not believed",
			{ previous: "ok", probe: EROFS, status: told(1500) },
			["degraded", "to-degraded", true, true],
		],
		[
			"a new process finds what an old one has told",
			{ previous: "unknown", probe: EROFS, status: told(950) },
			["degraded", "to-degraded", false, true],
		],
		[
			"a new process finds the disk healed",
			{ previous: "unknown", probe: OK, status: told(950) },
			["ok", "to-ok", false, true],
		],
		[
			"a new process finds all well",
			{ previous: "unknown", probe: OK, status: null },
			["ok", null, false, false],
		],
	])("%s", (_what, facts, expected) => {
		const d = decideFsGuard({ ...facts, now: 1000, throttleSeconds: 120 });
		expect<unknown>([d.mode, d.edge, d.alarm, d.writeStatus]).toEqual(expected);
	});
});

describe("a step", () => {
	function rig() {
		const doors = fakeDoors({
			now: 1000,
			proc: { env: { XDG_RUNTIME_DIR: "/run/user/1000" } },
		});
		doors.files.seedDir("/run/user/1000");
		doors.files.seedDir("/n/s");
		doors.proc.programs.set("sandbox-notify", "/usr/bin/sandbox-notify");
		doors.proc.answer("sandbox-notify", 0);
		const place = { dir: "/n/s", root: "/n", throttleSeconds: 120 };
		const step = (previous: KnownFsMode) => fsGuardStep(doors, place, previous);
		const path = fsStatusPath(doors.proc.env, 1000, "/n");
		return { doors, step, path };
	}

	test("logs once, rings once and writes the status outside the tree; the way back is one line", async () => {
		const { doors, step, path } = rig();
		expect(await step("unknown")).toBe("ok");
		const heal = doors.files.faults.fail({
			path: "/n/s",
			ops: ["probe"],
			code: "EROFS",
		});
		expect(await step("ok")).toBe("degraded");
		await doors.clock.advance(15_000);
		expect(await step("degraded")).toBe("degraded");
		expect(doors.log.messages("warn")).toEqual([
			"/n/s is not writable (EROFS: /n/s); nothing can be recorded until it is",
		]);
		expect(doors.proc.execs.map((e) => e.argv)).toEqual([
			[
				"/usr/bin/sandbox-notify",
				"CRITICAL: /n/s is not writable (EROFS: /n/s); nothing can be recorded until it is",
			],
		]);
		expect(doors.files.text(path)).toBe(
			"mode=degraded\nupdated=1015\nreason=EROFS: /n/s\nalarmed=1000\n",
		);
		heal();
		expect(await step("degraded")).toBe("ok");
		expect(doors.log.messages("info")).toEqual(["/n/s is writable again"]);
		expect(doors.files.text(path)).toStartWith("mode=ok\nupdated=1015\n");
		expect(doors.proc.execs).toHaveLength(1);
	});

	test("the status lies in a private folder named by user and root", async () => {
		const { doors, path, step } = rig();
		expect(path).toMatch(
			/^\/run\/user\/1000\/nexus-1000\/[0-9a-f]{12}\/status$/,
		);
		doors.files.faults.fail({ path: "/n/s", ops: ["probe"], code: "EROFS" });
		await step("ok");
		expect(doors.files.stat("/run/user/1000/nexus-1000")).toMatchObject({
			stat: { mode: 0o700 },
		});
	});

	test("a folder of that name that another user laid out is neither written nor believed", async () => {
		const { doors, path } = rig();
		doors.files.seedDir("/run/user/1000/nexus-1000");
		doors.files.seed(path, "mode=degraded\nupdated=999\nalarmed=999\n");
		const { files } = doors;
		const foreign = {
			...doors,
			files: {
				...files,
				lstat: (p: string) => {
					const looked = files.lstat(p);
					return looked.kind === "ok"
						? { kind: "ok" as const, stat: { ...looked.stat, uid: 666 } }
						: looked;
				},
			},
		};
		files.faults.fail({ path: "/n/s", ops: ["probe"], code: "EROFS" });
		const place = { dir: "/n/s", root: "/n", throttleSeconds: 120 };
		await fsGuardStep(foreign, place, "ok");
		expect(files.text(path)).toContain("updated=999");
		expect(doors.log.messages("warn")).toHaveLength(1);
	});

	test.each([
		[{ XDG_RUNTIME_DIR: "/r", TMPDIR: "/t" }, "/r/"],
		[{ XDG_RUNTIME_DIR: "", TMPDIR: "/t" }, "/t/"],
		[{}, "/tmp/"],
	])("with %j it lies below %s", (env, base) => {
		expect(fsStatusPath(env, 7, "/n")).toStartWith(`${base}nexus-7/`);
	});
});
