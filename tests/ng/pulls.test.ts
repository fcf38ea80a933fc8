/** Pull requests, where the bot is installed, who it is (contract 05 §5.6, §6, §15). */
import { afterEach, describe, expect, test } from "bun:test";
import {
	renderIdentity,
	upsertBlock,
} from "../../monitor/_ng/nexus-identity/render.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { type HubRig, hubRig } from "./hub-rig.ts";

const open: HubRig[] = [];
function rigOf(...args: Parameters<typeof hubRig>) {
	const rig = hubRig(...args);
	open.push(rig);
	rig.standIn.acts.commitFile(REPO, "a", "1");
	const head = rig.standIn.acts.commitFile(REPO, "b", "2", "work");
	return { ...rig, head };
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});
const opened = (rig: HubRig) =>
	rig.standIn.acts.openPull(REPO, {
		user: "hub-bot[bot]",
		title: "P",
		head: "work",
	});
const create = (rig: HubRig, ...more: readonly string[]) =>
	rig.ngWith(
		"Text",
		...["pr", "create", "--head", "work", "--title", "P"],
		...more,
	);

describe("pr create", () => {
	test("opens one and asks the operator for a review", async () => {
		const rig = rigOf();
		const ran = await create(rig);
		expect(ran).toMatchObject({ rc: 0, err: "" });
		expect(ran.out).toMatch(/\/acme\/hub\/pull\/1$/);
		expect(
			rig.standIn.place.state.repos[0]?.issues[0]?.pull?.reviewers,
		).toEqual([OPERATOR]);
	});
	test("--no-reviewer asks nobody", async () => {
		const rig = rigOf();
		await create(rig, "--no-reviewer");
		expect(
			rig.standIn.place.state.repos[0]?.issues[0]?.pull?.reviewers,
		).toEqual([]);
	});
	test("a review that cannot be asked for is a warning", async () => {
		const rig = rigOf();
		rig.standIn.faults.add({
			on: /requested_reviewers/,
			fault: { kind: "server" },
		});
		const ran = await create(rig);
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("WARNING: op could not be asked");
	});
	test("elsewhere only where the bot is installed", async () => {
		const rig = rigOf();
		rig.standIn.acts.createRepo("acme/code", { installed: false });
		const ran = await create(rig, "--repo", "acme/code");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("bot installed: NO (acme/code)");
		expect(rig.writes()).toEqual([]);
	});
});

describe("pr edit", () => {
	test("changes what is given, and wants something", async () => {
		const rig = rigOf();
		const pull = opened(rig);
		expect((await rig.ng("pr", "edit", "1")).rc).toBe(1);
		const ran = await rig.ng("pr", "edit", "1", "--title", "Q");
		expect(ran.out).toEndWith("/pull/1");
		expect(pull.title).toBe("Q");
		await rig.ngWith("New", "pr", "edit", "1", "--body-file", "-");
		expect([pull.title, pull.body]).toEqual(["Q", "New"]);
	});
});

describe("pr merge", () => {
	test("squashes the head it looked at, and prints the merge", async () => {
		const rig = rigOf();
		opened(rig);
		const ran = await rig.ng("pr", "merge", "1", "--delete-branch");
		expect(ran).toMatchObject({ rc: 0, err: "" });
		expect(ran.out).toBe(
			rig.standIn.place.state.repos[0]?.git.refs["refs/heads/main"] ?? "",
		);
		const put = rig.standIn.requests.find((r) => r.route.startsWith("PUT "));
		expect(put?.body).toMatchObject({ merge_method: "squash", sha: rig.head });
		expect(rig.standIn.place.state.repos[0]?.git.refs).not.toContainKey(
			"refs/heads/work",
		);
	});
	test("a head that moved is refused", async () => {
		const rig = rigOf();
		opened(rig);
		const ran = await rig.ng(
			"pr",
			"merge",
			"1",
			"--rebase",
			"--sha",
			"0".repeat(40),
			"--delete-branch",
		);
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("HTTP 409");
		expect(rig.standIn.place.state.repos[0]?.git.refs).toContainKey(
			"refs/heads/work",
		);
	});
	test("takes one method", async () => {
		expect(
			(await rigOf().ng("pr", "merge", "1", "--squash", "--merge")).rc,
		).toBe(1);
	});
});

describe("pr view", () => {
	test("one line", async () => {
		const rig = rigOf();
		opened(rig);
		expect((await rig.ng("pr", "view", "1")).out).toBe(
			"#1 state=OPEN author=hub-bot[bot] work->main title=P",
		);
	});
	test("fields by name, dotted ones too; an absent one is null", async () => {
		const rig = rigOf();
		opened(rig);
		const { out } = await rig.ng(
			"pr",
			"view",
			"1",
			"--json",
			"title,head.ref,none",
		);
		expect(JSON.parse(out)).toEqual({
			title: "P",
			"head.ref": "work",
			none: null,
		});
		expect((await rig.ng("pr", "view", "1", "--json", "a-b")).rc).toBe(1);
	});
	for (const argv of [
		["--json", "1"],
		["1", "--json"],
	])
		test(`all of it, keys sorted: ${argv.join(" ")}`, async () => {
			const rig = rigOf();
			opened(rig);
			const keys = Object.keys(
				JSON.parse((await rig.ng("pr", "view", ...argv)).out),
			);
			expect(keys).toEqual([...keys].sort());
			expect(keys).toContain("title");
		});
});

describe("preflight", () => {
	test("installed", async () => {
		expect(await rigOf().ng("preflight", "Acme/Hub")).toEqual({
			rc: 0,
			out: "bot installed: yes (Acme/Hub) — repository_selection=selected",
			err: "",
		});
	});
	test("absent, of an owner that the installation is on: the page of that installation", async () => {
		const rig = rigOf();
		const ran = await rig.ng("preflight", "acme/none");
		expect(ran.rc).toBe(1);
		expect(ran.out.split("\n")).toEqual([
			"bot installed: NO (acme/none) — repository_selection=selected",
			"ask the org admin of acme to add acme/none to hub-bot's installation:",
			`${rig.standIn.url}/organizations/acme/settings/installations/456`,
		]);
	});
	test("absent, of another owner: no id, which would lead nowhere", async () => {
		const rig = rigOf();
		expect((await rig.ng("preflight", "other/x")).out).toEndWith(
			"/organizations/other/settings/installations",
		);
		expect((await rig.ng("preflight", "noslash")).rc).toBe(1);
	});
	test("all pages are read", async () => {
		const rig = rigOf();
		for (let i = 0; i < 101; i++) rig.standIn.acts.createRepo(`acme/r${i}`);
		expect((await rig.ng("preflight", "acme/r100")).rc).toBe(0);
	});
});

describe("tokens", () => {
	test("the minter's exit code is ours, with a line behind its own", async () => {
		const rig = rigOf();
		rig.doors.proc.answer(/mint-token/, 4);
		const ran = await rig.ng("token");
		expect(ran).toMatchObject({ rc: 4, out: "" });
		expect(ran.err).toContain("bot identity cannot be obtained");
		await rig.ng("mint-jwt");
		expect(rig.doors.proc.execs.at(-1)?.argv.slice(-2)).toEqual([
			"/code/monitor/mint-token.ts",
			"--jwt-only",
		]);
		expect((await rig.ng("mint-jwt", "x")).rc).toBe(1);
	});

	test.each([
		[{ NEXUS_USER_PAT: "a", GITHUB_PAT: "b" }, "a"],
		[{ GITHUB_PAT: "b" }, "b"],
		[{ GH_TOKEN: "ghs_bot", GITHUB_TOKEN: "ghs_bot" }, "from-gh"],
	])("the operator's, by %j", async (env, pat) => {
		const rig = rigOf();
		rig.doors.proc.answer("gh", "from-gh\n");
		Object.assign(rig.doors.proc.env, env);
		expect((await rig.ng("user-pat")).out).toBe(pat);
	});

	test("of the file last, and exit 2 without any", async () => {
		const rig = rigOf();
		rig.doors.proc.answer("gh", 1);
		expect(await rig.ng("user-pat")).toMatchObject({ rc: 2, out: "" });
		rig.doors.files.seed("/home/op/.claude/.nexus-user-pat", "kept\n");
		expect((await rig.ng("user-pat")).out).toBe("kept");
	});

	test("one that GitHub refuses is not printed: exit 3", async () => {
		const rig = rigOf();
		rig.doors.proc.answer("gh", "good\n");
		rig.standIn.place.state.userTokens.good = OPERATOR;
		expect((await rig.ng("user-pat", "--probe", REPO)).out).toBe("good");
		expect(await rig.ng("user-pat", "--probe", "acme/none")).toMatchObject({
			rc: 3,
			out: "",
		});
	});

	test.each([
		["good", [], 0],
		["good", ["--validate"], 0],
		["good", ["--validate", "--probe", "acme/none"], 3],
		["stale", [], 0],
		["stale", ["--validate"], 3],
		["good", ["--probe", "none"], 1],
		["good", ["--probe"], 64],
	])("%s %j: exit %i", async (pat, args, rc) => {
		const rig = rigOf();
		rig.doors.proc.env.NEXUS_USER_PAT = pat;
		rig.standIn.place.state.userTokens.good = OPERATOR;
		const ran = await rig.ng("user-pat", ...args);
		expect([ran.rc, ran.out]).toEqual([rc, rc === 0 ? pat : ""]);
		expect(ran.err).not.toContain(pat);
	});
});

describe("nexus-identity", () => {
	const facts = {
		root: "/n",
		host: "h",
		repo: "a/b",
		overview: "7",
		origin: null,
		branch: null,
		pidFile: "/s/p",
		logFile: "/s/l",
	};
	test("says where it is, with words for what is not there", () => {
		const text = renderIdentity(facts).join("\n");
		expect(text).toStartWith(
			"<!-- nexus-identity:start -->\n## Nexus Identity\n\n**Working directory:** `/n`\n",
		);
		expect(text).toContain(
			"| Implementation clone | (no git origin), branch (detached) |",
		);
		expect(text).toContain("| Asset + issue repo | a/b (overview: #7) |");
	});
	test("the block goes in place of the old one, or behind the text", () => {
		const block = renderIdentity(facts).join("\n");
		const once = upsertBlock("pre\n\n", block);
		expect(once).toEqual({ kind: "ok", body: `pre\n\n${block}` });
		const body = `a\n${block.replace("| h |", "| old |")}\nz`;
		expect(upsertBlock(body, block)).toEqual({
			kind: "ok",
			body: `a\n${block}\nz`,
		});
		expect(upsertBlock(`${block}${block}`, block).kind).toBe("refused");
	});
	test("upsert writes it, --dry-run does not; credentials of the remote are left out", async () => {
		const rig = rigOf();
		rig.doors.proc.answer(
			/git .*remote get-url/,
			"https://u:secret@github.com/acme/hub.git\n",
		);
		const issue = rig.standIn.acts.openIssue(REPO, {
			user: OPERATOR,
			title: "O",
			body: "mine",
			labels: ["nexus:overview"],
		});
		const dry = await rig.ng(
			"nexus-identity",
			"--upsert-overview",
			"--dry-run",
		);
		expect(dry.out).toContain("https://github.com/acme/hub.git");
		expect(dry.out).not.toContain("secret");
		expect(issue.body).toBe("mine");
		expect((await rig.ng("nexus-identity", "--upsert-overview")).rc).toBe(0);
		expect(issue.body).toBe(`mine\n\n${dry.out}`);
		await rig.ng("nexus-identity", "--upsert-overview");
		expect(issue.body).toBe(`mine\n\n${dry.out}`);
	});
});
