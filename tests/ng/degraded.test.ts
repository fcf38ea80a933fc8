/** Can the nexus still write (contract 05 §14.3)? */
import { describe, expect, test } from "bun:test";
import { verdictOf } from "../../monitor/_ng/degraded/verdict.ts";
import type { ExecResult } from "../../monitor/_sys/doors.ts";
import { fsStatusPath, writeFsStatus } from "../../monitor/_sys/fs-status.ts";
import { HANG } from "../fakes/proc.ts";
import { ngRig, S } from "./rig.ts";

const exited = (rc: number, stderr = ""): ExecResult => ({
	kind: "exited",
	rc,
	stdout: "",
	stderr,
});
const says = (code: string) =>
	exited(3, `write-probe: /x is not writable: ${code}: /x\n  remedy`);

test.each([
	[exited(0), true, "OK"],
	[exited(0), false, "MISSING"],
	[says("EROFS"), true, "EROFS"],
	[says("ENOSPC"), true, "ENOSPC"],
	[says("EDQUOT"), true, "ENOSPC"],
	[says("EACCES"), true, "EACCES"],
	[says("EIO"), true, "ERROR"],
	[{ kind: "timeout", stdout: "", stderr: "" } as const, true, "HANG"],
	[{ kind: "failed", reason: "x" } as const, true, "ERROR"],
])("%j, there: %p, is %s", (ran, isThere, verdict) => {
	expect(verdictOf(ran, () => isThere).verdict).toBe(verdict as never);
});

test("a folder that hangs is asked nothing more", () => {
	verdictOf({ kind: "timeout", stdout: "", stderr: "" }, () => {
		throw new Error("asked");
	});
});

describe("degraded", () => {
	function rigOf() {
		const rig = ngRig();
		for (const dir of [
			`${S}/requests`,
			`${S}/skeptic/pending`,
			`${S}/async-run`,
			"/root/reports",
			"/root/work",
		])
			rig.doors.files.seedDir(dir);
		rig.doors.proc.answer(/write-probe/, "");
		return rig;
	}

	test("all is well: a line each, and nothing is written", async () => {
		const rig = rigOf();
		const before = rig.doors.files.faults.changes();
		const { rc, out } = await rig.ng("degraded", "probe");
		expect(rc).toBe(0);
		expect(out.split("\n")).toEqual([
			`surface=state verdict=OK path=${S}`,
			`surface=requests verdict=OK path=${S}/requests`,
			`surface=skeptic/pending verdict=OK path=${S}/skeptic/pending`,
			`surface=longjob verdict=OK path=${S}/async-run`,
			"surface=reports verdict=OK path=/root/reports",
			"surface=work verdict=OK path=/root/work",
			"summary: 6 surface(s), 0 not OK",
		]);
		expect(rig.doors.files.faults.changes()).toBe(before);
	});

	test("one that hangs, one that is not there, one that is read-only", async () => {
		const rig = rigOf();
		rig.doors.proc.answer(/write-probe.*\/root\/work/, HANG);
		rig.doors.proc.answer(/write-probe.* \/ro$/, {
			rc: 3,
			stderr: "write-probe: /ro is not writable: EROFS: /ro",
		});
		rig.doors.files.seedDir("/ro");
		const { rc, out } = await rig.ng(
			"degraded",
			"probe",
			"--surface",
			"w=/root/work",
			"--surface",
			"n=/none",
			"--surface",
			"r=/ro",
		);
		expect(rc).toBe(1);
		expect(out.split("\n")).toEqual([
			"surface=w verdict=HANG path=/root/work",
			"surface=n verdict=MISSING path=/none",
			"surface=r verdict=EROFS path=/ro",
			"summary: 3 surface(s), 3 not OK",
		]);
	});

	test("status sets what the watcher says above it; the two may disagree", async () => {
		const rig = rigOf();
		const { files, proc } = rig.doors;
		expect((await rig.ng("degraded", "status")).rc).toBe(0);
		const path = fsStatusPath(proc.env, proc.uid, "/root");
		writeFsStatus(files, path, proc.uid, {
			mode: "degraded",
			updated: 5,
			reason: "EROFS",
			alarmedAt: null,
		});
		const { rc, out } = await rig.ng("degraded", "status");
		expect(rc).toBe(1);
		expect(out).toMatch(
			/^watcher: mode=degraded updated=\S+ reason=EROFS\n\nsurface=state verdict=OK/,
		);
	});

	test.each([
		[["degraded"], 2],
		[["degraded", "probe", "--surface", "x=rel"], 2],
		[["degraded", "probe", "--surface", "x=/"], 2],
		[["degraded", "probe", "--surface"], 64],
		[["degraded", "probe", "--timeout", "soon"], 2],
		[["degraded", "probe", "--unknown"], 2],
	])("%j exits %i", async (argv, rc) => {
		expect((await rigOf().ng(...argv)).rc).toBe(rc);
	});

	test("a helper that cannot run is no verdict: exit 3", async () => {
		const rig = rigOf();
		rig.doors.proc.answer(/write-probe/, { kind: "not-found", program: "bun" });
		expect((await rig.ng("degraded", "probe")).rc).toBe(3);
	});
});
