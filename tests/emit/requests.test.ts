import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { fieldOf, splitFrontmatter } from "../../monitor/_state/frontmatter.ts";
import {
	parseRequestHead,
	parseRequestName,
} from "../../monitor/_state/requests.ts";
import {
	checkRequestsDir,
	requestsDir,
} from "../../monitor/_state/requests-dir.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { type EmitRig, emitRig, requestText, STATE } from "./emit-rig.ts";

const INBOX = join(STATE, "requests");
const id = (n: number, origin = "alice") => `20260511T20000${n}Z-${origin}-dup`;
const ids = (rig: EmitRig) =>
	(rig.staged("requests_poll")?.match(/^request=\S+/gm) ?? []).map((r) =>
		r.slice("request=".length),
	);
const inbox = (rig: EmitRig) =>
	rig.files.paths(INBOX).map((p) => p.slice(INBOX.length + 1));

test.each([
	["x.new.md", { id: "x", state: "new" }],
	[
		"20260511T204201Z-a-b-01.claimed.md",
		{ id: "20260511T204201Z-a-b-01", state: "claimed" },
	],
	["x.replying.md", { id: "x", state: "replying" }],
	["x.gone.md", null],
	["..new.md", null],
	["a.b.new.md", null],
	["../x.new.md", null],
	["x.new.md.tmp.3", null],
	["x.constructor.md", null],
])("the name %s", (name, parsed) => {
	expect(parseRequestName(name)).toEqual(
		parsed as ReturnType<typeof parseRequestName>,
	);
});

describe("frontmatter", () => {
	test.each([
		["a plain field", "---\norigin: alice\n---\n", "alice"],
		["leading blanks go, trailing stay", "---\norigin: \t a \n---\n", "a "],
		["a colon in the value stays", "---\norigin: a: b\n---\n", "a: b"],
		["the first of two wins", "---\norigin: a\norigin: b\n---\n", "a"],
		["a fence with a trailing blank", "--- \norigin: a\n---\n", "a"],
		["body text supplies no field", "---\nx: y\n---\norigin: evil\n", ""],
		["a fence that never closes holds none", "---\norigin: evil\n", ""],
		["no fence", "origin: evil\n", ""],
		["an indented line is no field", "---\n origin: evil\n---\n", ""],
	])("%s", (_name, text, value) => {
		expect(fieldOf(splitFrontmatter(text), "origin")).toBe(value);
	});

	test("the summary comes from the request section alone", () => {
		const head = parseRequestHead(requestText("x", { text: "first\nsecond" }));
		expect(head.text.trim()).toStartWith("first\nsecond");
		expect(parseRequestHead("---\nrequest: x\n---\nno section\n").text).toBe(
			"",
		);
	});
});

describe("where the inbox is", () => {
	const facts = {
		env: null,
		configured: null,
		home: "/home/op",
		stateDir: STATE,
		liveStateDir: STATE,
	};
	test.each([
		["the state dir's own", {}, { kind: "ok", source: "default", dir: INBOX }],
		[
			"the environment's",
			{ env: "/in", configured: "/c" },
			{ kind: "ok", source: "env", dir: "/in" },
		],
		[
			"the config's",
			{ configured: "~/in" },
			{ kind: "ok", source: "config", dir: "/home/op/in" },
		],
		[
			"never the config's for another state dir",
			{ configured: "/in", liveStateDir: "/other" },
			{ kind: "ok", source: "default", dir: INBOX },
		],
	])("%s", (_name, part, expected) => {
		expect(requestsDir({ ...facts, ...part })).toEqual(
			expected as ReturnType<typeof requestsDir>,
		);
	});

	test("a relative one is refused with 2, one that is not there with 3", () => {
		expect(requestsDir({ ...facts, env: "in" })).toMatchObject({ rc: 2 });
		const { files } = fakeDoors();
		const named = requestsDir({ ...facts, env: "/in" });
		expect(checkRequestsDir(files, named)).toMatchObject({ rc: 3 });
		files.seedLink("/nowhere", "/in");
		expect(checkRequestsDir(files, named)).toMatchObject({ rc: 3 });
		files.remove("/in");
		files.seedDir("/in");
		expect(checkRequestsDir(files, named)).toEqual(named);
		const own = requestsDir(facts);
		expect(checkRequestsDir(files, own)).toEqual(own);
		files.seedLink("/nowhere", INBOX);
		expect(checkRequestsDir(files, own)).toMatchObject({ rc: 3 });
	});

	test("one that vanished withdraws nothing and is said once", async () => {
		const rig = emitRig({ config: { "monitor.requests.dir": "/in" } });
		rig.request(id(1), { inbox: "/in" });
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
		rig.files.removeTree("/in");
		expect((await rig.requests()).rc).toBe(3);
		await rig.requests();
		expect(ids(rig)).toEqual([id(1)]);
		expect(
			rig.log.messages().filter((l) => l.includes("is not there")),
		).toHaveLength(1);
	});
});

describe("moving files on", () => {
	test("a new request is claimed, its bytes unchanged", async () => {
		const rig = emitRig();
		rig.request(id(1));
		await rig.requests();
		expect(inbox(rig)).toEqual([`${id(1)}.claimed.md`]);
		expect(rig.files.text(join(INBOX, `${id(1)}.claimed.md`))).toBe(
			requestText(id(1)),
		);
	});

	const now = 1_800_000_000;
	const rows: [string, string, number, string, string | null][] = [
		["a new one without frontmatter fails", "new", 0, "just text\n", "failed"],
		[
			"a new one without a request: field fails",
			"new",
			0,
			"---\norigin: a\n---\n",
			"failed",
		],
		[
			"an old new one is claimed first, so that somebody sees it",
			"new",
			300_000,
			requestText("x"),
			"claimed",
		],
		[
			"a claimed one of the age fails",
			"claimed",
			259_200,
			requestText("x"),
			"failed",
		],
		[
			"a claimed one younger stays",
			"claimed",
			259_199,
			requestText("x"),
			"claimed",
		],
		[
			"half-replied, with a reply, is finished",
			"replying",
			61,
			requestText("x", { inFile: "replied" }),
			"replied",
		],
		[
			"half-replied, without one, fails",
			"replying",
			61,
			requestText("x", { inFile: "claimed" }),
			"failed",
		],
		[
			"half-replied, the word only in the body, fails",
			"replying",
			61,
			`${requestText("x")}state: replied\n`,
			"failed",
		],
		["half-failed fails", "failing", 61, requestText("x"), "failed"],
		[
			"half-replied a moment ago stays",
			"replying",
			60,
			requestText("x"),
			"replying",
		],
		[
			"done past its retention is collected",
			"done",
			259_200,
			requestText("x"),
			null,
		],
		[
			"failed past its retention is collected",
			"failed",
			259_200,
			requestText("x"),
			null,
		],
		[
			"replied past its retention is collected",
			"replied",
			259_200,
			requestText("x"),
			null,
		],
		["done before that stays", "done", 259_199, requestText("x"), "done"],
	];
	test.each(rows)("%s", async (_name, state, age, text, after) => {
		const rig = emitRig({ now });
		rig.files.seed(join(INBOX, `x.${state}.md`), text, { mtime: now - age });
		rig.files.seed(join(INBOX, "replies/x/results.md"), "r");
		rig.files.seed(join(INBOX, "replies/xx/results.md"), "r");
		rig.files.seedDir(join(INBOX, ".ids/x"));
		await rig.requests();
		const top = inbox(rig).filter((name) => !name.includes("/"));
		expect(top).toEqual(after === null ? [] : [`x.${after}.md`]);
		if (after !== null)
			expect(rig.files.text(join(INBOX, top[0] ?? ""))).toBe(text);
		expect(rig.files.has(join(INBOX, "replies/x"))).toBe(after !== null);
		expect(rig.files.has(join(INBOX, ".ids/x"))).toBe(after !== null);
		expect(rig.files.has(join(INBOX, "replies/xx"))).toBe(true);
		const said = rig.log.messages().filter((m) => m.startsWith("request x: "));
		const isNews = after !== null && after !== state && after !== "claimed";
		expect(said).toHaveLength(isNews ? 1 : 0);
	});

	test("what fails of age is still there for its producer to see", async () => {
		const rig = emitRig({ now });
		rig.request("x", { state: "claimed", mtime: now - 259_200 });
		await rig.requests();
		await rig.requests();
		expect(inbox(rig)).toEqual(["x.failed.md"]);
		expect(rig.log.messages("warn").join()).toContain(
			"request x: claimed → failed",
		);
	});

	test("nothing is too old in the grace after a clock gap", async () => {
		const rig = emitRig({ now });
		rig.request("x", { state: "claimed", mtime: now - 900_000 });
		rig.request("y", { state: "done", mtime: now - 900_000 });
		await rig.requests({ afterGap: true });
		expect(inbox(rig)).toEqual(["x.claimed.md", "y.done.md"]);
	});

	test("replied has a retention of its own", async () => {
		const rig = emitRig({
			now,
			config: { MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS: 10 },
		});
		rig.request("x", { state: "replied", mtime: now - 11 });
		rig.request("y", { state: "done", mtime: now - 11 });
		await rig.requests();
		expect(inbox(rig)).toEqual(["y.done.md"]);
	});

	test("a claim never overwrites one of the same id", async () => {
		const rig = emitRig();
		rig.request("x", { state: "claimed", text: "the first" });
		rig.request("x", { text: "the second" });
		await rig.requests();
		expect(rig.files.text(join(INBOX, "x.claimed.md"))).toContain("the first");
	});

	test("disabled: nothing is claimed, nothing is said", async () => {
		const rig = emitRig({ config: { "monitor.requests.enabled": false } });
		rig.request(id(1));
		expect(await rig.requests()).toEqual({ rc: 0, out: "" });
		expect(inbox(rig)).toEqual([`${id(1)}.new.md`]);
	});
});

describe("hostile files", () => {
	test("a symlink out of the inbox is failed, and nothing of its target is told", async () => {
		const rig = emitRig();
		rig.files.seed("/etc/secret", requestText("x", { text: "the secret" }));
		rig.files.seedLink("/etc/secret", join(INBOX, "x.new.md"));
		rig.files.seedLink("/etc/secret", join(INBOX, "y.claimed.md"));
		await rig.requests();
		expect(inbox(rig)).toEqual(["x.failed.md", "y.failed.md"]);
		expect(rig.staged("requests_poll")).toBe("");
		expect(rig.files.text("/etc/secret")).toContain("the secret");
	});

	test("a FIFO or a folder is failed without hanging", async () => {
		const rig = emitRig();
		rig.files.seedOther(join(INBOX, "fifo.new.md"));
		rig.files.seed(join(INBOX, "dir.new.md/x"), "");
		await rig.requests();
		expect(rig.files.has(join(INBOX, "fifo.failed.md"))).toBe(true);
		expect(rig.files.has(join(INBOX, "fifo.new.md"))).toBe(false);
		expect(rig.staged("requests_poll")).toBe("");
	});

	test("10 MB of details cost nothing and are not told", async () => {
		const rig = emitRig();
		rig.files.seed(
			join(INBOX, "x.new.md"),
			`${requestText("x")}${"details ".repeat(10 << 17)}`,
		);
		await rig.requests();
		expect(ids(rig)).toEqual(["x"]);
		expect(rig.staged("requests_poll")?.length).toBeLessThan(1000);
	});

	test("a request of one endless line is cut", async () => {
		const rig = emitRig();
		rig.request("x", { text: "y".repeat(1 << 20) });
		await rig.requests();
		expect(rig.staged("requests_poll")?.length).toBeLessThan(1000);
	});

	test("a claimed request that may not be read is shown all the same, a new one waits", async () => {
		const rig = emitRig();
		rig.request("x", { state: "claimed" });
		rig.request("y");
		rig.files.faults.fail({ path: /\.md$/, ops: ["read"], code: "EACCES" });
		await rig.requests();
		expect(rig.staged("requests_poll")).toStartWith("request=x origin=unknown");
		expect(inbox(rig)).toEqual(["x.claimed.md", "y.new.md"]);
	});

	test("an inbox that cannot be listed withdraws nothing", async () => {
		const rig = emitRig();
		rig.request(id(1));
		await rig.requests();
		rig.files.faults.fail({ path: INBOX, ops: ["list"], code: "EIO" });
		expect((await rig.requests()).rc).toBe(1);
		expect(ids(rig)).toEqual([id(1)]);
	});

	test("files that are no requests are left alone", async () => {
		const rig = emitRig();
		for (const name of ["README.md", "x.new.md~", "..new.md"])
			rig.files.seed(join(INBOX, name), "hi");
		await rig.requests();
		expect(inbox(rig)).toEqual(["..new.md", "README.md", "x.new.md~"]);
	});
});
