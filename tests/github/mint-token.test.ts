import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mintToken } from "../../monitor/_mint-token/run.ts";
import {
	CACHE_PATH,
	CONFIG_PATH,
	KEY_PATH,
	NOW,
	openRig,
	PRIVATE_KEYS,
	type Rig,
} from "./rig.ts";

let rig: Rig;
beforeEach(() => {
	rig = openRig();
	rig.configure();
});
afterEach(() => rig.close());

async function mint(...argv: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const minted = mintToken(argv, {
		doors: rig.doors,
		codeRoot: "/code",
		out: (line) => out.push(line),
		err: (line) => err.push(line),
	});
	const rc = await rig.inTime(minted);
	return { rc, out, err: err.join("\n") };
}

test("prints a token, and nothing else", async () => {
	const got = await mint();
	expect(got).toMatchObject({ rc: 0, err: "" });
	expect(got.out).toEqual([expect.stringMatching(/^ghs_[0-9a-f]{36}$/)]);
});

test("prints the cached one without a request", async () => {
	const first = await mint();
	const before = rig.standIn.requests.length;
	expect(await mint()).toEqual(first);
	expect(rig.standIn.requests.length).toBe(before);
});

test("--jwt-only prints an App JWT, sends nothing and caches nothing", async () => {
	const { rc, out } = await mint("--jwt-only");
	const [, claims = ""] = (out[0] ?? "").split(".");
	expect(rc).toBe(0);
	expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
		iat: NOW - 30,
		exp: NOW + 570,
		iss: 123,
	});
	expect(rig.standIn.requests).toEqual([]);
	expect(rig.doors.files.has(CACHE_PATH)).toBe(false);
});

test.each([["-h"], ["--help"]])(
	"%s prints the usage on stderr",
	async (flag) => {
		const got = await mint(flag);
		expect([
			got.rc,
			got.out,
			got.err.startsWith("usage: monitor/mint-token.ts"),
		]).toEqual([0, [], true]);
	},
);

describe("on every other exit stdout is empty:", () => {
	type Spoil = (rig: Rig) => void;
	const config =
		(over: Readonly<Record<string, string>>): Spoil =>
		(r) =>
			r.configure(over);
	const env =
		(over: Readonly<Record<string, string>>): Spoil =>
		({ doors }) =>
			void Object.assign(doors.proc.env, over);
	const key =
		(text: string, mode = 0o600): Spoil =>
		({ doors }) =>
			doors.files.seed(KEY_PATH, text, { mode });
	const exchange =
		(fault: Parameters<Rig["standIn"]["faults"]["add"]>[0]["fault"]): Spoil =>
		({ standIn }) =>
			void standIn.faults.add({ on: /access_tokens/, fault });
	const ROWS: readonly (readonly [
		string,
		readonly string[],
		Spoil,
		number,
		string,
	])[] = [
		[
			"an unknown flag",
			["--frobnicate"],
			() => {},
			1,
			"unknown flag: --frobnicate",
		],
		["a positional", ["x"], () => {}, 1, "unexpected argument"],
		[
			"two modes",
			["--jwt-only", "--check-key"],
			() => {},
			1,
			"mutually exclusive",
		],
		[
			"no nexus.yml",
			[],
			({ doors }) => void doors.files.remove(CONFIG_PATH),
			2,
			CONFIG_PATH,
		],
		[
			"no nexus.yml, though the example is there",
			[],
			({ doors }) => {
				doors.files.rename(CONFIG_PATH, "/n/config/nexus.example.yml");
			},
			2,
			"no such file",
		],
		[
			"no nexus.yml beside the program",
			[],
			({ doors }) => {
				delete doors.proc.env.NEXUS_ROOT;
			},
			2,
			"config/nexus.yml not found",
		],
		[
			"a NEXUS_CONFIG that is no file",
			[],
			env({ NEXUS_CONFIG: "/elsewhere.yml" }),
			2,
			"/elsewhere.yml",
		],
		[
			"a file that cannot be used",
			[],
			({ doors }) =>
				doors.files.seed(CONFIG_PATH, "github: [", { mode: 0o600 }),
			2,
			"config: ",
		],
		[
			"no installation",
			[],
			config({ bot_installation_id: '""' }),
			2,
			"github.bot_installation_id is required",
		],
		[
			"no bot at all",
			[],
			config({
				bot_installation_id: '""',
				bot_app_id: '""',
				bot_pem_path: '""',
			}),
			2,
			"NEXUS_BOT_APP_ID",
		],
		[
			"a bad API address in the file",
			[],
			config({ api_url: "http://example.org" }),
			2,
			"github.api_url",
		],
		[
			"a bad API address in the environment",
			[],
			env({ NEXUS_GITHUB_API_URL: "http://example.org" }),
			2,
			"NEXUS_GITHUB_API_URL",
		],
		[
			"no key file",
			[],
			({ doors }) => void doors.files.remove(KEY_PATH),
			2,
			"private key not found",
		],
		[
			"a key file that cannot be read",
			["--jwt-only"],
			({ doors }) =>
				void doors.files.faults.fail({
					path: KEY_PATH,
					ops: ["read"],
					code: "EACCES",
				}),
			2,
			"not readable",
		],
		["a key that is none", [], key("hello"), 3, "cannot sign"],
		[
			"a key that is open to all",
			[],
			key(PRIVATE_KEYS.pkcs8, 0o644),
			4,
			"chmod 600",
		],
		[
			"a refused exchange",
			[],
			exchange({ kind: "unauthorized" }),
			3,
			"401: Bad credentials",
		],
		[
			"an exchange without a token",
			[],
			exchange({ kind: "answer", status: 201, body: {} }),
			3,
			"shape",
		],
		["a broken server", [], exchange({ kind: "server" }), 3, "HTTP 502"],
	];
	test.each(ROWS)("%s", async (_name, argv, spoil, rc, words) => {
		spoil(rig);
		const got = await mint(...argv);
		expect([got.rc, got.out]).toEqual([rc, []]);
		expect(got.err).toContain(words);
		expect(got.err).not.toContain("null");
	});
});

test("the environment wins over the file", async () => {
	Object.assign(rig.doors.proc.env, {
		NEXUS_BOT_APP_ID: "999",
		NEXUS_BOT_TOKEN_CACHE: "/elsewhere/token.json",
	});
	expect((await mint()).err).toContain("Integration not found");
	rig.doors.proc.env.NEXUS_BOT_APP_ID = "123";
	expect((await mint()).rc).toBe(0);
	expect(rig.doors.files.has("/elsewhere/token.json")).toBe(true);
});

test.each([
	["0600", 0o600, 0, "verdict=ok mode=0600"],
	["0640", 0o640, 5, "verdict=group-visible mode=0640"],
	["0644", 0o644, 4, "verdict=exposed mode=0644"],
])(
	"--check-key reports a key of mode %s and mints nothing",
	async (_name, mode, rc, words) => {
		rig.doors.files.seed(KEY_PATH, PRIVATE_KEYS.pkcs8, { mode });
		const got = await mint("--check-key");
		expect(got.rc).toBe(rc);
		expect([...got.out, got.err].join("\n")).toContain(
			`key: ${KEY_PATH}\n${words}`,
		);
		expect(rig.standIn.requests).toEqual([]);
		if (rc !== 0) expect(got.out).toEqual([]);
	},
);

test("a pause that others have met is honoured, and nothing is sent", async () => {
	rig.doors.files.seed(
		"/s/github-pause-app",
		`until=${NOW + 30}\narmed=${NOW}\nstreak=0\nkind=primary\n`,
	);
	expect(await mint()).toMatchObject({ rc: 3, out: [] });
	expect(rig.standIn.requests).toEqual([]);
});
