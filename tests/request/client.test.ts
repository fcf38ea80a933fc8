/** `nexus-request`, from a host without nexus: the real shell program, the real channel behind a stand-in for ssh (contract 08 §6.6). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_ROOT, programPath } from "../../monitor/_sys/names.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import { waitUntil } from "../support/wait-until.ts";

const CLIENT = join(CODE_ROOT, "monitor/client/nexus-request");
/** What other end the line leads to; it breaks as often as `broken` says. */
const SSH = `#!/bin/sh
[ "$1" = far.away ] || exit 99
echo "$2" >>"$FAR/asked"
case $2 in
*"file "*-twice-*)
	if [ -s "$FAR/torn" ]; then rm "$FAR/torn"; head -c 5000 | NEXUS_ROOT="$FAR" sh -c "$2"; exit 255; fi
	NEXUS_ROOT="$FAR" sh -c "$2"; if [ -s "$FAR/breaks" ]; then sed -i 1d "$FAR/breaks"; exit 255; fi; exit 0 ;;
*-killed*) if [ -s "$FAR/broken" ]; then sed -i 1d "$FAR/broken"; exit 255; fi ;;
esac
exec env NEXUS_ROOT="$FAR" sh -c "$2"
`;

let dir: string;
let env: Record<string, string>;
let base: readonly string[];
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "nexus-client-"));
	mkdirSync(join(dir, "far"));
	writeFileSync(join(dir, "ssh"), SSH, { mode: 0o755 });
	// Its own path may hold what \`--ng\` refuses.
	symlinkSync(programPath("ng"), join(dir, "ng"));
	base = ["--host", "far.away", "--ng", join(dir, "ng"), "--origin", "laptop"];
	env = {
		PATH: `${BUN_DIR}:/usr/bin:/bin`,
		HOME: dir,
		FAR: join(dir, "far"),
		NEXUS_REQUEST_SSH: join(dir, "ssh"),
	};
});
afterAll(() => rmSync(dir, { recursive: true }));

const FAST = ["--interval", "1"];

function start(...more: string[]) {
	const child = Bun.spawn([CLIENT, ...base, ...more], {
		env,
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
	});
	const err = child.stderr.text();
	const seen = { out: "" };
	const read = (async () => {
		const words = new TextDecoder();
		for await (const part of child.stdout) seen.out += words.decode(part);
	})();
	const end = async () => {
		await read;
		return { rc: await child.exited, out: seen.out, err: await err };
	};
	const says = (text: string) => waitUntil(text, () => seen.out.includes(text));
	return { child, end, says };
}
const inbox = () => join(dir, "far/monitor/.state/requests");
const names = () => {
	try {
		return readdirSync(inbox()).filter((name) => name.endsWith(".md"));
	} catch {
		return [];
	}
};
async function arrived(slug: string): Promise<string> {
	const name = await waitUntil(`request ${slug}`, () =>
		names().find((one) =>
			RegExp(`-laptop-${slug}-[0-9a-f]{12}\\.new\\.`).test(one),
		),
	);
	return name.replace(".new.md", "");
}
/** The watcher's part. */
const claim = (id: string) =>
	renameSync(join(inbox(), `${id}.new.md`), join(inbox(), `${id}.claimed.md`));
const orchestrator = (...args: string[]) =>
	Bun.spawnSync([programPath("ng"), "request", ...args], {
		env: { ...env, NEXUS_ROOT: join(dir, "far") },
	}).exitCode;
const withoutTimes = (text: string) =>
	text.replace(/ts=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "ts=T");

describe.concurrent("one call", () => {
	test("a request is filed, taken, answered; the answer is framed by its length, whatever it holds, and told once", async () => {
		const { end, says } = start(
			"--slug",
			"answer",
			"--message",
			"What now?",
			...FAST,
		);
		const id = await arrived("answer");
		claim(id);
		await says("state=processing");
		const answer = `--- end reply-body ---\nnexus-request: state=failed id=${id} ts=T\n$(touch /tmp/x) \`id\``;
		expect(orchestrator("reply", id, "--message", answer)).toBe(0);
		const bytes = Buffer.byteLength(answer);
		const told = await end();
		expect({ ...told, out: withoutTimes(told.out) }).toEqual({
			rc: 0,
			err: "",
			out: [
				`nexus-request: state=submitted id=${id} ts=T`,
				`nexus-request: state=processing id=${id} ts=T`,
				`nexus-request: state=replied id=${id} reply_bytes=${bytes} ts=T`,
				`--- reply-body ${bytes} ---`,
				`${answer}--- end reply-body ---\n`,
			].join("\n"),
		});
		expect(await start("--id", id).end()).toEqual({ rc: 0, out: "", err: "" });
	}, 60_000);

	test.each([
		["acked", 0, ["ack"], []],
		["failed", 2, ["fail"], ["--reason", "no"]],
	])(
		"one that is %s ends with exit %i",
		async (state, rc, verb, more) => {
			const { end } = start("--slug", state, "--message", "x", ...FAST);
			const id = await arrived(state);
			claim(id);
			expect(orchestrator(...verb, id, ...more)).toBe(0);
			const told = await end();
			expect(told.rc).toBe(rc);
			expect(withoutTimes(told.out).split("\n").at(-2)).toBe(
				`nexus-request: state=${state} id=${id} ts=T`,
			);
		},
		60_000,
	);

	test("one that nobody takes ends with exit 3, and can be waited for again", async () => {
		const first = await start(
			"--slug",
			"late",
			"--message",
			"x",
			"--patience",
			"1",
			...FAST,
		).end();
		expect(first.rc).toBe(3);
		const id = /state=timeout id=(\S+) /.exec(first.out)?.[1] ?? "";
		claim(id);
		orchestrator("ack", id);
		const again = await start("--id", id, ...FAST).end();
		expect(again.rc).toBe(0);
		expect(again.out).toContain(`state=acked id=${id} `);
	}, 60_000);

	test("a line that breaks in the middle of the text, or after it was taken, files it once and whole", async () => {
		writeFileSync(join(dir, "far/torn"), "1\n");
		writeFileSync(join(dir, "far/breaks"), "1\n");
		const message = `Which seed? ${"so long ".repeat(2000)}end`;
		const asked = start("--slug", "twice", "--message", message, ...FAST);
		await asked.says("state=submitted");
		const filed = names().filter((name) => name.includes("-laptop-twice-"));
		expect(filed).toHaveLength(1);
		const id = filed[0]?.replace(/\.[a-z]+\.md$/, "") ?? "";
		expect(readFileSync(join(inbox(), `${id}.new.md`), "utf8")).toEndWith(
			message,
		);
		orchestrator("ack", id);
		expect(await asked.end()).toMatchObject({ rc: 0, err: expect.anything() });
	}, 60_000);

	test("one whose filing is not known can be asked for again by its key", async () => {
		const key = "0123456789ab";
		const once = ["--slug", "key", "--key", key, "--message", "x"];
		const first = start(...once, "--patience", "1", ...FAST);
		const again = await first.end();
		const told = await start(...once, "--patience", "1", ...FAST).end();
		const idOf = (out: string) => /submitted id=(\S+)/.exec(out)?.[1];
		expect(idOf(told.out)).toBe(idOf(again.out) as string);
		expect(names().filter((name) => name.includes(key))).toHaveLength(1);
	}, 60_000);

	test("a client that is killed, and a line that breaks, lose nothing", async () => {
		const killed = start("--slug", "killed", "--message", "x", ...FAST);
		const id = await arrived("killed");
		killed.child.kill("SIGKILL");
		claim(id);
		orchestrator("reply", id, "--message", "here");
		writeFileSync(join(dir, "far/broken"), "1\n2\n");
		const again = await start("--id", id, ...FAST).end();
		expect(again.rc).toBe(0);
		expect(again.out).toContain("--- reply-body 4 ---\nhere--- end");
	}, 60_000);
});

describe("forged fields never reach the other shell", () => {
	test.each([
		["--slug", "a;touch$IFS"],
		["--slug", "$(id)"],
		["--slug", "a\nstate: done"],
		["--slug", "--reply"],
		["--kind", "a b"],
		["--priority", "`id`"],
		["--origin", "../x"],
		["--id", "x/../../y"],
		["--key", "$(id)"],
		["--host", "-oProxyCommand=id"],
		["--host", "a b"],
		["--ng", "ng;id"],
		["--lifetime", "604801"],
		["--interval", "0"],
		["--patience", "1e9"],
	])("%s %j is refused with exit 64", async (flag, value) => {
		const asked = () => Bun.file(join(dir, "far/asked")).size;
		const before = asked();
		const ran = await start("--slug", "s", "--message", "x", flag, value).end();
		expect(ran).toMatchObject({ rc: 64, out: "" });
		expect(asked()).toBe(before);
	});

	test("and another's request is not told to this one", async () => {
		const { end } = start(
			"--slug",
			"mine",
			"--message",
			"x",
			"--patience",
			"1",
			...FAST,
		);
		const id = await arrived("mine");
		await end();
		const stranger = await start(
			"--origin",
			"stranger",
			"--id",
			id,
			...FAST,
		).end();
		expect(stranger.rc).toBe(2);
		expect(stranger.err).toContain("is of laptop, not of stranger");
	}, 60_000);
});
