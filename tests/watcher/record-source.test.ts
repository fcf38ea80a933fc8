/** The watcher's own record of the source it runs (contract 01 §2.1.11, 06 §9.3). */
import { beforeEach, expect, test } from "bun:test";
import { sourceHash } from "../../monitor/_sys/source-hash.ts";
import { recordSource } from "../../monitor/watcher/_startup/record-source.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE } from "./watcher-rig.ts";

const MAIN = "/code/monitor/watcher/main.ts";
const LOOP = "/code/monitor/watcher/_loop.ts";
const NOW = 1_000_000;
/** The process began a minute ago. */
const BEGAN_TICKS = String((86_400 - 60) * 100);
let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors({ now: NOW });
	doors.proc.add({ pid: doors.proc.pid, startTicks: BEGAN_TICKS });
	doors.files.seedDir(STATE);
	source(MAIN, 'import { loop } from "./_loop.ts"; loop();');
	source(LOOP, "export const loop = () => {};");
});

function source(path: string, text: string, mtime = NOW - 3600) {
	doors.files.seed(path, text, { mtime });
}
const record = () =>
	recordSource(doors, { codeRoot: "/code", stateDir: STATE });
const running = () => doors.files.text(`${STATE}/version/watcher.running`);

test("the hash of what runs and the time are recorded, and no change is pending any more", () => {
	doors.files.seed(`${STATE}/version/watcher.pending`, "hash=x\n");
	expect(record()).toBeNull();
	const found = sourceHash(doors.files, "/code", "monitor/watcher/main.ts");
	const hash = found.kind === "ok" ? found.hash : "";
	expect(running()).toBe(`hash=${hash}\nrecorded=${NOW}\n`);
	expect(doors.files.has(`${STATE}/version/watcher.pending`)).toBe(false);
});

test.each<[string, () => void, string]>([
	[
		"a file changed after the process began to load",
		() => source(LOOP, "export const loop = 2;", NOW - 30),
		"monitor/watcher/_loop.ts has changed",
	],
	[
		"a file is missing, as in the middle of an update",
		() => doors.files.remove(LOOP),
		`cannot read ${LOOP}`,
	],
	[
		"nobody knows when the process began",
		() => {
			doors.proc.tableUnreadable = true;
		},
		"when this process began",
	],
])("when %s, the predecessor's record stands", (_, given, says) => {
	doors.files.seed(`${STATE}/version/watcher.running`, "hash=old\n");
	given();
	expect(record()).toContain(says);
	expect(running()).toBe("hash=old\n");
});

test.each<[string, () => void]>([
	[
		"a file changed while it loaded",
		() => source(LOOP, "export const loop = 2;", NOW - 30),
	],
	["an update was in progress", () => doors.files.remove(LOOP)],
])(
	"a first start in which %s is no record of the disk: the difference will count as a change",
	(_, given) => {
		given();
		expect(record()).not.toBeNull();
		expect(running()).toBe(`hash=changed-while-loading\nrecorded=${NOW}\n`);
	},
);

test("a file from the future is another clock's, not one that changed", () => {
	source(LOOP, "export const loop = () => {};", NOW + 3600);
	expect(record()).toBeNull();
	expect(running()).toMatch(/^hash=[0-9a-f]{64}\n/);
});

test("a disk that takes nothing is told, and a pending change stays", () => {
	doors.files.seed(`${STATE}/version/watcher.pending`, "hash=x\n");
	doors.files.faults.fail({ path: /running/, code: "EROFS" });
	expect(record()).toContain("EROFS");
	expect(doors.files.has(`${STATE}/version/watcher.pending`)).toBe(true);
});
