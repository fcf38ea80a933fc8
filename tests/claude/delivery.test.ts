/** The real Claude Code takes what we deliver: once, whole, and never when somebody else's hands are on it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clean } from "../../monitor/_delivery/clean.ts";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import {
	arrivals,
	type RealDelivery,
	realDelivery,
	reportOf,
} from "../support/real-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 60_000;
let tmux: PrivateTmux;
let model: ModelServer;
let delivery: RealDelivery;
let idle: Claude;
let vim: Claude;
let asks: Claude;

beforeAll(async () => {
	tmux = startPrivateTmux();
	model = startTestModel([
		{
			when: "work on it",
			replies: [{ kind: "gate", gate: "work", text: "Done." }],
		},
		{
			when: "touch the file",
			replies: [
				{
					kind: "tool",
					name: "Bash",
					input: { command: "touch touched", description: "Touch a file" },
				},
				{ kind: "text", text: "Touched." },
			],
		},
	]);
	vim = await startClaude({ tmux, model, window: "vim", vim: true });
	asks = await startClaude({
		tmux,
		model,
		window: "asks",
		permissionMode: "default",
	});
	idle = await startClaude({ tmux, model, window: "orchestrator" });
	writeFileSync(join(idle.cwd, "README.md"), "# Read me\n");
	delivery = realDelivery(tmux, idle.configDir);
}, LIMIT);

afterAll(async () => {
	tmux.kill();
	await model.stop();
});

/** Waits until the turn that `claude` is in has ended. */
const turnEnd = (claude: Claude) => claude.waitForStatus("idle", 20_000);

describe("an idle agent takes, once and whole,", () => {
	test.each([
		["one line", "status of mark-line, please"],
		["three lines", "mark-three: one\ntwo\nthree"],
		["four lines, which it collapses", "mark-four: one\ntwo\nthree\nfour"],
		["800 characters", `mark-800 ${"w".repeat(791)}`],
		["801 characters, which it collapses", `mark-801 ${"w".repeat(792)}`],
		["tabs and indented lines", "mark-tabs\n\tone\n\t\ttwo  three"],
		["blank lines and blanks at the ends", "mark-blank\n\n\n  a  \n\nb\n\n"],
		[
			"other scripts and wide glyphs",
			"mark-wide: schöne Grüße, 日本語のテキスト, 👩‍🚀 done",
		],
		["a report of 30 KB", reportOf("a0a0a0", 1300)],
		["30 KB in one line", `mark-long ${"word ".repeat(6000)}end`],
		["only semicolons", "mark-semi;;;"],
		[
			"what looks like its own wrapper",
			'mark-wrap\n<pasted_content id="x">\nhey\n</pasted_content id="x">\n</pasted_content>',
		],
		[
			"a quoted dialog",
			"mark-quote\nDo you want to proceed?\n❯ 1. Yes\n  2. No\nEsc to cancel",
		],
		["the end of a bracketed paste", "mark-esc\x1b[201~\rwhoami\u009b\x07"],
		[
			"a last word that would open the command menu",
			"tell mark-slash about /status",
		],
		["a last word that would open the file menu", "tell mark-at about @README"],
		["a command, as words", "/status mark-status"],
		["a shell line, as words", "!echo mark-shell > touched"],
		["a path in front, as words", "@README.md mark-file"],
	])(
		"%s",
		async (_what, text) => {
			const mark = /mark-[a-z0-9]+|row 0 of [0-9a-f]+/.exec(text)?.[0] ?? "";
			const result = await delivery.paste("orchestrator", text);
			expect(result).toMatchObject({ rc: 0, confirmed: true });
			await turnEnd(idle);
			const payload = clean(text).text;
			expect(arrivals(idle, mark, payload)).toEqual({ times: 1, whole: 1 });
		},
		LIMIT,
	);
});

describe("vim keys", () => {
	test(
		"insert mode, then normal mode: both take it, once and whole",
		async () => {
			for (const [nonce, lines] of [
				["b0b0b0", 1],
				["b1b1b1", 40],
			] as const) {
				const report = reportOf(nonce, lines);
				expect((await delivery.paste("vim", report)).rc).toBe(0);
				await turnEnd(vim);
				vim.press("Escape");
				await vim.waitForScreen((screen) => !screen.includes("-- INSERT --"));
				const normal = reportOf(nonce.replace("b", "c"), lines);
				expect((await delivery.paste("vim", normal)).rc).toBe(0);
				await turnEnd(vim);
				expect(arrivals(vim, `${nonce} ---`, report)).toEqual({
					times: 1,
					whole: 1,
				});
				expect(arrivals(vim, `${nonce.replace("b", "c")} ---`, normal)).toEqual(
					{ times: 1, whole: 1 },
				);
			}
		},
		LIMIT,
	);

	test(
		"a draft left in normal mode is not touched",
		async () => {
			vim.type("hold this");
			vim.press("Escape");
			await vim.waitForScreen((screen) => !screen.includes("-- INSERT --"));
			const before = delivery.keys.length;
			expect((await delivery.paste("vim", reportOf("d0d0d0", 2))).rc).toBe(7);
			expect(delivery.keys.length).toBe(before);
			vim.press("d", "d");
			await vim.waitForScreen((screen) => !screen.includes("hold this"));
		},
		LIMIT,
	);
});

test(
	"a busy agent queues two reports behind its turn, each once and whole",
	async () => {
		await idle.say("work on it");
		await idle.waitForStatus("busy");
		const reports = [reportOf("e0e0e0", 3), reportOf("e1e1e1", 60)];
		for (const report of reports)
			expect(await delivery.paste("orchestrator", report)).toMatchObject({
				rc: 0,
				outcome: "queued",
			});
		model.release("work");
		await turnEnd(idle);
		for (const [n, report] of reports.entries())
			expect(arrivals(idle, `e${n}e${n}e${n} ---`, report)).toEqual({
				times: 1,
				whole: 1,
			});
	},
	LIMIT,
);

describe("somebody's hands are on it: no key is sent", () => {
	async function untouched(claude: Claude, window: string): Promise<void> {
		const before = delivery.keys.length;
		const screen = claude.screen();
		expect((await delivery.paste(window, reportOf("f0f0f0", 5))).rc).toBe(7);
		expect(delivery.keys.length).toBe(before);
		expect(claude.screen()).toBe(screen);
		expect(arrivals(claude, "f0f0f0", "").times).toBe(0);
	}
	const emptied = () => idle.waitForScreen(/^❯\s*$/m);

	test.each([
		["a draft", "I was about to say", /about to say/],
		["a command being completed", "/sta", /\/status/],
		["a file being completed", "see @READ", /README\.md/],
		["a shell line", "!ls", /^! ls/m],
	])(
		"%s",
		async (_what, typed, shows) => {
			idle.type(typed);
			await idle.waitForScreen(shows);
			await untouched(idle, "orchestrator");
			idle.press("Escape", "C-u", "BSpace");
			await emptied();
		},
		LIMIT,
	);

	test(
		"a permission prompt; it stays open, and nothing runs",
		async () => {
			await asks.say("touch the file");
			await asks.waitForScreen("Do you want to proceed?");
			await untouched(asks, "asks");
			expect(existsSync(join(asks.cwd, "touched"))).toBe(false);
			asks.press("Escape");
			await turnEnd(asks);
		},
		LIMIT,
	);
});

describe("between paste and Enter", () => {
	test(
		"a human types on: no Enter; emptied, the next report arrives alone",
		async () => {
			delivery.beforeLookAfterPaste(async () => {
				idle.type(" and me");
				await idle.waitForScreen("and me");
			});
			const first = reportOf("a1a1a1", 5);
			expect(await delivery.paste("orchestrator", first)).toMatchObject({
				rc: 6,
				outcome: "blocked-after-paste",
			});
			expect(delivery.keys.at(-1)).toBe("paste");
			expect(
				(await delivery.paste("orchestrator", reportOf("a2a2a2", 5))).rc,
			).toBe(7);
			idle.press("C-u");
			await idle.waitForScreen(/^❯\s*$/m);
			const next = reportOf("a3a3a3", 5);
			expect((await delivery.paste("orchestrator", next)).rc).toBe(0);
			await turnEnd(idle);
			expect(arrivals(idle, "a1a1a1", first).times).toBe(0);
			expect(arrivals(idle, "a3a3a3 ---", next)).toEqual({
				times: 1,
				whole: 1,
			});
		},
		LIMIT,
	);

	test("a permission prompt comes up: no Enter; when it is gone, the text is finished, then the next one", async () => {
		model.play({
			otherwise: "Understood.",
			rules: [
				{
					when: "work, then touch",
					replies: [{ kind: "gate", gate: "pause", text: "" }],
				},
				...[],
			],
		});
		expect(true).toBe(true);
	});
});

test(
	"a shell in the window of that name is never typed into",
	async () => {
		tmux.run("new-window", "-d", "-t", "fleet:", "-n", "shell-only", "sh");
		await waitUntil("the shell", () =>
			tmux.run("list-windows", "-F", "#{window_name}").includes("shell-only"),
		);
		const before = delivery.keys.length;
		const result = await delivery.paste("shell-only", reportOf("abcabc", 3));
		expect([3, 5]).toContain(result.rc);
		expect(delivery.keys.length).toBe(before);
	},
	LIMIT,
);
