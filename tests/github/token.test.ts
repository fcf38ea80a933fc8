import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verify } from "node:crypto";
import { openAppKey } from "../../monitor/_github/app-key.ts";
import { tokenProblemText } from "../../monitor/_github/token.ts";
import { tokenLockPath } from "../../monitor/_state/token-cache.ts";
import { fakeDoors } from "../fakes/doors.ts";
import {
	CACHE_PATH,
	KEY_PATH,
	NOW,
	openRig,
	PRIVATE_KEYS,
	PUBLIC_KEY,
	type Rig,
} from "./rig.ts";

const MINT = "POST /app/installations/{installation_id}/access_tokens";
let rig: Rig;
beforeEach(() => {
	rig = openRig();
});
afterEach(() => rig.close());

function mints(): number {
	return rig.standIn.requests.filter((r) => r.route === MINT).length;
}
async function token(gitHub = rig.gitHub): Promise<string> {
	const got = await gitHub.tokens.installationToken();
	if (got.kind !== "ok") throw new Error(tokenProblemText(got));
	return got.token;
}
function seedCache(cached: unknown): void {
	rig.doors.files.seed(CACHE_PATH, JSON.stringify(cached), { mode: 0o600 });
}
const OWN = () => ({
	app_id: "123",
	installation_id: "456",
	api_url: rig.standIn.url,
});

describe("the cache", () => {
	test.each([
		["has more than 300 s left", { expires_at_epoch: NOW + 301 }],
		[
			"is bound to nobody",
			{
				expires_at_epoch: NOW + 301,
				app_id: undefined,
				installation_id: undefined,
				api_url: undefined,
			},
		],
		["has its ids as numbers", { expires_at_epoch: NOW + 301, app_id: 123 }],
	])("a token that %s is served without a request", async (_name, fields) => {
		seedCache({ token: "ghs_cached", ...OWN(), ...fields });
		expect(await token()).toBe("ghs_cached");
		expect(rig.standIn.requests).toEqual([]);
	});

	test.each([
		["has 300 s left", { token: "ghs_cached", expires_at_epoch: NOW + 300 }],
		["is missing", { expires_at_epoch: 4_102_444_800 }],
		["is null", { token: null, expires_at_epoch: NOW + 900 }],
		["is the word null", { token: "null", expires_at_epoch: NOW + 900 }],
		["is empty", { token: "", expires_at_epoch: NOW + 900 }],
		["holds a line end", { token: "a\nb", expires_at_epoch: NOW + 900 }],
		["has no end", { token: "ghs_cached" }],
		["has an end in words", { token: "ghs_cached", expires_at_epoch: "soon" }],
		[
			"is another App's",
			{ token: "ghs_cached", expires_at_epoch: NOW + 900, app_id: "124" },
		],
		[
			"is another installation's",
			{
				token: "ghs_cached",
				expires_at_epoch: NOW + 900,
				installation_id: "1",
			},
		],
		[
			"is for another API",
			{
				token: "ghs_cached",
				expires_at_epoch: NOW + 900,
				api_url: "https://api.github.com",
			},
		],
	])(
		"a token that %s is not served, a new one is minted",
		async (_name, cached) => {
			seedCache(cached);
			expect(await token()).toMatch(/^ghs_[0-9a-f]{36}$/);
			expect(mints()).toBe(1);
		},
	);

	test.each(["", "{", "[]", "null", '"ghs_x"', "\0\0"])(
		"a torn or foreign file (%j) is as none",
		async (text) => {
			rig.doors.files.seed(CACHE_PATH, text);
			expect(await token()).toMatch(/^ghs_/);
		},
	);

	test("is written for its owner alone, bound to App, installation and API", async () => {
		const minted = await token();
		const { files } = rig.doors;
		const stat = files.stat(CACHE_PATH);
		expect(stat.kind === "ok" && stat.stat.mode).toBe(0o600);
		const folder = files.stat("/home/op/.claude");
		expect(folder.kind === "ok" && folder.stat.mode).toBe(0o700);
		expect(JSON.parse(files.text(CACHE_PATH))).toEqual({
			token: minted,
			expires_at: new Date((NOW + 3600) * 1000)
				.toISOString()
				.replace(".000", ""),
			expires_at_epoch: NOW + 3600,
			...OWN(),
		});
	});
});

describe("the token is the product, the cache an optimisation", () => {
	const broken = [
		[
			"a folder that cannot be made",
			{ path: "/home/op/.claude", ops: ["mkdir"], code: "EROFS" },
			"continuing without a cache",
		],
		[
			"a folder that cannot be written",
			{
				path: new RegExp(`^${CACHE_PATH}`),
				ops: ["write", "append"],
				code: "EACCES",
			},
			"token is valid, skipping the cache",
		],
		[
			"a file that cannot be replaced",
			{ path: CACHE_PATH, ops: ["rename"], code: "EISDIR" },
			"token is valid, skipping the cache",
		],
	] as const;
	test.each(broken)("%s costs a warning", async (_name, fault, warning) => {
		rig.doors.files.faults.fail({ ...fault, ops: [...fault.ops] });
		const minted = await token();
		expect(minted).toMatch(/^ghs_/);
		expect(rig.doors.log.messages("warn").join("\n")).toContain(warning);
		expect(
			rig.doors.files.paths("/home").filter((p) => p.includes(".tmp.")),
		).toEqual([]);
		// Held in memory: a process without a cache does not mint for every call.
		expect(await token()).toBe(minted);
		expect(mints()).toBe(1);
	});

	test("one held in memory is as good as one of the file: until 300 s before its end", async () => {
		const { files, clock } = rig.doors;
		files.faults.fail({ path: CACHE_PATH, ops: ["rename"], code: "EISDIR" });
		const minted = await token();
		const left = NOW + 3600 - clock.now();
		await clock.advance((left - 301) * 1000);
		expect([await token(), mints()]).toEqual([minted, 1]);
		await clock.advance(1000);
		expect(await token()).not.toBe(minted);
		expect(mints()).toBe(2);
	});

	test("an end that is no date: the token is served, and nothing is written", async () => {
		rig.standIn.faults.add({
			on: MINT,
			fault: {
				kind: "answer",
				status: 201,
				body: { token: "ghs_odd", expires_at: "not-a-date" },
			},
		});
		expect(await token()).toBe("ghs_odd");
		expect(rig.doors.log.messages("warn").join()).toContain(
			"unparseable expires_at",
		);
		expect(rig.doors.files.paths("/home")).toEqual([tokenLockPath(CACHE_PATH)]);
	});

	test("a lock that cannot be opened does not cost the token", async () => {
		rig.doors.locks.cannotOpen(tokenLockPath(CACHE_PATH), "EACCES");
		expect(await token()).toMatch(/^ghs_/);
	});
});

describe("one mint for all", () => {
	test("calls at once share it", async () => {
		const all = await Promise.all([token(), token(), token()]);
		expect(new Set(all).size).toBe(1);
		expect(mints()).toBe(1);
	});

	test("processes at once share it: whoever waits for the lock finds the cache", async () => {
		const other = rig.another();
		const both = Promise.all([token(), token(other)]);
		const [a, b] = await rig.inTime(both);
		expect(a).toBe(b);
		expect(mints()).toBe(1);
	});

	test("a process that hangs in its mint holds nobody up for long", async () => {
		rig.doors.locks.takenElsewhere(tokenLockPath(CACHE_PATH));
		const before = rig.doors.clock.now();
		expect(await rig.inTime(token())).toMatch(/^ghs_/);
		const waited = rig.doors.clock.now() - before;
		expect(waited).toBeWithin(7, 15);
	});

	test("an exchange without an answer ends after 15 s in all", async () => {
		rig.standIn.faults.add({ on: MINT, fault: { kind: "no-answer" } });
		rig.doors.locks.takenElsewhere(tokenLockPath(CACHE_PATH));
		const before = rig.doors.clock.now();
		const got = await rig.doors.clock.run(
			rig.gitHub.tokens.installationToken(),
		);
		expect(got).toMatchObject({
			kind: "not-minted",
			failure: { kind: "timeout" },
		});
		expect(rig.doors.clock.now() - before).toBe(15);
	});
});

describe("a token that was refused", () => {
	test("is forgotten in memory and on disk", async () => {
		const first = await token();
		rig.gitHub.tokens.invalidate(first);
		expect(rig.doors.files.has(CACHE_PATH)).toBe(false);
		expect(await token()).not.toBe(first);
		expect(mints()).toBe(2);
	});

	test("is not served from a file that cannot be removed", async () => {
		seedCache({ token: "ghs_dead", expires_at_epoch: NOW + 3000, ...OWN() });
		const { faults } = rig.doors.files;
		for (const ops of [["remove"], ["rename"]] as const)
			faults.fail({ path: CACHE_PATH, ops: [...ops], code: "EROFS" });
		expect(await token()).toBe("ghs_dead");
		rig.gitHub.tokens.invalidate("ghs_dead");
		const minted = await token();
		expect(minted).toMatch(/^ghs_[0-9a-f]{36}$/);
		expect([await token(), mints()]).toEqual([minted, 1]);
	});

	test("does not take a later one with it", async () => {
		const { faults } = rig.doors.files;
		faults.fail({ path: CACHE_PATH, ops: ["rename"], code: "EROFS" });
		const minted = await token();
		rig.gitHub.tokens.invalidate("ghs_before");
		expect([await token(), mints()]).toEqual([minted, 1]);
	});

	test("leaves the one that another process has put in its place", async () => {
		const first = await token();
		seedCache({ token: "ghs_newer", expires_at_epoch: NOW + 3000, ...OWN() });
		rig.gitHub.tokens.invalidate(first);
		expect(await token()).toBe("ghs_newer");
		expect(mints()).toBe(1);
	});
});

test.each([
	["401", { kind: "unauthorized" }, "auth"],
	[
		"404: another installation",
		{ kind: "answer", status: 404, body: { message: "Not Found" } },
		"not_found",
	],
	[
		"an answer without a token",
		{ kind: "answer", status: 201, body: { expires_at: "x" } },
		"malformed",
	],
	[
		"a token that is null",
		{ kind: "answer", status: 201, body: { token: null, expires_at: "x" } },
		"malformed",
	],
	["null", { kind: "answer", status: 201, body: null }, "malformed"],
	["a word", { kind: "answer", status: 201, body: "ghs_x" }, "malformed"],
	["a server that broke", { kind: "server" }, "server"],
] as const)("%s: no token, and why", async (_name, fault, kind) => {
	rig.standIn.faults.add({ on: MINT, fault });
	expect(await rig.gitHub.tokens.installationToken()).toMatchObject({
		kind: "not-minted",
		failure: { kind },
	});
});

describe("the key", () => {
	type Files = Rig["doors"]["files"];
	const seed = (text: string, mode: number) => (files: Files) =>
		files.seed(KEY_PATH, text, { mode });
	test.each([
		["absent", (f: Files) => f.remove(KEY_PATH), "private key not found"],
		[
			"unreadable",
			(f: Files) =>
				f.faults.fail({ path: KEY_PATH, ops: ["read"], code: "EACCES" }),
			"not readable",
		],
		[
			"open to everybody",
			seed(PRIVATE_KEYS.pkcs8, 0o644),
			`chmod 600 ${KEY_PATH}`,
		],
		["no key", seed("hello", 0o600), "cannot sign"],
		["cut short", seed(PRIVATE_KEYS.pkcs8.slice(0, 300), 0o600), "cannot sign"],
	])(
		"that is %s is said so, and nothing is sent",
		async (_name, spoil, words) => {
			spoil(rig.doors.files);
			const got = await rig.gitHub.tokens.installationToken();
			if (got.kind === "ok") throw new Error("a token without a key");
			expect(tokenProblemText(got)).toContain(words);
			expect(rig.standIn.requests).toEqual([]);
		},
	);

	test.each(Object.entries(PRIVATE_KEYS))(
		"as %s signs a JWT of ten minutes that began 30 s ago",
		async (_form, pem) => {
			const doors = fakeDoors({ now: NOW });
			doors.files.seed(KEY_PATH, pem.replaceAll("\n", "\r\n"), { mode: 0o600 });
			const key = await openAppKey(doors, "123", KEY_PATH);
			if (key.kind !== "ok") throw new Error(key.kind);
			const { jwt } = await key.jwt();
			const [head = "", claims = "", signature = ""] = jwt.split(".");
			expect(jwt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
			const decode = (part: string) =>
				JSON.parse(Buffer.from(part, "base64url").toString());
			expect(decode(head)).toEqual({ alg: "RS256", typ: "JWT" });
			expect(decode(claims)).toEqual({
				iat: NOW - 30,
				exp: NOW + 570,
				iss: 123,
			});
			const good = verify(
				"RSA-SHA256",
				Buffer.from(`${head}.${claims}`),
				PUBLIC_KEY,
				Buffer.from(signature, "base64url"),
			);
			expect(good).toBe(true);
		},
	);
});
