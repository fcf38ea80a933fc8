import { beforeEach, describe, expect, test } from "bun:test";
import { beaconLoopStep } from "../../monitor/_liveness/beacon-step.ts";
import { renderBeacon } from "../../monitor/_state/instance-heartbeat.ts";
import {
	selfOf,
	takeInstance,
} from "../../monitor/watcher/_startup/instance.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const BEACON = "/s/nexus-instance.heartbeat";
const LOCK = "/s/nexus-instance.lock";
let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors({ now: 1_000_000 });
	doors.files.seedDir("/s");
});
const take = (d = doors) =>
	doors.clock.run(takeInstance(d, "/s", selfOf(d, "/root"), 600));
const beacon = (host: string, epoch: number) =>
	doors.files.seed(
		BEACON,
		renderBeacon({
			...selfOf(doors, "/root"),
			host,
			epoch,
			ts: "then",
			nonce: "other",
		}),
	);

test("the first instance holds the lock, names itself in it, and publishes a beacon", async () => {
	expect((await take()).kind).toBe("held");
	expect(doors.files.text(LOCK)).toStartWith(
		"pid: 4242\nhost: host-a\nboot_id: boot-1\n",
	);
	expect(doors.files.text(BEACON)).toContain("epoch: 1000000\n");
});

test("a second one is refused with exit 4, is told who holds it, and leaves the holder's files", async () => {
	await take();
	const before = [doors.files.text(LOCK), doors.files.text(BEACON)];
	const second = await take(fakeDoors({ beside: doors, proc: { pid: 5555 } }));
	expect(second).toMatchObject({ kind: "refused", exit: 4 });
	const lines = second.kind === "refused" ? second.lines.join("\n") : "";
	expect(lines).toContain("pid 4242");
	expect(lines).toContain("CAVEAT");
	expect([doors.files.text(LOCK), doors.files.text(BEACON)]).toEqual(before);
});

describe("a beacon that another watcher left", () => {
	const rows: [string, string, number, string][] = [
		["fresh from another host refuses", "host-b", 999_400, "refused"],
		["stale from another host does not", "host-b", 999_399, "held"],
		["of this host does not: its flock was free", "host-a", 999_999, "held"],
	];
	test.each(rows)("%s", async (_name, host, epoch, kind) => {
		beacon(host, epoch);
		expect((await take()).kind).toBe(kind as "held" | "refused");
	});

	test("that a full disk does not let us replace does not fence us off: whose it was is dead", async () => {
		beacon("host-a", 999_999);
		doors.files.faults.freeBytes = 0;
		expect((await take()).kind).toBe("held");
		const mine = selfOf(doors, "/root");
		expect(beaconLoopStep(doors, "/s", mine, 600)).toBe("refresh");
	});

	test("that is corrupt does not: a restart must not block itself", async () => {
		doors.files.seed(BEACON, "garbage");
		expect((await take()).kind).toBe("held");
	});

	test("that refuses gives the lock back", async () => {
		beacon("host-b", 999_999);
		await take();
		doors.files.remove(BEACON);
		expect((await take(fakeDoors({ beside: doors }))).kind).toBe("held");
	});
});

test("a lock file that cannot be opened is warned about, and the start goes on without the guard", async () => {
	doors.locks.cannotOpen(LOCK, "EROFS");
	doors.files.faults.readOnly = true;
	expect(await take()).toMatchObject({ kind: "held", lock: null });
	expect(doors.log.messages("warn")[0]).toContain("without the instance lock");
});

test("a lock that somebody only asked about a moment ago does not refuse the start", async () => {
	const release = doors.locks.takenElsewhere(LOCK);
	doors.clock.after(150, release);
	expect((await take()).kind).toBe("held");
});
