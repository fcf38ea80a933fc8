/** The skeptic channel (contract 08 §7): a reviewer asks, the reviewed worker answers. */
import { describe, expect, test } from "bun:test";
import { skepticChannel } from "../../monitor/_skeptic/dispatch.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const S = "/root/monitor/.state";
/** A name with a dot: the folder is named by the key, everything said by the name. */
const DIR = `${S}/skeptic/work%2E1`;
const MARKER = `${S}/skeptic/pending/work%2E1`;

function rigOf() {
	const doors: FakeDoors = fakeDoors({
		now: 1_785_000_000,
		auto: true,
		proc: {
			env: { NEXUS_ROOT: "/root", HOME: "/h", NEXUS_WORKER_WINDOW: "work.1" },
		},
	});
	doors.files.seedDir("/root");
	const read = (path: string) => {
		const found = doors.files.read(path);
		return found.kind === "ok" ? found.text : null;
	};
	const ask = async (...argv: string[]) => {
		const out: string[] = [];
		const err: string[] = [];
		const rc = await skepticChannel(argv, {
			doors,
			codeRoot: "/code",
			out: (line) => out.push(line),
			err: (line) => err.push(line),
			stdin: async () => "from stdin\n",
		});
		return { rc, out: out.join("\n"), err: err.join("\n") };
	};
	/** The reviewed worker does not end its own review. */
	const close = async () => {
		const { env } = doors.proc;
		Object.assign(env, { NEXUS_WORKER_WINDOW: "work.1-skeptic" });
		try {
			return await ask("close", "work.1");
		} finally {
			Object.assign(env, { NEXUS_WORKER_WINDOW: "work.1" });
		}
	};
	return {
		doors,
		ask,
		close,
		question: (slug = "why") =>
			ask("ask", "work.1", slug, "--message", `${slug}?`),
		names: () =>
			doors.files
				.paths(DIR)
				.map((path) => path.slice(DIR.length + 1))
				.filter((name) => name.endsWith(".md") || name === "DONE"),
		ledger: () => read(`${S}/machine-input.tsv`) ?? "",
		read,
	};
}

test("a question goes from open over ack to answered, and each side learns of it", async () => {
	const rig = rigOf();
	expect(await rig.ask("init", "work.1")).toMatchObject({ rc: 0, out: DIR });
	expect(await rig.question("a b")).toMatchObject({
		rc: 0,
		out: "req-001-a_b",
	});
	expect(await rig.question()).toMatchObject({ out: "req-002-why" });
	expect(await rig.ask("status", "work.1")).toMatchObject({
		out: "open=2 ack=0 answered=0 total=2 done=0",
	});

	const seen = await rig.ask("await");
	expect(seen).toMatchObject({
		rc: 0,
		out: `${DIR}/req-001-a_b.ack.md\n${DIR}/req-002-why.ack.md`,
	});
	expect(
		await rig.ask("await-answer", "work.1", "1", "--timeout", "0"),
	).toMatchObject({ rc: 4 });
	const answered = await rig.ask("answer", "work.1", "1", "-");
	expect(answered).toMatchObject({
		rc: 0,
		out: `${DIR}/req-001-a_b.answered.md`,
	});
	expect(rig.read(answered.out)).toBe("a b?\n\n## Answer\n\nfrom stdin\n");
	expect(await rig.ask("await-answer", "work.1", "req-001-a_b")).toMatchObject({
		rc: 0,
		out: answered.out,
	});
	expect(await rig.ask("list")).toMatchObject({
		out: "work.1 open=0 ack=1 answered=1 total=2 done=0",
	});
	expect(rig.ledger()).toBe(
		"work.1\t1785000000\tskeptic-await-ack\nwork.1\t1785000000\tskeptic-answer\n",
	);
});

test.each([
	[[], ["req-003-three.open.md"]],
	[["--state", "open"], ["req-003-three.open.md"]],
	[["--state", "ack"], ["req-002-two.ack.md"]],
	[["--state", "answered"], ["req-001-one.answered.md"]],
	[
		["--state", "all"],
		["req-001-one.answered.md", "req-002-two.ack.md", "req-003-three.open.md"],
	],
])("poll %j", async (flags, names) => {
	const rig = rigOf();
	await rig.question("one");
	await rig.question("two");
	await rig.ask("await");
	await rig.ask("answer", "work.1", "1", "--message", "x");
	await rig.question("three");
	expect(await rig.ask("poll", "work.1", ...flags)).toMatchObject({
		rc: 0,
		out: names.map((name) => `${DIR}/${name}`).join("\n"),
	});
});

test("a round that is under way keeps its depth; a new one has the depth 1", async () => {
	const rig = rigOf();
	await rig.ask("init", "work.1");
	expect(rig.read(MARKER)).toBe("1\n");
	await rig.ask("init", "work.1", "--depth", "3");
	expect(rig.read(MARKER)).toBe("1\n");
});

describe("await", () => {
	test("once, without a question, is exit 4, and touches the marker", async () => {
		const rig = rigOf();
		await rig.ask("init", "work.1");
		await rig.doors.clock.advance(500_000);
		expect(await rig.ask("await", "--once")).toMatchObject({ rc: 4, out: "" });
		const touched = rig.doors.files.stat(MARKER);
		expect(touched).toMatchObject({ stat: { mtimeMs: 1_785_000_500_000 } });
	});

	test("never makes a marker: one that comes back would keep the window for ever", async () => {
		const rig = rigOf();
		await rig.ask("await", "--once");
		expect(rig.read(MARKER)).toBeNull();
	});

	test("says DONE with exit 10 once the review is closed, and the marker is gone", async () => {
		const rig = rigOf();
		await rig.ask("init", "work.1");
		await rig.question();
		expect(await rig.close()).toMatchObject({ rc: 0 });
		expect(rig.read(MARKER)).toBeNull();
		expect(await rig.ask("await")).toMatchObject({ rc: 10, out: "DONE" });
		expect(await rig.question()).toMatchObject({ rc: 10 });
	});

	test("ignores a DONE that is older than the marker: it belongs to an earlier round", async () => {
		const rig = rigOf();
		await rig.close();
		await rig.doors.clock.advance(60_000);
		await rig.ask("init", "work.1", "--depth", "2");
		expect(rig.read(MARKER)).toBe("2\n");
		expect(await rig.ask("await", "--once")).toMatchObject({ rc: 4 });
	});
});

test("a close that dies half-way leaves a review that is over, or one that is not: never a window without either", async () => {
	for (let n = 0; n < 8; n++) {
		const rig = rigOf();
		await rig.ask("init", "work.1");
		await rig.doors.clock.advance(1000);
		rig.doors.files.faults.crashAt(n);
		await rig.close().catch(() => null);
		rig.doors.files.reboot();
		const isMarked = rig.read(MARKER) !== null;
		const isDone = (await rig.ask("status", "work.1")).out.endsWith("done=1");
		expect(isMarked || isDone).toBe(true);
	}
});

test("an answer that dies half-way is given, or can be given again", async () => {
	for (let n = 0; n < 8; n++) {
		const rig = rigOf();
		await rig.question();
		await rig.ask("await");
		rig.doors.files.faults.crashAt(n, { tear: true });
		await rig.ask("answer", "work.1", "1", "--message", "so").catch(() => null);
		rig.doors.files.reboot();
		await rig.ask("answer", "work.1", "1", "--message", "so");
		const { out } = await rig.ask("reqfile", "work.1", "1");
		expect(rig.read(out)).toBe("why?\n\n## Answer\n\nso\n");
	}
});

test("reset archives what is over and keeps what waits", async () => {
	const rig = rigOf();
	for (const slug of ["one", "two", "three"]) await rig.question(slug);
	await rig.ask("await");
	await rig.ask("answer", "work.1", "1", "--message", "x");
	await rig.question("four");
	await rig.close();
	expect(await rig.ask("reset", "work.1")).toMatchObject({
		out: "reset: 2 archived",
	});
	expect(rig.names().filter((name) => !name.startsWith("."))).toEqual([
		"req-002-two.ack.md",
		"req-003-three.ack.md",
		"req-004-four.open.md",
	]);
	expect(rig.names()).toContain(
		".stale-archive-1785000000/req-001-one.answered.md",
	);
});

describe("nudge", () => {
	const pane = (state: string) => ({
		rc: 0,
		stdout: `name=work.1 state=${state}\n`,
	});
	const rows = [
		["idle", 0, "paste"],
		["busy", 5, "skeptic-nudge-busy-skip"],
		["user-typing", 5, ""],
	] as const;
	for (const [state, rc, leaves] of rows)
		test(`into a pane that is ${state}: exit ${rc}`, async () => {
			const rig = rigOf();
			await rig.question();
			rig.doors.proc.answer(/pane-state/, pane(state));
			rig.doors.proc.answer(/paste-followup/, 0);
			expect(await rig.ask("nudge", "work.1")).toMatchObject({ rc });
			const pasted = rig.doors.proc.execs.some(({ argv }) =>
				argv.join(" ").includes("paste-followup"),
			);
			expect(pasted).toBe(leaves === "paste");
			expect(rig.ledger()).toBe(
				leaves.startsWith("skeptic") ? `work.1\t1785000000\t${leaves}\n` : "",
			);
		});

	test("twice within the interval, exit 5, unless forced; nothing open, exit 0; a failed paste, exit 3", async () => {
		const rig = rigOf();
		expect(await rig.ask("nudge", "work.1")).toMatchObject({ rc: 0 });
		await rig.question();
		rig.doors.proc.answer(/pane-state/, pane("idle"));
		rig.doors.proc.answer(/paste-followup/, 0);
		expect(await rig.ask("nudge", "work.1")).toMatchObject({ rc: 0 });
		expect(await rig.ask("nudge", "work.1")).toMatchObject({ rc: 5 });
		rig.doors.proc.answer(/paste-followup/, 1);
		expect(await rig.ask("nudge", "work.1", "--force")).toMatchObject({
			rc: 3,
		});
		rig.doors.proc.answer(/pane-state/, 3);
		expect(await rig.ask("nudge", "work.1", "--force")).toMatchObject({
			rc: 5,
		});
	});
});

test("a nudge says in the window whose channel it is about, and in the ledger who spoke", async () => {
	const rig = rigOf();
	await rig.question();
	rig.doors.proc.answer(/pane-state/, "state=idle\n");
	rig.doors.proc.answer(/paste-followup/, 0);
	const asked = await rig.ask("nudge", "helper", "--task", "work.1");
	expect(asked).toMatchObject({ rc: 0 });
	const argv = rig.doors.proc.execs.at(-1)!.argv;
	const words = argv.slice(argv.indexOf("helper"));
	expect(words).toEqual([
		"helper",
		"--message",
		expect.stringContaining("`ng skeptic await work.1`"),
		"--src",
		"skeptic-nudge",
	]);
});

test("the channel's folder and a question's file are told by name", async () => {
	const rig = rigOf();
	await rig.question();
	expect(await rig.ask("dir", "work.1")).toMatchObject({ rc: 0, out: DIR });
	for (const word of ["1", "req-001-why", "req-001-why.open.md"])
		expect((await rig.ask("reqfile", "work.1", word)).out).toBe(
			`${DIR}/req-001-why.open.md`,
		);
});

test.each([
	["two minutes", [], 120],
	["what was asked for", ["--min-interval", "7"], 7],
])("a second nudge waits for %s", async (_name, more, seconds) => {
	const rig = rigOf();
	await rig.question();
	rig.doors.proc.answer(/pane-state/, {
		rc: 0,
		stdout: "name=work.1 state=idle\n",
	});
	rig.doors.proc.answer(/paste-followup/, 0);
	const nudge = async () => (await rig.ask("nudge", "work.1", ...more)).rc;
	expect(await nudge()).toBe(0);
	await rig.doors.clock.advance((seconds - 1) * 1000);
	expect(await nudge()).toBe(5);
	await rig.doors.clock.advance(1000);
	expect(await nudge()).toBe(0);
});

test("a text comes from a message, a file or the pipe: one of them, and not blank", async () => {
	const rig = rigOf();
	rig.doors.files.seed("/q.md", "from a file\n");
	rig.doors.files.seed("/blank.md", " \n");
	const asked = async (...words: string[]) =>
		rig.ask("ask", "work.1", "why", ...words);
	const textOf = (out: string) => rig.read(`${DIR}/${out}.open.md`);
	const words = [["--message", "said"], ["--file", "/q.md"], ["-"]];
	const texts = ["said", "from a file\n", "from stdin\n"];
	for (const [n, argv] of words.entries()) {
		const { rc, out } = await asked(...argv);
		expect(rc).toBe(0);
		expect(textOf(out)).toContain(texts[n]!);
	}
	for (const argv of [
		[],
		["--message", "a", "-"],
		["--file", "/none.md"],
		["--file", "/blank.md"],
	])
		expect((await asked(...argv)).rc).not.toBe(0);
	expect(rig.names()).toHaveLength(3);
});

test.each([
	["five minutes", [], 300, true],
	["as often as it is told", ["--interval", "7", "--max-iter", "3"], 21, false],
	["in silence", ["--no-nudge"], 300, false],
	["with another patience", ["--grace", "301"], 300, false],
] as const)("reconcile looks for %s", async (_name, more, seconds, nudges) => {
	const rig = rigOf();
	await rig.question();
	rig.doors.proc.answer(/pane-state/, "state=idle\n");
	rig.doors.proc.answer(/paste-followup/, 0);
	const began = rig.doors.clock.now();
	expect((await rig.ask("reconcile", "work.1", ...more)).rc).toBe(6);
	expect(rig.doors.clock.now() - began).toBe(seconds);
	const pasted = rig.doors.proc.execs.some(({ argv }) =>
		argv.join(" ").includes("paste-followup"),
	);
	expect(pasted).toBe(nudges);
});

test("reconcile nudges after the grace, and exits 6 when a question is never acknowledged", async () => {
	const rig = rigOf();
	await rig.question();
	rig.doors.proc.answer(/pane-state/, "state=idle\n");
	rig.doors.proc.answer(/paste-followup/, 0);
	const ran = await rig.ask("reconcile", "work.1", "--max-iter", "4");
	expect(ran).toMatchObject({
		rc: 6,
		err: expect.stringContaining("never acknowledged: req-001-why"),
	});
	const pastes = rig.doors.proc.execs.filter(({ argv }) =>
		argv.join(" ").includes("paste-followup"),
	);
	expect(pastes).toHaveLength(1);
	await rig.ask("await");
	expect(await rig.ask("reconcile", "work.1")).toMatchObject({ rc: 0 });
});

test.each([
	[["what"], 1],
	[[], 1],
	[["ask", "work.1", ""], 1],
	[["ask", "../x", "slug", "--message", "a"], 1],
	[["ask", "work.1", "slug", "--message", " "], 1],
	[["answer", "work.1", "9", "--message", "a"], 2],
	[["reqfile", "work.1", "../../etc"], 2],
	[["poll", "work.1", "--state", "new"], 1],
	[["init", "work.1", "--depth", "deep"], 1],
	[["await", "--timeout", "soon"], 1],
	[["await", "--interval", "0"], 1],
	[["await-answer", "work.1", "9"], 2],
	[["reconcile", "work.1", "--grace", "x"], 1],
	[["reconcile", "work.1", "--interval", "x"], 1],
	[["reconcile", "work.1", "--max-iter", "x"], 1],
	[["nudge", "work.1", "--min-interval", "x"], 1],
	[["nudge", "a:b"], 1],
	[["close", "work.1"], 1],
] as const)("%j is refused with exit %i", async (argv, rc) => {
	expect(await rigOf().ask(...argv)).toMatchObject({ rc, out: "" });
});
