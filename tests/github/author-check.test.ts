import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { assertBotAuthor } from "../../monitor/_assert-bot-author/run.ts";
import {
	apiPathOf,
	authorVerdict,
	readAuthor,
} from "../../monitor/_github/author-check.ts";
import { KEY_PATH, OPERATOR, openRig, REPO, type Rig } from "./rig.ts";

const RULES = { botLogin: "hub-bot", operator: "op", anyBotWhenUnknown: false };

test.each([
	["hub-bot[bot]", RULES, 0, "OK — authored by hub-bot[bot]"],
	[
		"Hub-Bot",
		{ ...RULES, botLogin: "hub-bot[bot]" },
		0,
		"OK — authored by Hub-Bot",
	],
	["op", RULES, 1, "NEVER"],
	["someone", RULES, 1, "authored by someone"],
	["other-bot[bot]", RULES, 1, "authored by other-bot[bot]"],
	["", RULES, 2, "UNVERIFIED"],
	["op", { ...RULES, botLogin: "" }, 1, "NEVER"],
	["someone", { ...RULES, botLogin: "" }, 1, "authored by someone"],
	["any[bot]", { ...RULES, botLogin: "" }, 2, "bot_login is not set"],
	["any[bot]", { ...RULES, botLogin: "", anyBotWhenUnknown: true }, 0, "OK"],
	["op", { ...RULES, botLogin: "", anyBotWhenUnknown: true }, 1, "NEVER"],
] as const)("author %j under %o: exit %d", (author, rules, exit, words) => {
	const verdict = authorVerdict(author, rules, "monitor/mint-token.ts");
	expect(verdict.exit).toBe(exit);
	expect(verdict.lines.join("\n")).toContain(words);
	const tellsHow = verdict.lines.some((line) => line.includes("re-post"));
	expect(tellsHow).toBe(exit === 1);
	// Of anybody else it would not be true.
	expect(verdict.lines.join("\n").includes("NEVER")).toBe(
		exit === 1 && author === "op",
	);
});

const PLACE = { apiBase: "https://ghe/api/v3", webOrigin: "https://ghe" };
test.each([
	["https://ghe/api/v3/repos/a/b/issues/5", "repos/a/b/issues/5"],
	["repos/a/b/issues/comments/5", "repos/a/b/issues/comments/5"],
	["/repos/a/b/pulls/5", "repos/a/b/pulls/5"],
	["https://ghe/acme/x/pull/9", "repos/acme/x/issues/9"],
	["https://ghe/acme/x/issues/9", "repos/acme/x/issues/9"],
	[
		"https://ghe/acme/x/issues/9#issuecomment-77",
		"repos/acme/x/issues/comments/77",
	],
	[
		"https://ghe/acme/x/pull/9#issuecomment-77",
		"repos/acme/x/issues/comments/77",
	],
	[
		"https://ghe/acme/x/pull/9/files#discussion_r77",
		"repos/acme/x/pulls/comments/77",
	],
	[
		"https://ghe/acme/x/pull/9#pullrequestreview-77",
		"repos/acme/x/pulls/9/reviews/77",
	],
	["https://ghe/acme/x/pull/9/files?w=1", "repos/acme/x/issues/9"],
	["https://example.com/x", null],
	["https://example.com/acme/x/issues/9", null],
	["https://ghe.evil/acme/x/issues/9", null],
	["https://bad/acme/x/issues/9", null],
	["https://ghe/a{x}/b/issues/9", null],
	["https://ghe/../user/issues/9", null],
	["https://ghe/acme/x", null],
	["https://ghe/acme/x/commit/abc", null],
	["repos/a/b/../../user", null],
	["repos/a/b/{x}", null],
	["", null],
])("%j is asked at %p", (given, path) => {
	expect(apiPathOf(given, PLACE)).toBe(path);
});

test.each([
	[{ user: { login: "a" }, author: { login: "b" } }, "a"],
	[{ author: { login: "b" } }, "b"],
	[{ user: null, author: { login: "b" } }, "b"],
	[{}, ""],
	[{ user: { login: 5 } }, ""],
	[[], null],
	[null, null],
	["text", null],
])("the author in %j is %p", (data, author) => {
	expect(readAuthor(data)).toBe(author);
});

describe("the program", () => {
	let rig: Rig;
	beforeEach(() => {
		rig = openRig();
		rig.configure();
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	});
	afterEach(() => rig.close());

	async function assert(...argv: string[]) {
		const out: string[] = [];
		const err: string[] = [];
		const asserted = assertBotAuthor(argv, {
			doors: rig.doors,
			codeRoot: "/code",
			out: (line) => out.push(line),
			err: (line) => err.push(line),
		});
		const rc = await rig.inTime(asserted);
		return { rc, out: out.join("\n"), err: err.join("\n") };
	}
	const page = (comment: number) =>
		`${rig.standIn.place.webBase}/${REPO}/issues/1#issuecomment-${comment}`;

	test("passes what the bot wrote, and says so on stdout", async () => {
		const { id } = rig.standIn.acts.comment(REPO, 1, "hub-bot[bot]", "x");
		expect(await assert(page(id))).toEqual({
			rc: 0,
			out: "assert-bot-author: OK — authored by hub-bot[bot]",
			err: "",
		});
	});

	test("does not pass what the operator wrote", async () => {
		const { id } = rig.standIn.acts.comment(REPO, 1, OPERATOR, "x");
		const got = await assert(page(id));
		expect([got.rc, got.out]).toEqual([1, ""]);
		expect(got.err).toContain("NEVER");
	});

	test.each<[string, string, (rig: Rig) => void]>([
		[
			"no mint",
			"private key not found",
			({ doors }) => void doors.files.remove(KEY_PATH),
		],
		[
			"an API that broke",
			"UNVERIFIED",
			({ standIn }) =>
				void standIn.faults.add({ on: /issues/, fault: { kind: "server" } }),
		],
		[
			"no configuration",
			"UNVERIFIED",
			({ doors }) =>
				void doors.files.seed("/n/config/nexus.yml", "github: [", {
					mode: 0o600,
				}),
		],
		[
			"GitHub off",
			"GitHub is off",
			(r) =>
				r.configure({
					bot_app_id: '""',
					bot_installation_id: '""',
					bot_pem_path: '""',
				}),
		],
	])("%s: cannot tell, and never a pass", async (_name, words, spoil) => {
		spoil(rig);
		const got = await assert(`repos/${REPO}/issues/1`);
		expect([got.rc, got.out]).toEqual([2, ""]);
		expect(got.err).toContain(words);
		expect(got.err).toContain("UNVERIFIED");
	});

	test.each([
		[["https://example.com/x"], "no API path"],
		[[], "usage"],
		[["a", "b"], "usage"],
		[["--x"], "unknown flag"],
	])("%j: exit 2", async (argv, words) => {
		const got = await assert(...argv);
		expect([got.rc, got.out, rig.standIn.requests]).toEqual([2, "", []]);
		expect(got.err).toContain(words);
	});
});
