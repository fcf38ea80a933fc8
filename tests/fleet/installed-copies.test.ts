/** The kit's programs as they are installed: one file each, started from a strange folder with next to no environment. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { BUN_FLAGS, CODE_ROOT, programPath } from "../../monitor/_sys/names.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
	type LoopbackSsh,
	type MakeSsh,
	realSsh,
	standInSsh,
} from "./loopback-ssh.ts";

const PROMPT = [
	"⏺ Bash(curl https://x)",
	"  ⎿  Do you want to proceed?",
	"❯ 1. Yes",
	"  2. Yes, and don't ask again for Bash(curl)",
	"  3. No, and tell Claude what to do differently (Esc)",
].join("\n");
const AGENT = "night";

let tmux: PrivateTmux;
let T: string;
let worktree: string;
const at = (...parts: string[]) => join(tmux.dir, ...parts);
const read = (path: string) => readFileSync(path, "utf8");

beforeAll(async () => {
	tmux = startPrivateTmux();
	T = at("repo/.thrum");
	worktree = at("repo-night");
	for (const dir of [
		"repo/.thrum/agents/night",
		"repo-night/.thrum",
		"repo-night/.thrum-watch",
		"elsewhere",
	])
		mkdirSync(at(dir), { recursive: true });
	writeFileSync(join(worktree, ".thrum/redirect"), `${T}\n`);
	writeFileSync(join(T, "fleet-backend"), "local\n");
	const install = (kit: string, dest: string) =>
		Bun.spawnSync(
			[process.execPath, ...BUN_FLAGS, programPath("installKit"), kit, dest],
			{ cwd: CODE_ROOT, env: tmux.env },
		);
	expect(install("pane-watch", join(T, "agents/night")).exitCode).toBe(0);
	expect(install("roster-watch", join(worktree, ".thrum-watch")).exitCode).toBe(
		0,
	);

	const show = (window: string, text: string) => {
		writeFileSync(at(window), text);
		tmux.run(
			"new-window",
			"-d",
			"-t",
			"fleet:",
			"-n",
			window,
			`cat '${at(window)}'; exec cat`,
		);
	};
	// Not the default: the watcher has left its name in the state dir.
	tmux.run("rename-window", "-t", "fleet:shell", "boss");
	mkdirSync(at("repo/monitor/.state"), { recursive: true });
	writeFileSync(at("repo/monitor/.state/watcher-target"), "boss\n");
	show("calm", "● all done\n❯ \n");
	show("asking", `${PROMPT}\n`);
	await waitUntil("the prompt stands", () =>
		tmux.run("capture-pane", "-p", "-t", "fleet:asking").includes("3. No"),
	);
}, 30_000);
afterAll(() => tmux.kill());

/** As a job is run: a strange folder, and nothing of ours in the environment. */
function run(
	program: string,
	args: readonly string[] = [],
	env: Record<string, string> = {},
) {
	const ran = Bun.spawnSync(
		[process.execPath, ...BUN_FLAGS, program, ...args],
		{
			cwd: at("elsewhere"),
			env: {
				HOME: at("elsewhere"),
				PATH: "/usr/local/bin:/usr/bin:/bin",
				TMUX_TMPDIR: tmux.dir,
				MONITOR_FLEET_STABILITY_GAP_SECONDS: "1",
				...env,
			},
		},
	);
	return {
		code: ran.exitCode,
		out: ran.stdout.toString(),
		err: ran.stderr.toString(),
	};
}

const params = (value: object) =>
	writeFileSync(
		join(T, "agents/night/watch_params.json"),
		JSON.stringify(value),
	);

test("a pass over a calm, an asking and a missing member, from a copy", () => {
	params({
		roster: ["calm", "asking", "nobody", "boss"],
		sleeping_roster: [],
	});
	const copy = join(T, "agents/night/thrum-watch-pane-capture.ts");
	const { code, out, err } = run(copy);
	expect(err).toBe("");
	expect(code).toBe(0);
	expect(out).toMatch(
		/^watch-tick: cycle done \S+Z -- 4 agent\(s\), 3 flagged \(2 capture-failed\), 0 ssh-fallback-ready -- report: \S+\n$/,
	);
	const report = read(join(T, "var/log/night-pane-watch-report.txt"));
	expect(report).toContain(
		"===== @calm =====\nstatus: clean\n--- pane tail (last 40 lines) ---\n● all done\n",
	);
	expect(report).toContain(
		"===== @asking =====\nstatus: FLAGGED: stable permission prompt (pattern=tool_confirmation)",
	);
	expect(report).toContain(
		"===== @nobody =====\nstatus: FLAGGED: CAPTURE FAILED (unknown agent: @nobody -- ",
	);
	expect(read(join(T, "var/log/night-pane-watch.log"))).toContain(
		"watch-tick: cycle done",
	);
});

test("the params are read behind the redirect, whatever lies beside the copy", () => {
	params({ roster: ["calm"] });
	mkdirSync(join(worktree, ".thrum/agents/night"), { recursive: true });
	const decoy = join(worktree, ".thrum/agents/night/watch_params.json");
	writeFileSync(decoy, JSON.stringify({ roster: ["asking"] }));
	const copy = join(worktree, ".thrum-watch/roster-watch.ts");
	const { code, out } = run(copy, [], { AGENT_NAME: AGENT });
	expect(code).toBe(0);
	const [, file = ""] =
		/^roster capture ready: (\S+) \(\S+Z\) — reconcile/.exec(out) ?? [];
	expect(dirname(file)).toBe(join(T, "agents/night/watch-captures"));
	expect(read(file)).toContain("=== calm ===\n● all done\n");
	expect(read(file)).not.toContain("asking");
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an agent's name comes from its worktree when nobody says it", () => {
	const copy = join(worktree, ".thrum-watch/roster-watch.ts");
	expect(run(copy).out).toContain(
		`WARNING empty/unreadable roster in ${T}/agents/repo_night/`,
	);
});

test.each(["rosterWatch", "watchPaneCapture"] as const)(
	"the source of %s refuses to run, and writes nothing",
	(program) => {
		const store = join(CODE_ROOT, ".thrum");
		const before = existsSync(store);
		const { code, out, err } = run(programPath(program), [], {
			AGENT_NAME: AGENT,
		});
		expect({ code, out }).toEqual({ code: 1, out: "" });
		expect(err).toContain("refused");
		expect(existsSync(store)).toBe(before);
	},
);

test("nobody who is looked at is typed at", () => {
	const screen = tmux.run("capture-pane", "-p", "-t", "fleet:calm").trimEnd();
	expect(screen).toBe("● all done\n❯");
});

const real = realSsh();
const ways: readonly (readonly [string, MakeSsh])[] = [
	["a stand-in that checks the command line", standInSsh],
	...(real === null ? [] : [["a real sshd on loopback", real] as const]),
];
describe.each(ways)("another machine behind %s", (name, makeSsh) => {
	let ssh: LoopbackSsh;
	let env: Record<string, string>;
	beforeAll(async () => {
		const dir = at(name.replaceAll(" ", "-"));
		const bin = join(dir, "bin");
		mkdirSync(bin, { recursive: true });
		const path = `${bin}:/usr/local/bin:/usr/bin:/bin`;
		ssh = await makeSsh(dir, path, { TMUX_TMPDIR: tmux.dir });
		// Here its daemon has no way; over there it shows a pane, and takes keys.
		writeFileSync(
			join(bin, "thrum"),
			`#!/bin/sh
env >> '${at("what-thrum-is-told")}'
case "$*" in
*--help) echo 'agent --keys --format --offline --model --effort --notify-on-success'; exit 0;;
esac
if [ -z "$SSH_CONNECTION" ]; then echo 'Error: peer unreachable' >&2; exit 1; fi
case "$*" in
"tmux capture it's me") pwd; echo '❯ far away';;
"tmux send it's me --keys 1,Enter") echo 'withheld' >&2; exit 3;;
*) echo "usage: $*" >&2; exit 2;;
esac
`,
		);
		chmodSync(join(bin, "thrum"), 0o755);
		mkdirSync(at("elsewhere", `${name.slice(0, 6)} it's`), { recursive: true });
		env = { PATH: `${ssh.bin}:${path}`, MONITOR_FLEET_BACKEND: "thrum" };
	}, 30_000);
	afterAll(() => ssh.close());
	const copy = () => join(T, "agents/night/thrum-capture-fallback.ts");
	const there = () => at("elsewhere", `${name.slice(0, 6)} it's`);

	test("shows its pane, whatever stands in the names", () => {
		const ran = run(
			copy(),
			["capture", "it's me", ssh.destination, "", there()],
			env,
		);
		expect(ran).toEqual({ code: 0, out: `${there()}\n❯ far away\n`, err: "" });
	});

	test("takes keys, and its exit code counts", () => {
		const ran = run(
			copy(),
			["key", "it's me", ssh.destination, "", there(), "1", "Enter"],
			env,
		);
		expect(ran).toEqual({ code: 3, out: "withheld\n", err: "" });
	});

	test("is not asked without a target", () => {
		const ran = run(copy(), ["capture", "it's me", "NONE", "", there()], env);
		expect(ran).toEqual({ code: 1, out: "peer unreachable\n", err: "" });
	});

	test("that does not answer is a failure with ssh's own words", () => {
		const ran = run(
			copy(),
			["capture", "it's me", "nowhere.invalid", "", there()],
			env,
		);
		expect(ran.code).toBe(255);
		expect(ran.out).toContain("Could not resolve hostname");
	});

	test("shows the session of a declared member, by exact name", () => {
		const far = `far-${ssh.destination.length}`;
		const shows = `cat '${at("calm")}'; exec cat`;
		tmux.run("new-session", "-d", "-s", far, shows);
		tmux.run("new-session", "-d", "-s", `${far}x-longer`, shows);
		params({
			roster: [
				{ agent_id: "far", hostname: ssh.destination, tmux_session: far },
				{
					agent_id: "prefix",
					hostname: ssh.destination,
					tmux_session: `${far}x`,
				},
			],
		});
		const ran = run(join(worktree, ".thrum-watch/roster-watch.ts"), [], {
			...env,
			THRUM_TYPESAFE_KEY: "secret-1",
			OPENROUTER_API_KEY: "secret-2",
			AGENT_NAME: AGENT,
		});
		const file = /inspect (\S+)/.exec(ran.out)?.[1] ?? "";
		const text = read(file);
		expect(text).toContain("=== far ===\n● all done\n");
		expect(text).toContain(
			"--- CAPTURE FAILED for prefix (nonzero exit — NOT an empty pane) ---",
		);
		// None of what it runs needs its keys.
		const told = read(at("what-thrum-is-told"));
		expect(told).toContain("MONITOR_FLEET_BACKEND=thrum");
		expect(told).not.toMatch(/secret-\d|^THRUM_TYPESAFE_KEY|^OPENROUTER/m);
		// It is told once, by whichever way the machine is asked.
		expect(ran.out).toMatch(/(?:failed|unchanged) for prefix; inspect/);
	});
});
