import { beforeEach, expect, test } from "bun:test";
import { sha256Hex } from "../../config/cache.ts";
import { configGlance } from "../../monitor/watcher/_loop/config-glance.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const FILE = "/root/config/nexus.yml";
const GOOD = "github: {repo: acme/assets, user_login: op}\n";
const BAD = "monitor:\n  interval_seconds: fast\n";
const STATE = "/root/monitor/.state";
let doors: FakeDoors;
let glance: () => Promise<void>;
beforeEach(() => {
	doors = fakeDoors();
	doors.files.seedDir(STATE);
	edit(GOOD);
	doors.proc.programs.set("sandbox-notify", "/bin/sandbox-notify");
	doors.proc.answer("sandbox-notify", "");
	glance = configGlance(doors, STATE, "/root", {
		path: FILE,
		sha256: sha256Hex(GOOD),
	});
});

function edit(text: string): void {
	doors.files.seed(FILE, text, { mode: 0o600 });
}
async function aMinute(): Promise<void> {
	await doors.clock.advance(60_000);
	await doors.clock.run(glance());
}
const alerts = () =>
	doors.files.has(`${STATE}/watcher-alerts.log`)
		? doors.files.text(`${STATE}/watcher-alerts.log`)
		: "";

test("an untouched file is no news", async () => {
	await aMinute();
	await aMinute();
	expect(doors.log.messages()).toEqual([]);
});

test("the file is looked at once a minute, however often the loop asks", async () => {
	edit(BAD);
	await doors.clock.advance(59_000);
	await doors.clock.run(glance());
	expect(doors.log.messages()).toEqual([]);
	await doors.clock.advance(1_000);
	await doors.clock.run(glance());
	expect(doors.log.messages()).not.toEqual([]);
});

test("a bad edit is said in log and alerts and rung for, once however long it stays", async () => {
	edit(BAD);
	await aMinute();
	await aMinute();
	const log = doors.log.messages("warn");
	expect(log).toEqual([
		`config: ${FILE}:2:21: monitor.interval_seconds: expected an integer >= 1, got "fast"`,
		`config: edit ignored, still running on ${sha256Hex(GOOD).slice(0, 12)}`,
	]);
	expect(alerts().match(/edit ignored/g)).toHaveLength(1);
	expect(doors.proc.execs).toHaveLength(1);
});

test("a good edit is one line that says how to apply it, and no alarm", async () => {
	edit(`${GOOD}monitor: {interval_seconds: 30}\n`);
	await aMinute();
	await aMinute();
	expect(doors.log.messages()).toHaveLength(1);
	expect(doors.log.messages()[0]).toContain("restart watcher");
	expect(alerts()).toBe("");
	expect(doors.proc.execs).toEqual([]);
});
