/** `paste-followup` into the real Claude Code, in the states a worker can be in (contract 04 §7). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clean } from "../../monitor/_delivery/clean.ts";
import { parseMachineInput } from "../../monitor/_state/machine-input.ts";
import {
	type Claude,
	type ClaudeOptions,
	startClaude,
} from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { arrivals } from "../support/real-delivery.ts";
import { type RealFollowup, realFollowup } from "../support/real-followup.ts";

const LIMIT = 60_000;
const ONCE_AND_WHOLE = { times: 1, whole: 1 };
let tmux: PrivateTmux;
let model: ModelServer;
let followup: RealFollowup;
let worker: Claude;
let vim: Claude;
let asks: Claude;

beforeAll(async () => {
	tmux = startPrivateTmux();
	model = startTestModel([
		{
			when: "work on",
			replies: [{ kind: "gate", gate: "work", text: "Done." }],
		},
		{ when: "hang on", replies: [{ kind: "hang", text: "Well.\n\nSo" }] },
		{
			when: "fail now",
			replies: [{ kind: "error", status: 500, message: "as scripted" }],
		},
		{
			when: "touch it",
			replies: [
				{ kind: "tool", name: "Bash", input: { command: "touch touched" } },
			],
		},
	]);
	const start = (window: string, more: Partial<ClaudeOptions> = {}) =>
		startClaude({ tmux, model, window, ...more });
	[worker, vim, asks] = await Promise.all([
		start("w1"),
		start("vim", { vim: true }),
		start("asks", { permissionMode: "default" }),
	]);
	followup = realFollowup(tmux);
}, LIMIT);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

/** Pastes `text`, and tells how often and how whole it arrived once the turn is over. */
async function send(who: Claude, window: string, text: string) {
	const ran = await followup.run(who, window, "--message", text);
	return ran;
}

async function arrived(who: Claude, mark: string, text: string) {
	await who.waitForStatus("idle", 20_000);
	return arrivals(who, mark, clean(text).text);
}

describe("a follow-up arrives once and whole", () => {
	test.each([
		["one line", "mark-one please look at the queue"],
		["a brief of many lines", `mark-many\n${"- a row of it\n".repeat(40)}end`],
		["a command's name as words", "/status mark-words of everything"],
	])(
		"%s, into an idle agent",
		async (_what, text) => {
			const mark = /mark-\w+/.exec(text)?.[0] ?? "";
			const ran = await send(worker, "w1", text);
			expect(ran).toMatchObject({ rc: 0, err: "" });
			expect(ran.out).toMatch(
				/^paste-followup: submitted to w1 \(\d+ chars\)\n$/,
			);
			expect(await arrived(worker, mark, text)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);

	test(
		"into a busy agent, behind its turn",
		async () => {
			await worker.say("work on it");
			await worker.waitForStatus("busy");
			const text = "mark-busy and then look at the queue";
			const ran = await send(worker, "w1", text);
			expect(ran).toMatchObject({ rc: 0, err: "" });
			model.release("work");
			expect(await arrived(worker, "mark-busy", text)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);

	test.each(["insert", "normal"])(
		"with vim keys, in %s mode",
		async (mode) => {
			if (mode === "normal") {
				vim.press("Escape");
				await vim.waitForScreen((s) => !s.includes("-- INSERT --"));
			}
			const text = `mark-${mode} please look at the queue`;
			expect((await send(vim, "vim", text)).rc).toBe(0);
			expect(await arrived(vim, `mark-${mode}`, text)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);

	test(
		"after an interrupt",
		async () => {
			await worker.say("hang on");
			await worker.waitForScreen("● Well.");
			worker.press("Escape");
			await worker.waitForScreen("Interrupted");
			const text = "mark-interrupt please look at the queue";
			expect((await send(worker, "w1", text)).rc).toBe(0);
			expect(await arrived(worker, "mark-interrupt", text)).toEqual(
				ONCE_AND_WHOLE,
			);
		},
		LIMIT,
	);

	test(
		"after an API error",
		async () => {
			await worker.say("fail now");
			await worker.waitForScreen("API Error");
			await worker.waitForStatus("idle");
			const text = "mark-error please go on with the queue";
			expect((await send(worker, "w1", text)).rc).toBe(0);
			expect(await arrived(worker, "mark-error", text)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);
});

describe("where somebody's hands are on it nothing is sent or written down", () => {
	const ledger = () => {
		try {
			return readFileSync(join(followup.stateDir, "machine-input.tsv"), "utf8");
		} catch {
			return "";
		}
	};

	test(
		"a draft",
		async () => {
			worker.type("I was about to say");
			await worker.waitForScreen("about to say");
			const before = ledger();
			const ran = await send(worker, "w1", "mark-draft one two three");
			expect(ran.rc).toBe(1);
			expect(ran.err).toContain("somebody's text");
			expect(worker.screen()).toContain("I was about to say");
			expect(ledger()).toBe(before);
			worker.press("C-u");
			await worker.waitForScreen((s) => !s.includes("about to say"));
		},
		LIMIT,
	);

	test(
		"a permission prompt",
		async () => {
			await asks.say("touch it");
			await asks.waitForScreen("Do you want to proceed?");
			const before = ledger();
			const ran = await send(asks, "asks", "mark-prompt one two three");
			expect(ran.rc).toBe(1);
			expect(ran.err).toContain("overlay=permission");
			expect(asks.screen()).toContain("❯ 1. Yes");
			expect(ledger()).toBe(before);
		},
		LIMIT,
	);
});

test(
	"without an Enter the text waits in the box",
	async () => {
		const text = "mark-noenter to be sent by hand";
		const ran = await followup.run(vim, "vim", "--message", text, "--no-enter");
		expect(ran).toMatchObject({ rc: 0, err: "" });
		expect(ran.out).toContain("pasted (NOT submitted, --no-enter)");
		expect(vim.screen()).toContain(text);
		expect(arrivals(vim, "mark-noenter", text).times).toBe(0);
		const rows = parseMachineInput(
			readFileSync(join(followup.stateDir, "machine-input.tsv"), "utf8"),
		);
		expect(rows.at(-1)?.src).toBe("paste-followup-no-enter");
	},
	LIMIT,
);

describe("a command", () => {
	const command = (line: string) =>
		followup.run(worker, "w1", "--message", line, "--command");

	test(
		"runs, and is proven by its own record",
		async () => {
			const ran = await command("/rename somebody");
			expect(ran).toMatchObject({ rc: 0, err: "" });
			await worker.waitForScreen("Session renamed to: somebody");
		},
		LIMIT,
	);

	test(
		"that opens a dialog runs, and is unconfirmed",
		async () => {
			const ran = await command("/status");
			expect(ran.rc).toBe(3);
			expect(ran.err).toContain("perhaps the command's own");
			await worker.waitForScreen(/Version: +\d/);
			worker.press("Escape");
		},
		LIMIT,
	);
});
