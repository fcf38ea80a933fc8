import { describe, expect, test } from "bun:test";
import { REPORT_HEADINGS } from "../../monitor/_state/report.ts";
import { ngRig, S } from "./rig.ts";

const ID = "11111111-0000-4000-8000-000000000001";

describe("report-init", () => {
	test("makes the report and prints its path", async () => {
		const rig = ngRig({
			CLAUDE_CODE_SESSION_ID: ID,
			TMUX: "x",
			TMUX_PANE: "%0",
		});
		const { pane } = rig.doors.tmux.window("my.window");
		rig.doors.proc.env.TMUX_PANE = pane.id;
		rig.standIn("/root/work/proj/src");
		const iso = rig.doors.clock.iso();
		const ran = await rig.ng(
			"report-init",
			"a-slug",
			"--issue",
			"7",
			"--comment-id",
			"9",
		);
		const stamp = `${iso.slice(0, 10)}_${iso.slice(11, 19).replaceAll(":", "")}`;
		const path = `/root/reports/proj_${stamp}_a-slug.md`;
		expect(ran).toEqual({ rc: 0, out: path, err: "" });
		const lines = rig.doors.files.text(path).split("\n");
		expect(lines.slice(0, 10)).toEqual([
			"---",
			"project: proj",
			`date: ${iso.slice(0, 10)}`,
			`session-id: ${ID}`,
			"window: my.window",
			"trigger: #7 (comment 9)",
			"status: partial",
			"---",
			"",
			"# a-slug",
		]);
		expect(lines.filter((l) => l.startsWith("## "))).toEqual([
			...REPORT_HEADINGS,
		]);
		expect(lines.filter((l) => l === "_(fill in)_")).toHaveLength(4);
		expect(lines[13]).toMatch(/^_\(one or two sentences.*_$/);
	});

	test("whose skeleton fails the check until it is filled in", async () => {
		const rig = ngRig({ CLAUDE_CODE_SESSION_ID: ID });
		const { out } = await rig.ng("report-init", "x");
		const checked = await rig.ng("report-check", out);
		expect(checked.rc).toBe(1);
		expect(checked.err).toContain("'_(fill in)_' from skeleton");
	});

	test.each([
		[["--project", "p"], "/root/work/clone", "w", "p"],
		[[], "/root/work/clone/deep", "w", "clone"],
		[[], "/a/work/b/work/inner", "w", "inner"],
		[[], "/elsewhere", "-my/window-", "my-window"],
		[[], "/elsewhere", "", "nexus"],
		[[], "/elsewhere/work", "", "nexus"],
	])(
		"with %j in %s, window %j: project %s",
		async (more, cwd, window, project) => {
			const rig = ngRig({ NEXUS_WORKER_WINDOW: window });
			rig.standIn(cwd);
			const { out } = await rig.ng("report-init", "s", ...more);
			expect(out).toStartWith(`/root/reports/${project}_`);
		},
	);

	test("an empty trigger, an unset window and an unknown session are said as such", async () => {
		const rig = ngRig();
		const { out } = await rig.ng("report-init", "s");
		const text = rig.doors.files.text(out);
		for (const line of ["session-id: unknown", "window: <unset>", "trigger:"])
			expect(text).toContain(`\n${line}\n`);
	});

	test("a pane that is in no row, or a background session, has no window", async () => {
		for (const env of [
			{ TMUX_PANE: "%99" },
			{ TMUX_PANE: "%1", CLAUDE_JOB_DIR: "/j" },
		]) {
			const rig = ngRig({ TMUX: "x", ...env });
			rig.doors.tmux.window("w");
			const { out } = await rig.ng("report-init", "s");
			expect(rig.doors.files.text(out)).toContain("window: <unset>");
		}
	});

	test("the session is that of the nearest ancestor with a live session file", async () => {
		const rig = ngRig({ CLAUDE_CONFIG_DIR: "/cc" });
		const { proc, files } = rig.doors;
		proc.add({ pid: proc.pid, ppid: 70 });
		proc.add({ pid: 1, ppid: 0 });
		proc.add({ pid: 70, ppid: 60, comm: "sh" });
		proc.add({ pid: 60, ppid: 50, comm: "claude", startTicks: "5" });
		Object.assign(proc, { ppid: 70 });
		const session = (pid: number, procStart: string, sessionId: string) =>
			files.seed(
				`/cc/sessions/${pid}.json`,
				JSON.stringify({
					pid,
					procStart,
					sessionId,
					kind: "interactive",
					status: "busy",
				}),
			);
		session(60, "4", "99999999-0000-4000-8000-000000000009");
		const stale = await rig.ng("session-id");
		expect(stale.rc).toBe(1);
		session(60, "5", ID);
		expect(await rig.ng("session-id")).toMatchObject({ rc: 0, out: ID });
		const { out } = await rig.ng("report-init", "s");
		expect(files.text(out)).toContain(`session-id: ${ID}`);
	});

	test.each([
		[
			"an id of the environment that is none",
			{ CLAUDE_CODE_SESSION_ID: "last" },
		],
		["no id", {}],
	])(
		"with %s it is what the project's own note says, if that is one",
		async (_, env) => {
			const rig = ngRig({ ...env, CLAUDE_PROJECT_DIR: "/p" });
			const note = "/p/sessions/current_session_id";
			expect((await rig.ng("session-id")).rc).toBe(1);
			rig.doors.files.seed(note, "not an id\n");
			expect((await rig.ng("session-id")).rc).toBe(1);
			rig.doors.files.seed(note, `${ID}\n`);
			expect((await rig.ng("session-id")).out).toBe(ID);
		},
	);

	test("the folder of the sessions is NEXUS_CC_HOME, before CLAUDE_CONFIG_DIR", async () => {
		const rig = ngRig({ NEXUS_CC_HOME: "/nx", CLAUDE_CONFIG_DIR: "/cc" });
		const { proc, files } = rig.doors;
		proc.add({ pid: 70, ppid: 1, comm: "claude", startTicks: "5" });
		Object.assign(proc, { ppid: 70 });
		const session = {
			pid: 70,
			procStart: "5",
			kind: "interactive",
			status: "busy",
		};
		const other = "22222222-0000-4000-8000-000000000002";
		for (const [home, sessionId] of [
			["/cc", other],
			["/nx", ID],
		])
			files.seed(
				`${home}/sessions/70.json`,
				JSON.stringify({ ...session, sessionId }),
			);
		expect((await rig.ng("session-id")).out).toBe(ID);
		files.seed(
			"/nx/sessions/70.json",
			JSON.stringify({ ...session, sessionId: ID, kind: "print" }),
		);
		expect((await rig.ng("session-id")).rc).toBe(1);
	});

	test.each([
		[{}, [], "/h/x", "/root/reports"],
		[{ NEXUS_ROOT: "/other" }, [], "/h/x", "/other/reports"],
		[{ NEXUS_ROOT: undefined }, [], "/h/with/deep", "/h/with/reports"],
		[{ NEXUS_ROOT: undefined }, [], "/h/without", "/h/without/reports"],
		[{}, ["--reports-dir", "sub"], "/h/x", "/h/x/sub"],
	])("with %j %j in %s it lies in %s", async (env, more, cwd, dir) => {
		const rig = ngRig(env);
		rig.doors.files.seedDir("/other");
		rig.doors.files.seedDir("/root");
		rig.doors.files.seedDir("/h/with/reports");
		rig.standIn(cwd);
		const { out } = await rig.ng("report-init", "s", ...more);
		expect(out).toStartWith(`${dir}/`);
	});

	test("outside of the corpus it is made with a warning that names both folders", async () => {
		const rig = ngRig();
		const { rc, err } = await rig.ng("report-init", "s", "--reports-dir", "/x");
		expect(rc).toBe(0);
		expect(err).toMatch(/\/x .*\/root\/reports/);
	});

	test("never overwrites", async () => {
		const rig = ngRig();
		const { out } = await rig.ng("report-init", "s");
		rig.doors.files.seed(out, "mine");
		const again = await rig.ng("report-init", "s");
		expect(again.rc).toBe(1);
		expect(again.err).toContain("exists already");
		expect(rig.doors.files.text(out)).toBe("mine");
	});

	test.each([
		[[], 1],
		[["../x"], 1],
		[["a b"], 1],
		[["s", "extra"], 1],
		[["s", "--repo", "a/b"], 1],
		[["s", "--project", "42"], 1],
		[["s", "--project"], 64],
		[["s", "--issue", ""], 64],
		[["s", "--issue", "x"], 1],
		[["s", "--issue", "7\nwindow: other"], 1],
		[["s", "--issue", "7", "--comment-id", "0"], 1],
	])("%j: exit %i, nothing written", async (argv, rc) => {
		const rig = ngRig();
		const ran = await rig.ng("report-init", ...argv);
		expect(ran.rc).toBe(rc);
		expect(ran.err).not.toBe("");
		expect(rig.doors.files.paths("/root/reports")).toEqual([]);
	});

	test("a call for help writes no report named after it", async () => {
		const rig = ngRig();
		const { rc, out } = await rig.ng("report-init", "--help");
		expect(rc).toBe(0);
		expect(out).toStartWith("usage: ng report-init");
		expect(rig.doors.files.paths("/root")).toEqual([]);
	});
});

/** A valid report whose body has 980 bytes. */
const FRONT = `---\nproject: p\ndate: 2026-05-11\nsession-id: ${ID}\nwindow: w\ntrigger: #7\nstatus: completed\n---\n`;
const SECTIONS = REPORT_HEADINGS.map(
	(heading) => `${heading}\n\nText.\n\n`,
).join("");
const VALID = `${FRONT}${SECTIONS.padEnd(979, "x")}\n`;

describe("report-check", () => {
	const edit = (from: string | RegExp, to: string) => VALID.replace(from, to);
	const SHORT = "body too short: 0 < 500 chars";
	const START = "frontmatter: file must start with a '---' line";
	const sections = REPORT_HEADINGS.map((h) => `section: ${h}`);
	const cases: readonly (readonly [string, string, readonly string[]])[] = [
		["none", VALID, []],
		[
			"a blank after a heading",
			edit("## Summary\n", "## Summary \n"),
			["section: ## Summary"],
		],
		[
			"status without its blank",
			edit("status: completed", "status:completed"),
			["frontmatter field: status"],
		],
		[
			"status with a comment",
			edit("status: completed", "status: completed # done"),
			[
				"frontmatter field: status (must be completed|partial|blocked, got 'completed#done')",
			],
		],
		[
			"an unknown status",
			edit("status: completed", "status: half-done"),
			[
				"frontmatter field: status (must be completed|partial|blocked, got 'half-done')",
			],
		],
		["a blank line before the fence", `\n${VALID}`, [START]],
		["a blank after the fence", edit("---\n", "--- \n"), [START]],
		[
			"no closing fence",
			VALID.replace("status: completed\n---\n", "status: completed\n"),
			[SHORT],
		],
		[
			"an unfinished word in code",
			edit("Text.", `\`TO${"DO"}\``),
			[
				`placeholder text: TO${"DO"}/FIX${"ME"} present (pass --allow-todo to skip)`,
			],
		],
		[
			"words that merely look like it",
			edit("Text.", `TO${"DO"}s ME${"TO"}DO todo`),
			[],
		],
		["an unset window", edit("window: w", "window: <unset>"), []],
		["an empty file", "", [START, ...sections, SHORT]],
		["CRLF", VALID.replaceAll("\n", "\r\n"), [START, ...sections]],
	];
	test.each(cases)("%s", async (_name, text, problems) => {
		const rig = ngRig();
		rig.doors.files.seed("/r/x.md", text);
		const ran = await rig.ng("report-check", "/r/x.md");
		if (problems.length === 0) {
			expect(ran.rc).toBe(0);
			expect(ran.out).toMatch(/^report-check: x\.md OK \(\d+ body chars\)$/);
			return;
		}
		expect(ran).toEqual({
			rc: 1,
			out: "",
			err: [
				"ng report-check: x.md — incomplete:",
				...problems.map((item) => `  - ${item}`),
			].join("\n"),
		});
	});

	test("tells the size of a good one", async () => {
		const rig = ngRig();
		rig.doors.files.seed("/r/x.md", VALID);
		expect((await rig.ng("report-check", "/r/x.md")).out).toBe(
			"report-check: x.md OK (980 body chars)",
		);
	});

	test("passes placeholders where that is asked for", async () => {
		const rig = ngRig();
		rig.doors.files.seed("/r/x.md", edit("Text.", "_(later)_ <...>"));
		expect((await rig.ng("report-check", "/r/x.md")).rc).toBe(1);
		expect((await rig.ng("report-check", "/r/x.md", "--allow-todo")).rc).toBe(
			0,
		);
	});

	test.each(["/r", "/r/none.md"])("%s is no file: exit 2", async (path) => {
		const rig = ngRig();
		rig.doors.files.seedDir("/r");
		expect(await rig.ng("report-check", path)).toEqual({
			rc: 2,
			out: "",
			err: `ng report-check: file missing or unreadable: ${path}`,
		});
	});

	test("the environment sets the least size; a value that is none is named and ignored", async () => {
		const more = ngRig({ MONITOR_REPORT_MIN_CHARS: "2000" });
		more.doors.files.seed("/r/x.md", VALID);
		const short = await more.ng("report-check", "/r/x.md");
		expect(short.rc).toBe(1);
		expect(short.err).toEndWith("< 2000 chars");
		const bad = ngRig({ MONITOR_REPORT_MIN_CHARS: "abc" });
		bad.doors.files.seed("/r/x.md", VALID);
		const ran = await bad.ng("report-check", "/r/x.md");
		expect(ran.rc).toBe(0);
		expect(bad.doors.log.messages("warn")).toEqual([
			expect.stringContaining("MONITOR_REPORT_MIN_CHARS"),
		]);
	});
});

describe("report-grep", () => {
	function library() {
		const rig = ngRig();
		const { files } = rig.doors;
		files.seed("/root/reports/p_2026-02-01_000000_b.md", "one\nThe cache\n");
		files.seed(
			"/root/reports/p_2026-03-01_000000_c.md",
			"no cache here\ncache\n",
		);
		files.seed("/root/reports/2026-01/p_2026-01-01_000000_a.md", "old cache\n");
		files.seed("/root/reports/notes.txt", "cache\n");
		return rig;
	}
	test("finds lines, newest report first, archives too", async () => {
		expect(await library().ng("report-grep", "cache$")).toEqual({
			rc: 0,
			out: [
				"/root/reports/p_2026-03-01_000000_c.md:2:cache",
				"/root/reports/p_2026-02-01_000000_b.md:2:The cache",
				"/root/reports/2026-01/p_2026-01-01_000000_a.md:1:old cache",
			].join("\n"),
			err: "",
		});
	});
	test.each([
		[["the cache"], 1],
		[["the cache", "--ignore-case"], 0],
		[["cache", "--files"], 0],
		[["nothing like it"], 1],
		[["("], 1],
		[[], 1],
	])("%j: exit %i", async (argv, rc) => {
		expect((await library().ng("report-grep", ...argv)).rc).toBe(rc);
	});
	test("reports that cannot be seen are not nothing: exit 3", async () => {
		expect((await ngRig().ng("report-grep", "x")).rc).toBe(3);
		const rig = library();
		rig.doors.files.faults.fail({
			path: "/root/reports",
			ops: ["list"],
			code: "EIO",
		});
		expect((await rig.ng("report-grep", "x")).rc).toBe(3);
	});
});

test("the state dir is not made by verbs that only read", async () => {
	const rig = ngRig();
	for (const verb of [
		"report-check /x",
		"report-grep x",
		"session-id",
		"spawn-decision w",
	])
		await rig.ng(...verb.split(" "));
	expect(rig.doors.files.stat(S).kind).toBe("absent");
});
