/** Uploads (contract 05 §11). */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	assetPath,
	assetUrl,
	encodeSegment,
} from "../../monitor/_github/asset-url.ts";
import { gitBlobId } from "../../monitor/_github/assets.ts";
import { destinationFlaw } from "../../monitor/_ng/publish.ts";
import { REPO } from "../github/rig.ts";
import type { Repo } from "../github/stand-in/world.ts";
import { CWD, type HubRig, hubRig } from "./hub-rig.ts";

const open: HubRig[] = [];
function rigOf(...args: Parameters<typeof hubRig>): HubRig {
	const rig = hubRig(...args);
	open.push(rig);
	rig.doors.files.seed(`${CWD}/fig.png`, "picture");
	return rig;
}
afterEach(async () => {
	for (const rig of open.splice(0)) {
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
});
function repoOf(rig: HubRig): Repo {
	const [repo] = rig.standIn.place.state.repos;
	if (repo === undefined) throw new Error("no repository");
	return repo;
}
const headOf = (rig: HubRig) => repoOf(rig).git.refs["refs/heads/main"] ?? "";
/** The file at a path of a commit, as text; null: none. */
function fileAt(
	rig: HubRig,
	path: string,
	commit = headOf(rig),
): string | null {
	const { git } = repoOf(rig);
	let sha = git.commits[commit]?.tree ?? "";
	for (const segment of path.split("/"))
		sha = git.trees[sha]?.find((e) => e.path === segment)?.sha ?? "";
	const blob = git.blobs[sha];
	return blob === undefined ? null : Buffer.from(blob, "base64").toString();
}

describe("path and address", () => {
	test.each([
		["fig.png", "13", null, "pin", "raw/abc/assets/13/fig.png"],
		["reports/x.md", null, null, "pin", "blob/abc/assets/reports/x.md"],
		["/n/reports/x.md", "4", null, "latest", "blob/main/assets/4/x.md"],
		["a.MD", null, null, "pin", "raw/abc/assets/general/a.MD"],
		["a.md", null, "foo/b.md", "pin", "blob/abc/assets/foo/b.md"],
		[
			"a b(1)#.md",
			null,
			null,
			"pin",
			"blob/abc/assets/general/a%20b%281%29%23.md",
		],
		["myreports/x.md", null, null, "pin", "blob/abc/assets/general/x.md"],
	] as const)(
		"%s, issue %p, --repo-path %p, %s",
		(local, issue, repoPath, shape, end) => {
			const placed = assetPath(local, issue, repoPath);
			expect(
				placed.kind === "ok" &&
					assetUrl("https://github.com", "o/r", placed.path, shape, "abc"),
			).toBe(`https://github.com/o/r/${end}`);
		},
	);

	for (const path of [
		"",
		"/etc/x",
		"../x",
		"assets/../x",
		"a/./b",
		"a//b",
		"a/",
		"a\\b",
		"a\nb",
		"assets/.git/config",
		"\u0085",
	])
		test(`cannot be ${JSON.stringify(path)}`, () => {
			expect(assetPath("x", null, path).kind).toBe("refused");
		});

	for (const issue of ["0", "-1", "x", "1/..", "01"])
		test(`--issue ${issue} is no issue`, () => {
			expect(assetPath("x", issue, null).kind).toBe("refused");
		});

	test("whatever is asked for lies below assets/, or is refused", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: "binary" }),
				fc.option(fc.string()),
				(path, issue) => {
					const placed = assetPath("f", issue, path);
					if (placed.kind === "refused") return;
					expect(placed.path).toStartWith("assets/");
					const { pathname } = new URL(
						assetUrl("https://h", "o/r", placed.path, "pin", "s"),
					);
					expect(pathname).toStartWith("/o/r/");
					expect(
						pathname.split("/").slice(5).map(decodeURIComponent).join("/"),
					).toBe(placed.path);
				},
			),
		);
	});

	test("a segment keeps only what no reader of a link stumbles over", () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				expect(encodeSegment(text)).toMatch(
					/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/,
				);
				expect(decodeURIComponent(encodeSegment(text))).toBe(text);
			}),
		);
	});

	test("git's own name of some bytes", () => {
		expect(gitBlobId(Buffer.from("hello\n"))).toBe(
			"ce013625030ba8dba906f756967f9e9ca394464a",
		);
	});
});

describe("upload", () => {
	test("one commit on main by the bot; stdout is the pinned address alone", async () => {
		const rig = rigOf();
		const before = rig.standIn.acts.commitFile(REPO, "README.md", "hi");
		const ran = await rig.ng("upload", "fig.png", "--issue", "13");
		const head = headOf(rig);
		expect(ran).toEqual({
			rc: 0,
			out: `${rig.standIn.url}/acme/hub/raw/${head}/assets/13/fig.png`,
			err: "",
		});
		expect(repoOf(rig).git.commits[head]).toMatchObject({
			parents: [before],
			message: "Add asset fig.png via upload-asset",
			author: {
				name: "hub-bot[bot]",
				email: "hub-bot[bot]@users.noreply.github.com",
			},
		});
		expect(fileAt(rig, "assets/13/fig.png")).toBe("picture");
		expect(fileAt(rig, "README.md")).toBe("hi");
	});

	test("identical bytes: the head's address, no commit", async () => {
		const rig = rigOf();
		const head = rig.standIn.acts.commitFile(
			REPO,
			"assets/general/fig.png",
			"picture",
		);
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain(`/raw/${head}/`);
		expect(ran.err).toContain("unchanged");
		expect(rig.writes()).toEqual([]);
	});

	test("other bytes at that path: overwritten, with a warning", async () => {
		const rig = rigOf();
		const before = rig.standIn.acts.commitFile(
			REPO,
			"assets/general/fig.png",
			"old",
		);
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		expect(ran.err).toMatch(/WARNING.*--repo-path/);
		expect(fileAt(rig, "assets/general/fig.png")).toBe("picture");
		expect(fileAt(rig, "assets/general/fig.png", before)).toBe("old");
	});

	test("somebody pushes in between: the second commit stands on theirs, and the bytes are sent once", async () => {
		const rig = rigOf();
		rig.standIn.acts.commitFile(REPO, "a", "1");
		let theirs = "";
		const { fetch } = rig.doors.net;
		rig.doors.net.fetch = async (url, init) => {
			if (init.method === "PATCH" && theirs === "")
				theirs = rig.standIn.acts.commitFile(REPO, "b", "2");
			return fetch(url, init);
		};
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		expect(repoOf(rig).git.commits[headOf(rig)]?.parents).toEqual([theirs]);
		expect(fileAt(rig, "b")).toBe("2");
		expect(rig.writes().filter((l) => l.endsWith("/git/blobs"))).toHaveLength(
			1,
		);
	});

	test.each(["Update is not a fast forward", "Reference cannot be updated"])(
		"five refusals (%s): exit 3, no address",
		async (message) => {
			const rig = rigOf();
			rig.standIn.acts.commitFile(REPO, "a", "1");
			rig.standIn.faults.add({
				on: /^PATCH /,
				fault: { kind: "answer", status: 422, body: { message } },
			});
			const ran = await rig.ng("upload", "fig.png");
			expect(ran).toMatchObject({ rc: 3, out: "" });
			expect(rig.writes().filter((l) => l.startsWith("PATCH"))).toHaveLength(5);
		},
	);

	test("NEXUS_UPLOAD_PUSH_RETRIES says how many", async () => {
		const rig = rigOf();
		Object.assign(rig.doors.proc.env, { NEXUS_UPLOAD_PUSH_RETRIES: "2" });
		rig.standIn.acts.commitFile(REPO, "a", "1");
		rig.standIn.faults.add({ on: /^PATCH /, fault: { kind: "server" } });
		expect((await rig.ng("upload", "fig.png")).rc).toBe(3);
		expect(rig.writes().filter((l) => l.startsWith("PATCH"))).toHaveLength(2);
	});

	test("a swap that is said to be done, while the branch never holds the commit: exit 3, no address", async () => {
		const rig = rigOf();
		rig.standIn.acts.commitFile(REPO, "a", "1");
		rig.standIn.faults.add({
			on: /^PATCH /,
			fault: {
				kind: "answer",
				status: 200,
				body: { object: { sha: "f".repeat(40) } },
			},
		});
		const ran = await rig.ng("upload", "fig.png");
		expect(ran).toMatchObject({ rc: 3, out: "" });
		expect(ran.err).toContain("was not seen on the branch");
	});

	test("a swap whose answer was lost is found done", async () => {
		const rig = rigOf();
		rig.standIn.acts.commitFile(REPO, "a", "1");
		rig.standIn.faults.add({
			on: /^PATCH /,
			fault: { kind: "server" },
			times: 1,
			executed: true,
		});
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain(headOf(rig));
		expect(rig.writes().filter((l) => l.endsWith("/git/commits"))).toHaveLength(
			1,
		);
	});

	test("whoever pushed right after it does no harm", async () => {
		const rig = rigOf();
		rig.standIn.acts.commitFile(REPO, "a", "1");
		const { fetch } = rig.doors.net;
		rig.doors.net.fetch = async (url, init) => {
			const answer = await fetch(url, init);
			if (init.method === "PATCH")
				rig.standIn.acts.commitFile(REPO, "late", "x");
			return answer;
		};
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		expect(ran.out).not.toContain(headOf(rig));
	});

	for (const status of [403, 413, 422])
		test(`a refusal with ${status} is not tried again`, async () => {
			const rig = rigOf();
			rig.standIn.acts.commitFile(REPO, "a", "1");
			rig.standIn.faults.add({
				on: /git\/blobs$/,
				fault: {
					kind: "answer",
					status,
					body: { message: "Resource not accessible: too large" },
				},
			});
			const ran = await rig.ng("upload", "fig.png");
			expect(ran).toMatchObject({ rc: 3, out: "" });
			expect(rig.writes()).toHaveLength(1);
		});

	for (const [what, there] of [
		["a file where a folder must be", "assets/general"],
		["a folder where the file must be", "assets/general/fig.png/inner"],
	] as const)
		test(`${what} is never replaced`, async () => {
			const rig = rigOf();
			rig.standIn.acts.commitFile(REPO, there, "x");
			const ran = await rig.ng("upload", "fig.png");
			expect(ran).toMatchObject({ rc: 1, out: "" });
			expect(rig.writes()).toEqual([]);
		});

	test("an empty repository gets its first commit", async () => {
		const rig = rigOf();
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		expect(ran.out).toContain(headOf(rig));
		expect(fileAt(rig, "assets/general/fig.png")).toBe("picture");
	});

	test("an empty repository whose default is master gets a main", async () => {
		const rig = rigOf({ over: { asset_repo: "acme/store" } });
		rig.standIn.acts.createRepo("acme/store", { defaultBranch: "master" });
		const ran = await rig.ng("upload", "fig.png");
		expect(ran.rc).toBe(0);
		const store = rig.standIn.place.state.repos[1];
		const { "refs/heads/main": main, "refs/heads/master": master } =
			store?.git.refs ?? {};
		expect(main).toBeDefined();
		expect(main).toBe(master ?? "");
		expect(ran.out).toContain(`/acme/store/raw/${main}/`);
	});

	test("a second word that is a number was meant as the issue", async () => {
		const ran = await rigOf().ng("upload", "fig.png", "846");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("--issue 846");
	});

	test("no such file, a folder, too large: exit 1, nothing asked", async () => {
		const rig = rigOf();
		Object.assign(rig.doors.proc.env, { NEXUS_ASSET_MAX_BYTES: "3" });
		for (const path of ["none", "/n", "fig.png"])
			expect((await rig.ng("upload", path)).rc).toBe(1);
		expect(rig.standIn.requests).toEqual([]);
	});

	test("a symlink is followed within its folder and the root, and nowhere else", async () => {
		const rig = rigOf();
		rig.doors.files.seed("/keys/secret.md", "KEY");
		rig.doors.files.seedLink("/keys/secret.md", `${CWD}/out.md`);
		rig.doors.files.seedLink("fig.png", `${CWD}/in.png`);
		const ran = await rig.ng("upload", "out.md");
		expect(ran.rc).toBe(1);
		expect(ran.err).toContain("leads out of its folder");
		expect(rig.standIn.requests).toEqual([]);
		expect((await rig.ng("upload", "in.png")).rc).toBe(0);
	});

	test("without an identity: exit 2", async () => {
		const rig = rigOf({
			over: { bot_app_id: '""', bot_installation_id: '""', bot_pem_path: '""' },
		});
		expect((await rig.ng("upload", "fig.png")).rc).toBe(2);
		const nameless = rigOf({ over: { bot_login: '""' } });
		expect((await nameless.ng("upload", "fig.png")).rc).toBe(2);
		expect(nameless.writes()).toEqual([]);
	});
});

test("a configuration that cannot be used: exit 1, nothing asked", async () => {
	const rig = rigOf({ over: { overview_issue_number: "zero" } });
	const ran = await rig.ng("upload", "fig.png");
	expect(ran).toMatchObject({ rc: 1, out: "" });
	expect(ran.err).toContain("overview_issue_number");
	expect(rig.standIn.requests).toEqual([]);
});

describe("the destination", () => {
	test("--repo may only restate it: exit 7, nothing sent", async () => {
		const rig = rigOf();
		const ran = await rig.ng("upload", "fig.png", "--repo", "acme/else");
		expect(ran).toMatchObject({ rc: 7, out: "" });
		expect(rig.asked()).toEqual([]);
		expect((await rig.ng("upload", "fig.png", "--repo", "Acme/Hub")).rc).toBe(
			0,
		);
	});

	test("the repository of the code is refused, unless that is meant", async () => {
		const rig = rigOf();
		rig.cloneOf("https://github.com/acme/hub.git");
		expect((await rig.ng("upload", "fig.png")).rc).toBe(7);
		Object.assign(rig.doors.proc.env, { NEXUS_ALLOW_ORIGIN_ASSET_REPO: "1" });
		expect((await rig.ng("upload", "fig.png")).rc).toBe(0);
	});

	test("nobody can tell: refused", () => {
		const origin = { kind: "could-not-look", reason: "timeout" } as const;
		const facts = { repo: "a/b", restated: null, origin, allowsOrigin: false };
		expect(destinationFlaw(facts)).toContain("cannot tell");
		expect(destinationFlaw({ ...facts, allowsOrigin: true })).toBeNull();
	});
});
