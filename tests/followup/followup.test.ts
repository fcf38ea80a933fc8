import { describe, expect, test } from "bun:test";
import { followupEnd } from "../../monitor/_followup/end.ts";
import { pasteFollowup } from "../../monitor/_followup/run.ts";
import { followupTimings } from "../../monitor/_followup/timings.ts";
import { parseMachineInput } from "../../monitor/_state/machine-input.ts";
import { paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { type FakeClaude, fakeClaude } from "../unstick/fake-claude.ts";
import {
	STATE,
	watcherConfig,
	watcherContext,
} from "../watcher/watcher-rig.ts";

const TEXT = "please look at the queue";

interface Rig {
	readonly doors: FakeDoors;
	readonly claude: FakeClaude;
	/** Runs the program; `out` and `err` are what it printed. */
	run(...argv: string[]): Promise<{ rc: number; out: string[]; err: string[] }>;
	ledger(): string;
	/** The one sidecar, or null. */
	verdict(): string | null;
	action(): Record<string, string> | null;
}

function followupRig(stdin: string | null = null): Rig {
	const doors = fakeDoors({ auto: true });
	doors.files.seedDir(STATE);
	const claude = fakeClaude(doors, "w1");
	const ctx = watcherContext(doors);
	const hands = paneHands(doors)(ctx, { doors });
	const text = (path: string) =>
		doors.files.has(path) ? doors.files.text(path) : "";
	return {
		doors,
		claude,
		run: async (...argv) => {
			const out: string[] = [];
			const err: string[] = [];
			const rc = await pasteFollowup(argv, {
				hands: (confirm) => ({
					...hands,
					timings: followupTimings(ctx.config, confirm),
				}),
				stdin: stdin === null ? null : async () => stdin,
				out: (line) => out.push(line),
				err: (line) => err.push(line),
			});
			return { rc, out, err };
		},
		ledger: () => text(`${STATE}/machine-input.tsv`),
		verdict: () => {
			const paths = doors.files.paths(`${STATE}/paste-verdicts`);
			expect(paths.length).toBeLessThanOrEqual(1);
			return paths[0] === undefined ? null : text(paths[0]);
		},
		action: () => {
			const line = text(`${STATE}/action-log.jsonl`).trim();
			return line === "" ? null : JSON.parse(line);
		},
	};
}

/** Nothing was typed, and nothing remembers that somebody wanted to. */
function expectNoTrace({ claude, ledger, verdict, action }: Rig): void {
	expect(claude.keys).toEqual([]);
	expect(claude.window.pane.pastes).toEqual([]);
	expect(ledger()).toBe("");
	expect(verdict()).toBeNull();
	expect(action()).toBeNull();
}

describe("a follow-up", () => {
	test("is pasted, submitted, proven, and written down", async () => {
		const rig = followupRig();
		const { rc, out, err } = await rig.run("w1", "--message", TEXT);
		expect([rc, out, err]).toEqual([
			0,
			[`paste-followup: submitted to w1 (${TEXT.length} chars)`],
			[],
		]);
		expect(rig.claude.sent).toEqual([TEXT]);
		const [row] = parseMachineInput(rig.ledger());
		expect(row).toMatchObject({
			window: "w1",
			src: "paste-followup",
			flag: "",
		});
		expect(row?.stamp).toBeGreaterThan(1e14);
		const [first, ...lines] = (rig.verdict() ?? "").split("\n");
		expect(first).toBe("rc=0");
		expect(lines).toContain("window=w1");
		expect(lines).toContain(`epoch=${row?.stamp}`);
		expect(lines).toContain("outcome=submitted");
		expect(lines.find((l) => l.startsWith("digest="))).toMatch(
			/=[0-9a-f]{64}$/,
		);
		expect(rig.action()).toMatchObject({
			agent: "monitor",
			event: "paste-followup",
			window: "w1",
			outcome: "submitted",
			rc: "0",
		});
	});

	test("is in the ledger, and its sidecar without a verdict, before the paste", async () => {
		const rig = followupRig();
		let before = ["", ""];
		rig.doors.tmux.before((call) => {
			if (call.op === "run" && call.cmd.kind === "paste-buffer")
				before = [rig.ledger(), rig.verdict() ?? ""];
		});
		await rig.run("w1", "--message", TEXT);
		expect(before[0]).toStartWith("w1\t");
		expect(before[1]).toStartWith("window=w1\n");
		expect(before[1]).not.toContain("rc=");
	});

	test("waits behind a running turn", async () => {
		const rig = followupRig();
		rig.claude.set({ busy: true });
		const { rc, out } = await rig.run("w1", "--message", TEXT);
		expect(rc).toBe(0);
		expect(out[0]).toStartWith("paste-followup: submitted (queued");
	});

	test("comes from a file or from standard input", async () => {
		const rig = followupRig("from a pipe, and long enough");
		rig.doors.files.seed("/task.md", "from a file, and long enough");
		await rig.run("w1", "--file", "/task.md");
		await rig.run("w1");
		expect(rig.claude.sent).toEqual([
			"from a file, and long enough",
			"from a pipe, and long enough",
		]);
	});

	test("carries its words into ledger and log, and a note is not pasted", async () => {
		const rig = followupRig();
		const { out } = await rig.run(
			...["w1", "--message", TEXT, "--note", "see issue", "--issue", "12"],
			...["--comment", "99", "--src", "orchestrator", "--no-retask"],
		);
		expect(out[0]).toEndWith("[note, not pasted: see issue]");
		expect(rig.claude.sent).toEqual([TEXT]);
		expect(rig.ledger()).toMatch(/^w1\t\d{16}\torchestrator\tadmin\n$/);
		expect(rig.action()).toMatchObject({
			note: "see issue",
			issue: "12",
			comment: "99",
			administrative: "1",
		});
	});

	test("that is a command's name is words, unless a command is asked for", async () => {
		const rig = followupRig();
		await rig.run("w1", "--message", "/status of everything");
		expect(rig.claude.sent).toEqual(["Message: /status of everything"]);
		await rig.run("w1", "--message", "/status of everything", "--command");
		expect(rig.claude.sent[1]).toBe("/status of everything");
	});

	test("without an Enter stays in the box, under another name and without a verdict", async () => {
		const rig = followupRig();
		const { rc, out } = await rig.run("w1", "--message", TEXT, "--no-enter");
		expect(rc).toBe(0);
		expect(out[0]).toContain("pasted (NOT submitted, --no-enter)");
		expect(rig.claude.box).toBe(TEXT);
		expect(rig.claude.keys).not.toContain("Enter");
		expect(rig.ledger()).toContain("\tpaste-followup-no-enter\n");
		expect(rig.verdict()).toBeNull();
		expect(rig.action()).toMatchObject({ no_enter: "1" });
		expect(rig.doors.files.has(`${STATE}/paste-leftover/w1`)).toBe(false);
	});

	test("to the orchestrator is in no ledger", async () => {
		const rig = followupRig();
		fakeClaude(rig.doors, "orchestrator");
		expect((await rig.run("orchestrator", "--message", TEXT)).rc).toBe(0);
		expect(rig.ledger()).toBe("");
	});
});

describe("refused before anything is written down", () => {
	test.each<[string, string[], number, RegExp]>([
		["an empty message", ["w1", "--message", " \n"], 1, /message is empty/],
		["no message from a terminal", ["w1"], 1, /no message/],
		["a file that is not there", ["w1", "--file", "/no"], 1, /no such file/],
		[
			"file and message",
			["w1", "--file", "/x", "--message", "y"],
			1,
			/exclude/,
		],
		["no window", ["--message", TEXT], 1, /window name is empty/],
		["a name that is none", ["w1:0", "--message", TEXT], 1, /window name/],
		["a flag without its value", ["w1", "--message"], 64, /needs a value/],
		["an unknown flag", ["w1", "--force"], 1, /unknown flag/],
		["two windows", ["w1", "w2", "--message", TEXT], 1, /unexpected/],
		[
			"a time-out that is none",
			["w1", "--message", TEXT, "--confirm-timeout", "soon"],
			1,
			/number/,
		],
		[
			"a command that is none",
			["w1", "--message", "hello", "--command"],
			1,
			/--command/,
		],
		[
			"a window that is not there",
			["w2", "--message", TEXT],
			1,
			/no such window/,
		],
		[
			"a part of a window's name",
			["w", "--message", TEXT],
			1,
			/no such window/,
		],
	])("%s", async (_what, argv, rc, words) => {
		const rig = followupRig();
		const done = await rig.run(...argv);
		expect(done.rc).toBe(rc);
		expect(done.err[0]).toMatch(words);
		expectNoTrace(rig);
	});

	test.each<[string, (rig: Rig) => void, RegExp]>([
		[
			"a draft in the box",
			({ claude }) => claude.set({ box: "half a thought" }),
			/somebody's text/,
		],
		[
			"a dialog",
			({ claude }) =>
				claude.set({ dialog: { kind: "permission", command: "x" } }),
			/overlay=permission/,
		],
		[
			"a corpse",
			({ claude }) => {
				claude.window.pane.dead = "1";
			},
			/respawn it/,
		],
		[
			"a shell without an agent",
			({ doors, claude }) =>
				doors.proc.end((claude.window.pane.pid ?? 0) + 1000),
			/no agent|could not look/,
		],
		[
			"tmux that does not answer",
			({ doors }) => void doors.tmux.fail("panes", { kind: "hung" }),
			/could not look/,
		],
		[
			"a pane that cannot be captured",
			({ doors }) => void doors.tmux.fail("capture", { kind: "hung" }),
			/could not look/,
		],
		[
			"a ledger that cannot be written",
			({ doors }) => doors.files.seedDir(`${STATE}/machine-input.tsv`),
			/ledger/,
		],
	])("%s", async (_what, happens, words) => {
		const rig = followupRig();
		happens(rig);
		const { rc, err } = await rig.run("w1", "--message", TEXT);
		expect(rc).toBe(1);
		expect(err[0]).toMatch(words);
		expect(rig.claude.keys).toEqual([]);
		expect(rig.claude.sent).toEqual([]);
		expect(rig.action()).toBeNull();
	});

	test("help writes nothing either", async () => {
		const rig = followupRig();
		const { rc, out } = await rig.run("--help");
		expect([rc, out[0]?.slice(0, 6)]).toEqual([0, "usage:"]);
		expectNoTrace(rig);
	});
});

describe("not submitted", () => {
	test("the session stood still: 4, and the ledger's row stays", async () => {
		const rig = followupRig();
		rig.claude.set({ records: false });
		const { rc, err } = await rig.run("w1", "--message", TEXT);
		expect(rc).toBe(4);
		expect(err[0]).toContain("pasted (NOT submitted)");
		expect(rig.ledger()).toStartWith("w1\t");
		expect(rig.verdict()).toStartWith("rc=4\n");
	});

	test("a dialog that comes up after the paste: 4, no Enter", async () => {
		const rig = followupRig();
		const { pane } = rig.claude.window;
		const paste = pane.onPaste;
		pane.onPaste = (text, to) => {
			paste(text, to);
			rig.claude.set({ dialog: { kind: "permission", command: "x" } });
		};
		const { rc, err } = await rig.run("w1", "--message", TEXT);
		expect([rc, err[0]]).toEqual([
			4,
			expect.stringContaining("a dialog came up"),
		]);
		expect(rig.claude.keys).toEqual(["i", "BSpace"]);
	});

	test("with --allow-blocked the paste goes over the dialog, the Enter does not", async () => {
		const rig = followupRig();
		rig.claude.set({ dialog: { kind: "permission", command: "x" } });
		const { rc } = await rig.run("w1", "--message", TEXT, "--allow-blocked");
		expect(rc).toBe(4);
		expect(rig.claude.keys).not.toContain("Enter");
		expect(rig.claude.answered).toEqual([]);
		expect(rig.action()?.note).toContain("overlay=permission");
	});

	test("with --allow-blocked a draft is still sacred", async () => {
		const rig = followupRig();
		rig.claude.set({ box: "half a thought" });
		const { rc } = await rig.run("w1", "--message", TEXT, "--allow-blocked");
		expect([rc, rig.claude.box]).toEqual([1, "half a thought"]);
	});
});

describe("unconfirmed", () => {
	test("only a tool's result was written meanwhile: 3", async () => {
		const rig = followupRig();
		rig.claude.set({ records: false });
		const { pane } = rig.claude.window;
		const press = pane.onKey;
		pane.onKey = (key, to) => {
			press(key, to);
			const content = [{ type: "tool_result", content: TEXT }];
			if (key === "Enter")
				rig.doors.files.append(
					`/cc/projects/-w/${rig.claude.sessionId}.jsonl`,
					JSON.stringify({ type: "user", message: { content } }),
				);
		};
		const { rc, err } = await rig.run("w1", "--message", TEXT);
		expect([rc, err[0]]).toEqual([
			3,
			expect.stringContaining("transcript grew"),
		]);
	});

	test("nobody knows the session: 3, and the missing heartbeat is named", async () => {
		const rig = followupRig();
		for (const path of rig.doors.files.paths("/cc"))
			rig.doors.files.remove(path);
		const { rc, err } = await rig.run("w1", "--message", TEXT);
		expect(rc).toBe(3);
		expect(err[0]).toContain("no heartbeat of w1");
	});

	test("the hook's word of the same session is proof enough", async () => {
		const rig = followupRig();
		rig.claude.set({ records: false });
		const { pane } = rig.claude.window;
		const press = pane.onKey;
		pane.onKey = (key, to) => {
			press(key, to);
			const at = rig.doors.clock.now() + 1;
			if (key === "Enter")
				rig.doors.files.seed(
					`${STATE}/user-prompt/w1`,
					`${at}\t${rig.claude.sessionId}\n`,
				);
		};
		expect((await rig.run("w1", "--message", TEXT)).rc).toBe(0);
	});
});

describe("words and codes", () => {
	const facts = {
		window: "w1",
		sessionBefore: "a",
		sessionAfter: "a",
		command: false,
	};
	const end = (outcome: Parameters<typeof followupEnd>[0]) =>
		followupEnd(outcome, facts);
	test.each([
		["submitted", {}, 0, "submitted"],
		[
			"submitted-after-retry",
			{ enterRetries: 1 },
			0,
			"submitted (after one Enter retry)",
		],
		["left-in-box", {}, 0, "pasted (NOT submitted, --no-enter)"],
		["in-flight", {}, 3, "pasted (submission unconfirmed: "],
		["undecidable-box", {}, 3, "pasted (submission unconfirmed: "],
		["unverifiable", {}, 3, "pasted (submission unconfirmed: no transcript"],
		[
			"blocked-after-paste",
			{ reason: "unreadable" },
			3,
			"pasted (submission unconfirmed: ",
		],
		["blocked-after-paste", { reason: "overlay" }, 4, "pasted (NOT submitted)"],
		["blocked-after-paste", { reason: "menu" }, 4, "pasted (NOT submitted)"],
		[
			"blocked-after-paste",
			{ reason: "not-ours" },
			4,
			"pasted (NOT submitted)",
		],
		["held", {}, 4, "pasted (NOT submitted)"],
		["inert", {}, 4, "pasted (NOT submitted)"],
		[
			"tmux-failed",
			{ failStep: "send-keys-enter" },
			4,
			"pasted (NOT submitted)",
		],
		["tmux-failed", { failStep: "load-buffer" }, 1, "not pasted"],
		["dead-pane", {}, 1, "not pasted"],
		["pane-unknown", {}, 1, "not pasted"],
		["occupied-before-paste", {}, 1, "not pasted"],
	] as const)("%s %j: %d", (outcome, more, rc, words) => {
		const done = end({ outcome, enterRetries: 0, ...more });
		expect(done.rc).toBe(rc);
		expect(done.outcome).toStartWith(words);
		expect(done.outcome).not.toContain("delivered");
	});

	test.each(["blocked", "inert"] as const)(
		"a command that ends %s may have run all the same",
		(outcome) => {
			const done = { outcome, enterRetries: 0 };
			expect(followupEnd(done, { ...facts, command: true }).rc).toBe(3);
			expect(followupEnd(done, facts).rc).toBe(4);
		},
	);

	test("another session meanwhile is never a no", () => {
		const done = followupEnd(
			{ outcome: "inert", enterRetries: 0 },
			{ ...facts, sessionAfter: "b" },
		);
		expect([done.rc, done.outcome]).toEqual([
			3,
			expect.stringContaining("session is another one"),
		]);
	});

	test.each([
		[null, [8000, 12_000]],
		[1, [1000, 1000]],
		[60, [24_000, 36_000]],
	])("a wait of %p s is two windows", (seconds, windows) => {
		const { confirmWindowsMs, pollMs } = followupTimings(
			watcherConfig(),
			seconds,
		);
		expect(confirmWindowsMs).toEqual(windows);
		expect(pollMs).toBe(300);
	});
});
