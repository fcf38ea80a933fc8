import { describe, expect, test } from "bun:test";
import { isolatedEnv } from "../../monitor/_nexus/environment.ts";
import {
	groupOf,
	jobArgs,
	matching,
	planJobs,
} from "../../monitor/_nexus/test/groups.ts";
import { sum, tally } from "../../monitor/_nexus/test/junit.ts";
import { inLanes } from "../../monitor/_nexus/test/lanes.ts";

describe("counts from the report", () => {
	const xml = `<testsuites name="bun test" tests="5" failures="2" skipped="1">
  <testsuite name="tests/a.test.ts" file="tests/a.test.ts">
    <testcase name="one" classname="" time="0.1" file="tests/a.test.ts" line="2" assertions="1" />
    <testsuite name="group">
      <testcase name="says &quot;no&quot; &amp; &lt;b&gt;" classname="group &gt; inner" file="tests/a.test.ts" line="3">
        <failure type="AssertionError" message="a &gt; b">text&#10;more</failure>
      </testcase>
      <testcase name="later" classname="group" file="tests/a.test.ts">
        <skipped message="TODO" />
      </testcase>
    </testsuite>
    <testcase name="two" classname="" file="tests/a.test.ts" assertions="1" />
    <testcase name="slow" classname="" file="tests/a.test.ts">
      <failure type="TimeoutError" message="test timed out" />
    </testcase>
  </testsuite>
</testsuites>`;

	test("passes, skips and failures by name", () =>
		expect(tally(xml, ["tests/a.test.ts"])).toEqual({
			passed: 2,
			skipped: 1,
			failures: [
				'tests/a.test.ts: group > inner > says "no" & <b>',
				"tests/a.test.ts: slow",
			],
		}));

	test.each([
		["a report without it", xml],
		["no report at all", ""],
	])("a file that never ran is a failure: %s", (_, report) =>
		expect(tally(report, ["tests/b.test.ts"]).failures).toContain(
			"tests/b.test.ts: did not run to its end",
		),
	);

	test("sums keep every failure", () =>
		expect(
			sum([
				{ passed: 1, skipped: 0, failures: ["a"] },
				{ passed: 2, skipped: 3, failures: ["b"] },
			]),
		).toEqual({ passed: 3, skipped: 3, failures: ["a", "b"] }));
});

describe("what runs together", () => {
	test.each([
		[
			"a.test.ts",
			'import { startClaude } from "../support/claude-harness.ts";',
			"claude",
		],
		["claude/demo.test.ts", "", "claude"],
		[
			"a.test.ts",
			'import { startPrivateTmux } from "../support/private-tmux.ts";',
			"real",
		],
		["sys/files.real.test.ts", "", "real"],
		["tmux/copy-mode.test.ts", "", "real"],
		["a.test.ts", 'import { fakeDoors } from "../fakes/doors.ts";', "unit"],
		["a.test.ts", '// "../support/claude-harness.ts" is not for us', "unit"],
	] as const)("tests/%s with %s is of group %s", (name, source, group) =>
		expect(groupOf(`tests/${name}`, source)).toBe(group),
	);

	test("units share one run, what drives real programs has one of its own, Claude first", () => {
		const jobs = planJobs([
			{ path: "tests/c.test.ts", group: "claude" },
			{ path: "tests/u.test.ts", group: "unit" },
			{ path: "tests/t.test.ts", group: "real" },
			{ path: "tests/v.test.ts", group: "unit" },
		]);
		expect(jobs.map((j) => [j.group, j.workers, ...j.files])).toEqual([
			["unit", 2, "tests/u.test.ts", "tests/v.test.ts"],
			["claude", 1, "tests/c.test.ts"],
			["real", 1, "tests/t.test.ts"],
		]);
	});

	test("lanes run each job once, never more than their number at a time, and keep the order", async () => {
		let running = 0;
		let most = 0;
		const results = await inLanes([3, 1, 2, 0], 2, async (n) => {
			most = Math.max(most, ++running);
			for (let i = 0; i < n; i++) await Promise.resolve();
			running--;
			return n * 10;
		});
		expect(results).toEqual([30, 10, 20, 0]);
		expect(most).toBe(2);
	});

	test("files are named as paths, so that no name is taken for a pattern", () => {
		const [job] = planJobs([{ path: "tests/t.test.ts", group: "real" }]);
		expect(jobArgs(job!, "/s/out.xml")).toContain("./tests/t.test.ts");
		// A busy machine is no failure.
		expect(jobArgs(job!, "/s/out.xml")).toContain("--timeout=30000");
	});

	test("a filter keeps the paths that hold it", () => {
		const paths = ["tests/emit/a.test.ts", "tests/pane/b.test.ts"];
		expect(matching(paths, [])).toEqual(paths);
		expect(matching(paths, ["emit"])).toEqual(["tests/emit/a.test.ts"]);
		expect(matching(paths, ["nothing"])).toEqual([]);
	});
});

test("programs get an environment that is the same whoever starts them: what is not on the list is left out", () =>
	expect(
		isolatedEnv(
			{
				PATH: "/bin",
				HOME: "/home/op",
				USER: "op",
				UNSET: undefined,
				TMUX: "/tmp/tmux-0/default,1,0",
				NEXUS_ROOT: "/srv/nexus",
				MONITOR_INTERVAL: "1",
				CLAUDE_CONFIG_DIR: "/home/op/.claude",
				...{ CI: "true", LC_ALL: "C", TZ: "Pacific/Kiritimati", TERM: "dumb" },
				...{ GIT_DIR: "/r/.git", HTTP_PROXY: "http://127.0.0.1:9" },
				...{ SHELL: "/usr/sbin/nologin", HERS: "x" },
			},
			{ home: "/h", tmp: "/t", tmuxDir: "/x", binDir: "/code/bin" },
		),
	).toEqual({
		PATH: "/code/bin:/bin",
		USER: "op",
		HOME: "/h",
		TMPDIR: "/t",
		TMUX_TMPDIR: "/x",
		LANG: "C.UTF-8",
		TZ: "UTC",
		TERM: "xterm-256color",
		SHELL: "/bin/sh",
	}));
