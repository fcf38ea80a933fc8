#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Follow-ups in a row into real Claude Codes: idle, busy, vim's two modes, after an interrupt and
 * after an API error; in between with a draft and with a permission prompt in the way. `--runs N`
 * (default 200). Wanted: each arrives exactly once and whole, exit code 0, and nothing is typed
 * while somebody's hands are on the pane.
 */
import { clean } from "../monitor/_delivery/clean.ts";
import { type Claude, startClaude } from "../tests/support/claude-harness.ts";
import { startTestModel } from "../tests/support/model-server.ts";
import { startPrivateTmux } from "../tests/support/private-tmux.ts";
import { arrivals } from "../tests/support/real-delivery.ts";
import { realFollowup } from "../tests/support/real-followup.ts";
import { numberFlag, percentile, report } from "./measure.ts";

const runs = numberFlag("runs", 200);
/** Further rows of a message: shown in full, collapsed, long. */
const SIZES = [0, 2, 12, 200];

interface State {
	readonly name: string;
	readonly window: string;
	readonly claude: Claude;
	readonly enter?: (n: number) => Promise<unknown>;
	/** Somebody's hands are on it: a follow-up is refused until this has taken them off. */
	readonly clear?: () => Promise<unknown>;
	readonly leave?: (n: number) => void;
}
interface Figure {
	readonly state: string;
	readonly rc: number;
	readonly ms: number;
	readonly times: number;
	readonly whole: number;
	/** Exit code of the follow-up that came while somebody's hands were on it; it must be 1. */
	readonly refused: number | null;
}

const tmux = startPrivateTmux();
const model = startTestModel([
	...Array.from({ length: runs }, (_, n) => ({
		when: `work on item ${n}.`,
		replies: [{ kind: "gate", gate: `${n}`, text: "Done." } as const],
	})),
	{
		when: "touch it",
		replies: [
			{ kind: "tool", name: "Bash", input: { command: "touch touched" } },
		],
	},
	{ when: "hang on", replies: [{ kind: "hang", text: "Well.\n\nSo" }] },
	{
		when: "fail now",
		replies: [{ kind: "error", status: 500, message: "as scripted" }],
	},
]);
try {
	const [worker, vim, asks] = await Promise.all([
		startClaude({ tmux, model, window: "worker" }),
		startClaude({ tmux, model, window: "vim", vim: true }),
		startClaude({ tmux, model, window: "asks", permissionMode: "default" }),
	]);
	const followup = realFollowup(tmux);
	const states = statesOf(worker, vim, asks);
	const figures: Figure[] = [];
	for (let n = 0; n < runs; n++) {
		const state = states[n % states.length];
		if (state === undefined) break;
		const figure = await sendOne(followup, state, n);
		if (!isGood(figure)) console.log(`${n}: ${JSON.stringify(figure)}`);
		figures.push(figure);
	}
	for (const { name } of states)
		print(
			name,
			figures.filter((figure) => figure.state === name),
		);
	print("all", figures);
	report({
		name: `follow-ups not once, whole, undisturbed (of ${runs})`,
		value: figures.filter((figure) => !isGood(figure)).length,
		unit: "missed",
		limit: 0,
	});
	const ms = figures.map((figure) => figure.ms);
	report({ name: "follow-up", value: percentile(ms, 0.5), unit: "ms" });
} finally {
	await tmux.kill();
	await model.stop();
}

function statesOf(worker: Claude, vim: Claude, asks: Claude): readonly State[] {
	const at = { window: "worker", claude: worker };
	return [
		{ name: "idle", ...at },
		{
			name: "busy",
			...at,
			enter: async (n) => {
				await worker.say(`work on item ${n}.`);
				await worker.waitForStatus("busy");
			},
			leave: (n) => model.release(`${n}`),
		},
		{ name: "vim insert", window: "vim", claude: vim },
		{
			name: "vim normal",
			window: "vim",
			claude: vim,
			enter: async () => {
				vim.press("Escape");
				await vim.waitForScreen((s) => !s.includes("-- INSERT --"));
			},
		},
		{
			name: "after an interrupt",
			...at,
			enter: async () => {
				await worker.say("hang on");
				await worker.waitForStatus("busy");
				await worker.waitForScreen(
					(s) => s.lastIndexOf("● Well.") > s.lastIndexOf("❯ hang on"),
				);
				worker.press("Escape");
				await worker.waitForStatus("idle");
			},
		},
		{
			name: "after an API error",
			...at,
			enter: async () => {
				await worker.say("fail now");
				await worker.waitForStatus("busy");
				await worker.waitForStatus("idle");
			},
		},
		{
			name: "draft",
			...at,
			enter: async () => {
				worker.type("I was about to");
				await worker.waitForScreen("about to");
			},
			clear: async () => {
				worker.press("C-u");
				await worker.waitForScreen((s) => !s.includes("I was about to"));
			},
		},
		{
			name: "permission prompt",
			window: "asks",
			claude: asks,
			enter: async () => {
				await asks.say("touch it");
				await asks.waitForScreen("Do you want to proceed?");
			},
			clear: async () => {
				for (;;) {
					asks.press("Escape");
					await Bun.sleep(500);
					if (asks.session()?.status === "idle") return;
				}
			},
		},
	];
}

async function sendOne(
	followup: ReturnType<typeof realFollowup>,
	{ name, window, claude, ...state }: State,
	n: number,
): Promise<Figure> {
	const mark = `mark-${n}-`;
	const rows = Array.from(
		{ length: SIZES[n % SIZES.length] ?? 0 },
		(_, i) => `- row ${i}`,
	);
	const text = [`${mark} please look at the queue`, ...rows].join("\n");
	const send = () => followup.run(claude, window, "--message", text);
	await state.enter?.(n);
	const refused = state.clear === undefined ? null : (await send()).rc;
	await state.clear?.();
	const start = performance.now();
	const { rc } = await send();
	const ms = performance.now() - start;
	state.leave?.(n);
	await claude.waitForStatus("idle");
	const arrived = arrivals(claude, mark, clean(text).text);
	return { state: name, rc, ms, ...arrived, refused };
}

function isGood({ rc, times, whole, refused }: Figure): boolean {
	return rc === 0 && times === 1 && whole === 1 && (refused ?? 1) === 1;
}

function print(name: string, figures: readonly Figure[]): void {
	const count = (holds: (figure: Figure) => boolean) =>
		`${figures.filter(holds).length}/${figures.length}`;
	const ms = figures.map((figure) => figure.ms);
	console.log(
		`${name}: once ${count((f) => f.times === 1)}, whole ${count((f) => f.whole === 1)}, exit 0 ${count((f) => f.rc === 0)}, undisturbed ${count((f) => (f.refused ?? 1) === 1)}, median ${percentile(ms, 0.5).toFixed(0)} ms, worst ${Math.max(...ms).toFixed(0)} ms`,
	);
}
