/** Attachments of comments (contract 05 §12). */
import { afterEach, describe, expect, test } from "bun:test";
import { fetchAttachment } from "../../monitor/_ng/fetch-asset/fetch.ts";
import {
	fetchedName,
	isAttachment,
} from "../../monitor/_ng/fetch-asset/name.ts";
import { ghToken } from "../../monitor/_ng/operator-pat.ts";
import { type HubRig, hubRig, S } from "./hub-rig.ts";

const PAT = "gho_operatorsOwn123";
const open: HubRig[] = [];
function rigOf(): HubRig {
	const rig = hubRig();
	open.push(rig);
	rig.standIn.place.state.userTokens[PAT] = "op";
	rig.doors.proc.answer("gh", `${PAT}\n`);
	return rig;
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		// A token at the storage would be one.
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});
const attach = (rig: HubRig, name = "assets/1f2e", type = "image/png") =>
	rig.standIn.acts.attach(name, type, Buffer.from([0x89, 0, 0xff]));

describe("fetch-asset", () => {
	test("brings the bytes, and says where and of what kind", async () => {
		const rig = rigOf();
		const ran = await rig.ng("fetch-asset", attach(rig));
		expect(ran).toEqual({
			rc: 0,
			out: `path=${S}/assets/1f2e.bin\ncontent_type=image/png\nbytes=3`,
			err: "",
		});
		const read = rig.doors.files.readBytes(`${S}/assets/1f2e.bin`, 9);
		expect(read.kind === "ok" && [...read.bytes]).toEqual([0x89, 0, 0xff]);
	});

	test("--out names the file", async () => {
		const rig = rigOf();
		const ran = await rig.ng("fetch-asset", attach(rig), "--out", "x.png");
		expect(ran.out).toContain("path=/n/somewhere/x.png\n");
	});

	test("--image-only keeps nothing else", async () => {
		const rig = rigOf();
		const url = attach(rig, "files/7/a.pdf", "application/pdf");
		expect((await rig.ng("fetch-asset", url, "--image-only")).rc).toBe(4);
		expect(rig.doors.files.paths(`${S}/assets`)).toEqual([]);
		expect((await rig.ng("fetch-asset", url)).out).toContain(
			`path=${S}/assets/a.pdf\n`,
		);
	});

	test("gh is asked for the operator's login, not for the bot's token in the environment", async () => {
		const rig = rigOf();
		Object.assign(rig.doors.proc.env, {
			GH_TOKEN: "ghs_bot",
			GITHUB_TOKEN: "ghs_bot",
			NEXUS_OPERATOR_GH_CONFIG_DIR: "/op/gh",
		});
		await rig.ng("fetch-asset", attach(rig));
		const gh = rig.doors.proc.execs.find(({ argv }) => argv[0] === "gh");
		expect(gh?.opts.env).toMatchObject({ GH_CONFIG_DIR: "/op/gh" });
		expect(JSON.stringify(gh)).not.toContain("ghs_bot");
		expect(JSON.stringify(rig.doors.proc.execs)).not.toContain(PAT);
	});

	test("without a login: exit 2, and how to get one", async () => {
		const rig = rigOf();
		rig.doors.proc.answer("gh", 1);
		const ran = await rig.ng("fetch-asset", attach(rig));
		expect(ran.rc).toBe(2);
		expect(ran.err).toContain("gh auth login");
	});

	test("not found: exit 3, and to stop trying", async () => {
		const rig = rigOf();
		const ran = await rig.ng(
			"fetch-asset",
			`${rig.standIn.url}/user-attachments/assets/none`,
		);
		expect(ran.rc).toBe(3);
		expect(ran.err).toContain("do not try again");
	});

	for (const url of [
		"https://github.com/user-attachments/assets/1",
		"http://127.0.0.1:1/user-attachments/assets/1",
		"SITE/other/assets/1",
		"SITE/user-attachments/assets/",
		"SITE/user-attachments/../assets/x",
		"not a url",
		"",
	])
		test(`'${url}' is none of its own: exit 1, the token goes nowhere`, async () => {
			const rig = rigOf();
			const ran = await rig.ng(
				"fetch-asset",
				url.replace("SITE", rig.standIn.url),
			);
			expect(ran.rc).toBe(1);
			expect(rig.doors.proc.execs).toEqual([]);
		});

	test.each([
		[[], "", "wants "],
		[["SITE/user-attachments/assets/1", "second"], "", "positionals"],
		[["SITE/user-attachments/assets/1", "--wat"], "", "unknown flag"],
		[["SITE/user-attachments/assets/1"], "github: [1]\n", "config:"],
	])(
		"%j with a file %j: exit 1 before anything is asked",
		async (args, file, says) => {
			const rig = rigOf();
			if (file !== "")
				rig.doors.files.seed("/n/config/nexus.yml", file, { mode: 0o600 });
			const ran = await rig.ng(
				"fetch-asset",
				...args.map((arg) => arg.replace("SITE", rig.standIn.url)),
			);
			expect([ran.rc, ran.out]).toEqual([1, ""]);
			expect(ran.err).toContain(says);
			expect(rig.doors.proc.execs).toEqual([]);
		},
	);

	test("a place that takes no file: exit 3", async () => {
		const rig = rigOf();
		rig.doors.files.faults.fail({ path: /1f2e/, code: "ENOSPC" });
		const ran = await rig.ng("fetch-asset", attach(rig));
		expect([ran.rc, ran.out]).toEqual([3, ""]);
		expect(ran.err).toContain("ENOSPC");
	});

	test("an Enterprise Server's own login is asked for by its host", async () => {
		const { proc } = rigOf().doors;
		proc.answer("gh", `${PAT}\n`);
		expect(await ghToken({ proc }, "ghe.acme.test")).toBe(PAT);
		expect(proc.execs.at(-1)?.argv).toEqual(
			"gh auth token --hostname ghe.acme.test".split(" "),
		);
		await ghToken({ proc }, "github.com");
		expect(proc.execs.at(-1)?.argv).toEqual(["gh", "auth", "token"]);
		proc.answer("gh", "two words\n");
		expect(await ghToken({ proc }, "github.com")).toBeNull();
	});

	test.each([
		["https://h/user-attachments/assets/1f", "https://s/1f.PNG?x", "1f.png"],
		[
			"https://h/user-attachments/assets/1f",
			"https://s/1f?response-content-type=image%2Fjpeg",
			"1f.jpg",
		],
		...Object.entries({
			"image/png": "png",
			"image/gif": "gif",
			"image/webp": "webp",
			"image/svg%2Bxml": "svg",
			"application/pdf%3B%20x=1": "pdf",
			"text/html": "bin",
		}).map(([type, ext]) => [
			"https://h/user-attachments/assets/1f",
			`https://s/1f?response-content-type=${type}`,
			`1f.${ext}`,
		]),
		["https://h/user-attachments/assets/1f", "https://s/1f", "1f.bin"],
		["https://h/user-attachments/files/1/a.pdf?y", "https://s/q.pdf", "a.pdf"],
		[
			"https://h/user-attachments/files/1/..%2F..%2Fx",
			"https://s/q",
			"_%2F..%2Fx.bin".replaceAll("%", "_"),
		],
	])("%s from %s is kept as %s", (url, location, name) => {
		expect(fetchedName(url, location)).toBe(name);
	});

	test("credentials in the address make it another one", () => {
		expect(
			isAttachment(
				"https://u@github.com/user-attachments/assets/1",
				"https://github.com",
			),
		).toBe(false);
	});
});

describe("the two requests", () => {
	const PAGE = "https://github.com/user-attachments/assets/1";
	const STORAGE = "https://storage.test/1?signature=x";
	const to = (location: string, status = 302) =>
		new Response(null, { status, headers: { location } });
	const file = (type?: string) =>
		new Response(
			new Uint8Array([1, 2]),
			type ? { headers: { "content-type": type } } : {},
		);

	async function ask(
		front: Response | Error,
		storage: Response | Error = file("image/png"),
	) {
		const sent: [string, string | null][] = [];
		const net = {
			fetch: async (url: string, init?: RequestInit) => {
				sent.push([url, new Headers(init?.headers).get("authorization")]);
				const answer = sent.length === 1 ? front : storage;
				if (answer instanceof Error) throw answer;
				return answer;
			},
		};
		const { signal } = new AbortController();
		return { got: await fetchAttachment(net, PAGE, PAT, signal), sent };
	}

	test.each([302, 303])(
		"a %i leads to the storage, which never sees the token",
		async (status) => {
			const { got, sent } = await ask(to(STORAGE, status));
			expect(sent).toEqual([
				[PAGE, `Bearer ${PAT}`],
				[STORAGE, null],
			]);
			expect(got).toMatchObject({
				kind: "ok",
				type: "image/png",
				location: STORAGE,
			});
		},
	);

	test("a relative place is one on the site, and still sees no token", async () => {
		const { sent } = await ask(to("/elsewhere"));
		expect(sent[1]).toEqual(["https://github.com/elsewhere", null]);
	});

	test.each([
		[undefined, "application/octet-stream"],
		["image/\u00e9png", "image/png"],
	])("a type given as %j is told as %j", async (given, told) => {
		expect((await ask(to(STORAGE), file(given))).got).toMatchObject({
			type: told,
		});
	});

	test.each<[string, Response | Error, Response | undefined, number, string]>([
		["401", new Response(null, { status: 401 }), undefined, 2, "refused (401)"],
		["403", new Response(null, { status: 403 }), undefined, 2, "refused (403)"],
		[
			"404",
			new Response(null, { status: 404 }),
			undefined,
			3,
			"do not try again",
		],
		["a page", file("text/html"), undefined, 3, "answered 200"],
		["301", to(STORAGE, 301), undefined, 3, "answered 301"],
		[
			"a 302 to nowhere",
			new Response(null, { status: 302 }),
			undefined,
			3,
			"without saying where",
		],
		[
			"an open page",
			to("http://storage.test/1"),
			undefined,
			3,
			"points to http:",
		],
		[
			"no connection",
			new Error("ECONNREFUSED"),
			undefined,
			3,
			"connection failed",
		],
		[
			"a storage without it",
			to(STORAGE),
			new Response("x", { status: 404 }),
			3,
			"storage answered 404",
		],
		[
			"a storage that sends on",
			to(STORAGE),
			to("https://third.test/"),
			3,
			"storage answered 302",
		],
	])("%s ends it", async (_, front, storage, rc, says) => {
		const { got } = await ask(front, storage);
		expect(got).toMatchObject({ kind: "failed", rc });
		expect(got.kind === "failed" && got.lines.join()).toContain(says);
		expect(JSON.stringify(got)).not.toContain(PAT);
	});
});
