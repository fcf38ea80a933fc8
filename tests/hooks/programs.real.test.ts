/**
 * The hooks as programs, run by their own settings: with what the real Claude Code of three releases handed them
 * (recorded by tests/record/hooks), and with what it never should.
 */
import {
	afterAll,
	afterEach,
	beforeEach,
	describe,
	expect,
	test,
} from "bun:test";
import { randomBytes } from "node:crypto";
import {
	chmodSync,
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseHeartbeat } from "../../monitor/_state/heartbeat.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { startPrivateTmux } from "../support/private-tmux.ts";
import {
	commandsFor,
	type Ended,
	launched,
	type Payload,
	runCommand,
	wired,
} from "./wired.ts";

const FIXTURES = resolve(import.meta.dir, "../fixtures/hooks");
const RELEASES = readdirSync(FIXTURES);
const rendered = mkdtempSync(join(tmpdir(), "nexus-hooks-rendered-"));
const WORKER = await launched("worker", rendered);
const ALL = [...WORKER, ...(await launched("orchestrator", rendered))];
afterAll(() => rmSync(rendered, { recursive: true, force: true }));
const once = new Map(ALL.map((w) => [w.short, w]));

let dir: string;
let state: string;
let env: Record<string, string>;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "nexus-hooks-"));
	state = join(dir, "state");
	env = { NEXUS_STATE_DIR: state, NEXUS_WORKER_WINDOW: "w1" };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function paths(): readonly string[] {
	if (!existsSync(state)) return [];
	return readdirSync(state, { recursive: true, withFileTypes: true })
		.filter((entry) => !entry.isDirectory())
		.map((entry) => join(entry.parentPath, entry.name).slice(state.length + 1))
		.sort();
}
const text = (path: string) => readFileSync(join(state, path), "utf8");
const json = (path: string): Payload => JSON.parse(text(path));

function scene(release: string, name: string): readonly Payload[] {
	const lines = readFileSync(join(FIXTURES, release, `${name}.jsonl`), "utf8");
	return lines
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

/** Hands each payload to the commands of its event, all of an event at once, as Claude Code does. */
async function play(payloads: readonly Payload[]): Promise<readonly Ended[]> {
	const ends: Ended[] = [];
	for (const payload of payloads)
		ends.push(
			...(await Promise.all(
				commandsFor(WORKER, payload).map(({ command }) =>
					runCommand(command, JSON.stringify(payload), env),
				),
			)),
		);
	return ends;
}

const CAPTURES = "stopfailure-raw-captures.jsonl";
const IDLE = { state: "idle_prompt", event: "Stop" };
const scenes: readonly {
	readonly name: string;
	/** Of the state dir, in the end; `decisions/…` stands for one record. */
	readonly leaves: readonly string[];
	readonly heartbeat: object;
	readonly also?: (release: string) => void;
}[] = [
	{ name: "tool-use", leaves: [], heartbeat: IDLE },
	{ name: "failed-tool", leaves: [], heartbeat: IDLE },
	{
		name: "permission",
		leaves: [
			"decisions/…",
			"notification-raw-captures.jsonl",
			"worker-notifications.jsonl",
		],
		heartbeat: IDLE,
		also: () => {
			const [record] = paths().filter((path) => path.startsWith("decisions/"));
			const { kind, resolved, tool_context } = json(record!);
			expect({ kind, resolved }).toEqual({
				kind: "permission_prompt",
				resolved: true,
			});
			expect(JSON.parse(String(tool_context)).tool).toBe("Write");
		},
	},
	{
		name: "question",
		leaves: [
			"decisions/…",
			"notification-raw-captures.jsonl",
			"worker-notifications.jsonl",
		],
		heartbeat: IDLE,
	},
	{ name: "escape", leaves: [], heartbeat: { state: "user_prompt" } },
	{ name: "subagent", leaves: [], heartbeat: IDLE },
	{
		name: "background",
		leaves: [],
		heartbeat: IDLE,
	},
	{
		name: "idle-notice",
		leaves: [
			"decisions/…",
			"notification-raw-captures.jsonl",
			"worker-notifications.jsonl",
		],
		heartbeat: { state: "idle_prompt", event: "Notification" },
	},
	...["throttled", "rejected", "server-error", "overloaded"].map((name) => ({
		name,
		leaves: [CAPTURES, "turn-failure/w1.json"],
		heartbeat: { state: "user_prompt" },
		also: () =>
			expect(json("turn-failure/w1.json")).toMatchObject({
				category: "transient",
				recovery: "paste",
			}),
	})),
	{
		name: "unauthorized",
		leaves: [CAPTURES, "turn-failure/w1.json"],
		heartbeat: { state: "user_prompt" },
		also: () =>
			expect(json("turn-failure/w1.json")).toMatchObject({
				category: "auth",
				recovery: "operator",
			}),
	},
	{
		name: "bad-request",
		leaves: [CAPTURES, "turn-failure/w1.json"],
		heartbeat: { state: "user_prompt" },
		also: () =>
			expect(json("turn-failure/w1.json")).toMatchObject({
				category: "conversation",
				recovery: "respawn",
			}),
	},
	...["limit-five-hour", "limit-seven-day"].map((name) => ({
		name,
		leaves: ["over-limit/w1.json", CAPTURES],
		heartbeat: { state: "user_prompt" },
		also: () =>
			expect(json("over-limit/w1.json").reset_at).toMatch(
				/^\d+(?::\d+)?[ap]m_UTC$/,
			),
	})),
];

describe.each(RELEASES)("what Claude Code %s hands its hooks", (release) => {
	test.each(scenes)(
		"$name",
		async ({ name, leaves, heartbeat, also }) => {
			for (const end of await play(scene(release, name)))
				expect(end).toEqual({ code: 0, out: "", err: "" });
			const left = paths().map((path) =>
				path.replace(/^decisions\/.*/, "decisions/…"),
			);
			expect(left).toEqual(
				["heartbeat/w1.json", "user-prompt/w1", ...leaves].sort(),
			);
			expect(json("heartbeat/w1.json")).toMatchObject(heartbeat);
			also?.(release);
		},
		30_000,
	);

	test("wake-up", async () => {
		const payloads = scene(release, "wake-up");
		await play(payloads);
		const isDone = payloads.some(
			(p) =>
				p.hook_event_name === "PostToolUse" && p.tool_name === "ScheduleWakeup",
		);
		const { scheduledWakeupAt, lastTurnEnd } = parseHeartbeat(
			text("heartbeat/w1.json"),
		)!;
		expect(lastTurnEnd).not.toBeNull();
		expect(scheduledWakeupAt === null).toBe(!isDone);
	}, 30_000);

	test("a good turn takes away what a failed one left", async () => {
		await play([
			...scene(release, "server-error"),
			...scene(release, "limit-five-hour"),
		]);
		await play(scene(release, "tool-use"));
		expect(paths()).toEqual(["heartbeat/w1.json", CAPTURES, "user-prompt/w1"]);
	}, 30_000);
});

const SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e";
const MEGABYTES = "x".repeat(10 * 1024 * 1024);
const hostile =
	'\u0000\u001b[2J\n\r\t"`$(touch pwned)\u202e/../../etc/passwd😀';
const broken: readonly (readonly [string, string | Uint8Array])[] = [
	["nothing", ""],
	["garbage", "not json at all"],
	["half an object", '{"hook_event_name":"Stop","session_id":'],
	[
		"bytes that are no text",
		new Uint8Array(5000).map((_, n) => (n * 37) % 256),
	],
	["an array", "[]"],
	["10 MB that never close", `{"a":"${MEGABYTES}`],
];
/** Written whatever stands on standard input: their event alone is the news. */
const BY_EVENT = /^orchestrator-(?:heartbeat|paste-received)$/;

describe.each([...once.values()].map((w) => [w.short, w.command]))(
	"%s",
	(short, command) => {
		const refuses = short === "block-askuserquestion";

		test.each(broken)(
			"with %s on standard input",
			async (_, input) => {
				const { code, out } = await runCommand(command, input, env);
				expect({ code, out }).toEqual({ code: refuses ? 2 : 0, out: "" });
				expect(paths().filter((path) => !BY_EVENT.test(path))).toEqual([]);
			},
			30_000,
		);

		test("with fields of wrong types, and with hostile texts", async () => {
			const inputs: readonly object[] = [
				...[7, null, [], {}, true].map((odd) => ({
					hook_event_name: odd,
					session_id: odd,
					agent_id: odd,
					tool_name: odd,
					tool_input: odd,
					tool_response: odd,
					message: odd,
					error: odd,
					notification: odd,
					notification_type: odd,
					prompt: odd,
				})),
				{
					hook_event_name: hostile,
					session_id: hostile,
					agent_id: hostile,
					tool_name: hostile,
					tool_input: { command: hostile },
					message: hostile,
					notification_type: hostile,
					error: hostile,
					last_assistant_message: hostile,
					reset_at: hostile,
				},
			];
			for (const input of inputs) {
				const { code } = await runCommand(command, JSON.stringify(input), env);
				expect(code).toBe(refuses ? 2 : 0);
			}
			for (const path of paths())
				if (/\.jsonl?$/.test(path))
					for (const line of text(path).trimEnd().split("\n"))
						expect(typeof JSON.parse(line)).toBe("object");
			expect(existsSync("pwned")).toBe(false);
			expect(readdirSync(dir)).toEqual(paths().length > 0 ? ["state"] : []);
		}, 30_000);

		test("with 10 MB in a field", async () => {
			const payload = {
				hook_event_name: "Stop",
				session_id: SESSION,
				tool_name: "Bash",
				tool_input: { command: MEGABYTES },
				message: MEGABYTES,
				last_assistant_message: MEGABYTES,
			};
			const { code, out } = await runCommand(
				command,
				JSON.stringify(payload),
				env,
			);
			expect({ code, out }).toEqual({ code: refuses ? 2 : 0, out: "" });
		}, 30_000);

		test("with a disk that takes nothing", async () => {
			writeFileSync(state, "a file where the folder should be");
			const payload = JSON.stringify({
				hook_event_name: "Stop",
				tool_name: "Bash",
				message: "m",
			});
			expect((await runCommand(command, payload, env)).code).toBe(
				refuses ? 2 : 0,
			);
			expect(readFileSync(state, "utf8")).toStartWith("a file");
		}, 30_000);

		test("with no environment at all", async () => {
			const payload = JSON.stringify({
				hook_event_name: "Stop",
				tool_name: "Bash",
				message: "m",
			});
			const { code, out } = await runCommand(command, payload, {});
			expect({ code, out }).toEqual({ code: refuses ? 2 : 0, out: "" });
		}, 30_000);
	},
);

test("a pipe that never ends holds no hook, and writes nothing without a whole object", async () => {
	const ends = await Promise.all(
		[...once.values()].map(async ({ short, command }) => ({
			short,
			...(await runCommand(command, '{"hook_event_name":"Stop"', env, {
				open: true,
			})),
		})),
	);
	for (const { short, code } of ends)
		expect([short, code]).toEqual([
			short,
			short === "block-askuserquestion" ? 2 : 0,
		]);
	expect(paths().filter((path) => !BY_EVENT.test(path))).toEqual([]);
}, 30_000);

test("a whole object is used although the pipe stays open", async () => {
	const { command } = once.get("worker-heartbeat turn_end")!;
	await runCommand(command, '{"hook_event_name":"Stop"}', env, { open: true });
	expect(json("heartbeat/w1.json")).toMatchObject(IDLE);
}, 30_000);

test("ten hooks of one event lose nothing of each other", async () => {
	const { command } = once.get("async-launch-detect")!;
	const busy = once.get("worker-heartbeat busy")!.command;
	const ids = Array.from({ length: 10 }, (_, n) => String(100 + n));
	await Promise.all(
		ids.flatMap((id) => {
			const payload = JSON.stringify({
				hook_event_name: "PostToolUse",
				tool_name: "Bash",
				tool_input: { command: "sbatch run.sh" },
				tool_response: { stdout: `Submitted batch job ${id}` },
			});
			return [
				runCommand(command, payload, env),
				runCommand(busy, payload, env),
			];
		}),
	);
	const beat = parseHeartbeat(text("heartbeat/w1.json"))!;
	expect(beat.externalWaits.map((wait) => wait.id).sort()).toEqual(ids);
	expect(beat.state).toBe("busy");
	expect(paths().filter((path) => /\.(?:lock|tmp)/.test(path))).toEqual([]);
}, 30_000);

describe("where a hook writes", () => {
	const beat = (own: Record<string, string>) =>
		runCommand(once.get("worker-heartbeat busy")!.command, "{}", own);

	test("NEXUS_STATE_DIR outranks NEXUS_ROOT", async () => {
		await beat({ ...env, NEXUS_ROOT: join(dir, "root") });
		expect(paths()).toEqual(["heartbeat/w1.json"]);
		expect(existsSync(join(dir, "root"))).toBe(false);
	});
	test("below NEXUS_ROOT when that is all there is", async () => {
		await beat({ NEXUS_ROOT: dir, NEXUS_WORKER_WINDOW: "w1" });
		expect(existsSync(join(dir, "monitor/.state/heartbeat/w1.json"))).toBe(
			true,
		);
	});
	test("for the window of its pane, proven by tmux", async () => {
		const tmux = startPrivateTmux();
		try {
			const pane = tmux.run(
				"new-window",
				"-d",
				"-P",
				"-F",
				"#{pane_id}",
				"-n",
				"v1.2",
				"cat",
			);
			const own = { ...tmux.env, NEXUS_STATE_DIR: state };
			await beat({ ...own, TMUX_PANE: pane });
			await beat({ ...own, TMUX_PANE: "%999" });
			await beat({ ...own, TMUX_PANE: pane, CLAUDE_JOB_DIR: dir });
		} finally {
			await tmux.kill();
		}
		expect(paths()).toEqual(["heartbeat/v1.2.json"]);
	}, 30_000);
	test("nowhere when tmux does not answer", async () => {
		const bin = join(dir, "bin");
		mkdirSync(bin);
		writeFileSync(join(bin, "tmux"), "#!/bin/sh\nexec sleep 60\n");
		chmodSync(join(bin, "tmux"), 0o755);
		const PATH = `${bin}:/usr/bin:/bin`;
		const end = await beat({ PATH, NEXUS_STATE_DIR: state, TMUX_PANE: "%0" });
		expect(end.code).toBe(0);
		expect(paths()).toEqual([]);
	}, 30_000);
});

test("the sources, run where no bundles could be made, from a path with blanks and quotes, do the same", async () => {
	const odd = join(dir, `a b's "$x"`);
	symlinkSync(CODE_ROOT, odd);
	const commands = wired("worker", odd);
	const beat = commands.find(({ short }) => short === "worker-heartbeat busy")!;
	await runCommand(beat.command, "{}", env);
	expect(paths()).toEqual(["heartbeat/w1.json"]);
}, 30_000);

describe("bundles", () => {
	const beat = (own: string) =>
		runCommand(
			once
				.get("worker-heartbeat busy")!
				.command.replaceAll(`${rendered}/settings/hooks`, own),
			"{}",
			env,
		);
	test.each<[string, (bytecode: string) => void]>([
		["gone", (path) => rmSync(path)],
		["empty", (path) => writeFileSync(path, "")],
		["torn", (path) => truncateSync(path, 5000)],
		["random", (path) => writeFileSync(path, randomBytes(50_000))],
		[
			"of another source",
			(path) =>
				copyFileSync(path.replace(/[\w-]+\.js/, "stamp-clear.js"), path),
		],
	])(
		"whose bytecode is %s run all the same",
		async (_, spoil) => {
			const own = join(dir, "hooks");
			cpSync(join(rendered, "settings/hooks"), own, { recursive: true });
			spoil(join(own, "worker-heartbeat.js.jsc"));
			expect(await beat(own)).toEqual({ code: 0, out: "", err: "" });
			expect(json("heartbeat/w1.json").state).toBe("busy");
		},
		30_000,
	);
});
