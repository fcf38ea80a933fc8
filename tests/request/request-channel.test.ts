/** The request channel (contract 08 §6.2, §6.4; 05 §13.2). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { requestChannel } from "../../monitor/_request/dispatch.ts";
import {
	fromRaw,
	readAnswered,
	renderRequest,
	toRaw,
	withReply,
} from "../../monitor/_state/request-document.ts";
import {
	parseRequestHead,
	REQUEST_STATES,
} from "../../monitor/_state/requests.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const S = "/root/monitor/.state";
const INBOX = `${S}/requests`;

interface Rig {
	readonly doors: FakeDoors;
	ask(...argv: string[]): Promise<{
		readonly rc: number;
		readonly out: string;
		readonly bytes: Buffer;
		readonly err: string;
	}>;
	/** The watcher's part. */
	claim(id: string): void;
	names(): readonly string[];
	stdin: Uint8Array;
}

function rigOf(env: Readonly<Record<string, string>> = {}): Rig {
	const doors = fakeDoors({
		now: 1_785_000_000,
		auto: true,
		proc: { env: { NEXUS_ROOT: "/root", HOME: "/h", ...env } },
	});
	doors.files.seedDir("/root");
	const rig: Rig = {
		doors,
		stdin: new Uint8Array(),
		claim: (id) =>
			void doors.files.rename(
				`${INBOX}/${id}.new.md`,
				`${INBOX}/${id}.claimed.md`,
			),
		names: () => doors.files.paths(INBOX).map((p) => p.slice(INBOX.length + 1)),
		ask: async (...argv) => {
			const parts: Uint8Array[] = [];
			const err: string[] = [];
			const rc = await requestChannel(argv, {
				doors,
				codeRoot: "/code",
				out: (line) => parts.push(Buffer.from(`${line}\n`)),
				outBytes: (bytes) => parts.push(bytes),
				err: (line) => err.push(line),
				stdin: async () => rig.stdin,
			});
			const bytes = Buffer.concat(parts);
			return {
				rc,
				bytes,
				out: bytes.toString().trimEnd(),
				err: err.join("\n"),
			};
		},
	};
	return rig;
}
async function filed(rig: Rig, ...more: string[]): Promise<string> {
	const { out } = await rig.ask(
		"file",
		"--origin",
		"alice",
		"--slug",
		"dup",
		"--message",
		"What now?",
		...more,
	);
	return out;
}
async function claimed(rig: Rig, ...more: string[]): Promise<string> {
	const id = await filed(rig, ...more);
	rig.claim(id);
	return id;
}
const T = new Date(1_785_000_000_000).toISOString().replace(/[-:]|\.\d+/g, "");

describe("file", () => {
	test("prints the id alone, and a second one of the same second gets a number", async () => {
		const rig = rigOf();
		expect(await filed(rig)).toBe(`${T}-alice-dup`);
		expect(await filed(rig)).toBe(`${T}-alice-dup-01`);
		expect(rig.names()).toEqual([
			`${T}-alice-dup-01.new.md`,
			`${T}-alice-dup.new.md`,
		]);
	});

	test("writes head, first line and the whole text", async () => {
		const rig = rigOf();
		rig.stdin = Buffer.from('\n  First.\nSecond \\n "x" {y}\n\n');
		const { out: id } = await rig.ask(
			"file",
			"--origin",
			"a",
			"--slug",
			"my slug.x",
			"--kind",
			"spawn-skeptic",
			"--priority",
			"high",
			"--reply",
			"required",
			"--no-publish",
			"-",
		);
		expect(id).toEndWith("-my_slug_x");
		const text = rig.doors.files.text(`${INBOX}/${id}.new.md`);
		expect(text).toBe(
			`---\nrequest: ${id}\norigin: a\nkind: spawn-skeptic\nreply: required\ncreated: ${rig.doors.clock.iso()}\npriority: high\npublish: false\nstate: new\n---\n\n## Request\n\n  First.\n\n## Details\n\n\n  First.\nSecond \\n "x" {y}\n\n`,
		);
		expect(parseRequestHead(text)).toMatchObject({
			request: id,
			origin: "a",
			reply: "required",
		});
	});

	test.each([
		["optional", []],
		["none", []],
		["required", ["reply: required"]],
	] as const)("a reply that is %s: %j in the head", async (reply, lines) => {
		const rig = rigOf();
		const id = await filed(rig, "--reply", reply);
		const text = rig.doors.files.text(`${INBOX}/${id}.new.md`);
		expect([...(text.match(/^reply:.*$/gm) ?? [])]).toEqual([...lines]);
		expect(text).toContain("kind: question\n");
		expect(text).toContain("priority: normal\npublish: true\nstate: new\n");
	});

	test("takes its text from a file", async () => {
		const rig = rigOf();
		rig.doors.files.seed("/q.md", "from a file\n");
		const file = ["file", "--origin", "a", "--slug", "s", "--file", "/q.md"];
		const { out: id } = await rig.ask(...file);
		const text = rig.doors.files.text(`${INBOX}/${id}.new.md`);
		expect(text).toEndWith("\n## Details\n\nfrom a file\n");
	});

	test("once, a second call gets the first one's id, whatever became of it; other slugs are others", async () => {
		const rig = rigOf();
		const once = ["file", "--once", "--origin", "a", "--message", "x"];
		const first = await rig.ask(...once, "--slug", "k");
		await rig.doors.clock.advance(5000);
		expect(await rig.ask(...once, "--slug", "k")).toEqual(first);
		await rig.ask("ack", first.out);
		expect(await rig.ask(...once, "--slug", "k")).toEqual(first);
		const other = await rig.ask(...once, "--slug", "k-k");
		expect(other.out).not.toBe(first.out);
	});

	test("a text that is not as long as it was said to be is refused", async () => {
		const rig = rigOf();
		const file = ["file", "--origin", "a", "--slug", "s", "--message", "x"];
		expect(await rig.ask(...file, "--bytes", "2")).toMatchObject({ rc: 1 });
		expect(await rig.ask(...file, "--bytes", "1")).toMatchObject({ rc: 0 });
	});

	test("without --origin it is the caller's window that asks, in the alphabet of origins", async () => {
		const rig = rigOf({ NEXUS_WORKER_WINDOW: "work.1" });
		const filed = await rig.ask("file", "--slug", "s", "--message", "x");
		expect(filed.out).toEndWith("-work_1-s");
		const nobody = await rigOf().ask("file", "--slug", "s", "--message", "x");
		expect(nobody.rc).toBe(1);
	});

	test.each([
		["a foreign origin", ["--origin", "a/b", "--slug", "s", "--message", "x"]],
		["no slug", ["--origin", "a", "--message", "x"]],
		[
			"a foreign kind",
			["--origin", "a", "--slug", "s", "--kind", "X", "--message", "x"],
		],
		["a blank text", ["--origin", "a", "--slug", "s", "--message", " \n"]],
		["no text", ["--origin", "a", "--slug", "s"]],
		["two texts", ["--origin", "a", "--slug", "s", "--message", "x", "-"]],
		[
			"a foreign priority",
			["--origin", "a", "--slug", "s", "--priority", "low", "--message", "x"],
		],
		[
			"a foreign reply",
			["--origin", "a", "--slug", "s", "--reply", "soon", "--message", "x"],
		],
		[
			"a kind that begins foreign",
			["--origin", "a", "--slug", "s", "--kind", "9x", "--message", "x"],
		],
		[
			"a kind that ends foreign",
			["--origin", "a", "--slug", "s", "--kind", "xX", "--message", "x"],
		],
		[
			"no number of bytes",
			["--origin", "a", "--slug", "s", "--bytes", "1k", "--message", "x"],
		],
		[
			"a file that is not there",
			["--origin", "a", "--slug", "s", "--file", "/n"],
		],
		[
			"a word too many",
			["--origin", "a", "--slug", "s", "--message", "x", "y"],
		],
	])("%s: exit 1, nothing on disk", async (_, args) => {
		const rig = rigOf();
		expect(await rig.ask("file", ...args)).toMatchObject({ rc: 1, out: "" });
		expect(rig.doors.files.has(INBOX)).toBe(false);
	});

	test("a failure gives the reservation back", async () => {
		const rig = rigOf();
		rig.doors.files.faults.fail({ path: /\.new\.md/, code: "ENOSPC" });
		expect(
			await rig.ask("file", "--origin", "a", "--slug", "s", "--message", "x"),
		).toMatchObject({ rc: 1, out: "" });
		expect(rig.doors.files.list(`${INBOX}/.ids`)).toMatchObject({ names: [] });
	});

	test("an inbox that was named and is not there is an error", async () => {
		const rig = rigOf({ NEXUS_REQUESTS_DIR: "/gone" });
		expect((await rig.ask("list")).rc).toBe(3);
		expect((await rigOf({ NEXUS_REQUESTS_DIR: "rel" }).ask("list")).rc).toBe(2);
	});
});

describe("ack", () => {
	test("new and claimed are done; twice, or of an unknown id, is no error", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		expect(await rig.ask("ack", id)).toMatchObject({
			rc: 0,
			out: `${INBOX}/${id}.done.md`,
		});
		expect((await rig.ask("ack", id)).rc).toBe(0);
		expect((await rig.ask("ack", "unknown")).rc).toBe(0);
		expect((await rig.ask("ack", await filed(rig))).rc).toBe(0);
	});
	test.each(["replied", "done", "failed"] as const)(
		"one that is %s stays as it is: exit 0",
		async (state) => {
			const rig = rigOf();
			rig.doors.files.seed(
				`${INBOX}/x.${state}.md`,
				"---\nrequest: x\nreply: required\n---\n",
			);
			expect(await rig.ask("ack", "x")).toMatchObject({ rc: 0, out: "" });
			expect(rig.names()).toEqual([`x.${state}.md`]);
		},
	);
	test("one that wants an answer stays: exit 6", async () => {
		const rig = rigOf();
		const id = await claimed(rig, "--reply", "required");
		const ran = await rig.ask("ack", id);
		expect(ran.rc).toBe(6);
		expect(ran.err).toContain(`ng request reply ${id}`);
		expect(rig.names()).toContain(`${id}.claimed.md`);
		expect((await rig.ask("reply", id, "--message", "so")).rc).toBe(0);
		expect((await rig.ask("ack", id)).rc).toBe(0);
	});
});

describe("reply", () => {
	test("keeps every byte, in the file and beside it", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		const body = Buffer.from([
			...Buffer.from('a\\n\\\\ "q" {b}\n## Reply\n\nx'),
			0xff,
			0x00,
			0x0a,
		]);
		rig.stdin = body;
		expect(await rig.ask("reply", id, "-")).toMatchObject({
			rc: 0,
			out: `${INBOX}/${id}.replied.md`,
		});
		const read = rig.doors.files.readBytes(`${INBOX}/${id}.replied.md`, 9999);
		const document =
			read.kind === "ok" ? Buffer.from(read.bytes) : Buffer.alloc(0);
		expect(document.subarray(-body.length)).toEqual(body);
		const text = document.toString("latin1");
		expect(text).toContain(
			"state: replied\nreply:\n  status: answered\n  replied_at: ",
		);
		expect(text).toContain(
			`  publish: true\n  body_bytes: ${body.length}\n---\n`,
		);
		expect((await rig.ask("fetch", id, "results")).bytes).toEqual(body);
	});

	test("says who works on it", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		await rig.ask(
			"reply",
			id,
			"--worker",
			"w",
			"--dir",
			"/d",
			"--issue",
			"a/b#3",
		);
		const text = rig.doors.files.text(`${INBOX}/${id}.replied.md`);
		expect(text).toContain("  status: spawned\n");
		expect(text).toContain(
			"  worker:\n    window: w\n    directory: /d\n    session_id: \n  github_issue: a/b#3\n---\n",
		);
		expect(text).toEndWith("\n## Reply\n\n_(no text)_\n");
		const other = await claimed(rig);
		const told = ["--status", "no good", "--message", "x"];
		expect((await rig.ask("reply", other, ...told)).rc).not.toBe(0);
		await rig.ask("reply", other, "--status", "partly-done", "--message", "x");
		expect(rig.doors.files.text(`${INBOX}/${other}.replied.md`)).toContain(
			"  status: partly-done\n",
		);
	});

	test("takes its results and its progress from files; unpublished, it says where they lie", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		rig.doors.files.seed("/r.md", "all of it\n");
		rig.doors.files.seed("/p.md", "half of it\n");
		const files = ["--results", "/r.md", "--progress", "/p.md"];
		const words = ["--no-publish", "--message", "in short", ...files];
		expect((await rig.ask("reply", id, ...words)).rc).toBe(0);
		const beside = (name: string) => `${INBOX}/replies/${id}/${name}.md`;
		expect(rig.doors.files.text(beside("results"))).toBe("all of it\n");
		expect(rig.doors.files.text(beside("progress"))).toBe("half of it\n");
		const text = rig.doors.files.text(`${INBOX}/${id}.replied.md`);
		expect(text).toContain("  publish: false\n");
		expect(text).toContain(`  progress_path: ${beside("progress")}\n`);
		expect(text).toContain(`  results_path: ${beside("results")}\n`);
		expect((await rig.ask("fetch", id, "results")).out).toBe("all of it");
	});

	test("only once, and only of what is claimed: exit 6; unknown: 2", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		await rig.ask("reply", id, "--message", "one");
		expect((await rig.ask("reply", id, "--message", "two")).rc).toBe(6);
		expect(
			(await rig.ask("reply", await filed(rig), "--message", "x")).rc,
		).toBe(6);
		expect((await rig.ask("reply", "unknown", "--message", "x")).rc).toBe(2);
		expect((await rig.ask("fetch", id, "results")).out).toBe("one");
	});

	test("--amend replaces the answer, and nothing else", async () => {
		const rig = rigOf();
		const id = await claimed(rig, "--no-publish");
		await rig.ask("reply", id, "--message", "one ## Reply");
		const before = rig.doors.files.text(`${INBOX}/${id}.replied.md`);
		expect((await rig.ask("reply", id, "--amend", "--message", "two")).rc).toBe(
			0,
		);
		const after = rig.doors.files.text(`${INBOX}/${id}.replied.md`);
		expect(after).toContain("  amended_at: ");
		expect(after).toContain("  publish: false\n");
		expect(after.split("\nreply:\n")[0]).toBe(
			before.split("\nreply:\n")[0] ?? "",
		);
		expect((await rig.ask("fetch", id, "results")).out).toBe("two");
		rig.doors.files.seed(`${INBOX}/replies/${id}/results.md`, "tampered");
		expect(
			(await rig.ask("reply", id, "--amend", "--message", "three")).rc,
		).toBe(6);
		expect(
			(await rig.ask("reply", await claimed(rig), "--amend", "--message", "x"))
				.rc,
		).toBe(6);
	});

	test("a request that moves under the hand is looked for once more, then lost: exit 7", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		rig.doors.files.faults.fail({
			path: `${INBOX}/${id}.claimed.md`,
			ops: ["rename"],
			code: "ENOENT",
		});
		expect((await rig.ask("reply", id, "--message", "x")).rc).toBe(7);
	});

	test("a text that cannot be moved in gives the request back as it was: exit 1", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		const before = rig.doors.files.text(`${INBOX}/${id}.claimed.md`);
		rig.doors.files.faults.fail({
			path: /\.draft-/,
			ops: ["rename"],
			code: "EACCES",
		});
		expect((await rig.ask("reply", id, "--message", "x")).rc).toBe(1);
		expect(rig.names()).toEqual([`${id}.claimed.md`]);
		expect(rig.doors.files.text(`${INBOX}/${id}.claimed.md`)).toBe(before);
	});

	test.each([
		["a foreign id", ["../x", "--message", "x"], 1],
		["no id", ["--message", "x"], 1],
		["two texts", ["ID", "--message", "x", "-"], 1],
		["a file that is not there", ["ID", "--file", "/none"], 1],
		["an issue of no repository", ["ID", "--issue", "3", "--message", "x"], 1],
		[
			"an issue with an ending",
			["ID", "--issue", "o/r#3x", "--message", "x"],
			1,
		],
		[
			"an issue with a beginning",
			["ID", "--issue", "-/o/r#3", "--message", "x"],
			1,
		],
		["a word too many", ["ID", "now", "--message", "x"], 1],
		["an amendment of nothing", ["unknown", "--amend", "--message", "x"], 2],
	])("%s: exit code, and the request stays", async (_, args, rc) => {
		const rig = rigOf();
		const id = await claimed(rig);
		const argv = args.map((arg) => (arg === "ID" ? id : arg));
		expect(await rig.ask("reply", ...argv)).toMatchObject({ rc, out: "" });
		expect(rig.names()).toEqual([`${id}.claimed.md`]);
	});

	test("an amendment says where the answer lies", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		await rig.ask("reply", id, "--message", "one");
		rig.doors.files.seed("/two.md", "two");
		expect(
			await rig.ask("reply", id, "--amend", "--file", "/two.md"),
		).toMatchObject({ rc: 0, out: `${INBOX}/${id}.replied.md` });
	});

	test("a death at any change leaves no answer, or a whole one", async () => {
		for (let at = 0; at < 8; at++) {
			const rig = rigOf();
			const id = await claimed(rig);
			rig.doors.files.faults.crashAt(at);
			await rig.ask("reply", id, "--message", "all of it").catch(() => {});
			rig.doors.files.reboot();
			const { out, rc } = await rig.ask("fetch", id, "results");
			expect([0, 3]).toContain(rc);
			if (rc === 0) expect(out).toBe("all of it");
		}
	});
});

describe("fail", () => {
	test("says why; repeated it is done already; an answered one is not failed", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		expect((await rig.ask("fail", id)).rc).toBe(1);
		expect((await rig.ask("fail", id, "--reason", "no é")).rc).toBe(0);
		const text = rig.doors.files.text(`${INBOX}/${id}.failed.md`);
		expect(text).toContain("state: failed\nfailed_at: ");
		expect(text).toEndWith("\n## Failure\n\nno é\n");
		expect((await rig.ask("fail", id, "--reason", "x")).rc).toBe(0);
		const other = await claimed(rig);
		await rig.ask("reply", other, "--message", "x");
		expect((await rig.ask("fail", other, "--reason", "x")).rc).toBe(6);
	});
});

describe("await", () => {
	test.each([
		["replied", 0],
		["done", 0],
		["failed", 2],
		["claimed", 4],
		["none", 2],
	])("on %s exits %i", async (state, rc) => {
		const rig = rigOf();
		const id = await claimed(rig);
		if (state === "replied") await rig.ask("reply", id, "--message", "so");
		if (state === "done") await rig.ask("ack", id);
		if (state === "failed") await rig.ask("fail", id, "--reason", "no");
		const asked = state === "none" ? "nobody" : id;
		expect((await rig.ask("await", asked, "--timeout", "0")).rc).toBe(rc);
	});

	test("an acknowledged one is a line, a failed one its file", async () => {
		const rig = rigOf();
		const done = await claimed(rig);
		await rig.ask("ack", done);
		expect((await rig.ask("await", done)).out).toBe(
			`request ${done} was acknowledged, without an answer`,
		);
		const failed = await claimed(rig);
		await rig.ask("fail", failed, "--reason", "no such data");
		expect((await rig.ask("await", failed)).out).toEndWith(
			"\n## Failure\n\nno such data",
		);
	});

	test.each([
		["--timeout", "soon"],
		["--interval", "0"],
		["--interval", "1.5"],
	])("%s %s is refused at once: exit 1", async (flag, word) => {
		const rig = rigOf();
		const id = await claimed(rig);
		const began = rig.doors.clock.now();
		expect((await rig.ask("await", id, flag, word)).rc).toBe(1);
		expect(rig.doors.clock.now()).toBe(began);
	});

	test("waits until the answer comes", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		const { sleep } = rig.doors.clock;
		let waits = 0;
		rig.doors.clock.sleep = async (ms, signal) => {
			if (++waits === 3) await rig.ask("reply", id, "--message", "at last");
			return sleep(ms, signal);
		};
		const ran = await rig.ask("await", id);
		expect(ran.rc).toBe(0);
		expect(ran.out).toEndWith("at last");
		expect(waits).toBe(3);
	});

	test.each([
		["half an hour, every five seconds", [], 1800, 5],
		["as told", ["--timeout", "9", "--interval", "3"], 9, 3],
	] as const)("gives up after %s", async (_name, more, seconds, every) => {
		const rig = rigOf();
		const id = await claimed(rig);
		const { clock } = rig.doors;
		const began = clock.now();
		const slept = new Set<number>();
		const { sleep } = clock;
		clock.sleep = (ms, signal) => {
			slept.add(ms);
			return sleep(ms, signal);
		};
		expect((await rig.ask("await", id, ...more)).rc).toBe(4);
		expect(clock.now() - began).toBe(seconds);
		expect([...slept]).toEqual([every * 1000]);
	});

	test("is its origin's, when the caller says who it is: exit 5", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		expect(
			(await rig.ask("await", id, "--timeout", "0", "--principal", "bob")).rc,
		).toBe(5);
		expect(
			(await rig.ask("fetch", id, "status", "--principal", "bob")).rc,
		).toBe(5);
		rig.doors.proc.env.NEXUS_REQUEST_PRINCIPAL = "alice";
		expect((await rig.ask("fetch", id, "status")).out).toBe("claimed");
	});
});

describe("fetch", () => {
	test("results of what is not answered yet: 3; a foreign selector or id: 1; unknown: 2", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		expect((await rig.ask("fetch", id, "results")).rc).toBe(3);
		expect((await rig.ask("fetch", id, "secrets")).rc).toBe(1);
		expect((await rig.ask("fetch", "../x", "status")).rc).toBe(1);
		expect((await rig.ask("fetch", "unknown", "status")).rc).toBe(2);
	});

	test.each([
		["new", "new"],
		["claimed", "claimed"],
		["replying", "claimed"],
		["failing", "claimed"],
		["replied", "replied"],
		["done", "done"],
		["failed", "failed"],
	])("the status of one that is %s: %s", async (state, word) => {
		const rig = rigOf();
		rig.doors.files.seed(`${INBOX}/x.${state}.md`, "---\nrequest: x\n---\n");
		expect(await rig.ask("fetch", "x", "status")).toMatchObject({
			rc: 0,
			out: word,
		});
	});

	test("progress can be read while the work goes on, results cannot", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		for (const name of ["progress", "results"])
			rig.doors.files.seed(`${INBOX}/replies/${id}/${name}.md`, "half of it");
		expect(await rig.ask("fetch", id, "progress")).toMatchObject({
			rc: 0,
			out: "half of it",
		});
		expect(await rig.ask("fetch", id, "results")).toMatchObject({
			rc: 3,
			out: "",
		});
	});

	test("a symlink that leaves the inbox is refused", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		await rig.ask("reply", id, "--message", "x");
		rig.doors.files.seed("/etc/secret", "S");
		rig.doors.files.remove(`${INBOX}/replies/${id}/results.md`);
		rig.doors.files.seedLink(
			"/etc/secret",
			`${INBOX}/replies/${id}/results.md`,
		);
		expect(await rig.ask("fetch", id, "results")).toMatchObject({
			rc: 2,
			out: "",
		});
		rig.doors.files.remove(`${INBOX}/replies/${id}/results.md`);
		expect((await rig.ask("fetch", id, "results")).out).toBe("x");
	});

	test("a document of another hand: its only section, or nothing", async () => {
		const rig = rigOf();
		rig.doors.files.seed(
			`${INBOX}/a.replied.md`,
			"---\nrequest: a\n---\ntext\n## Reply\n\nmine\n",
		);
		rig.doors.files.seed(
			`${INBOX}/b.replied.md`,
			"---\nrequest: b\n---\n## Reply\n\nx\n## Reply\n\ny\n",
		);
		expect((await rig.ask("fetch", "a", "results")).out).toBe("mine");
		expect((await rig.ask("fetch", "b", "results")).rc).toBe(2);
	});

	test("progress of what is answered points to the results", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		expect((await rig.ask("fetch", id, "progress")).rc).toBe(3);
		await rig.ask("reply", id, "--message", "x");
		expect((await rig.ask("fetch", id, "progress")).out).toContain(
			`ng request fetch ${id} results`,
		);
	});
});

describe("list", () => {
	test("a row each, states on their way among the claimed", async () => {
		const rig = rigOf();
		const id = await claimed(rig);
		rig.doors.files.seed(
			`${INBOX}/x.replying.md`,
			"---\nrequest: x\norigin: e\tvil\n---\n",
		);
		rig.doors.files.seed(`${INBOX}/not-a-request.md`, "");
		const { out } = await rig.ask("list", "--state", "claimed");
		expect(out.split("\n")).toEqual([
			`[claimed ] ${`${id}.claimed`.padEnd(50)} origin=alice kind=question`,
			`[replying] ${"x.replying".padEnd(50)} origin=e vil kind=unknown`,
		]);
		expect((await rig.ask("list", "--state", "done")).out).toBe("");
		expect((await rig.ask("list", "--state", "replying")).rc).toBe(1);
	});

	test.each([
		[
			"all",
			["claimed", "done", "failed", "failing", "new", "replied", "replying"],
		],
		["claimed", ["claimed", "failing", "replying"]],
		["new", ["new"]],
		["replied", ["replied"]],
		["done", ["done"]],
		["failed", ["failed"]],
	])("of %s: %j", async (wanted, states) => {
		const rig = rigOf();
		for (const state of REQUEST_STATES)
			rig.doors.files.seed(
				`${INBOX}/${state}.${state}.md`,
				"---\nrequest: x\n---\n",
			);
		const { rc, out } = await rig.ask("list", "--state", wanted);
		expect(rc).toBe(0);
		const rows = out.split("\n");
		expect(rows.map((row) => /^\[(\S+) *\]/.exec(row)?.[1] ?? row)).toEqual(
			states,
		);
		if (wanted === "all") expect((await rig.ask("list")).out).toBe(out);
	});

	test("show, reqfile and dir", async () => {
		const rig = rigOf();
		const id = await filed(rig);
		expect((await rig.ask("show", id)).out).toContain("What now?");
		expect((await rig.ask("reqfile", id)).out).toBe(`${INBOX}/${id}.new.md`);
		expect((await rig.ask("dir")).out).toBe(INBOX);
		expect((await rig.ask("show", "unknown")).rc).toBe(2);
	});
});

test("an answer comes back out of the document as it went in, whatever it holds", () => {
	const bytes = fc.uint8Array({ maxLength: 200 });
	fc.assert(
		fc.property(bytes, bytes, (question, answer) => {
			const request = renderRequest({
				id: "i",
				origin: "o",
				kind: "k",
				isReplyRequired: true,
				created: "t",
				priority: "normal",
				publish: true,
				body: toRaw(question),
			});
			const given = {
				status: "answered",
				repliedAt: "t",
				amendedAt: null,
				publish: true,
				worker: null,
				places: [],
				body: toRaw(answer),
			};
			const document = withReply(request, given);
			const read = document === null ? null : readAnswered(document);
			expect(read === null ? null : Buffer.from(fromRaw(read.body))).toEqual(
				Buffer.from(answer),
			);
		}),
	);
});

test("a verb that is none", async () => {
	expect((await rigOf().ask("nope")).rc).toBe(1);
	expect((await rigOf().ask("constructor")).rc).toBe(1);
	expect((await rigOf().ask()).rc).toBe(1);
	expect(await rigOf().ask("--help")).toMatchObject({
		rc: 0,
		out: expect.stringMatching(/^usage: ng request/),
	});
});
