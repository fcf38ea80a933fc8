import { describe, expect, test } from "bun:test";
import { judgeAck } from "../../monitor/watcher/_unstick/ack.ts";
import {
	type LimitFacts,
	planLimit,
} from "../../monitor/watcher/_unstick/limit-plan.ts";
import { REFUSED as REFUSED_BY_TMUX } from "../fakes/tmux.ts";
import { type Dialog, type FakeClaude, fakeClaude } from "./fake-claude.ts";
import { NOW, STATE, type UnstickRig, unstickRig } from "./rig.ts";

const MENU: Dialog = { kind: "rate-limit" };
const WAIT = "Stop and wait for limit to reset";
const RESET = `${STATE}/unstick/ratelimit.reset.epoch`;
const CASCADE = `${STATE}/unstick/ratelimit.cascade.epoch`;
const PENDING = `${STATE}/unstick/ratelimit.headsup.pending`;
const EVENT = `${STATE}/unstick/ratelimit.reset-event`;

function actions(rig: UnstickRig): (string | undefined)[] {
	return rig.log().map((line) => /action=(\S+)/.exec(line)?.[1]);
}

/** One worker at the menu, an orchestrator that is fine. */
function fleet(opts: Parameters<typeof unstickRig>[0] = {}) {
	const rig = unstickRig(opts);
	const worker = fakeClaude(rig.doors, "w1");
	worker.set({ dialog: MENU });
	const orchestrator = fakeClaude(rig.doors, "orchestrator");
	return { rig, worker, orchestrator };
}

async function wait(rig: UnstickRig, seconds: number): Promise<void> {
	await rig.doors.clock.sleep(seconds * 1000);
}

describe("a pane at the rate-limit menu", () => {
	test("gets no key before its time, and says so once in five minutes", async () => {
		const { rig, worker } = fleet();
		for (let i = 0; i < 12; i++) await rig.pass();
		expect(worker.keys).toEqual([]);
		expect(actions(rig)).toEqual(["detected", "schedule-cascade", "waiting"]);
		expect(rig.doors.files.text(RESET)).toBe(`${NOW + 10 + 30 * 60}\n`);
	});

	test("is said to wait again after five minutes, and after a clock that was set back", async () => {
		const { rig } = fleet();
		const waits = () => actions(rig).filter((a) => a === "waiting").length;
		for (let i = 0; i < 30; i++) await rig.pass();
		expect(waits()).toBe(1);
		await rig.pass();
		expect(waits()).toBe(2);
		const last = `${STATE}/unstick/ratelimit.last-wait.epoch`;
		rig.doors.files.seed(last, `${rig.doors.clock.now() + 3600}\n`);
		await rig.pass();
		expect(waits()).toBe(3);
	});

	test("is taken off the menu when its time has come, and told to go on; the orchestrator hears of it", async () => {
		const { rig, worker, orchestrator } = fleet();
		await rig.pass();
		await wait(rig, 30 * 60);
		await rig.pass();
		expect(worker.answered).toEqual([WAIT]);
		expect(worker.sent).toHaveLength(1);
		expect(worker.sent[0]).toStartWith(
			"Please continue with your task. The API rate limit has reset.",
		);
		expect(orchestrator.sent).toHaveLength(1);
		expect(orchestrator.sent[0]).toStartWith(
			"Heads-up from watcher: rate limit reset; 1 window(s) told to go on: w1.",
		);
		expect(orchestrator.sent[0]).toContain(
			"monitor/ng log-action monitor --event ratelimit-resume-ack",
		);
		expect(actions(rig).slice(-3)).toEqual([
			"cascade-resumed",
			"heads-up",
			"cascade-complete",
		]);
		expect(rig.doors.files.has(RESET)).toBe(false);
		expect(rig.doors.files.has(CASCADE)).toBe(true);
		const ledger = rig.doors.files.text(`${STATE}/machine-input.tsv`);
		expect(ledger).toMatch(/^w1\t\d+\tunstick-ratelimit\n$/);
	});

	test("waits for the reset that its own notice names, and a margin", async () => {
		const { rig, worker } = fleet();
		worker.set({
			transcript: [
				"❯ go on",
				"  ⎿  You've hit your limit · resets midnight (UTC)",
			],
		});
		await rig.pass();
		expect(rig.doors.files.text(RESET)).toBe(`${1_785_283_200 + 300}\tshown\n`);
	});

	test("is not touched again while the orchestrator's word is awaited", async () => {
		const { rig, worker } = fleet();
		rig.doors.files.seed(CASCADE, `${NOW + 10}\n`);
		await rig.pass();
		await rig.pass();
		expect(worker.keys).toEqual([]);
		expect(rig.doors.files.has(RESET)).toBe(false);
	});

	const REFUSED: readonly (readonly [
		string,
		(c: FakeClaude, rig: UnstickRig) => void,
		string,
	])[] = [
		[
			"another row is highlighted",
			(c) => c.set({ dialog: { kind: "rate-limit", selected: 1 } }),
			"reason=other-highlighted",
		],
		[
			"the menu does not go",
			(c) => c.set({ answers: false }),
			"reason=dismiss-unverified",
		],
		[
			"a draft stands behind it",
			(c) => c.set({ box: "I was about to" }),
			"reason=operator-draft stage=after-dismiss",
		],
	];
	test.each(REFUSED)(
		"is not told to go on when %s",
		async (_what, happens, words) => {
			const { rig, worker } = fleet();
			rig.doors.files.seed(RESET, `${NOW}\n`);
			happens(worker, rig);
			await rig.pass();
			expect(worker.sent).toEqual([]);
			expect(rig.log().join("\n")).toContain(`action=cascade-refused ${words}`);
			if (worker.box !== "") expect(worker.box).toBe("I was about to");
		},
	);

	test("a permission prompt that came up meanwhile is not answered by this", async () => {
		const { rig, worker } = fleet();
		rig.doors.files.seed(RESET, `${NOW}\n`);
		const stop = rig.doors.tmux.before((call) => {
			// After the pass has seen the menu, before anything is pressed.
			if (call.op !== "capture" || !call.opts.history) return;
			worker.set({ dialog: { kind: "permission", command: "npm publish" } });
			stop();
		});
		await rig.pass();
		expect(worker.keys).toEqual([]);
	});
});

describe("when the orchestrator cannot be told", () => {
	test("a draft in its box defers it; it is told when the box is free", async () => {
		const { rig, orchestrator } = fleet();
		rig.doors.files.seed(RESET, `${NOW}\n`);
		orchestrator.set({ box: "hold on" });
		await rig.pass();
		await rig.pass();
		expect(orchestrator.box).toBe("hold on");
		expect(rig.doors.files.has(PENDING)).toBe(true);
		expect(rig.doors.files.has(CASCADE)).toBe(false);
		expect(actions(rig).filter((a) => a === "heads-up-deferred")).toHaveLength(
			1,
		);
		orchestrator.set({ box: "" });
		await rig.pass();
		expect(orchestrator.sent).toHaveLength(1);
		expect(orchestrator.sent[0]).toContain("w1");
		expect(rig.doors.files.has(PENDING)).toBe(false);
		expect(rig.doors.files.has(CASCADE)).toBe(true);
	});

	test("after a quarter of an hour it is given up, and nobody is blamed", async () => {
		const { rig, orchestrator } = fleet();
		rig.doors.files.seed(PENDING, `${NOW}\t1\tw1\n`);
		orchestrator.set({ box: "hold on" });
		await wait(rig, 900);
		await rig.pass();
		expect(actions(rig)).toContain("heads-up-abandoned");
		expect(rig.doors.files.has(PENDING)).toBe(false);
		expect(rig.doors.files.has(CASCADE)).toBe(false);
	});

	test("a pending word that cannot be read is given up", async () => {
		const { rig } = fleet();
		rig.doors.files.seed(PENDING, "what\n");
		await rig.pass();
		expect(actions(rig)).toContain("heads-up-abandoned");
	});

	test("its own menu is dismissed first, when the row to wait is highlighted", async () => {
		const { rig, orchestrator } = fleet();
		rig.doors.files.seed(RESET, `${NOW}\n`);
		orchestrator.set({ dialog: MENU });
		await rig.pass();
		expect(orchestrator.answered).toEqual([WAIT]);
		expect(orchestrator.sent).toHaveLength(1);
	});

	test("a paste that tmux refuses has failed: it is not tried again, and its answer is awaited", async () => {
		const { rig, worker, orchestrator } = fleet();
		rig.doors.files.seed(RESET, `${NOW}\n`);
		rig.doors.tmux.fail(
			(call) =>
				call.op === "run" &&
				call.cmd.kind === "load-buffer" &&
				worker.sent.length > 0,
			REFUSED_BY_TMUX,
		);
		await rig.pass();
		expect([worker.sent.length, orchestrator.sent.length]).toEqual([1, 0]);
		expect(actions(rig)).toContain("heads-up-failed");
		expect(rig.doors.files.has(PENDING)).toBe(false);
		expect(rig.doors.files.has(CASCADE)).toBe(true);
	});

	test("no orchestrator at all: the workers go on all the same", async () => {
		const rig = unstickRig();
		const worker = fakeClaude(rig.doors, "w1");
		worker.set({ dialog: MENU });
		rig.doors.files.seed(RESET, `${NOW}\n`);
		await rig.pass();
		expect(worker.sent).toHaveLength(1);
		expect(rig.log().join("\n")).toContain(
			"heads-up-skip reason=window-missing",
		);
		expect(rig.doors.files.has(CASCADE)).toBe(true);
	});
});

describe("the orchestrator's acknowledgement", () => {
	test.each([
		[null, 59, "waiting"],
		[null, 60, "unresponsive"],
		[100, 10, "waiting"],
		[101, 10, "acknowledged"],
		[99, 61, "unresponsive"],
	] as const)("acked at %p, %d s after: %s", (acked, after, kind) => {
		expect(judgeAck(100, acked, 100 + after, 60).kind).toBe(kind);
	});

	test("ends the episode", async () => {
		const { rig } = fleet();
		rig.doors.files.seed(CASCADE, `${NOW}\n`);
		rig.doors.files.seed(
			`${STATE}/action-log.jsonl`,
			`${JSON.stringify({ ts: rig.doors.clock.iso(NOW + 5), agent: "monitor", event: "ratelimit-resume-ack" })}\n`,
		);
		await rig.pass();
		expect(rig.log()[0]).toBe(
			`case=B action=orchestrator-ack ack_ts=${NOW + 5} latency_s=5`,
		);
		expect(rig.doors.files.has(CASCADE)).toBe(false);
	});

	test("that never comes is logged, and nothing else follows", async () => {
		const { rig, orchestrator } = fleet();
		rig.doors.files.seed(CASCADE, `${NOW}\n`);
		await wait(rig, 60);
		await rig.pass();
		expect(rig.log()[0]).toBe(
			"case=B action=orchestrator-unresponsive cascade_age_s=70 timeout_s=60",
		);
		expect(orchestrator.keys).toEqual([]);
	});
});

describe("when a limit is taken to be over", () => {
	const at = (part: Partial<LimitFacts>): LimitFacts => ({
		known: null,
		event: null,
		probed: null,
		shown: null,
		now: NOW,
		heuristicMinutes: 30,
		...part,
	});
	test.each<[string, Partial<LimitFacts>, number, string[]]>([
		["nobody knows", {}, NOW + 1800, ["schedule-cascade"]],
		[
			"the API said so",
			{ probed: NOW + 90_000 },
			NOW + 90_000,
			["schedule-cascade"],
		],
		[
			"a notice named it",
			{ shown: NOW + 9000 },
			NOW + 9000,
			["schedule-cascade"],
		],
		[
			"the API and a notice: the API",
			{ probed: NOW + 5, shown: NOW + 9000 },
			NOW + 5,
			["schedule-cascade"],
		],
		[
			"a named reset is hours ahead",
			{ known: { at: NOW + 9000, source: "shown" } },
			NOW + 9000,
			[],
		],
		[
			"a guess stands",
			{ known: { at: NOW + 60, source: "guess" } },
			NOW + 60,
			[],
		],
		[
			"a guess is too far ahead",
			{ known: { at: NOW + 9000, source: "guess" } },
			NOW + 1800,
			["reset-epoch-clamped"],
		],
		[
			"a probed reset is days ahead",
			{ known: { at: NOW + 400_000, source: "probe" } },
			NOW + 400_000,
			[],
		],
		[
			"the file holds no number",
			{ known: { at: null, source: "guess" } },
			NOW,
			["reset-epoch-reconciled"],
		],
		[
			"an event proves it",
			{ event: "x", known: { at: NOW + 60, source: "probe" } },
			NOW,
			["reset-epoch-expedited"],
		],
	])("%s", (_what, part, reset, notes) => {
		const plan = planLimit(at(part));
		expect(plan.reset.at).toBe(reset);
		expect(plan.notes.map((n) => n.action)).toEqual(notes);
		expect(plan.isDue).toBe(reset <= NOW);
	});

	test("a reset event wakes at once, names its source, and pulls all holds", async () => {
		const { rig, worker, orchestrator } = fleet();
		await rig.pass();
		rig.doors.files.seed(EVENT, `${NOW}\tover-limit-resumed:w2\n`);
		await rig.pass();
		expect(rig.expedited).toEqual(["over-limit-resumed:w2"]);
		expect(worker.sent[0]).toContain("(over-limit-resumed:w2)");
		expect(orchestrator.sent[0]).toContain("(over-limit-resumed:w2)");
		expect(rig.doors.files.has(EVENT)).toBe(false);
	});

	test("a reset event wakes also while the orchestrator's word on an earlier one is awaited, and asks nobody", async () => {
		const { rig, worker } = fleet({
			config: {
				"monitor.watcher.ratelimit_probe": true,
				ANTHROPIC_API_KEY: "sk-secret",
			},
		});
		rig.doors.files.seed(CASCADE, `${NOW + 5}\n`);
		rig.doors.files.seed(EVENT, `${NOW}\tover-limit-resumed:w2\n`);
		await rig.pass();
		expect(worker.sent).toHaveLength(1);
		expect(rig.doors.net.requests).toEqual([]);
	});

	test("a pass that is ended after it took the event leaves the episode due: the next one wakes", async () => {
		const { rig, worker } = fleet();
		await rig.pass();
		rig.doors.files.seed(EVENT, `${NOW}\tover-limit-resumed:w2\n`);
		const ended = new AbortController();
		rig.doors.tmux.before(() => ended.abort());
		expect(await rig.pass(ended)).toBe(1);
		expect(rig.doors.files.has(EVENT)).toBe(false);
		expect(worker.sent).toEqual([]);
		await rig.pass();
		expect(worker.sent).toHaveLength(1);
	});

	test("without tmux the event waits", async () => {
		const { rig } = fleet();
		rig.doors.files.seed(EVENT, `${NOW}\tx\n`);
		const heal = rig.doors.tmux.fail("panes", { kind: "hung" });
		expect(await rig.pass()).toBe(1);
		expect(rig.doors.files.has(EVENT)).toBe(true);
		heal();
		await rig.pass();
		expect(rig.doors.files.has(EVENT)).toBe(false);
	});

	test("what is left of an episode that is over does not fire the next one", async () => {
		const rig = unstickRig();
		fakeClaude(rig.doors, "w1");
		// The pass's own second.
		rig.doors.files.seed(RESET, `${NOW + 10}\n`);
		await rig.pass();
		expect(rig.doors.files.has(RESET)).toBe(false);
		expect(actions(rig)).toEqual(["episode-ended"]);
		rig.doors.files.seed(RESET, `${NOW + 9000}\tprobe\n`);
		await rig.pass();
		expect(rig.doors.files.has(RESET)).toBe(true);
	});
});

describe("another account", () => {
	const CONFIG = "/home/op/.claude.json";
	const CREDENTIALS = "/home/op/.claude/.credentials.json";
	const login = (account: string | null) =>
		JSON.stringify({
			oauthAccount: account && {
				accountUuid: account,
				organizationUuid: "org",
			},
		});
	function seedLogin(rig: UnstickRig, account: string | null): void {
		delete rig.doors.proc.env.CLAUDE_CONFIG_DIR;
		rig.doors.files.seed(CONFIG, login(account));
		const token = { claudeAiOauth: { accessToken: "s3cret-token" } };
		rig.doors.files.seed(CREDENTIALS, JSON.stringify(token));
	}

	test("is an event; the first sighting, a refreshed token and a log-out are none", async () => {
		const rig = unstickRig();
		doorsWithPane(rig);
		for (const account of ["a", "a", null, "a"]) {
			seedLogin(rig, account);
			await rig.pass();
		}
		expect(rig.expedited).toEqual([]);
		seedLogin(rig, "b");
		await rig.pass();
		expect(rig.expedited).toEqual(["credential-change"]);
		for (const name of rig.names("unstick"))
			expect(rig.doors.files.text(`${STATE}/unstick/${name}`)).not.toContain(
				"s3cret",
			);
	});

	test("a torn file says nothing, and the switch is off when told so", async () => {
		for (const env of [{}, { UNSTICK_CRED_SENSOR: "false" }]) {
			const rig = unstickRig({
				config: { UNSTICK_CRED_SENSOR: !("UNSTICK_CRED_SENSOR" in env) },
			});
			doorsWithPane(rig);
			seedLogin(rig, "a");
			await rig.pass();
			rig.doors.files.seed(CONFIG, '{"oauthAcc');
			await rig.pass();
			if ("UNSTICK_CRED_SENSOR" in env) seedLogin(rig, "b");
			await rig.pass();
			expect(rig.expedited).toEqual([]);
		}
	});

	function doorsWithPane(rig: UnstickRig): void {
		fakeClaude(rig.doors, "w1");
		delete rig.doors.proc.env.CLAUDE_CONFIG_DIR;
	}
});

describe("the question to the API", () => {
	const config = {
		"monitor.watcher.ratelimit_probe": true,
		ANTHROPIC_API_KEY: "sk-secret",
	} as const;
	const answers = (
		rig: UnstickRig,
		status: number,
		headers: Record<string, string>,
	) => rig.doors.net.answer(/./, () => new Response("{}", { status, headers }));

	test.each<[string, Record<string, string>, number | null]>([
		[
			"both headers: the account's",
			{
				"anthropic-ratelimit-unified-reset": `${NOW + 500}`,
				"anthropic-ratelimit-tokens-reset": `${NOW + 5}`,
			},
			NOW + 500,
		],
		[
			"only the minute's",
			{ "anthropic-ratelimit-tokens-reset": "2026-07-28T19:00:00Z (soon)" },
			NOW + 3600,
		],
		["none", {}, null],
		["nonsense", { "anthropic-ratelimit-unified-reset": "later" }, null],
	])("%s", async (_what, headers, reset) => {
		const { rig } = fleet({ config });
		answers(rig, 429, headers);
		await rig.pass();
		const text = rig.doors.files.text(RESET);
		expect(text).toBe(
			reset === null ? `${NOW + 10 + 1800}\n` : `${reset}\tprobe\n`,
		);
		await rig.pass();
		expect(rig.doors.net.requests).toHaveLength(1);
		const [request] = rig.doors.net.requests;
		expect(request?.line).toBe("POST https://api.anthropic.com/v1/messages");
		expect(request?.headers.get("x-api-key")).toBe("sk-secret");
		expect(request?.headers.get("anthropic-version")).toBe("2023-06-01");
		expect(JSON.parse(request?.body ?? "")).toEqual({
			model: "claude-haiku-4-5-20251001",
			max_tokens: 1,
			messages: [{ role: "user", content: "." }],
		});
		expect(JSON.stringify([rig.doors.log.lines, rig.log()])).not.toContain(
			"sk-secret",
		);
	});

	test.each([
		[{ "monitor.watcher.ratelimit_probe": false }],
		[{ ANTHROPIC_API_KEY: null }],
	])("is not asked with %j", async (without) => {
		const { rig } = fleet({ config: { ...config, ...without } });
		await rig.pass();
		expect(rig.doors.net.requests).toEqual([]);
	});

	test("that fails costs nothing but the knowledge", async () => {
		const { rig } = fleet({ config });
		await rig.pass();
		expect(rig.doors.files.text(RESET)).toBe(`${NOW + 10 + 1800}\n`);
	});
});
