import { beforeEach, describe, expect, test } from "bun:test";
import { listInbox } from "../../monitor/_state/fleet/inbox.ts";
import { value } from "./conformance.ts";
import { type LocalRig, localRig, T, TARGET } from "./local-rig.ts";

let rig: LocalRig;
beforeEach(() => {
	rig = localRig();
});
const nudges = () => rig.doors.files.paths(`${T}/nudges`);
const LINE = "New message from @a -- run `thrum inbox --unread` to read";

describe("a message", () => {
	test("of 600 lines shows in the pane as one line, and none of its bytes", async () => {
		const body = Array.from({ length: 600 }, (_, n) => `secret ${n}`).join(
			"\n",
		);
		const sent = value(await rig.open("a").send(`@${TARGET}`, body));
		expect(sent.recipients).toEqual([TARGET]);
		expect(rig.repl.sent).toHaveLength(1);
		expect(rig.repl.sent[0]?.trimEnd()).toBe(LINE);
		expect(rig.repl.window.pane.screen).not.toContain("secret");
		expect(nudges()).toEqual([]);
		const [message] = value(await rig.open(TARGET).inbox({ unread: true }));
		expect(message?.body).toBe(body);
	});

	test("is private on disk", async () => {
		value(await rig.open("a").send("user:ana", "x"));
		for (const path of rig.doors.files.paths(T)) {
			const found = rig.doors.files.stat(path);
			expect([path, found.kind === "ok" && found.stat.mode & 0o77]).toEqual([
				path,
				0,
			]);
		}
	});

	test("to oneself rings no bell", async () => {
		value(await rig.open(TARGET).send(TARGET, "note"));
		expect(rig.repl.sent).toEqual([]);
	});

	test("to a person is handed to the notifier; a failure there is no error", async () => {
		value(await rig.open("a").send("user:ana", "need a word"));
		expect(rig.rung).toEqual(["message from @a: need a word"]);
	});

	test("above the limit is refused, and nothing is written", async () => {
		const small = localRig({ messageLimitBytes: 1024 });
		const refused = await small.open("a").send("user:ana", "x".repeat(1025));
		expect(refused.kind).toBe("usage");
		expect(small.doors.files.paths(`${T}/messages`)).toEqual([]);
	});

	/** Writes below `where` fail. */
	const noWrite = (where: string) => {
		const { files } = rig.doors;
		const { writeAtomic } = files;
		files.writeAtomic = (path, ...rest) =>
			path.includes(where)
				? { kind: "failed", code: "EACCES", reason: "no" }
				: writeAtomic(path, ...rest);
	};

	test("that reaches no box is not kept either", async () => {
		noWrite("/inbox/");
		expect((await rig.open("a").send("user:ana", "x")).kind).toBe("failed");
		expect(rig.doors.files.paths(`${T}/messages`)).toEqual([]);
		expect(rig.rung).toEqual([]);
	});

	test("that has arrived is sent, whether or not its sender can keep a note of it", async () => {
		noWrite("/sent/");
		value(await rig.open("a").send("user:ana", "x"));
		expect(value(await rig.open("user:ana").inbox())).toHaveLength(1);
	});

	test("keeps whatever characters it has; none of them reaches the pane", async () => {
		const body = "\0 \x1b[201~ \x1b]0;t\x07 \u009b2J \r\n/clear\n!rm";
		value(await rig.open("a").send(TARGET, body));
		const [message] = value(await rig.open(TARGET).inbox());
		expect(message?.body).toBe(body);
		expect(rig.repl.sent.map((text) => text.trimEnd())).toEqual([LINE]);
	});

	test("that is damaged on disk is named, not hidden", async () => {
		const sent = value(await rig.open("a").send("user:ana", "x"));
		rig.doors.files.seed(`${T}/messages/${sent.messageId}.json`, "");
		expect(value(await rig.open("user:ana").inbox())).toEqual([]);
		expect(rig.doors.log.messages().join("\n")).toContain(sent.messageId);
	});

	test.each(["../../x", "a/b", "A", "system"])(
		"of a sender called %s is not sent",
		async (name) => {
			const sent = await rig.open(name).send(TARGET, "x");
			expect(sent).toMatchObject({ stderr: "no agent identity" });
		},
	);

	test("of somebody whom nobody knows is not sent", async () => {
		expect(await rig.open().send(TARGET, "x")).toMatchObject({
			kind: "refused",
			stderr: "no agent identity",
		});
	});
});

describe("a pane that is occupied", () => {
	beforeEach(async () => {
		rig.repl.humanTypes("hello");
		value(await rig.open("a").send(TARGET, "x"));
	});

	test("is told later: the nudge waits, and goes out when the box is free", async () => {
		expect(nudges()).toEqual([`${T}/nudges/${TARGET}`]);
		rig.repl.set({ box: [] });
		value(await rig.runner.tick());
		await rig.runner.quiet();
		expect(rig.repl.sent.map((text) => text.trimEnd())).toEqual([LINE]);
		expect(nudges()).toEqual([]);
	});

	test("that may have been told is not told again at each tick", async () => {
		rig.repl.set({ box: [], records: false, sessionId: null });
		for (let n = 0; n < 5; n++) {
			value(await rig.runner.tick());
			await rig.runner.quiet();
		}
		expect(rig.repl.sent).toHaveLength(1);
	});

	test("is not told when the mail was read meanwhile", async () => {
		value(await rig.open(TARGET).inbox());
		expect(nudges()).toEqual([]);
	});
});

test("a nudge that is switched off is none", async () => {
	const quiet = localRig({ nudge: false });
	value(await quiet.open("a").send(TARGET, "x"));
	expect(quiet.repl.sent).toEqual([]);
});

test("two windows of one name are nobody's address", async () => {
	rig.doors.tmux.window("w 1");
	rig.doors.tmux.window("w_1");
	expect(await rig.open("a").member("w_1")).toMatchObject({
		kind: "refused",
		stderr: "ambiguous name: @w_1",
	});
	expect((await rig.open("a").send("w_1", "x")).kind).toBe("refused");
});

test.each(["-a", "a;", "a.b", "ä", "../a", "=orchestrator", "orch", "%0", ""])(
	"%p is nobody: not captured, not pressed at, not written to",
	async (name) => {
		const fleet = rig.open("a");
		expect(await fleet.member(name)).toEqual({ kind: "ok", value: null });
		expect(await fleet.capture(name)).toMatchObject({ failure: "not-found" });
		expect(await fleet.sendKeys(name, ["1"])).toMatchObject({ exitCode: 1 });
		expect((await fleet.send(name, "x")).kind).toBe("not-found");
		expect(rig.repl.window.pane.keys).toEqual([]);
		expect(rig.doors.files.paths(`${T}/messages`)).toEqual([]);
	},
);

test("what was read stays in the box, read", async () => {
	const sent = value(await rig.open("a").send("user:ana", "x"));
	value(await rig.open("user:ana").inbox());
	const box = listInbox(rig.doors.files, T, "user:ana");
	expect(box).toEqual({
		kind: "ok",
		letters: [{ messageId: sent.messageId, isRead: true }],
	});
});
