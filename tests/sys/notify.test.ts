/** Notices to the operator, against a server that stands for Pushover and ntfy. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { runNotify, tooMuch } from "../../monitor/_notify/run.ts";
import { noticesSentPath } from "../../monitor/_state/notices-sent.ts";
import { readSettings } from "../../monitor/_state/settings.ts";
import { realNet } from "../../monitor/_sys/net.ts";
import { mailText } from "../../monitor/_sys/notify-mail.ts";
import { fakeDoors } from "../fakes/doors.ts";

const HOME = "/home/op";
const STATE = "/srv/nexus/monitor/.state";
const USER_KEY = `${HOME}/.claude/.nexus-pushover-user-key`;
const APP_TOKEN = `${HOME}/.claude/.nexus-pushover-app-token`;
const TOPIC = `${HOME}/.claude/.nexus-notify-token`;

const posts: { readonly path: string; readonly body: unknown }[] = [];
/** Status by path; `hang` never answers. */
let answers: Record<string, number | "hang"> = {};
const server = Bun.serve({
	hostname: "127.0.0.1",
	port: 0,
	async fetch(request) {
		const { pathname } = new URL(request.url);
		posts.push({ path: pathname, body: await request.json() });
		const status = answers[pathname] ?? 200;
		if (status === "hang") return new Promise<Response>(() => {});
		return new Response("{}", { status });
	},
});
const url = `http://127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));
beforeEach(() => {
	posts.length = 0;
	answers = {};
});

type Setup = "pushover" | "ntfy" | "desktop";

function machine(...setups: readonly Setup[]) {
	const doors = fakeDoors({
		now: 1_800_000_000,
		proc: {
			env: {
				HOME,
				NEXUS_ROOT: "/srv/nexus",
				...(setups.includes("desktop") && { NEXUS_NOTIFY_DESKTOP: "true" }),
			},
		},
	});
	const secret = (path: string, text: string, mode = 0o600) =>
		doors.files.seed(path, text, { mode });
	if (setups.includes("pushover")) {
		secret(USER_KEY, "u-key\n");
		secret(APP_TOKEN, "a-token\n", 0o400);
	}
	if (setups.includes("ntfy")) secret(TOPIC, `${url}/my-topic\n`);
	const out: string[] = [];
	const err: string[] = [];
	return {
		doors,
		out,
		err,
		secret,
		run: (...argv: string[]) =>
			runNotify(argv, {
				doors: { ...doors, net: realNet() },
				// A file that cannot be read is looked at again after a moment.
				settings: () =>
					readSettings(
						{ ...doors, clock: { ...doors.clock, sleep: async () => "slept" } },
						"/code",
						false,
					),
				out: (line) => out.push(line),
				err: (line) => err.push(line),
				pushoverApi: `${url}/pushover`,
			}),
	};
}

describe("mail", () => {
	const way = { to: "op@example.org", host: "relay.lab", port: 2525 };
	const notice = {
		title: "Fleet",
		message: "all down",
		priority: "emergency" as const,
		url: null,
		tags: [],
	};
	/** A machine whose file names a relay; every curl ends with `rc`. */
	const mailing = (rc = 0, env: Record<string, string> = {}) => {
		const m = machine();
		Object.assign(m.doors.proc.env, {
			NEXUS_EMAIL_TO: way.to,
			NEXUS_SMTP_HOST: way.host,
			NEXUS_SMTP_PORT: String(way.port),
			...env,
		});
		const sent: { argv: readonly string[]; stdin: string }[] = [];
		m.doors.proc.which = (name) => (name === "curl" ? "/usr/bin/curl" : null);
		m.doors.proc.exec = async (argv, opts) => {
			sent.push({ argv, stdin: opts?.stdin ?? "" });
			return { kind: "exited", rc, stdout: "", stderr: "" };
		};
		return { ...m, sent };
	};
	const decoded = (mail: string) =>
		Buffer.from(mail.split("\r\n\r\n")[1] ?? "", "base64").toString();

	test("carries an emergency, and nothing else", async () => {
		const m = mailing();
		expect(await m.run("t", "m")).toBe(0);
		expect(m.sent).toEqual([]);
		const more = ["--priority", "emergency", "--url", "https://x/1"];
		expect(await m.run("Fleet", "all down", ...more)).toBe(0);
		expect(m.out.at(-1)).toBe("email: accepted");
		expect(m.sent[0]?.argv.slice(1)).toEqual([
			...["-q", "--silent", "--url", "smtp://relay.lab:2525"],
			...["--mail-from", way.to, "--mail-rcpt", way.to, "--upload-file", "-"],
		]);
		const mail = m.sent[0]?.stdin ?? "";
		expect(mail).toContain("Subject: [nexus] Fleet\r\n");
		expect(decoded(mail)).toBe(
			"Event: Fleet\nIssue: https://x/1\n\nall down\n",
		);
	});

	test.each([
		["a relay that refuses", mailing(55), "email: failed: curl: exit code 55"],
		[
			"an address that is none",
			mailing(0, { NEXUS_EMAIL_TO: "-o/etc/x@y" }),
			"email: failed: notifications.email.address is no mail address",
		],
		[
			"a host that is none",
			mailing(0, { NEXUS_SMTP_HOST: "h/../x" }),
			"email: failed: notifications.email.smtp_host is no host name",
		],
	])("%s is a failure", async (_name, m, line) => {
		const more = ["--priority", "emergency", "--require-delivery"];
		expect(await m.run("t", "m", ...more)).toBe(3);
		expect(m.err).toEqual([line]);
	});

	test.each([
		["the recipient", { NEXUS_SMTP_HOST: "" }],
		["the relay", { NEXUS_EMAIL_TO: "" }],
	])("%s alone sends none", async (_name, env) => {
		const m = mailing(0, env);
		await m.run("t", "m", "--priority", "emergency");
		expect(m.sent).toEqual([]);
	});

	test("needs curl", async () => {
		const m = mailing();
		m.doors.proc.which = () => null;
		const more = ["--priority", "emergency", "--require-delivery"];
		expect(await m.run("t", "m", ...more)).toBe(4);
	});

	test("a title can neither forge a heading nor lose a letter", () => {
		const title = `Ünïcode ✓ ${"ä".repeat(60)}`;
		const text = mailText(
			{ ...notice, title, message: "→ ✓\r\n.\r\nRCPT TO:<x>" },
			way.to,
			0,
		);
		const [head = ""] = text.split("\r\n\r\n");
		const words = [...head.matchAll(/=\?UTF-8\?B\?([^?]+)\?=/g)];
		const said = words.map(([, w]) => Buffer.from(w!, "base64").toString());
		expect(said.join("")).toBe(`[nexus] ${title}`);
		expect(head).toContain("Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n");
		expect(decoded(text)).toEndWith("\n\n→ ✓\r\n.\r\nRCPT TO:<x>\n");
		for (const line of text.split("\r\n"))
			expect(line.length).toBeLessThanOrEqual(78);
	});
});

describe("which channel carries it", () => {
	test("nothing configured: nothing is sent, and that is no failure", async () => {
		const m = machine();
		expect(await m.run("t", "m")).toBe(0);
		expect(m.out).toEqual(["no channel is configured; nothing was sent"]);
		expect(await m.run("t", "m", "--require-delivery")).toBe(2);
		expect(posts).toEqual([]);
	});

	test("Pushover first, and then nobody else", async () => {
		const m = machine("pushover", "ntfy");
		expect(await m.run("Fleet", "all asleep", "--url", "https://x/1")).toBe(0);
		expect(posts).toEqual([
			{
				path: "/pushover",
				body: {
					token: "a-token",
					user: "u-key",
					title: "Fleet",
					message: "all asleep",
					priority: 0,
					url: "https://x/1",
				},
			},
		]);
		expect(m.out).toEqual(["pushover: accepted"]);
	});

	test("ntfy when Pushover fails", async () => {
		const m = machine("pushover", "ntfy");
		answers["/pushover"] = 500;
		expect(
			await m.run("Fleet", "Ünïcode ✓", "--tag", "warning", "--tag", "zzz"),
		).toBe(0);
		expect(posts[1]).toEqual({
			path: "/",
			body: {
				topic: "my-topic",
				title: "Fleet",
				message: "Ünïcode ✓",
				priority: 3,
				tags: ["warning", "zzz"],
			},
		});
		expect(m.err).toEqual(["pushover: failed: HTTP 500"]);
	});

	test.each([
		["pushover", 1],
		["ntfy", 5],
	] as const)("an emergency on %s has priority %d", async (setup, priority) => {
		await machine(setup).run("t", "m", "--priority", "emergency");
		expect(posts[0]?.body).toMatchObject({ priority });
	});

	test("a server that never answers is given up after ten seconds", async () => {
		const m = machine("ntfy");
		answers["/"] = "hang";
		const running = m.run("t", "m", "--require-delivery");
		while (posts.length === 0) await Bun.sleep(1);
		await m.doors.clock.advance(10_000);
		expect(await running).toBe(3);
		expect(m.err).toEqual(["ntfy: failed: no answer within 10000 ms"]);
	});

	test.each([
		["others may read it", "u-key", 0o640],
		["its owner may do more than read and write", "u-key", 0o700],
		["it is empty", " \n", 0o600],
	])("a credential does not count when %s", async (_why, text, mode) => {
		const m = machine("pushover", "ntfy");
		m.secret(USER_KEY, text, mode);
		await m.run("t", "m");
		expect(posts.map(({ path }) => path)).toEqual(["/"]);
	});

	test("the desktop rings beside the phone, each by its own program", async () => {
		const m = machine("ntfy", "desktop");
		m.doors.proc.programs.set("notify-send", "/bin/notify-send");
		m.doors.proc.programs.set("sandbox-notify", "/bin/sandbox-notify");
		m.doors.proc.answer("notify-send", 0);
		m.doors.proc.answer("sandbox-notify", 0);
		expect(await m.run("--", "-t", "m; rm")).toBe(0);
		expect(m.doors.proc.execs.map(({ argv }) => argv)).toEqual([
			["/bin/sandbox-notify", "-t: m; rm"],
			[
				...["/bin/notify-send", "--app-name=nexus", "--urgency=normal", "--"],
				...["-t", "m; rm"],
			],
		]);
		expect(m.out).toEqual(["ntfy: accepted", "desktop: accepted"]);
	});

	test("a desktop without a program to show it: 4 when it is required", async () => {
		const m = machine("desktop");
		expect(await m.run("t", "m", "--require-delivery")).toBe(4);
		expect(await m.run("t", "m")).toBe(0);
	});
});

describe("exit codes and words", () => {
	test.each([
		[["t"], "a title and a message are needed"],
		[["t", ""], "a title and a message are needed"],
		[["t", "m", "--priority", "high"], "--priority: expected routine"],
		[["t", "m", "--nope"], "unknown flag: --nope"],
	])("%p is refused with 1", async (argv, why) => {
		const m = machine("ntfy");
		expect(await m.run(...argv)).toBe(1);
		expect(m.err[0]).toContain(why);
		expect(posts).toEqual([]);
	});

	test("all failed: 0, or 3 when it is required; nothing of the secret address is printed", async () => {
		const m = machine();
		m.secret(TOPIC, "http://127.0.0.1:1/secret-topic");
		expect(await m.run("t", "m")).toBe(0);
		expect(await m.run("t", "m", "--require-delivery")).toBe(3);
		expect(m.err).toEqual([
			"ntfy: failed: no connection",
			"ntfy: failed: no connection",
		]);
	});

	test("quiet says nothing", async () => {
		const m = machine("ntfy");
		await m.run("t", "m", "--quiet");
		expect([...m.out, ...m.err]).toEqual([]);
	});

	test("a picture is not sent, and that is said", async () => {
		const m = machine("ntfy");
		await m.run("t", "m", "--image", "/x.png");
		expect(m.err[0]).toContain("pictures are not sent yet");
	});

	test("an alert about a broken configuration still goes out", async () => {
		const m = machine("ntfy");
		m.doors.files.seed("/srv/nexus/config/nexus.yml", "github: [", {
			mode: 0o600,
		});
		await m.run("t", "m");
		expect(posts).toHaveLength(1);
	});

	test("control characters do not reach anybody's screen", async () => {
		await machine("ntfy").run("a\u001b[2J", "x\ny\u0007");
		expect(posts[0]?.body).toMatchObject({ title: "a[2J", message: "x\ny" });
	});
});

describe("a program gone wild does not ring all night", () => {
	test("the same text goes out once in five minutes", async () => {
		const m = machine("ntfy");
		await m.run("t", "m");
		expect(await m.run("t", "m")).toBe(0);
		expect(m.err).toEqual(["not sent: the same went out within 300 s"]);
		await m.doors.clock.advance(300_000);
		await m.run("t", "m");
		expect(posts).toHaveLength(2);
	});

	test("what nobody took may be tried again at once", async () => {
		const m = machine("ntfy");
		answers["/"] = 500;
		await m.run("t", "m");
		await m.run("t", "m");
		expect(posts).toHaveLength(2);
		expect(m.doors.files.has(noticesSentPath(STATE))).toBe(false);
	});

	test("the thirteenth routine notice of an hour waits, an emergency does not", async () => {
		const m = machine("ntfy");
		for (let n = 0; n < 13; n++) await m.run("t", `m${n}`);
		expect(posts).toHaveLength(12);
		await m.run("t", "fire", "--priority", "emergency");
		expect(posts).toHaveLength(13);
		await m.doors.clock.advance(3_600_000);
		await m.run("t", "next hour");
		expect(posts).toHaveLength(14);
	});

	test("an emergency goes out after the routine notice of its words, and not the other way round", async () => {
		const m = machine("ntfy");
		await m.run("t", "m");
		await m.run("t", "m", "--priority", "emergency");
		expect(posts).toHaveLength(2);
		await m.run("t", "m", "--priority", "emergency");
		await m.run("t", "m");
		expect(posts).toHaveLength(2);
	});

	test("a repetition is delivered already, and quiet says nothing of it", async () => {
		const m = machine("ntfy");
		await m.run("t", "m");
		expect(await m.run("t", "m", "--require-delivery", "--quiet")).toBe(0);
		expect(m.err).toEqual([]);
	});

	test("what the limit holds back is not delivered: 3 when that is required", async () => {
		const m = machine("ntfy");
		for (let n = 0; n < 12; n++) await m.run("t", `m${n}`);
		expect(await m.run("t", "m12", "--require-delivery")).toBe(3);
		expect(m.err).toEqual([
			"not sent: 12 went out within the hour (notifications.max_per_hour)",
		]);
	});

	test("no limit at 0", () => {
		const many = Array.from({ length: 99 }, () => ({ at: 100, hash: "a" }));
		const notice = { title: "t", message: "m", priority: "routine" } as const;
		expect(tooMuch(many, { now: 500, notice, maxPerHour: 0 })).toBeNull();
	});
});
