/** The guards over shell commands: GitHub writes, habits that hurt, launches (contract 08 §2.2–§2.4). */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
	matchFootgun,
	parseFootguns,
	remindOfFootgun,
	SHIPPED_FOOTGUNS,
} from "../../monitor/hooks/_footguns.ts";
import { ghBypass, guardGhWrite } from "../../monitor/hooks/_gh-write.ts";
import {
	detectLaunch,
	parseLaunchRules,
	recordLaunch,
	SHIPPED_LAUNCHES,
} from "../../monitor/hooks/_launches.ts";
import {
	extendedRegExp,
	parsePatternRows,
} from "../../monitor/hooks/_pattern-rows.ts";
import { hookRig, NOW } from "./hook-rig.ts";

const bash = (command: unknown, more: object = {}) => ({
	tool_name: "Bash",
	tool_input: { command },
	...more,
});
const FOOTGUNS = readFileSync(SHIPPED_FOOTGUNS, "utf8");
const LAUNCHES = readFileSync(SHIPPED_LAUNCHES, "utf8");

describe("a GitHub write in the operator's name", () => {
	test.each([
		["gh pr create --title x", false],
		["command gh pr create --title x", true],
		["/usr/bin/gh issue comment 5 --body x", true],
		["x=1 /usr/bin/gh pr view 3", false],
		["GH_TOKEN=abc command gh pr create", false],
		["command gh api graphql -f query=x", true],
		["command gh auth status", false],
		["./gh api -X POST /x", true],
		["GH_IMPERSONATE=1 command gh pr create", false],
		["command gh api repos/x/y", false],
		["\\gh release upload v1 a.tgz", true],
		["cd r && /opt/bin/gh -R o/r pr merge 3", true],
		["cd r\n/opt/bin/gh issue close 3", true],
		["/usr/bin/gh api --method=DELETE /x", true],
		["/usr/bin/gh api --method GET /x", false],
		["/usr/bin/gh api /x --input body.json", true],
		["T=$(mint-token) /usr/bin/gh pr create", false],
		["command ghost pr create", false],
		["/usr/bin/ghx pr create", false],
		["echo command line of gh pr create", false],
	])("%s: %p", (command, flagged) => {
		expect(ghBypass(command)).toBe(flagged);
	});

	test("is warned of and noted on one line, never blocked", async () => {
		const rig = hookRig();
		const end = await rig.run(
			guardGhWrite,
			bash("command gh pr create \\\n\t--title x"),
		);
		expect(end).toMatchObject({ code: 0, out: [] });
		expect(end.err.join()).toStartWith("gh-write-guard:");
		expect(rig.text("gh-bypass-warnings.log")).toBe(
			"2033-05-18T03:33:20Z\twindow=w1\tcmd=command gh pr create \\ --title x\n",
		);
		const log = rig.doors.files.stat("/state/gh-bypass-warnings.log");
		expect(log).toMatchObject({ stat: { mode: 0o640 } });
	});

	test.each([
		[{ NEXUS_ORCHESTRATOR_WINDOW: "boss" }, "window=boss"],
		[{}, "window=unknown"],
		[{ NEXUS_WORKER_WINDOW: "w1", CLAUDE_JOB_DIR: "/j" }, "window=unknown"],
	])("%j: %s", async (env, said) => {
		const rig = hookRig(env);
		await rig.run(guardGhWrite, bash("command gh pr create"));
		expect(rig.text("gh-bypass-warnings.log")).toContain(said);
	});

	test.each([[bash("gh pr create")], [bash(7)], [{}], [null], ["{"]])(
		"%j: silence",
		async (payload) => {
			const rig = hookRig();
			const end = await rig.run(guardGhWrite, payload);
			expect(end).toEqual({ code: 0, out: [], err: [] });
			expect(rig.paths()).toEqual([]);
		},
	);
});

describe("pattern rows", () => {
	test("the first three pipes split; comments, blanks and short rows are skipped", () => {
		const text = "# c\n\n  # d\na|b|c|d | e | f\nx|y|z\n";
		expect(parsePatternRows(text)).toEqual([["a", "b", "c", "d | e | f"]]);
	});
	test.each([
		["^[[:space:]]*x", " \tx", true],
		["[[:alnum:]]+$", "aZ9", true],
		["[^[:digit:]]", "7", false],
		["^[[:space:]]$", "\n", true],
		["^[[:blank:]]$", "\t", true],
		["^[[:blank:]]$", "\n", false],
		["^[[:digit:]]$", "7", true],
		["^[[:digit:]]$", "a", false],
		["^[[:alpha:]]$", "z", true],
		["^[[:alpha:]]$", "7", false],
		["^[[:alnum:]]$", "_", false],
		["^[[:upper:]]$", "Q", true],
		["^[[:upper:]]$", "q", false],
		["^[[:lower:]]$", "q", true],
		["^[[:lower:]]$", "Q", false],
		["^[[:xdigit:]]$", "f", true],
		["^[[:xdigit:]]$", "g", false],
		["^[[:word:]]$", "_", true],
		["^[[:word:]]$", "-", false],
		["^[[:punct:]]$", "-", true],
		["^[[:punct:]]$", "~", true],
		["^[[:punct:]]$", "X", false],
		["^[[:cntrl:]]$", "\u001b", true],
		["^[[:cntrl:]]$", "X", false],
		["^[[:print:]]$", " ", true],
		["^[[:print:]]$", "\t", false],
		["^[[:graph:]]$", "!", true],
		["^[[:graph:]]$", " ", false],
		["^[[:nothing:]]]$", "q", false],
		["\\bgit\\b", "a git b", true],
		["GIT", "git", false],
	])("%s in %j: %p", (source, text, found) => {
		expect(extendedRegExp(source)!.test(text)).toBe(found);
	});
	test("a bad expression is none", () => {
		expect(extendedRegExp("a(")).toBeNull();
		expect(parseFootguns("t|warn|a(|m\nt|loud|a|m\nt|warn|a|m")).toHaveLength(
			1,
		);
		expect(parseLaunchRules("k|a(|b|d\nk|a|b(|d\nk|a||d")).toHaveLength(1);
	});
});

describe("a shell habit that hurts", () => {
	test.each([
		["pkill -f my-marker", "pkill-self"],
		["pgrep -lf x", "pkill-self"],
		["pkill -u me -f x", null],
		["kill $(jobs -p)", "jobs-p"],
		["cd a && git push origin x", "git-push"],
		["git -C work/a push", "git-push"],
		["git stash push", null],
		["scancel 123 --name x", null],
		["scancel --name=x", "scancel-name"],
		["scancel --partition=foo", "scancel-name"],
		["sleep 30 && echo done", "foreground-sleep"],
		["cd x; sleep 5", null],
		["python train.py | tail -20", "pipe-buffer"],
		["python3 -u train.py | tee log", "pipe-buffer"],
		["python train.py > log; cat log | tail", null],
		["ml Python | tail", "ml-pipe"],
		["module load x || true", null],
		["html x | tail", null],
		["echo hello", null],
	])("%s: %p", (command, tag) => {
		const found = matchFootgun(command, parseFootguns(FOOTGUNS));
		expect(found?.tag ?? null).toBe(tag);
	});

	test("a sleep in the background holds nobody's turn", () => {
		const rules = parseFootguns(FOOTGUNS);
		expect(matchFootgun("sleep 3", rules, true)).toBeNull();
		expect(matchFootgun("pkill -f x", rules, true)?.tag).toBe("pkill-self");
	});

	test("is told once in a worker's life, as context for the model", async () => {
		const rig = rigWith(FOOTGUNS);
		const first = await rig.run(remindOfFootgun, bash("pkill -f x"));
		expect(first).toMatchObject({ code: 0, err: [] });
		const told = JSON.parse(first.out[0]!).hookSpecificOutput;
		expect(told.hookEventName).toBe("PreToolUse");
		expect(told.additionalContext).toStartWith(
			"bash-footgun-guard [pkill-self]: ",
		);
		expect(rig.paths()).toEqual(["footgun-seen/w1.pkill-self"]);
		const again = await rig.run(remindOfFootgun, bash("pgrep -f y"));
		expect(again).toEqual({ code: 0, out: [], err: [] });
		const other = await rig.run(remindOfFootgun, bash("sleep 3"));
		expect(other.out).toHaveLength(1);
	});

	test("of a command for the background holds nobody's turn; a pipe is warned of, too", async () => {
		const rig = rigWith(FOOTGUNS);
		const sleep = (inBackground: unknown) => ({
			tool_name: "Bash",
			tool_input: { command: "sleep 30", run_in_background: inBackground },
		});
		expect((await rig.run(remindOfFootgun, sleep(true))).out).toEqual([]);
		expect((await rig.run(remindOfFootgun, sleep("true"))).out).toHaveLength(1);
		for (const [command, tag] of [
			["python a.py | tail", "pipe-buffer"],
			["ml Python | tail", "ml-pipe"],
		] as const) {
			const end = await rig.run(remindOfFootgun, bash(command));
			expect(end.code).toBe(0);
			expect(end.out[0]).toContain(`bash-footgun-guard [${tag}]: `);
		}
	});

	test("of severity block is refused, on standard error", async () => {
		const rig = hookRig({
			NEXUS_WORKER_WINDOW: "v1.2",
			NEXUS_FOOTGUN_PATTERNS: "/own.conf",
		});
		rig.doors.files.seed("/own.conf", "no/rm|block|rm -rf|not here\n");
		const end = await rig.run(remindOfFootgun, bash("rm -rf x"));
		expect(end).toEqual({
			code: 2,
			out: [],
			err: ["bash-footgun-guard [no/rm]: not here"],
		});
		expect(rig.paths()).toEqual(["footgun-seen/v1_2.no_rm"]);
	});

	test.each([
		["another tool", { ...bash("pkill -f x"), tool_name: "Read" }],
		["no command", bash({ a: 1 })],
		["nothing", null],
	])("%s: silence", async (_, payload) => {
		const rig = hookRig();
		const end = await rig.run(remindOfFootgun, payload);
		expect(end).toEqual({ code: 0, out: [], err: [] });
	});

	test("a Monitor's command counts, a missing pattern file does not", async () => {
		const monitor = { ...bash("sleep 3"), tool_name: "Monitor" };
		expect(
			(await rigWith(FOOTGUNS).run(remindOfFootgun, monitor)).out,
		).toHaveLength(1);
		const lost = hookRig({
			NEXUS_FOOTGUN_PATTERNS: "/none",
			NEXUS_WORKER_WINDOW: "w1",
		});
		expect((await lost.run(remindOfFootgun, monitor)).out).toEqual([]);
	});

	test("nobody's window is `unknown`", async () => {
		const rig = hookRig({});
		rig.doors.files.seed(SHIPPED_FOOTGUNS, FOOTGUNS);
		await rig.run(remindOfFootgun, bash("sleep 3"));
		expect(rig.paths()).toEqual(["footgun-seen/unknown.foreground-sleep"]);
	});

	test("no shipped row holds a pipe in its expression, and every one only warns", () => {
		const rows = parsePatternRows(FOOTGUNS);
		const rules = parseFootguns(FOOTGUNS);
		expect(rules).toHaveLength(rows.length);
		expect(rules.every((rule) => rule.severity === "warn")).toBe(true);
		expect(new Set(rules.map((rule) => rule.tag))).toEqual(
			new Set([
				"pkill-self",
				"jobs-p",
				"git-push",
				"scancel-name",
				"foreground-sleep",
			]),
		);
	});
});

describe("a launch that outlives the turn", () => {
	const launched = (command: string, stdout: string) =>
		bash(command, { tool_response: { stdout } });
	const SBATCH = launched("sbatch run.sh", "Submitted batch job 52527284");
	const waits = async (payload: object | null, heartbeat?: object) => {
		const rig = rigWith(LAUNCHES);
		if (heartbeat !== undefined)
			rig.doors.files.seed(
				"/state/heartbeat/w1.json",
				JSON.stringify(heartbeat),
			);
		await rig.run(recordLaunch, payload);
		return rig.json("heartbeat/w1.json")?.external_waits ?? null;
	};

	test.each([
		["sbatch run.sh", "Submitted batch job 52527284", "slurm:52527284"],
		['echo "sbatch run.sh"', "", null],
		["sbatchx --foo", "", null],
		["nohup ./long_job.sh > out.log &", "", "nohup:syn-a8ed6d5bef9c"],
		["nohup echo hi", "", null],
		[
			"srun --no-block -n 1 ./s.sh",
			"Submitted job 52527299",
			"slurm-srun-async:52527299",
		],
		["srun -n 1 ./s.sh", "Submitted job 52527311", null],
	])("%s / %s: %p", (command, stdout, wait) => {
		const found = detectLaunch(command, stdout, parseLaunchRules(LAUNCHES));
		expect(found && `${found.kind}:${found.id}`).toBe(wait);
	});

	test("is a declared wait in a heartbeat that need not be there yet", async () => {
		const rig = rigWith(LAUNCHES);
		await rig.run(recordLaunch, SBATCH);
		expect(rig.json("heartbeat/w1.json")).toEqual({
			window: "w1",
			last_activity: NOW,
			external_waits: [{ kind: "slurm", id: "52527284", desc: "sbatch" }],
			dismissed_waits: [],
		});
	});

	test("the same again is still one; other fields stay", async () => {
		const rig = rigWith(LAUNCHES);
		rig.doors.files.seed(
			"/state/heartbeat/w1.json",
			'{"state":"busy","odd":1}',
		);
		await rig.run(recordLaunch, SBATCH);
		await rig.run(recordLaunch, SBATCH);
		expect(rig.json("heartbeat/w1.json")).toMatchObject({
			state: "busy",
			odd: 1,
			external_waits: [{ kind: "slurm", id: "52527284" }],
		});
	});

	test("what was dismissed is not brought again", async () => {
		const dismissed = { dismissed_waits: [{ kind: "slurm", id: "99" }] };
		const found = await waits(
			launched("sbatch run.sh", "Submitted batch job 99"),
			{ external_waits: [], ...dismissed },
		);
		expect(found).toEqual([]);
	});

	test("an id that no tool would accept back is made up instead", () => {
		const rules = parseLaunchRules("k|^go|id=(.*)|d");
		expect(detectLaunch("go", "id=../x", rules)!.id).toMatch(
			/^syn-[0-9a-f]{12}$/,
		);
	});

	test("an id is looked for in the first 16 KiB of what was printed", async () => {
		const said = "Submitted batch job 7";
		const after = (padding: number) =>
			waits(launched("sbatch a", `${"x".repeat(padding)}\n${said}\n`));
		const room = 16 * 1024 - said.length - 1;
		expect(await after(room)).toMatchObject([{ id: "7" }]);
		const [wait] = (await after(room + said.length)) as { id: string }[];
		expect(wait?.id).toStartWith("syn-");
	});

	test("the reminder comes once", async () => {
		const rig = rigWith(LAUNCHES);
		const first = await rig.run(recordLaunch, SBATCH);
		expect(JSON.parse(first.out[0]!).hookSpecificOutput.hookEventName).toBe(
			"PostToolUse",
		);
		// By a path that a worker can run from its own folder.
		expect(first.out[0]).toContain(
			'$NEXUS_ROOT/monitor/declare-no-wait.ts\\" <kind> <id>',
		);
		const second = await rig.run(
			recordLaunch,
			launched("sbatch b", "Submitted batch job 7"),
		);
		expect(second.out).toEqual([]);
	});

	test.each([
		["no window", {}],
		[
			"no pattern file",
			{ NEXUS_WORKER_WINDOW: "w1", NEXUS_ASYNC_PATTERNS: "/none" },
		],
		[
			"a background session",
			{ NEXUS_WORKER_WINDOW: "w1", CLAUDE_JOB_DIR: "/j" },
		],
	])("%s: no output, no file", async (_, env) => {
		const rig = hookRig(env);
		rig.doors.files.seed(SHIPPED_LAUNCHES, LAUNCHES);
		const end = await rig.run(recordLaunch, SBATCH);
		expect(end).toEqual({ code: 0, out: [], err: [] });
		expect(rig.paths()).toEqual([]);
	});

	test.each([[launched("ls", "x")], [bash(7)], [{}], [null]])(
		"%j: no file",
		async (payload) => {
			expect(await waits(payload)).toBeNull();
		},
	);
});

/** The shipped file on the fake disk. */
function rigWith(text: string) {
	const rig = hookRig();
	const path = text === LAUNCHES ? SHIPPED_LAUNCHES : SHIPPED_FOOTGUNS;
	rig.doors.files.seed(path, text);
	return rig;
}
