/** The real Claude Code takes what we deliver: once, whole, and never while somebody else's hands are on it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clean } from "../../monitor/_delivery/clean.ts";
import {
	type Claude,
	type ClaudeOptions,
	startClaude,
} from "../support/claude-harness.ts";
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
const ONCE_AND_WHOLE = { times: 1, whole: 1 };
const TOUCH = {
	kind: "tool",
	name: "Bash",
	input: { command: "touch touched", description: "Touch a file" },
} as const;

interface Agent extends Claude, Pick<RealDelivery, "paste" | "keys"> {
	readonly beforeLookAfterPaste: RealDelivery["beforeLookAfterPaste"];
}
let tmux: PrivateTmux;
let model: ModelServer;
let agent: Agent;
let vim: Agent;
/** Asks before it runs a command. */
let asks: Agent;

beforeAll(async () => {
	tmux = startPrivateTmux();
	model = startTestModel([
		{
			when: "work on",
			replies: [{ kind: "gate", gate: "work", text: "Done." }],
		},
		{ when: "touch the file", replies: [TOUCH] },
		{ when: "think, then touch", replies: [{ ...TOUCH, gate: "touch" }] },
	]);
	[agent, vim, asks] = await Promise.all([
		start({ window: "orchestrator" }),
		start({ window: "vim", vim: true }),
		start({ window: "asks", permissionMode: "default" }),
	]);
	writeFileSync(join(agent.cwd, "README.md"), "# Read me\n");
}, LIMIT);

afterAll(async () => {
	tmux.kill();
	await model.stop();
});

async function start(
	opts: Partial<ClaudeOptions> & { readonly window: string },
): Promise<Agent> {
	const { tmux: server = tmux, window } = opts;
	const claude = await startClaude({ model, ...opts, tmux: server });
	return { ...claude, ...realDelivery(server, window, claude.configDir) };
}

const turnEnd = (of: Claude) => of.waitForStatus("idle", 20_000);

/** Ctrl-U empties the box; a BSpace leaves shell mode. */
async function empty(of: Claude): Promise<void> {
	of.press("C-u");
	await waitUntil("the box to be empty", () => {
		if (/^❯\s*$/m.test(of.screen())) return true;
		of.press("BSpace");
		return false;
	});
}

/** Refuses at a permission prompt, which takes no key at all for a moment after it came up. */
async function refuse(who: Claude): Promise<void> {
	await waitUntil("the prompt to be gone", async () => {
		who.press("Escape");
		await Bun.sleep(500);
		return !who.screen().includes("Do you want to proceed?");
	});
	await turnEnd(who);
}

describe("an idle agent takes, once and whole,", () => {
	test.each([
		["one line", "status of mark-line, please"],
		["three lines", "mark-three: one\ntwo\nthree"],
		["four lines, which it collapses", "mark-four: one\ntwo\nthree\nfour"],
		["800 characters", `mark-800 ${"w".repeat(791)}`],
		["801 characters, which it collapses", `mark-801 ${"w".repeat(792)}`],
		["tabs", "mark-tabs\n\tone\n\t\ttwo  three"],
		["blank lines and trailing blanks", "mark-blank\n\n\n  a  \n\nb\n\n"],
		["other scripts", "mark-wide: schöne Grüße, 日本語のテキスト, 👩‍🚀 ok"],
		["a report of 30 KB", reportOf("a0a0a0", 1300)],
		["30 KB in one line", `mark-long ${"word ".repeat(6000)}end`],
		["a semicolon at the end", "mark-semi;;;"],
		[
			"what looks like its own wrapper",
			'mark-wrap\n<pasted_content id="x">\nhey\n</pasted_content id="x">\n</pasted_content>',
		],
		[
			"a quoted dialog",
			"mark-quote\nDo you want to proceed?\n❯ 1. Yes\n  2. No\nEsc to cancel",
		],
		["the end of a bracketed paste", "mark-esc\x1b[201~\rwhoami\u009b\x07"],
		["a last word that opens the command menu", "mark-menu of /status"],
		["a last word that opens the file menu", "mark-menu-file of @README"],
		["a last word that opens the emoji menu", "mark-emoji of :smile"],
		["a backslash at the end", "mark-backslash of C:\\"],
		["a command, as words", "/status mark-status"],
		["a shell line, as words", "!echo mark-shell > touched"],
		["a file, as words", "@README.md mark-file"],
	])(
		"%s",
		async (_what, text) => {
			const mark = /mark-[a-z0-9-]+|row 0 of a0a0a0/.exec(text)?.[0] ?? "";
			const pasted = await agent.paste(text);
			expect(pasted).toMatchObject({ rc: 0, confirmed: true });
			await turnEnd(agent);
			const payload = clean(text).text;
			expect(arrivals(agent, mark, payload)).toEqual(ONCE_AND_WHOLE);
			expect(existsSync(join(agent.cwd, "touched"))).toBe(false);
		},
		LIMIT,
	);
});

test(
	"a word that would end the agent reaches it as a message",
	async () => {
		expect((await agent.paste("exit")).rc).toBe(0);
		await turnEnd(agent);
		expect(agent.userTexts().at(-1)).toBe("Message: exit");
	},
	LIMIT,
);

describe.each([
	["80 by 24, as a detached session has it,", { columns: 80, rows: 24 }],
	["24 by 10", { columns: 24, rows: 10 }],
])("in a pane of %s", (_size, size) => {
	let small: PrivateTmux;
	let worker: Agent;
	beforeAll(async () => {
		small = startPrivateTmux(size);
		worker = await start({ window: "worker", tmux: small });
	}, LIMIT);
	afterAll(() => small.kill());

	test.each([
		[
			"a brief that is taller than the box",
			`mark-tall ${"word ".repeat(140)}end`,
		],
		["a long word that is", `mark-word ${"w".repeat(700)}`],
		["a report", reportOf("c3c3c3", 30)],
	])(
		"%s",
		async (_what, text) => {
			const mark = /mark-[a-z]+|row 0 of c3c3c3/.exec(text)?.[0] ?? "";
			expect((await worker.paste(text)).rc).toBe(0);
			await turnEnd(worker);
			expect(arrivals(worker, mark, text)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);
});

describe("with vim keys,", () => {
	const normalMode = async () => {
		vim.press("Escape");
		await vim.waitForScreen((screen) => !screen.includes("-- INSERT --"));
	};

	test.each([
		["insert mode, one line", "b0b0b0", 0, false],
		["insert mode, a collapsed report", "b1b1b1", 40, false],
		["normal mode, one line", "b2b2b2", 0, true],
		["normal mode, a collapsed report", "b3b3b3", 40, true],
	])(
		"%s",
		async (_what, nonce, lines, normal) => {
			if (normal) await normalMode();
			const report = reportOf(nonce, lines);
			expect((await vim.paste(report)).rc).toBe(0);
			await turnEnd(vim);
			expect(arrivals(vim, `${nonce} ---`, report)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);

	test(
		"a draft in normal mode is not touched",
		async () => {
			vim.type("hold this");
			await vim.waitForScreen("hold this");
			await normalMode();
			const before = vim.keys.length;
			expect((await vim.paste(reportOf("b4b4b4", 2))).rc).toBe(7);
			expect(vim.keys.length).toBe(before);
			expect(vim.screen()).toContain("hold this");
		},
		LIMIT,
	);
});

test(
	"a busy agent queues what comes, each once and whole",
	async () => {
		await agent.say("work on it");
		await agent.waitForStatus("busy");
		const reports = [reportOf("c0c0c0", 0), reportOf("c1c1c1", 60)];
		for (const report of reports)
			expect(await agent.paste(report)).toMatchObject({
				rc: 0,
				outcome: "queued",
			});
		model.release("work");
		await turnEnd(agent);
		for (const [n, report] of reports.entries()) {
			const mark = `c${n}c${n}c${n} ---`;
			expect(arrivals(agent, mark, report)).toEqual(ONCE_AND_WHOLE);
		}
	},
	LIMIT,
);

test(
	"a pane that somebody scrolled back in takes it all the same",
	async () => {
		tmux.run("copy-mode", "-t", agent.paneId);
		const report = reportOf("c2c2c2", 8);
		expect((await agent.paste(report)).rc).toBe(0);
		await turnEnd(agent);
		expect(arrivals(agent, "c2c2c2 ---", report)).toEqual(ONCE_AND_WHOLE);
		expect(arrivals(agent, "row 3 of c2c2c2", report).times).toBe(1);
	},
	LIMIT,
);

describe("where somebody's hands are on it, no key is sent:", () => {
	/** Refused, and everything is as it was. */
	async function refuses(who: Agent, shows: string | RegExp): Promise<void> {
		const before = who.keys.length;
		expect((await who.paste(reportOf("d0d0d0", 5))).rc).toBe(7);
		expect(who.keys.length).toBe(before);
		expect(who.screen()).toMatch(shows);
		expect(arrivals(who, "d0d0d0", "").times).toBe(0);
	}

	test.each([
		["a draft", "I was about to say", /about to say/],
		["a command being completed", "/sta", /^[ ❯]*\/status /m],
		["a file being completed", "see @READ", /\+ README\.md/],
		["a shell line", "!ls", /^!\sls/m],
	])(
		"%s",
		async (_what, typed, shows) => {
			agent.type(typed);
			await agent.waitForScreen(shows);
			await refuses(agent, shows);
			await empty(agent);
		},
		LIMIT,
	);

	test(
		"a permission prompt",
		async () => {
			await asks.say("touch the file");
			await asks.waitForScreen("Do you want to proceed?");
			await refuses(asks, "Do you want to proceed?");
			expect(existsSync(join(asks.cwd, "touched"))).toBe(false);
			await refuse(asks);
		},
		LIMIT,
	);
});

describe("between paste and Enter", () => {
	test(
		"a human types on: no Enter, until the box is empty again",
		async () => {
			agent.beforeLookAfterPaste(async () => {
				agent.type(" and me");
				await agent.waitForScreen("and me");
			});
			const outcome = "blocked-after-paste";
			const first = await agent.paste(reportOf("e0e0e0", 5));
			expect(first).toMatchObject({ rc: 6, outcome });
			expect(agent.keys.at(-1)).toBe("paste");
			expect((await agent.paste(reportOf("e1e1e1", 5))).rc).toBe(7);

			await empty(agent);
			const next = reportOf("e2e2e2", 5);
			expect((await agent.paste(next)).rc).toBe(0);
			await turnEnd(agent);
			expect(arrivals(agent, "e0e0e0 ---", "").times).toBe(0);
			expect(arrivals(agent, "e2e2e2 ---", next)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);

	test(
		"a permission prompt comes up: no Enter; when it is gone, that text is finished first",
		async () => {
			await asks.say("think, then touch");
			await asks.waitForStatus("busy");
			asks.beforeLookAfterPaste(async () => {
				model.release("touch");
				await asks.waitForScreen("Do you want to proceed?");
			});
			const first = reportOf("f0f0f0", 5);
			const outcome = "blocked-after-paste";
			expect(await asks.paste(first)).toMatchObject({ rc: 6, outcome });
			expect(asks.keys.at(-1)).toBe("paste");
			expect(existsSync(join(asks.cwd, "touched"))).toBe(false);

			await refuse(asks);
			const next = reportOf("f1f1f1", 5);
			expect((await asks.paste(next)).rc).toBe(0);
			await turnEnd(asks);
			expect(arrivals(asks, "f0f0f0 ---", first)).toEqual(ONCE_AND_WHOLE);
			expect(arrivals(asks, "f1f1f1 ---", next)).toEqual(ONCE_AND_WHOLE);
		},
		LIMIT,
	);
});

test(
	"a window that holds a bare shell is never typed into",
	async () => {
		tmux.run("new-window", "-d", "-t", "fleet:", "-n", "bare", "sh");
		const bare = realDelivery(tmux, "bare", agent.configDir);
		expect([3, 5]).toContain((await bare.paste(reportOf("abcabc", 3))).rc);
		expect(bare.keys).toEqual([]);
	},
	LIMIT,
);
