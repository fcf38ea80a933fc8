/** The two programs as processes: what they print where, and what they do not take from the environment. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramName, programArgv } from "../../monitor/_sys/names.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import { runIn } from "../support/real-root.ts";
import { OPERATOR, PRIVATE_KEYS, REPO, testApp } from "./rig.ts";
import { type StandIn, startStandIn } from "./stand-in/server.ts";

let root: string;
let standIn: StandIn;
/** A person's own logins lie around as they do on a desk. */
const AMBIENT = { GH_TOKEN: "ghp_person", GITHUB_TOKEN: "ghp_person" };

beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "github-programs-"));
	standIn = startStandIn({ app: testApp() });
	standIn.place.state.userTokens.ghp_person = OPERATOR;
	standIn.acts.createRepo(REPO);
	standIn.acts.openIssue(REPO, { user: "hub-bot[bot]", title: "One" });
	mkdirSync(join(root, "config"));
	writeFileSync(join(root, "app.pem"), PRIVATE_KEYS.pkcs1, { mode: 0o600 });
	const lines = [
		"github:",
		`  repo: ${REPO}`,
		`  user_login: ${OPERATOR}`,
		"  bot_app_id: 123",
		"  bot_installation_id: 456",
		"  bot_pem_path: app.pem",
		"  bot_login: hub-bot",
		`  api_url: ${standIn.url}`,
	];
	const file = join(root, "config/nexus.yml");
	writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
});
afterAll(async () => {
	await standIn.stop();
	rmSync(root, { recursive: true, force: true });
});

function run(
	program: ProgramName,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
) {
	const bin = BUN_DIR;
	return runIn(programArgv(process.execPath, program, args), root, {
		PATH: `${bin}:/usr/bin:/bin`,
		HOME: root,
		NEXUS_ROOT: root,
		NEXUS_STATE_DIR: join(root, "state"),
		...AMBIENT,
		...env,
	});
}

test("mint-token prints one token, made with the App's key", async () => {
	const got = await run("mintToken", []);
	expect([got.rc, got.err]).toEqual([0, ""]);
	expect(got.out).toMatch(/^ghs_[0-9a-f]{36}\n$/);
	expect(standIn.requests.at(-1)?.actor).toBe("app");
});

test("processes that start together mint once", async () => {
	rmSync(join(root, ".claude"), { recursive: true, force: true });
	const before = standIn.requests.length;
	const all = await Promise.all([1, 2, 3].map(() => run("mintToken", [])));
	expect(new Set(all.map((got) => got.out)).size).toBe(1);
	expect(standIn.requests.length).toBe(before + 1);
});

test("a failed mint prints nothing on stdout, whatever token lies around", async () => {
	rmSync(join(root, ".claude"), { recursive: true, force: true });
	const heal = standIn.faults.add({
		on: /access_tokens/,
		fault: { kind: "unauthorized" },
	});
	const got = await run("mintToken", []);
	heal();
	expect([got.rc, got.out]).toEqual([3, ""]);
	expect(got.err).toStartWith("mint-token: ");
	expect(got.err).not.toContain("ghp_person");
	expect(standIn.requests.every((r) => r.actor !== "user")).toBe(true);
});

test("assert-bot-author asks as the bot, and says whose it is", async () => {
	const url = `${standIn.place.webBase}/${REPO}/issues/1`;
	const got = await run("assertBotAuthor", [url]);
	expect(got).toEqual({
		rc: 0,
		out: "assert-bot-author: OK — authored by hub-bot[bot]\n",
		err: "",
	});
	expect(standIn.requests.at(-1)?.actor).toBe("installation");
	expect(standIn.problems).toEqual([]);
});
