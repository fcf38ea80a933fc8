/** `ng` as agents call it: a process, through a symlink on PATH, in a folder of its own, with a person's logins lying around. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { OPERATOR, PRIVATE_KEYS, REPO, testApp } from "../github/rig.ts";
import { type StandIn, startStandIn } from "../github/stand-in/server.ts";
import { BUN_DIR } from "../support/bun-dir.ts";

const NG = resolve(import.meta.dir, "../../monitor/ng");
let root: string;
let standIn: StandIn;

beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "ng-program-"));
	standIn = startStandIn({ app: testApp() });
	standIn.place.state.userTokens.ghp_person = OPERATOR;
	standIn.acts.createRepo(REPO);
	standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	for (const dir of ["config", "bin", "elsewhere"]) mkdirSync(join(root, dir));
	symlinkSync(NG, join(root, "bin/ng"));
	writeFileSync(join(root, "app.pem"), PRIVATE_KEYS.pkcs8, { mode: 0o600 });
	const lines = [
		...["github:", `  repo: ${REPO}`, `  user_login: ${OPERATOR}`],
		...["  bot_app_id: 123", "  bot_installation_id: 456"],
		...["  bot_pem_path: app.pem", "  bot_token_cache: token.json"],
		...["  bot_login: hub-bot", `  api_url: ${standIn.url}`],
	];
	writeFileSync(join(root, "config/nexus.yml"), `${lines.join("\n")}\n`, {
		mode: 0o600,
	});
});
afterAll(async () => {
	await standIn.stop();
	rmSync(root, { recursive: true, force: true });
});

async function ng(stdin: string, ...args: string[]) {
	const child = Bun.spawn(["ng", ...args], {
		cwd: join(root, "elsewhere"),
		env: {
			PATH: `${join(root, "bin")}:${BUN_DIR}:/usr/bin:/bin`,
			HOME: root,
			NEXUS_ROOT: root,
			GH_TOKEN: "ghp_person",
			GITHUB_TOKEN: "ghp_person",
		},
		stdin: new Blob([stdin]),
		stdout: "pipe",
		stderr: "pipe",
	});
	const [out, err, rc] = await Promise.all([
		new Response(child.stdout).text(),
		new Response(child.stderr).text(),
		child.exited,
	]);
	return { rc, out, err };
}

test("a reply is the bot's, stdout is its address, and every other line is marked as a diagnostic", async () => {
	const ran = await ng("Done.\n", "reply", "1");
	expect([ran.rc, ran.err]).toEqual([
		0,
		"ng: posting 5 bytes (5 chars) from stdin\n",
	]);
	expect(ran.out).toMatch(/^http:\S+#issuecomment-\d+\n$/);
	expect(standIn.place.state.repos[0]?.comments).toMatchObject([
		{ user: "hub-bot[bot]", body: "Done." },
	]);
	expect(standIn.requests.some((r) => r.actor === "user")).toBe(false);
	expect(standIn.problems).toEqual([]);
});

test("without its key it posts nothing, whoever else's login is at hand", async () => {
	const token = join(root, "token.json");
	const kept = readFileSync(token);
	rmSync(token);
	rmSync(join(root, "app.pem"));
	const before = standIn.requests.length;
	const ran = await ng("Done.\n", "reply", "1");
	writeFileSync(token, kept, { mode: 0o600 });
	expect([ran.rc, ran.out]).toEqual([1, ""]);
	expect(ran.err).toContain("ng: bot identity cannot be obtained");
	expect(
		ran.err
			.trimEnd()
			.split("\n")
			.every((line) => line.startsWith("ng: ")),
	).toBe(true);
	expect(standIn.requests).toHaveLength(before);
});

test("an attachment comes with the operator's own login, and its storage sees no token", async () => {
	// As the real one: a token in the environment is preferred to the login.
	writeFileSync(
		join(root, "bin/gh"),
		`#!/bin/sh\necho "\${GH_TOKEN:-\${GITHUB_TOKEN:-ghp_own}}"\n`,
		{ mode: 0o755 },
	);
	standIn.place.state.userTokens.ghp_own = OPERATOR;
	const bytes = Buffer.from([0x89, 0x50, 0, 0xff]);
	const url = standIn.acts.attach("assets/1f2e", "image/png", bytes);
	delete standIn.place.state.userTokens.ghp_person;
	const ran = await ng("", "fetch-asset", url, "--image-only");
	const path = join(root, "monitor/.state/assets/1f2e.bin");
	expect(ran).toEqual({
		rc: 0,
		out: `path=${path}\ncontent_type=image/png\nbytes=4\n`,
		err: "",
	});
	expect(readFileSync(path)).toEqual(bytes);
	expect(standIn.problems).toEqual([]);
});

test("a question and its answer, byte for byte, through the two programs", async () => {
	const { out: id } = await ng(
		"What now?\n",
		"request",
		"file",
		"--origin",
		"a",
		"--slug",
		"s",
		"-",
	);
	const file = (await ng("", "request", "reqfile", id.trim())).out.trim();
	expect(readFileSync(file, "utf8")).toEndWith("\n## Details\n\nWhat now?\n");
	expect(
		(await ng("", "request", "await", id.trim(), "--timeout", "0")).rc,
	).toBe(4);
	expect((await ng("", "request", "ack", id.trim())).rc).toBe(0);
});

test("what is told of a damaged file is marked as a diagnostic, too", async () => {
	const log = join(root, "monitor/.state/action-log.jsonl");
	mkdirSync(dirname(log), { recursive: true });
	writeFileSync(log, "");
	const { err } = await ng("", "wrap-up-check", "w");
	expect(err).toContain("is damaged");
	for (const line of err.trimEnd().split("\n"))
		expect(line).toStartWith("ng: ");
});
