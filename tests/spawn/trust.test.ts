import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	claudeConfigPath,
	forgetFolder,
	isFolderTrusted,
	trustFolders,
	withTrust,
} from "../../monitor/_state/claude-config.ts";
import { fakeDoors } from "../fakes/doors.ts";

const ENV = { CLAUDE_CONFIG_DIR: "/cc" };
const PATH = "/cc/.claude.json";

test.each([
	[
		{ NEXUS_CC_HOME: "/n", CLAUDE_CONFIG_DIR: "/c", HOME: "/h" },
		"/n/.claude.json",
	],
	[{ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" }, "/c/.claude.json"],
	[{ HOME: "/h" }, "/h/.claude.json"],
	[{}, null],
])("with %j the file is %p", (env, path) => {
	expect(claudeConfigPath(env)).toBe(path);
});

describe("trust", () => {
	test("is added, and everything else in the file stays as it was", () => {
		const before = {
			numStartups: 7,
			theme: "light",
			projects: {
				"/a": {
					hasTrustDialogAccepted: false,
					allowedTools: ["x"],
					lastCost: 1.5,
				},
				"/b": { hasTrustDialogAccepted: false },
			},
			oauthAccount: { id: "é" },
		};
		const made = withTrust(JSON.stringify(before), ["/a", "/c"]);
		expect(made.kind === "changed" && JSON.parse(made.text)).toEqual({
			...before,
			hasCompletedOnboarding: true,
			bypassPermissionsModeAccepted: true,
			fullscreenUpsellSeenCount: 100,
			projects: {
				"/a": {
					hasTrustDialogAccepted: true,
					allowedTools: ["x"],
					lastCost: 1.5,
				},
				"/b": { hasTrustDialogAccepted: false },
				"/c": { allowedTools: [], hasTrustDialogAccepted: true },
			},
		});
	});

	test("what somebody said of the first start is not overruled", () => {
		const text = '{"hasCompletedOnboarding":false,"theme":"x"}';
		const made = withTrust(text, []);
		expect(made.kind === "changed" && JSON.parse(made.text)).toMatchObject({
			hasCompletedOnboarding: false,
			theme: "x",
		});
	});

	test.each([
		["{}", 100],
		['{"fullscreenUpsellSeenCount":2}', 100],
		['{"fullscreenUpsellSeenCount":"x"}', 100],
		['{"fullscreenUpsellSeenCount":500}', 500],
	])(
		"with %s the offer of another renderer has been made %i times",
		(text, times) => {
			const made = withTrust(text, ["/a"]);
			expect(made.kind === "changed" && JSON.parse(made.text)).toMatchObject({
				fullscreenUpsellSeenCount: times,
			});
		},
	);

	test("given twice changes nothing the second time", () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string(), fc.jsonValue()),
				fc.array(fc.string(), { maxLength: 3 }),
				(config, folders) => {
					const once = withTrust(JSON.stringify(config), folders);
					if (once.kind !== "changed") return;
					expect(withTrust(once.text, folders).kind).toBe("unchanged");
				},
			),
		);
	});

	test.each(["{", "[]", "null", '"x"', '{"projects":[]}', '{"projects":7}'])(
		"a file that says %s is left alone",
		async (text) => {
			const doors = fakeDoors({ auto: true });
			doors.files.seed(PATH, text);
			expect((await trustFolders(doors, ENV, ["/a"])).kind).toBe("failed");
			expect(doors.files.text(PATH)).toBe(text);
		},
	);

	test("a file that is not there is made, for its owner alone; an existing one keeps its mode", async () => {
		const doors = fakeDoors({ auto: true });
		await trustFolders(doors, ENV, ["/a"]);
		expect(doors.files.stat(PATH)).toMatchObject({ stat: { mode: 0o600 } });
		doors.files.seed(PATH, "{}", { mode: 0o640 });
		await trustFolders(doors, ENV, ["/a"]);
		expect(doors.files.stat(PATH)).toMatchObject({ stat: { mode: 0o640 } });
	});

	test("a link to the file stays a link", async () => {
		const doors = fakeDoors({ auto: true });
		doors.files.seed("/dotfiles/claude.json", "{}");
		doors.files.seedDir("/cc");
		doors.files.seedLink("/dotfiles/claude.json", PATH);
		await trustFolders(doors, ENV, ["/a"]);
		expect(doors.files.readlink(PATH)).toBe("/dotfiles/claude.json");
		expect(doors.files.text("/dotfiles/claude.json")).toContain('"/a"');
	});

	test("a file that cannot be read is not replaced", async () => {
		const doors = fakeDoors({ auto: true });
		doors.files.seed(PATH, "{}");
		const heal = doors.files.faults.fail({
			path: PATH,
			ops: ["read"],
			code: "EACCES",
		});
		expect((await trustFolders(doors, ENV, ["/a"])).kind).toBe("failed");
		heal();
		expect(doors.files.text(PATH)).toBe("{}");
	});

	test("a lock that was left by a dead process, or that is never given up, does not stop us", async () => {
		for (const age of [11, 1]) {
			const doors = fakeDoors({ auto: true });
			doors.files.seed(PATH, "{}");
			doors.files.mkdirNew(`${PATH}.lock`);
			doors.files.touch(`${PATH}.lock`, { at: doors.clock.now() - age });
			const began = doors.clock.monoMs();
			expect((await trustFolders(doors, ENV, ["/a"])).kind).toBe("ok");
			expect(doors.clock.monoMs() - began).toBe(age === 11 ? 0 : 2000);
			expect(doors.files.text(PATH)).toContain('"/a"');
		}
	});

	test("Claude Code's own lock is respected: a change made under it is not lost", async () => {
		const doors = fakeDoors();
		const { files, clock } = doors;
		files.seed(PATH, '{"n":1}');
		files.mkdirNew(`${PATH}.lock`);
		const done = trustFolders(doors, ENV, ["/a"]);
		files.seed(PATH, '{"n":2}');
		files.removeTree(`${PATH}.lock`);
		await clock.advance(1000);
		expect((await done).kind).toBe("ok");
		expect(JSON.parse(files.text(PATH))).toMatchObject({ n: 2 });
		expect(files.has(`${PATH}.lock`)).toBe(false);
	});
});

describe("of a folder that is gone", () => {
	test("all is forgotten, and everything else in the file stays as it was", async () => {
		const doors = fakeDoors({ auto: true });
		const other = { hasTrustDialogAccepted: true, lastCost: 2 };
		doors.files.seed(
			PATH,
			JSON.stringify({ theme: "light", projects: { "/a": other } }),
			{ mode: 0o600 },
		);
		await trustFolders(doors, ENV, ["/gone"]);
		expect(isFolderTrusted(doors.files, ENV, "/gone")).toBe(true);
		expect(await forgetFolder(doors, ENV, "/gone")).toEqual({ kind: "ok" });
		expect(isFolderTrusted(doors.files, ENV, "/gone")).toBe(false);
		expect(JSON.parse(doors.files.text(PATH))).toMatchObject({
			theme: "light",
			projects: { "/a": other },
		});
		expect(doors.files.stat(PATH)).toMatchObject({ stat: { mode: 0o600 } });
	});

	test("nothing is made where there is no file, and a file of another kind is left alone", async () => {
		const doors = fakeDoors({ auto: true });
		expect(isFolderTrusted(doors.files, ENV, "/a")).toBe(false);
		expect(await forgetFolder(doors, ENV, "/a")).toEqual({ kind: "ok" });
		expect(doors.files.has(PATH)).toBe(false);
		doors.files.seed(PATH, "torn");
		expect(isFolderTrusted(doors.files, ENV, "/a")).toBe(true);
		expect((await forgetFolder(doors, ENV, "/a")).kind).toBe("failed");
		expect(doors.files.text(PATH)).toBe("torn");
	});
});
