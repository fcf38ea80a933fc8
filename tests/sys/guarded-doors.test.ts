import { expect, test } from "bun:test";
import {
	guardDoors,
	RevokedDoorsError,
} from "../../monitor/_sys/guarded-doors.ts";
import { fakeDoors } from "../fakes/doors.ts";

/** Every way to change the world. */
const CHANGES = {
	writeAtomic: (d) => d.files.writeAtomic("/s/f", "x"),
	append: (d) => d.files.append("/s/f", "x"),
	truncate: (d) => d.files.truncate("/s/f"),
	touch: (d) => d.files.touch("/s/f", { create: true }),
	remove: (d) => d.files.remove("/s/f"),
	removeTree: (d) => d.files.removeTree("/s"),
	rename: (d) => d.files.rename("/s/f", "/s/g"),
	renameNew: (d) => d.files.renameNew("/s/f", "/s/g"),
	writeNew: (d) => d.files.writeNew("/s/l", "x"),
	copy: (d) => d.files.copy("/s/f", "/s/g"),
	mkdir: (d) => d.files.mkdir("/s/d"),
	mkdirNew: (d) => d.files.mkdirNew("/s/n"),
	makeTempDir: (d) => d.files.makeTempDir("x"),
	probeWritable: (d) => d.files.probeWritable("/s"),
	keys: (d) => d.tmux.run({ kind: "send-keys", target: "%1", keys: ["x"] }),
	paste: (d) => d.tmux.run({ kind: "paste-buffer", buffer: "b", target: "%1" }),
	exec: (d) => d.proc.exec(["true"], { timeoutMs: 1 }),
	foreground: (d) => d.proc.foreground(["true"]),
	spawnDetached: (d) =>
		d.proc.spawnDetached({ argv: ["true"], env: {}, log: null }),
	signal: (d) => d.proc.signal(4242, "SIGTERM"),
	hold: (d) => d.locks.hold("/s/lock"),
	acquireWithin: (d) => d.locks.acquireWithin("/s/lock", 1),
	fetch: (d) => d.net.fetch("http://127.0.0.1/", {}),
} satisfies Record<
	string,
	(d: ReturnType<typeof guardDoors>["doors"]) => unknown
>;

test.each(Object.entries(CHANGES))(
	"after the doors are revoked, %s throws and changes nothing",
	async (_name, change) => {
		const real = fakeDoors();
		real.files.seed("/s/f", "kept");
		real.tmux.window("w");
		const guard = guardDoors(real);
		guard.revoke("the run was abandoned");
		const before = real.files.faults.changes();
		const attempt = (async () => change(guard.doors))();
		await expect(attempt).rejects.toThrow(RevokedDoorsError);
		await expect(attempt).rejects.toThrow("the run was abandoned");
		expect(real.files.faults.changes()).toBe(before);
		expect(real.files.text("/s/f")).toBe("kept");
		expect(real.tmux.calls).toEqual([]);
		expect(real.proc.execs.length + real.proc.spawned.length).toBe(0);
		expect(real.proc.signals).toEqual([]);
		expect(real.locks.heldPaths()).toEqual([]);
		expect(real.net.requests).toEqual([]);
	},
);

test("every door function that is not only a look is guarded", () => {
	const real = fakeDoors();
	const { doors } = guardDoors(real);
	const looks = {
		files:
			"read readFrom readBytes stat lstat list listSlow realpath readlink watch",
		tmux: "panes sessions globalEnvironment captureAll capture exists version",
		proc: "bootId pidNamespace ticksPerSecond bootTime alive stat table argv environ exe cwd owner listeners which",
		locks: "probe",
		net: "",
	};
	const controls =
		"seed seedDir seedLink seedOther text has paths slow reboot trace window byName before after fail add end answer takenElsewhere cannotOpen heldPaths heal";
	for (const door of ["files", "tmux", "proc", "locks", "net"] as const) {
		const free = new Set(`${looks[door]} ${controls}`.split(" "));
		const raw: Record<string, unknown> = { ...real[door] };
		const guarded: Record<string, unknown> = { ...doors[door] };
		for (const [name, value] of Object.entries(raw))
			if (typeof value === "function" && !free.has(name))
				expect([door, name, guarded[name] === value]).toEqual([
					door,
					name,
					false,
				]);
	}
});

test("until then they are the doors they guard, and looking stays free afterwards", async () => {
	const real = fakeDoors();
	const { doors, revoke } = guardDoors(real);
	doors.files.mkdir("/s");
	doors.files.append("/s/f", "x");
	const lock = doors.locks.hold("/s/lock");
	revoke("abandoned");
	expect(doors.files.read("/s/f")).toEqual({ kind: "ok", text: "x\n" });
	expect((await doors.tmux.panes()).kind).toBe("failed");
	expect(doors.proc.alive(4242)).toBe(true);
	if (lock.kind !== "acquired") throw new Error(lock.kind);
	expect(() => lock.lock.write("late")).toThrow(RevokedDoorsError);
	lock.lock.release();
	expect(doors.locks.probe("/s/lock")).toEqual({ kind: "free" });
});
