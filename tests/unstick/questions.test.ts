import { describe, expect, test } from "bun:test";
import {
	judgeQuestion,
	questionExcerpt,
} from "../../monitor/watcher/_unstick/case-w.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { schedulerPort } from "../watcher/watcher-rig.ts";
import { type Dialog, dialogRows, fakeClaude } from "./fake-claude.ts";
import { STATE, unstickRig } from "./rig.ts";

const QUESTION: Dialog = { kind: "question" };

describe("a question on the orchestrator", () => {
	test("is dismissed by one Escape and explained by one paste, once", async () => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		claude.set({ dialog: QUESTION });
		await pass();
		await pass();
		expect(claude.answered).toEqual(["Escape"]);
		expect(claude.sent).toHaveLength(1);
		const [text = ""] = claude.sent;
		expect(text).toStartWith("[nexus watcher]");
		expect(text).toContain("AskUserQuestion dialog was dismissed");
		expect(text).toContain("GitHub comments");
		expect(text).toContain("monitor/agent-prompt.md");
		expect(log()).toHaveLength(1);
		expect(log()[0]).toContain("case=D action=dismissed-and-pasted");
		expect(doors.files.has(`${STATE}/machine-input.tsv`)).toBe(false);
	});

	test("that takes no Escape is not pressed again and again", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		claude.set({ dialog: QUESTION, answers: false });
		await pass();
		expect(claude.keys).toEqual(["Escape"]);
		expect(claude.sent).toEqual([]);
	});

	test("with an answer of somebody's own in it is not taken away", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		claude.set({ dialog: QUESTION });
		const { pane } = claude.window;
		pane.screen = pane.screen.replace("Type something.", "use both of them");
		await pass();
		expect(claude.keys).toEqual([]);
	});

	test("is explained later, when a draft stood in the way; what the transcript quotes does not matter", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		const transcript = dialogRows({ kind: "permission", command: "x" });
		claude.set({ transcript, dialog: QUESTION, box: "half a thought" });
		await pass();
		expect(claude.sent).toEqual([]);
		expect(claude.box).toBe("half a thought");
		claude.set({ box: "" });
		await pass();
		await pass();
		expect(claude.sent).toHaveLength(1);
	});

	test.each([
		["skip", "skip-detected"],
		["error", /^WARN window=orchestrator case=D action=detected-no-act/],
	] as const)("is left alone in mode %s", async (mode, action) => {
		const config = { "monitor.watcher.on_dialog": mode };
		const { pass, doors, log } = unstickRig({ config });
		const claude = fakeClaude(doors, "orchestrator");
		claude.set({ dialog: QUESTION });
		await pass();
		await pass();
		expect(claude.keys).toEqual([]);
		expect(log()).toHaveLength(1);
		expect(log()[0]).toMatch(action);
	});

	test("that was dismissed and is asked again is dismissed again", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		for (let i = 0; i < 2; i++) {
			claude.set({ dialog: QUESTION });
			await pass();
			await pass();
		}
		expect(claude.answered).toEqual(["Escape", "Escape"]);
		expect(claude.sent).toHaveLength(2);
	});

	test("that is up again before any pass saw it gone is left alone", async () => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		for (let i = 0; i < 2; i++) {
			claude.set({ dialog: QUESTION });
			await pass();
		}
		expect(claude.answered).toEqual(["Escape"]);
		expect(log().at(-1)).toContain("case=D action=skip-fired");
	});

	test.each([
		["Escape", "send-keys", "escape-failed"],
		["explanation", "load-buffer", "meta-paste-failed"],
	])("whose %s tmux refuses is tried again", async (_what, kind, action) => {
		const { pass, doors, log } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		claude.set({ dialog: QUESTION });
		const heal = doors.tmux.fail(
			(call) => call.op === "run" && call.cmd.kind === kind,
			REFUSED,
		);
		await pass();
		expect(claude.sent).toEqual([]);
		expect(log().at(-1)).toContain(`case=D action=${action}`);
		heal();
		await pass();
		expect(claude.answered).toEqual(["Escape"]);
		expect(claude.sent).toHaveLength(1);
	});

	test("another one after it is dismissed too", async () => {
		const { pass, doors } = unstickRig();
		const claude = fakeClaude(doors, "orchestrator");
		for (const question of ["One?", "Two?"]) {
			claude.set({ dialog: { ...QUESTION, question } });
			await pass();
		}
		expect(claude.answered).toEqual(["Escape", "Escape"]);
		expect(claude.sent).toHaveLength(2);
	});
});

describe("a question on a worker", () => {
	async function passes(rig: ReturnType<typeof unstickRig>, n: number) {
		for (let i = 0; i < n; i++) await rig.pass();
	}

	test("is handed on after its grace, and never typed into", async () => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		claude.set({ dialog: QUESTION });
		await passes(rig, 30);
		expect(rig.names("decisions")).toEqual([]);
		await passes(rig, 3);
		const [name = ""] = rig.names("decisions");
		expect(rig.names("decisions")).toHaveLength(1);
		const record = rig.json(`decisions/${name}`);
		expect(record).toMatchObject({ window: "w1", kind: "blocked_question" });
		expect(record.prompt_excerpt).toStartWith(
			"Which database should we use?\n❯ 1. SQLite\n",
		);
		expect(record).not.toHaveProperty("source");
		expect(claude.keys).toEqual([]);
		expect(claude.window.pane.pastes).toEqual([]);
		expect(rig.log().map((l) => /action=(\S+)/.exec(l)?.[1])).toEqual([
			"first-seen",
			"relayed",
		]);
	});

	test("is told again when its record was taken away, and not when it was answered for good", async () => {
		const rig = unstickRig();
		const claude = fakeClaude(rig.doors, "w1");
		claude.set({ dialog: QUESTION });
		await passes(rig, 33);
		const [name = ""] = rig.names("decisions");
		rig.doors.files.remove(`${STATE}/decisions/${name}`);
		await passes(rig, 1);
		expect(rig.names("decisions")).toEqual([name]);
		const tombstone = name.replace(".json", ".handled.json");
		rig.doors.files.rename(
			`${STATE}/decisions/${name}`,
			`${STATE}/decisions/${tombstone}`,
		);
		await passes(rig, 5);
		expect(rig.names("decisions")).toEqual([tombstone]);
		expect(rig.log().at(-1)).toContain("case=W action=skip-tombstone");
		// Out of sight for longer than its episode, it is another question.
		claude.set({ dialog: null });
		await passes(rig, 10);
		claude.set({ dialog: QUESTION });
		await passes(rig, 1);
		expect(rig.log().map((l) => /action=(\S+)/.exec(l)?.[1])).toContain(
			"re-armed",
		);
		expect(rig.names("decisions")).toEqual([]);
		await passes(rig, 31);
		expect(rig.names("decisions")).toEqual([name]);
	});

	test("has no grace of 0: then nothing is kept of it", async () => {
		const config = { "monitor.watcher.worker_askuq_grace_seconds": 0 };
		const rig = unstickRig({ config });
		fakeClaude(rig.doors, "w1").set({ dialog: QUESTION });
		await passes(rig, 3);
		expect(rig.names("decisions")).toEqual([]);
		expect(rig.names("unstick").filter((n) => n.startsWith("w1."))).toEqual([]);
	});

	test.each([
		["never seen", null, "first-seen"],
		["seen a minute ago, asked 100 s ago", { since: 900, lastAt: 940 }, "wait"],
		["asked 300 s ago", { since: 700, lastAt: 990 }, "relay"],
		["out of sight for 91 s", { since: 700, lastAt: 909 }, "re-armed"],
		["out of sight for 90 s", { since: 700, lastAt: 910 }, "relay"],
		[
			"a marker that holds no number",
			{ since: null, lastAt: 990 },
			"restarted",
		],
		["a marker from the future", { since: 5000, lastAt: 990 }, "restarted"],
	] as const)("%s: %s", (_what, seen, kind) => {
		expect(judgeQuestion(seen, 1000, 300).kind).toBe(kind);
	});

	test("without a question mark in sight is told in general words", () => {
		expect(questionExcerpt(["Pick one", "❯ 1. A"])).toBe(
			"A worker asks a question.\n❯ 1. A",
		);
		expect(questionExcerpt(dialogRows(QUESTION))).toStartWith("Which database");
	});
});

test("a session that waits before its dialog is painted is looked at again soon, once", async () => {
	const { port, asked } = schedulerPort();
	const { pass, doors } = unstickRig({ scheduler: port });
	const claude = fakeClaude(doors, "w1");
	const [path = ""] = doors.files.paths("/cc/sessions");
	const session = JSON.parse(doors.files.text(path));
	const wait = (statusUpdatedAt: number) =>
		doors.files.seed(
			path,
			JSON.stringify({ ...session, status: "waiting", statusUpdatedAt }),
		);
	await pass();
	expect(asked).toEqual([]);
	wait(1);
	await pass();
	await pass();
	expect(asked).toEqual(["override detect_unstick 2/6"]);
	claude.set({ dialog: QUESTION });
	await pass();
	claude.set({ dialog: null });
	wait(2);
	await pass();
	expect(asked).toHaveLength(2);
});
