#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Reports in a row into real Claude Codes: idle, busy, vim's two modes, and with a draft, a
 * completion or a permission prompt in the way. `--runs N` (default 100). Wanted: each arrives
 * exactly once and whole, and no key is sent while somebody's hands are on the pane.
 */
import {
	type Claude,
	type ClaudeOptions,
	startClaude,
} from "../tests/support/claude-harness.ts";
import { startTestModel } from "../tests/support/model-server.ts";
import { startPrivateTmux } from "../tests/support/private-tmux.ts";
import {
	arrivals,
	type RealDelivery,
	realDelivery,
	reportOf,
} from "../tests/support/real-delivery.ts";
import { numberFlag, percentile, report } from "./measure.ts";

const runs = numberFlag("runs", 100);
/** Rows of a report, without its signature: shown in full, collapsed, 30 KB. */
const SIZES = [0, 2, 12, 60, 300, 1300];
const EMPTY_BOX = /^❯\s*$/m;
const TOUCH = {
	kind: "tool",
	name: "Bash",
	input: { command: "touch touched", description: "Touch a file" },
} as const;

interface Agent {
	readonly window: string;
	readonly claude: Claude;
	readonly delivery: RealDelivery;
}
/** What the pane is brought into before a report comes. */
interface State {
	readonly name: string;
	readonly agent: Agent;
	readonly enter?: (n: number) => Promise<unknown>;
	/** Somebody's hands are on it: the report is refused until this has taken them off. */
	readonly clear?: () => Promise<unknown>;
	readonly leave?: (n: number) => void;
}
interface Figure {
	readonly state: string;
	readonly rc: number;
	readonly ms: number;
	readonly times: number;
	readonly whole: number;
	/** Keys that were sent while somebody's hands were on it. */
	readonly disturbed: number;
}

const tmux = startPrivateTmux();
const model = startTestModel([
	...Array.from({ length: runs }, (_, n) => ({
		when: `work on item ${n}.`,
		replies: [{ kind: "gate", gate: `${n}`, text: "Done." } as const],
	})),
	{ when: "touch the file", replies: [TOUCH] },
]);
try {
	const states = statesOf(
		...(await Promise.all([
			open({ window: "agent" }),
			open({ window: "vim", vim: true }),
			open({ window: "asks", permissionMode: "default" }),
		])),
	);
	const figures: Figure[] = [];
	for (let n = 0; n < runs; n++) {
		const figure = await deliverOne(states[n % states.length]!, n);
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
		name: `deliveries not once, whole, undisturbed (of ${runs})`,
		value: figures.filter((figure) => !isGood(figure)).length,
		unit: "missed",
		limit: 0,
	});
	const ms = figures.map((figure) => figure.ms);
	report({ name: "delivery", value: percentile(ms, 0.5), unit: "ms" });
} finally {
	tmux.kill();
	await model.stop();
}

async function open(
	opts: Partial<ClaudeOptions> & { readonly window: string },
): Promise<Agent> {
	const claude = await startClaude({ tmux, model, ...opts });
	const delivery = realDelivery(tmux, opts.window, claude.configDir);
	return { window: opts.window, claude, delivery };
}

function statesOf(agent: Agent, vim: Agent, asks: Agent): readonly State[] {
	const { claude } = agent;
	const normalMode = async () => {
		vim.claude.press("Escape");
		await vim.claude.waitForScreen((s) => !s.includes("-- INSERT --"));
	};
	const typed = (text: string, shows: string | RegExp) => ({
		agent,
		enter: async () => {
			claude.type(text);
			await claude.waitForScreen(shows);
		},
		clear: async () => {
			claude.press("C-u");
			await claude.waitForScreen(EMPTY_BOX);
		},
	});
	return [
		{ name: "idle", agent },
		{
			name: "busy",
			agent,
			enter: async (n) => {
				await claude.say(`work on item ${n}.`);
				await claude.waitForStatus("busy");
			},
			leave: (n) => model.release(`${n}`),
		},
		{ name: "vim insert", agent: vim },
		{ name: "vim normal", agent: vim, enter: normalMode },
		{ name: "draft", ...typed("I was about to", "about to") },
		{ name: "completion", ...typed("/sta", /^ +.*\/status /m) },
		{
			name: "permission",
			agent: asks,
			enter: async () => {
				await asks.claude.say("touch the file");
				await asks.claude.waitForScreen("Do you want to proceed?");
			},
			clear: async () => {
				asks.claude.press("Escape");
				await asks.claude.waitForStatus("idle");
			},
		},
	];
}

async function deliverOne(state: State, n: number): Promise<Figure> {
	const { claude, delivery } = state.agent;
	const nonce = (0xa00000 + n).toString(16);
	const report = reportOf(nonce, SIZES[n % SIZES.length]!);
	await state.enter?.(n);
	const before = delivery.keys.length;
	if (state.clear !== undefined) await delivery.paste(report);
	const disturbed = delivery.keys.length - before;
	await state.clear?.();
	const start = performance.now();
	const { rc } = await delivery.pasteRetrying(report);
	const ms = performance.now() - start;
	state.leave?.(n);
	await claude.waitForStatus("idle");
	const arrived = arrivals(claude, `${nonce} ---`, report);
	return { state: state.name, rc, ms, ...arrived, disturbed };
}

function isGood({ rc, times, whole, disturbed }: Figure): boolean {
	return rc === 0 && times === 1 && whole === 1 && disturbed === 0;
}

function print(name: string, figures: readonly Figure[]): void {
	const count = (holds: (figure: Figure) => boolean) =>
		`${figures.filter(holds).length}/${figures.length}`;
	const ms = figures.map((figure) => figure.ms);
	const once = count((f) => f.times === 1);
	const whole = count((f) => f.whole === 1);
	const said = count((f) => f.rc === 0);
	const undisturbed = count((f) => f.disturbed === 0);
	console.log(
		`${name}: once ${once}, whole ${whole}, reported delivered ${said}, undisturbed ${undisturbed}, median ${percentile(ms, 0.5).toFixed(0)} ms, worst ${Math.max(...ms).toFixed(0)} ms`,
	);
}
