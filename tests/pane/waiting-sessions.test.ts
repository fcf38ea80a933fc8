import { beforeEach, describe, expect, test } from "bun:test";
import {
	sessionsDir,
	waitingChanged,
} from "../../monitor/_pane/waiting-sessions.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { session } from "./cli-support.ts";

const DIR = "/cc/sessions";
let doors: FakeDoors;
let changed: () => boolean;
beforeEach(() => {
	doors = fakeDoors();
	say("1.json", "busy", 1);
	changed = waitingChanged(doors.files, DIR);
});
function say(name: string, status: string, statusUpdatedAt: number) {
	const text = JSON.stringify(session({ status, statusUpdatedAt }));
	doors.files.seed(`${DIR}/${name}`, text);
}

describe("news of the session folder", () => {
	test("is a session that begins to wait, once, and one that no longer does", () => {
		say("1.json", "waiting", 2);
		expect(changed()).toBe(true);
		expect(changed()).toBe(false);
		say("1.json", "busy", 3);
		expect(changed()).toBe(true);
	});
	test("is a session that waits again, although it waited before", () => {
		say("1.json", "waiting", 2);
		changed();
		say("1.json", "waiting", 4);
		expect(changed()).toBe(true);
	});
	test("is no turn that begins or ends, and no file that is none", () => {
		say("1.json", "idle", 2);
		say("2.json", "shell", 3);
		doors.files.seed(`${DIR}/3.json`, '{"status":"wai');
		doors.files.seed(`${DIR}/4.json`, "[]");
		doors.files.seedDir(`${DIR}/waiting`);
		expect(changed()).toBe(false);
	});
	test("is none while there is no folder", () => {
		expect(waitingChanged(doors.files, "/none")()).toBe(false);
	});
});

test.each([
	[{ CLAUDE_CONFIG_DIR: "/cc", HOME: "/home/op" }, "/cc/sessions"],
	[{ CLAUDE_CONFIG_DIR: "", HOME: "/home/op" }, "/home/op/.claude/sessions"],
	[{ HOME: "/home/op" }, "/home/op/.claude/sessions"],
])("with %j it is %s", (env, dir) => {
	expect(sessionsDir(env)).toBe(dir);
});
