/** Replies and issues (contract 05 §5), the target repository (§2.5), bodies (§2.6), identity and limits (§2.7). */
import { afterEach, describe, expect, test } from "bun:test";
import {
	repoOfRemote,
	resolveRepo,
} from "../../monitor/_github/target-repo.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { CACHE_PATH, type HubRig, hubRig, KEY_PATH, S } from "./hub-rig.ts";

const open: HubRig[] = [];
function rigOf(...args: Parameters<typeof hubRig>): HubRig {
	const rig = hubRig(...args);
	open.push(rig);
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	return rig;
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});
const comments = (rig: HubRig) =>
	rig.standIn.place.state.repos[0]?.comments ?? [];

describe("reply", () => {
	for (const verb of [["reply"], ["comment"], ["issue", "comment"]])
		test(`ng ${verb.join(" ")} posts as the bot and prints the page`, async () => {
			const rig = rigOf();
			const ran = await rig.ngWith("Done.\n\n", ...verb, "1");
			expect(ran.rc).toBe(0);
			expect(ran.out).toMatch(
				/^http:\/\/127\.0\.0\.1:\d+\/acme\/hub\/issues\/1#issuecomment-\d+$/,
			);
			expect(ran.err).toBe("posting 5 bytes (5 chars) from stdin");
			expect(comments(rig)).toMatchObject([
				{ user: "hub-bot[bot]", body: "Done." },
			]);
		});

	test("a file that is short gets a warning, and is posted", async () => {
		const rig = rigOf();
		rig.doors.files.seed("/b.md", "Zoë\n");
		const ran = await rig.ng("reply", "1", "--body-file", "/b.md");
		expect(ran.rc).toBe(0);
		expect(ran.err).toStartWith(
			"posting 4 bytes (3 chars) from /b.md\nWARNING: /b.md has only 4 bytes",
		);
		Object.assign(rig.doors.proc.env, { NG_BODY_MIN_BYTES: "3" });
		const again = await rig.ng("reply", "1", "--body-file", "/b.md");
		expect(again.err).toBe("posting 4 bytes (3 chars) from /b.md");
	});

	const empty: readonly (readonly [string, readonly string[], string])[] = [
		["nothing given", [], "no --body-file, and standard input is empty"],
		["-", ["--body-file", "-"], "--body-file -, and standard input is empty"],
		[
			"a file of 0 bytes",
			["--body-file", "/empty"],
			"/empty exists, but has 0 bytes",
		],
		["a missing file", ["--body-file", "/none"], "body file not found: /none"],
	];
	for (const [name, flags, says] of empty)
		test(`an empty body is refused and the input named: ${name}`, async () => {
			const rig = rigOf();
			rig.doors.files.seed("/empty", "");
			const ran = await rig.ng("reply", "1", ...flags);
			expect(ran.rc).toBe(1);
			expect(ran.err).toContain(says);
			expect(rig.writes()).toEqual([]);
		});

	for (const args of [["--body-file", "/b", "1"], ["1", "some text"], ["abc"]])
		test(`the order is explained: ng reply ${args.join(" ")}`, async () => {
			const ran = await rigOf().ng("reply", ...args);
			expect(ran.rc).toBe(1);
			expect(ran.err).toContain("the issue number comes first");
		});

	test("to an issue that was moved says so, and sends nothing after it", async () => {
		const rig = rigOf();
		const to = `${rig.standIn.url}/repositories/7/issues/9/comments`;
		rig.standIn.faults.add({
			on: /^POST .*\/comments$/,
			fault: { kind: "redirect", to, status: 301 },
		});
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain("it has moved (301)");
		expect(rig.writes()).toEqual([`POST /repos/${REPO}/issues/1/comments`]);
	});

	test("a POST that fails is not sent again", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /^POST .*comments/,
			fault: { kind: "server" },
		});
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toEndWith("POST /repos/acme/hub/issues/1/comments failed");
		expect(rig.writes()).toHaveLength(1);
	});
});

describe("the target repository", () => {
	const elsewhere = { kind: "looked", repo: "a/code" } as const;
	const facts = { given: null, home: "a/home", origin: elsewhere };
	test("a write from a foreign clone is refused and names both", () => {
		const choice = resolveRepo("write", facts);
		expect(choice).toMatchObject({ kind: "refused" });
		expect(JSON.stringify(choice)).toMatch(/a\/code.*a\/home.*--repo/);
	});
	test("a read goes to the clone's own repository and says so", () => {
		expect(resolveRepo("read", facts)).toEqual({
			kind: "ok",
			repo: "a/code",
			note: "targeting cwd origin a/code (override with --repo, for example --repo a/home)",
		});
	});
	for (const mode of ["read", "write"] as const) {
		test(`${mode}: what --repo names is used`, () => {
			expect(resolveRepo(mode, { ...facts, given: "x/y" })).toMatchObject({
				kind: "ok",
				repo: "x/y",
			});
		});
		test(`${mode}: the home's own clone is the home, in whatever case`, () => {
			const origin = { kind: "looked", repo: "A/Home" } as const;
			expect(resolveRepo(mode, { ...facts, origin })).toMatchObject({
				repo: "a/home",
				note: null,
			});
		});
		for (const given of [
			"../..",
			"a/..",
			"a",
			"a/b/c",
			"a/b?x",
			"a/ b",
			"a/{b}",
		])
			test(`${mode}: --repo ${given} is refused`, () => {
				expect(resolveRepo(mode, { ...facts, given }).kind).toBe("refused");
			});
		test(`${mode}: without a home one must be named`, () => {
			expect(resolveRepo(mode, { ...facts, home: null }).kind).toBe("refused");
		});
	}
	test("a write is refused where nobody can tell", () => {
		const origin = { kind: "could-not-look", reason: "timeout" } as const;
		expect(resolveRepo("write", { ...facts, origin }).kind).toBe("refused");
		expect(resolveRepo("read", { ...facts, origin }).kind).toBe("ok");
	});

	test.each([
		["https://github.com/a/b.git", "a/b"],
		["https://github.com/a/b", "a/b"],
		["https://user:secret@github.com/a/b/", "a/b"],
		["git@github.com:a/b.git", "a/b"],
		["ssh://git@github.com/a/b.git", "a/b"],
		["ssh://git@GitHub.com:22/a/b", "a/b"],
		["git@ghe.corp:a/b.git.git", "a/b.git"],
		["https://ghe.corp/a/b", "a/b"],
		["https://gitlab.com/a/b", null],
		["https://github.com.evil.org/a/b", null],
		["/srv/git/a/b", null],
		["https://github.com/a", null],
	])("the remote %s is %s", (url, repo) => {
		expect(repoOfRemote(url, "https://ghe.corp")).toBe(repo);
	});

	const writing: readonly (readonly string[])[] = [
		["process", "1"],
		["process-issue", "1"],
		["react", "1", "eyes"],
		["react-issue", "1", "eyes"],
		["reply", "1"],
		["comment", "1"],
		["comment-edit", "1", "--force"],
		["close", "1"],
		["issue", "create", "--title", "t"],
		["issue", "comment", "1"],
		["issue", "close", "1"],
	];
	for (const argv of writing)
		test(`ng ${argv.join(" ")} from a foreign clone sends nothing`, async () => {
			const rig = rigOf();
			rig.cloneOf("git@github.com:acme/public-code.git");
			const ran = await rig.ngWith("text", ...argv);
			expect(ran.rc).toBe(1);
			expect(ran.err).toContain("acme/public-code");
			expect(rig.standIn.requests).toEqual([]);
		});
});

describe("in a clone of the nexus's own code", () => {
	const PUBLIC = "https://github.com/acme/nexus.git\n";
	/** The caller's clone has its top there. */
	function standsIn(top: string): ReturnType<typeof rigOf> {
		const rig = rigOf();
		rig.doors.files.seedDir(top);
		rig.doors.proc.answer("git", PUBLIC);
		rig.doors.proc.answer(/rev-parse --show-toplevel/, `${top}\n`);
		return rig;
	}

	test.each([
		["the nexus root", "/n"],
		["the checkout that holds ng", "/code"],
	])(
		"%s means the home repository: the orchestrator stands there",
		async (_name, top) => {
			const rig = standsIn(top);
			const ran = await rig.ngWith("text", "reply", "1");
			expect(ran.rc).toBe(0);
			expect(ran.err).not.toContain("acme/nexus");
			expect(rig.writes()).toEqual([`POST /repos/${REPO}/issues/1/comments`]);
		},
	);

	test("a worker's own clone below it is a foreign one", async () => {
		const rig = standsIn("/n/work/feature/nexus");
		const ran = await rig.ngWith("text", "reply", "1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("acme/nexus");
		expect(rig.standIn.requests).toEqual([]);
	});
});

describe("nothing is posted as anybody but the bot", () => {
	test("GitHub off: refused before any request", async () => {
		const rig = rigOf({
			over: { bot_app_id: '""', bot_installation_id: '""', bot_pem_path: '""' },
		});
		Object.assign(rig.doors.proc.env, {
			GH_TOKEN: "ghp_operators0000",
			GITHUB_TOKEN: "ghp_operators0000",
		});
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("bot identity cannot be obtained");
		expect(rig.standIn.requests).toEqual([]);
	});

	test.each([
		[
			"refused",
			{
				kind: "answer",
				status: 404,
				body: { message: "Integration not found" },
			},
		],
		[
			"empty",
			{
				kind: "answer",
				status: 201,
				body: { token: "", expires_at: "2099-01-01T00:00:00Z" },
			},
		],
		[
			"the word null",
			{
				kind: "answer",
				status: 201,
				body: { token: "null", expires_at: "2099-01-01T00:00:00Z" },
			},
		],
	] as const)("a token that is %s ends it", async (_, fault) => {
		const rig = rigOf();
		rig.standIn.faults.add({ on: /access_tokens/, fault: { ...fault } });
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("bot identity cannot be obtained");
		expect(rig.asked()).toEqual([]);
		expect(comments(rig)).toEqual([]);
		// What the stand-in was made to answer is not GitHub's.
		expect(rig.standIn.requests.every((r) => r.actor !== "user")).toBe(true);
	});

	test("a key that is missing ends it", async () => {
		const rig = rigOf();
		rig.doors.files.remove(KEY_PATH);
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("bot identity cannot be obtained");
		expect(rig.standIn.requests).toEqual([]);
	});

	test("a token that is void in mid-run is minted anew once", async () => {
		const rig = rigOf();
		await rig.ngWith("one", "reply", "1");
		rig.standIn.revokeTokens();
		expect((await rig.ngWith("two", "reply", "1")).rc).toBe(0);
		expect(comments(rig).map((c) => c.body)).toEqual(["one", "two"]);
	});

	test("token and key stand in no argv, environment, line or file but the cache", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /^POST .*comments/,
			fault: { kind: "answer", status: 422, body: { message: "no" } },
		});
		const ran = await rig.ngWith("x", "reply", "1");
		const cached = rig.doors.files.text(CACHE_PATH);
		const token = /ghs_\w+/.exec(cached)?.[0] ?? "none";
		expect(token).toStartWith("ghs_");
		const seen = [
			ran.out,
			ran.err,
			JSON.stringify(rig.doors.proc.execs),
			...rig.doors.files.paths(S).map((path) => rig.doors.files.text(path)),
		].join("\n");
		expect(seen).not.toContain(token);
		expect(seen).not.toContain("PRIVATE KEY");
	});
});

describe("limits", () => {
	test("a pause that ends within a minute is waited out, with one line", async () => {
		const rig = rigOf();
		const now = rig.doors.clock.now();
		rig.doors.files.seed(
			`${S}/github-pause-core`,
			`until=${now + 20}\narmed=${now}\nstreak=1\nkind=secondary\n`,
		);
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("waiting 20s");
	});

	test("a longer one ends the verb before the request, naming file and end", async () => {
		const rig = rigOf();
		const now = rig.doors.clock.now();
		rig.doors.files.seed(
			`${S}/github-pause-core`,
			`until=${now + 300}\narmed=${now}\nstreak=2\nkind=secondary\n`,
		);
		const ran = await rig.ngWith("x", "reply", "1");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("github-pause-core");
		expect(rig.asked()).toEqual([]);
	});

	test("a limit that is met is written down for everybody", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /^POST .*comments/,
			fault: { kind: "secondary" },
		});
		expect((await rig.ngWith("x", "reply", "1")).rc).toBe(1);
		expect(rig.state("github-pause-core")).toContain("kind=secondary");
	});
});

describe("close", () => {
	test("closes, and says so", async () => {
		const rig = rigOf();
		expect(await rig.ng("close", "1")).toEqual({
			rc: 0,
			out: "CLOSED",
			err: "",
		});
		expect(rig.standIn.place.state.repos[0]?.issues[0]?.state).toBe("closed");
	});
	test("a comment that cannot be posted closes nothing", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /^POST .*comments/,
			fault: { kind: "server" },
		});
		const ran = await rig.ng("issue", "close", "1", "--comment", "bye");
		expect(ran.rc).toBe(1);
		expect(ran.err).toEndWith("pre-close comment failed");
		expect(rig.standIn.place.state.repos[0]?.issues[0]?.state).toBe("open");
	});
	test("an issue that GitHub leaves open is not closed", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /^PATCH /,
			fault: { kind: "answer", status: 200, body: { state: "open" } },
		});
		const ran = await rig.ng("close", "1");
		expect(ran).toMatchObject({
			rc: 1,
			out: "",
			err: "close PATCH failed (state=open)",
		});
	});
});

describe("comment-edit", () => {
	async function posted(rig: HubRig) {
		await rig.ngWith("first", "reply", "1");
		const [comment] = comments(rig);
		if (comment === undefined) throw new Error("no comment");
		const meta = await rig.ng("show", String(comment.id), "--meta");
		const at = /updated_at=(\S+)/.exec(meta.out)?.[1] ?? "";
		return { comment, id: String(comment.id), at };
	}

	test("replaces the text it was made from", async () => {
		const rig = rigOf();
		const { comment, id, at } = await posted(rig);
		const ran = await rig.ngWith(
			"second",
			"comment-edit",
			id,
			"--expect-updated-at",
			at,
		);
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain(`#issuecomment-${id}`);
		expect(comment.body).toBe("second");
	});

	test("exit 4 when somebody else was there, with nothing written and nothing on stdout", async () => {
		const rig = rigOf();
		const { comment, id, at } = await posted(rig);
		rig.standIn.acts.editComment(REPO, comment.id, "hub-bot[bot]", "corrected");
		const ran = await rig.ngWith(
			"stale",
			"comment-edit",
			id,
			"--expect-updated-at",
			at,
		);
		expect(ran).toMatchObject({ rc: 4, out: "" });
		expect(ran.err.split("\n")).toHaveLength(3);
		expect(ran.err).toContain(
			`CONCURRENT EDIT: comment ${id} changed: ${at} → `,
		);
		expect(ran.err).toContain(`ng show ${id} --meta`);
		expect(comment.body).toBe("corrected");
	});

	test("--force overwrites, loudly", async () => {
		const rig = rigOf();
		const { comment, id } = await posted(rig);
		const ran = await rig.ngWith("forced", "comment-edit", id, "--force");
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("WARNING: --force");
		expect(comment.body).toBe("forced");
	});

	test("a stored text that differs is no success", async () => {
		const rig = rigOf();
		const { id } = await posted(rig);
		rig.standIn.faults.add({
			on: /^PATCH /,
			fault: {
				kind: "answer",
				status: 200,
				body: { id: Number(id), body: "other", html_url: "u" },
			},
		});
		const ran = await rig.ngWith("mine", "comment-edit", id, "--force");
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain("stored body differs");
	});

	test("line ends that come back as CR LF are the same text", async () => {
		const rig = rigOf();
		const { id } = await posted(rig);
		rig.standIn.faults.add({
			on: /^PATCH /,
			fault: {
				kind: "answer",
				status: 200,
				body: { id: Number(id), body: "a\r\nb", html_url: "u" },
			},
		});
		expect((await rig.ngWith("a\nb", "comment-edit", id, "--force")).rc).toBe(
			0,
		);
	});

	test("wants exactly one of the two flags", async () => {
		const rig = rigOf();
		const neither = await rig.ngWith("x", "comment-edit", "1");
		expect(neither).toMatchObject({ rc: 1 });
		expect(neither.err).toContain("ng reply");
		const both = await rig.ngWith(
			"x",
			"comment-edit",
			"1",
			"--force",
			"--expect-updated-at",
			"t",
		);
		expect(both.err).toContain("mutually exclusive");
	});
});

describe("issue", () => {
	for (const argv of [
		["issue", "1"],
		["issue", "view", "1"],
	])
		test(`ng ${argv.join(" ")} prints one line`, async () => {
			expect(await rigOf().ng(...argv)).toEqual({
				rc: 0,
				out: "#1 state=OPEN title=T",
				err: "",
			});
		});

	test("with text and comments, the oldest first, over as many pages as there are", async () => {
		const rig = rigOf();
		for (let i = 1; i <= 101; i++)
			rig.standIn.acts.comment(REPO, 1, "a", `say ${i}`);
		const { out } = await rig.ng(
			"issue",
			"1",
			"--with-body",
			"--with-comments",
		);
		expect(out).toStartWith(
			"#1 state=OPEN title=T\n\n--- body ---\nB\n\n--- comments ---\n\n[",
		);
		expect(out).toMatch(/\[2026-\S+Z\] a:\nsay 1\n\n/);
		expect(out).toEndWith("say 101");
	});

	test("a word that is none of its own", async () => {
		expect((await rigOf().ng("issue", "foo")).err).toBe(
			"ng issue: not a number and not a known subcommand: foo",
		);
	});

	test("one that cannot be fetched", async () => {
		expect((await rigOf().ng("issue", "9")).err).toEndWith(
			"issue 9: fetch failed",
		);
	});

	test("create opens one; without labels none are sent", async () => {
		const rig = rigOf();
		const ran = await rig.ngWith("Text", "issue", "create", "--title", "New");
		expect(ran.out).toEndWith("/acme/hub/issues/2");
		expect(rig.standIn.requests.at(-1)?.body).toEqual({
			title: "New",
			body: "Text",
		});
		await rig.ngWith(
			"Text",
			"issue",
			"create",
			"--title",
			"L",
			"--label",
			"a",
			"--label",
			"b",
		);
		expect(rig.standIn.place.state.repos[0]?.issues[2]?.labels).toEqual([
			"a",
			"b",
		]);
	});

	test("create wants a title and a body", async () => {
		const rig = rigOf();
		expect((await rig.ngWith("Text", "issue", "create")).err).toBe(
			"--title is required",
		);
		expect((await rig.ng("issue", "create", "--title", "t")).rc).toBe(1);
		expect(rig.writes()).toEqual([]);
	});

	test("--help of the group is its own only as its first word", async () => {
		const rig = rigOf();
		expect((await rig.ng("issue", "--help")).out).toStartWith(
			"usage: ng issue <n>",
		);
		expect((await rig.ng("issue", "create", "--help")).out).toStartWith(
			"usage: ng issue create",
		);
		expect((await rig.ng("issue", "foo", "--help")).rc).toBe(1);
	});
});
