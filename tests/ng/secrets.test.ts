/** No credential of this nexus is published, by its path or by what is in the text. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { secretTextFlaw } from "../../monitor/_ng/secrets.ts";
import {
	CACHE_PATH,
	CONFIG_PATH,
	KEY_PATH,
	OPERATOR,
	PRIVATE_KEYS,
	REPO,
} from "../github/rig.ts";
import { CWD, type HubRig, hubRig, S } from "./hub-rig.ts";

const PAT = "/home/op/.claude/.nexus-user-pat";
const CLAUDE = "/home/op/.claude/.credentials.json";
const CONFIG_COPY = `${S}/config-cache.json`;
let rig: HubRig;
beforeEach(() => {
	rig = hubRig();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	rig.standIn.acts.commitFile(REPO, "README.md", "hi");
	// Of every file that holds one, with nothing in it that the text alone would show.
	for (const path of [CACHE_PATH, PAT, CLAUDE, CONFIG_COPY])
		rig.doors.files.seed(path, "{}\n");
});
afterEach(async () => {
	expect(rig.writes()).toEqual([]);
	expect(rig.standIn.problems).toEqual([]);
	await rig.close();
});

const HOLDERS = [
	[KEY_PATH, "the App's private key"],
	[CACHE_PATH, "the cache of the bot's token"],
	[CONFIG_PATH, "the configuration"],
	[CONFIG_COPY, "the configuration"],
	[PAT, "the operator's token"],
	[CLAUDE, "Claude Code's credentials"],
] as const;
/** How each verb is told to publish a file. */
const VERBS: readonly (readonly [string, (path: string) => string[]])[] = [
	["upload", (path) => ["upload", path]],
	["wrap-up", (path) => ["wrap-up", "1", path]],
	[
		"wrap-up's comment",
		(path) => [
			...["wrap-up", "1", "/n/reports/r.md"],
			...["--comment-body-file", path],
		],
	],
	["reply", (path) => ["reply", "1", "--body-file", path]],
	[
		"comment-edit",
		(path) => ["comment-edit", "7", "--force", "--body-file", path],
	],
	[
		"issue create",
		(path) => ["issue", "create", "--title", "t", "--body-file", path],
	],
	[
		"pr create",
		(path) => [
			...["pr", "create", "--head", "b"],
			...["--title", "t", "--body-file", path],
		],
	],
	["pr edit", (path) => ["pr", "edit", "1", "--body-file", path]],
];

describe.each(VERBS)("%s refuses", (_verb, argv) => {
	test.each(HOLDERS)("%s", async (path, what) => {
		const ran = await rig.ng(...argv(path));
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain(what);
		expect(ran.err).toContain("never published");
	});

	test("a key under any other name, wherever it stands in the text", async () => {
		const path = `${CWD}/notes.md`;
		rig.doors.files.seed(path, `See below.\n\n${PRIVATE_KEYS.pkcs1}\nDone.\n`);
		const ran = await rig.ng(...argv(path));
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain("a private key");
		expect(ran.err).not.toContain(PRIVATE_KEYS.pkcs1.slice(40, 80));
	});
});

test("the dashboard takes none either", async () => {
	rig.configure({ overview_issue_number: "1" });
	const ran = await rig.ng("dashboard", "put", "--body-file", CACHE_PATH);
	expect(ran).toMatchObject({ rc: 1, out: "" });
	expect(ran.err).toContain("the cache of the bot's token");
});

test("a key on standard input or in an argument is refused as well", async () => {
	const piped = await rig.ngWith(PRIVATE_KEYS.pkcs8, "reply", "1");
	expect(piped).toMatchObject({ rc: 1, out: "" });
	expect(piped.err).toContain("refused: stdin: there is a private key in it");
	for (const argv of [
		["close", "1", "--comment", PRIVATE_KEYS.pkcs8],
		["pr", "edit", "1", "--title", PRIVATE_KEYS.pkcs8],
		["pr", "edit", "1", "--title", `ghs_${"a1".repeat(18)}`],
	]) {
		const said = await rig.ng(...argv);
		expect(said).toMatchObject({ rc: 1, out: "" });
		expect(said.err).toContain("never published; nothing was sent");
	}
	const titled = await rig.ngWith(
		...(["text", "issue", "create", "--title", PRIVATE_KEYS.pkcs8] as const),
	);
	expect(titled).toMatchObject({ rc: 1, out: "" });
});

test("another name of the key's file is the key: a link in the folder, a path with dots", async () => {
	rig.doors.files.seed("/n/app.pem", "{}\n");
	rig.configure({ bot_pem_path: "app.pem" });
	rig.doors.files.seedLink("/n/app.pem", "/n/reports/fig.png");
	for (const path of ["/n/reports/fig.png", "/n/reports/../app.pem"]) {
		const ran = await rig.ng("upload", path);
		expect(ran).toMatchObject({ rc: 1, out: "" });
		expect(ran.err).toContain("the App's private key");
	}
});

describe("a text", () => {
	const escaped = PRIVATE_KEYS.pkcs8.replaceAll("\n", "\\n");
	test.each([
		["a key", PRIVATE_KEYS.pkcs8],
		["a key with CR LF", PRIVATE_KEYS.pkcs1.replaceAll("\n", "\r\n")],
		["a key in JSON", `{"private_key": "${escaped}"}`],
		["a key in a quotation", PRIVATE_KEYS.pkcs8.replaceAll("\n", "\n\t")],
		[
			"an encrypted key",
			`-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${"A0".repeat(16)}\n\n${"QUJD".repeat(16)}`,
		],
		[
			"a key of OpenSSH's",
			`-----BEGIN OPENSSH PRIVATE KEY-----\n${"b3Bl".repeat(16)}\n`,
		],
		[
			"a key of PGP's",
			`-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${"lQOY".repeat(16)}\n`,
		],
		["a token of an installation", `token=ghs_${"a1".repeat(18)} x`],
		["a person's token", `github_pat_${"a1".repeat(41)}`],
	])("with %s is refused", (_name, text) => {
		expect(secretTextFlaw(text)).toContain("never published");
		expect(secretTextFlaw(Buffer.from(text))).toContain("never published");
	});

	test.each([
		["talk of keys", "The file starts with `-----BEGIN PRIVATE KEY-----`."],
		["a key that was cut out", "-----BEGIN RSA PRIVATE KEY-----\n[redacted]\n"],
		[
			"a public key",
			`-----BEGIN PUBLIC KEY-----\n${"MIIB".repeat(20)}\n-----END PUBLIC KEY-----`,
		],
		["talk of tokens", "tokens look like ghs_… or ghs_xxxx"],
		["nothing", ""],
	])("with %s is not", (_name, text) => {
		expect(secretTextFlaw(text)).toBeNull();
	});

	test("of ten megabytes that almost match is looked through in no time to speak of", () => {
		const almost = "-----BEGIN RSA PRIVATE KEY-----\nA: \n".repeat(250_000);
		expect(secretTextFlaw(almost)).toBeNull();
	});
});
