/** The installer against a stand-in `npm` that succeeds, fails, or leaves half a package behind. */
import { afterAll, describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
	effectiveVersion,
	floorVersion,
	readLocalPin,
} from "../../monitor/_state/cc-version-local.ts";
import { readSettings } from "../../monitor/_state/settings.ts";
import {
	isBusyFailure,
	npmWords,
} from "../../monitor/_svc/install-claude/steps.ts";
import { installClaude } from "../../monitor/_svc/install-claude.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { CODE_ROOT, programArgv } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { fakeLog } from "../fakes/log.ts";
import { runIn } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

const FLOOR = "2.1.332";
const PACKAGE = "node_modules/@anthropic-ai/claude-code";
const LINK = "../@anthropic-ai/claude-code/bin/claude.exe";
const dirs: string[] = [];
afterAll(() => {
	for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

/** What the stand-in does at its calls, one word a call; `package=<version>` makes a package that says so. */
type Step = `package=${string}` | "busy" | "fail" | "half" | "hang";

interface Machine {
	readonly root: string;
	readonly stateDir: string;
	install(
		env?: Record<string, string>,
		signal?: AbortSignal,
		over?: { readonly [D in "files" | "locks"]?: Partial<Doors[D]> },
	): Promise<string>;
	/** What the operator was warned of. */
	readonly warned: string[];
	/** Words of each call of npm. */
	calls(): readonly string[];
	/** What the installed program says; null when there is none. */
	says(): string | null;
	readonly seen: string[];
}

function machine(steps: readonly Step[], node = "v20.20.2"): Machine {
	const root = mkdtempSync(join(tmpdir(), "nexus-install-"));
	dirs.push(root);
	const stateDir = join(root, "monitor/.state");
	mkdirSync(stateDir, { recursive: true });
	write(
		join(root, "package.json"),
		JSON.stringify({ dependencies: { "@anthropic-ai/claude-code": FLOOR } }),
	);
	const calls = join(root, "calls");
	steps.forEach((step, n) => {
		write(join(root, `step.${n}`), step);
	});
	program(
		join(root, "bin/npm"),
		`echo "$*" >> "${calls}"
n=$(($(wc -l < "${calls}") - 1)); step=$(cat "${root}/step.$n")
echo "cache=$npm_config_cache in $PWD"
cd "${root}" || exit 9
make() {
	mkdir -p ${PACKAGE}/bin node_modules/.bin
	printf '#!/bin/sh\\necho "%s (Claude Code)"\\n' "$1" > ${PACKAGE}/bin/claude.exe
	chmod +x ${PACKAGE}/bin/claude.exe
	ln -sfn ${LINK} node_modules/.bin/claude
}
case $step in
	package=*) make "\${step#package=}";;
	busy) mkdir -p node_modules/@anthropic-ai/.claude-code-half; echo "npm ERR! EBUSY: resource busy or locked" >&2; exit 1;;
	hang) mkdir -p ${PACKAGE}; echo torn > ${PACKAGE}/package.json; sleep 60;;
	half) mkdir -p ${PACKAGE}; echo torn > ${PACKAGE}/package.json; ln -sfn ${LINK} node_modules/.bin/claude; exit 1;;
	*) echo "npm ERR! no network" >&2; exit 1;;
esac`,
	);
	program(join(root, "bin/node"), `echo ${node}`);
	const seen: string[] = [];
	const warned: string[] = [];
	const bin = join(root, "node_modules/.bin/claude");
	return {
		root,
		stateDir,
		seen,
		calls: () =>
			existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [],
		says: () =>
			existsSync(bin)
				? Bun.spawnSync([bin], { env: process.env }).stdout.toString().trim()
				: null,
		warned,
		install: async (env = {}, signal = undefined, over = {}) => {
			const real = realDoors();
			const proc = {
				...real.proc,
				env: {
					PATH: process.env.PATH,
					HOME: root,
					NEXUS_ROOT: root,
					NEXUS_STATE_DIR: stateDir,
					...env,
				},
				which: (name: string) => {
					const path = join(root, "bin", name);
					return existsSync(path) ? path : null;
				},
			};
			const log = {
				...fakeLog(),
				warn: (line: string) => void warned.push(line),
			};
			const files = { ...real.files, ...over.files };
			const locks = { ...real.locks, ...over.locks };
			const doors = { ...real, proc, log, files, locks };
			const settings = await readSettings(doors, root, false);
			const watch = (text: string) => void seen.push(text);
			const done = await installClaude(doors, settings, watch, signal);
			return done.kind === "failed"
				? `failed: ${done.why.replaceAll(root, "")}`
				: `${done.kind} ${done.version} ${done.source}`;
		},
	};
}

function write(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

function program(path: string, body: string): void {
	write(path, `#!/bin/sh\n${body}\n`);
	chmodSync(path, 0o755);
}

function installed(m: Machine, version: string): void {
	program(
		join(m.root, PACKAGE, "bin/claude.exe"),
		`echo "${version} (Claude Code)"`,
	);
	mkdirSync(join(m.root, "node_modules/.bin"), { recursive: true });
	symlinkSync(LINK, join(m.root, "node_modules/.bin/claude"));
}

describe("which npm command installs", () => {
	test("without a pin: the tree as the manifest says", async () => {
		const m = machine([`package=${FLOOR}`]);
		expect(await m.install()).toBe(`installed ${FLOOR} floor`);
		expect(m.calls()).toEqual(["install"]);
		expect(m.says()).toBe(`${FLOOR} (Claude Code)`);
		expect(m.seen.join("")).toContain(` in ${realpathSync(m.root)}\n`);
		expect(existsSync(join(m.stateDir, "cc-install-aside"))).toBe(false);
	});

	test("with a pin: that release, and the manifest is not touched", async () => {
		const m = machine(["package=2.1.9"]);
		write(join(m.stateDir, "cc-version-local"), " 2.1.9\n\n");
		expect(await m.install()).toBe("installed 2.1.9 local-pin");
		expect(m.calls()).toEqual([
			"install --no-save @anthropic-ai/claude-code@2.1.9",
		]);
	});

	test("without a version there is nothing to install", async () => {
		const m = machine([`package=${FLOOR}`]);
		write(join(m.root, "package.json"), "{}");
		expect(await m.install()).toBe(
			"failed: no version to install: no local pin, and /package.json names none",
		);
		expect(m.calls()).toEqual([]);
	});

	test("a pin that is no version is passed over, with a word", async () => {
		const m = machine([`package=${FLOOR}`]);
		write(join(m.stateDir, "cc-version-local"), "2.1\n");
		expect(await m.install()).toBe(`installed ${FLOOR} floor`);
		expect(m.warned.join()).toEndWith("cc-version-local names no version");
	});

	test("a pin that cannot be read is not the floor: nothing is installed", async () => {
		const m = machine([`package=${FLOOR}`]);
		mkdirSync(join(m.stateDir, "cc-version-local"));
		expect(await m.install()).toStartWith(
			"failed: the local pin cannot be read: /monitor/.state/cc-version-local",
		);
		expect(m.calls()).toEqual([]);
	});

	test("`npm ci` only when it is asked for, with a lockfile and without a pin", async () => {
		const m = machine([`package=${FLOOR}`]);
		write(join(m.root, "package-lock.json"), "{}");
		await m.install({ CLAUDE_INSTALL_USE_CI: "1" });
		expect(m.calls()).toEqual(["ci"]);

		const without = machine([`package=${FLOOR}`]);
		await without.install({ CLAUDE_INSTALL_USE_CI: "1" });
		expect(without.calls()).toEqual(["install"]);
	});

	test.each([
		["floor", false, true, "install"],
		["floor", true, false, "install"],
		["floor", true, true, "ci"],
		[
			"local-pin",
			true,
			true,
			"install --no-save @anthropic-ai/claude-code@2.1.9",
		],
	] as const)(
		"a %s, asked for ci: %p, a lockfile: %p → npm %s",
		(source, useCi, hasLockfile, words) => {
			const wanted = { version: "2.1.9", source };
			const asked = npmWords({ wanted, useCi, hasLockfile });
			expect(asked.join(" ")).toBe(words);
		},
	);

	test("the cache lies beside the tree, unless the environment names one", async () => {
		const m = machine(["fail", "fail"]);
		await m.install();
		expect(m.seen.join("")).toContain(`cache=${m.root}/.npm-cache`);
		await m.install({ NPM_CONFIG_CACHE: "/elsewhere" });
		expect(m.seen.join("")).toContain("cache=/elsewhere");
	});

	test("what runs already and is the version in force needs no npm", async () => {
		const m = machine([]);
		installed(m, FLOOR);
		expect(await m.install()).toBe(`already ${FLOOR} floor`);
		expect(m.calls()).toEqual([]);
	});
});

describe("a failed install leaves the binary that worked", () => {
	test.each([
		["npm fails", ["fail"], "npm install failed (exit code 1)"],
		["npm leaves half a package", ["half"], "npm install failed (exit code 1)"],
		[
			"npm installs another release",
			["package=1.0.0"],
			`after npm, /node_modules/.bin/claude is 1.0.0, not ${FLOOR}`,
		],
		[
			"it is busy twice: one retry and no more",
			["busy", "busy", `package=${FLOOR}`],
			"npm install failed (exit code 1)",
		],
	] as const)("%s", async (_name, steps, why) => {
		const m = machine(steps);
		installed(m, "2.1.1");
		expect(await m.install()).toBe(
			`failed: ${why}; the old one is back in place`,
		);
		expect(m.says()).toBe("2.1.1 (Claude Code)");
		// Only what is busy is tried again.
		expect(m.calls()).toHaveLength(steps[0] === "busy" ? 2 : 1);
		expect(readlinkSync(join(m.root, "node_modules/.bin/claude"))).toBe(LINK);
		expect(existsSync(join(m.stateDir, "cc-install-aside"))).toBe(false);
	});

	test.each([
		[
			"another one is at it",
			{ kind: "held", text: "" },
			"another install holds ",
		],
		[
			"the lock cannot be opened",
			{ kind: "cannot-open", reason: "EROFS" },
			"cannot be opened: EROFS",
		],
	] as const)("%s", async (_name, lock, why) => {
		const m = machine([`package=${FLOOR}`]);
		installed(m, "2.1.1");
		const asked: unknown[] = [];
		const told = await m.install({}, undefined, {
			locks: {
				acquireWithin: async (...args) => {
					asked.push(...args);
					return lock;
				},
			},
		});
		expect(told).toContain(why);
		expect(asked).toEqual([join(m.stateDir, "cc-install.lock"), 600_000]);
		expect(m.calls()).toEqual([]);
		expect(m.says()).toBe("2.1.1 (Claude Code)");
	});

	test("that it moved the copy aside cannot be noted", async () => {
		const m = machine([`package=${FLOOR}`]);
		installed(m, "2.1.1");
		const real = realDoors().files;
		const told = await m.install({}, undefined, {
			files: {
				...real,
				writeAtomic: (path, text, opts) =>
					path.endsWith("cc-install-aside")
						? { kind: "failed", code: "ENOSPC", reason: "ENOSPC" }
						: real.writeAtomic(path, text, opts),
			},
		});
		expect(told).toBe("failed: nothing was tried: ENOSPC");
		expect(m.calls()).toEqual([]);
		expect(m.says()).toBe("2.1.1 (Claude Code)");
	});

	test("it is broken off", async () => {
		const m = machine(["hang"]);
		installed(m, "2.1.1");
		const over = new AbortController();
		const done = m.install({}, over.signal);
		await waitUntil("npm", () => (m.calls().length > 0 ? true : null));
		over.abort();
		expect(await done).toBe(
			"failed: npm install failed (aborted); the old one is back in place",
		);
		expect(m.says()).toBe("2.1.1 (Claude Code)");
	});

	test("it is killed: the next one puts the copy back before it may fail, too", async () => {
		const m = machine(["fail"]);
		installed(m, "2.1.1");
		const trash = join(m.stateDir, ".trash");
		mkdirSync(trash);
		const bin = "node_modules/.bin/claude";
		const moved = [
			[join(m.root, PACKAGE), join(trash, "claude-code.1")],
			[join(m.root, bin), join(trash, "claude.1")],
		] as const;
		for (const [path, kept] of moved) renameSync(path, kept);
		write(join(m.root, PACKAGE, "package.json"), "torn");
		write(
			join(m.stateDir, "cc-install-aside"),
			moved.map((pair) => `${pair.join("\t")}\n`).join(""),
		);
		expect(await m.install()).toContain("the old one is back in place");
		expect(m.says()).toBe("2.1.1 (Claude Code)");
		expect(existsSync(join(m.stateDir, "cc-install-aside"))).toBe(false);
		expect(m.warned).toContain(
			"an install was broken off; the copy before it is back in place",
		);
	});

	test("it was killed when its work was done: the new copy stays", async () => {
		const m = machine([]);
		installed(m, FLOOR);
		const kept = join(m.stateDir, ".trash/claude.1");
		write(kept, "old");
		const note = join(m.stateDir, "cc-install-aside");
		write(note, `${join(m.root, "node_modules/.bin/claude")}\t${kept}\n`);
		expect(await m.install()).toBe(`already ${FLOOR} floor`);
		expect(m.says()).toBe(`${FLOOR} (Claude Code)`);
		expect(existsSync(note)).toBe(false);
		expect(existsSync(kept)).toBe(true);
	});

	test("what was moved aside is gone from there: that is said, and why", async () => {
		const m = machine(["fail", "fail"]);
		installed(m, "2.1.1");
		const note = join(m.stateDir, "cc-install-aside");
		rmSync(join(m.root, "node_modules/.bin/claude"));
		write(
			note,
			`${join(m.root, "node_modules/.bin/claude")}\t/gone/claude.1\n`,
		);
		await m.install();
		expect(m.warned.join()).toContain(
			`NOT put back: ${m.root}/node_modules/.bin/claude (it lies in /gone/claude.1)`,
		);
	});

	test("the link cannot be moved aside: the package is put back", async () => {
		const m = machine([`package=${FLOOR}`]);
		installed(m, "2.1.1");
		const { rename } = realDoors().files;
		const told = await m.install({}, undefined, {
			files: {
				rename: (from, to) =>
					from.endsWith("/.bin/claude")
						? { kind: "failed", code: "EACCES", reason: "EACCES" }
						: rename(from, to),
			},
		});
		expect(told).toBe(
			"failed: /node_modules/.bin/claude could not be moved aside; nothing was changed",
		);
		expect(m.says()).toBe("2.1.1 (Claude Code)");
	});

	test("the old copy cannot be put back: that is said, with where it lies", async () => {
		const m = machine(["fail"]);
		installed(m, "2.1.1");
		const { rename } = realDoors().files;
		const told = await m.install({}, undefined, {
			files: {
				rename: (from, to) =>
					to.endsWith("/.bin/claude")
						? { kind: "failed", code: "EACCES", reason: "EACCES" }
						: rename(from, to),
			},
		});
		expect(told).toMatch(
			/^failed: npm install failed \(exit code 1\); NOT put back: \/node_modules\/\.bin\/claude \(it lies in \/monitor\/\.state\/\.trash\/claude\.[0-9a-f]{8}\)$/,
		);
	});

	test("a busy file is worth one more try", async () => {
		const m = machine(["busy", `package=${FLOOR}`]);
		installed(m, "2.1.1");
		expect(await m.install()).toBe(`installed ${FLOOR} floor`);
		expect(m.calls()).toHaveLength(2);
		expect(readdirSync(join(m.root, "node_modules/@anthropic-ai"))).toEqual([
			"claude-code",
		]);
		expect(m.warned).toEqual([
			"a running session holds files of the old package; once more",
		]);
		expect(existsSync(join(m.stateDir, "cc-install-aside"))).toBe(false);
	});

	test("the old package's week in the trash begins now, however old it is", async () => {
		const m = machine([`package=${FLOOR}`]);
		installed(m, "2.1.1");
		const longAgo = Date.now() / 1000 - 80 * 86_400;
		utimesSync(join(m.root, PACKAGE), longAgo, longAgo);
		await m.install();
		const trash = join(m.stateDir, ".trash");
		const kept = readdirSync(trash).find((n) => n.startsWith("claude-code."));
		const { mtimeMs } = statSync(join(trash, kept ?? ""));
		expect(mtimeMs).toBeGreaterThan((longAgo + 40 * 86_400) * 1000);
	});

	test("a tree that nothing can be moved out of is not touched", async () => {
		const m = machine([`package=${FLOOR}`]);
		installed(m, "2.1.1");
		write(join(m.root, "blocked"), "");
		write(join(m.root, "node_modules/.claude-trash"), "");
		expect(await m.install({ NEXUS_TRASH_DIR: `${m.root}/blocked` })).toBe(
			`failed: /${PACKAGE} could not be moved aside; nothing was changed`,
		);
		expect(m.calls()).toEqual([]);
		expect(m.says()).toBe("2.1.1 (Claude Code)");
	});
});

test("npm's half-made folders are swept, and what lay in the trash for a week", async () => {
	const m = machine([`package=${FLOOR}`]);
	installed(m, "2.1.1");
	const scope = join(m.root, "node_modules/@anthropic-ai");
	write(join(scope, ".claude-code-X1/file"), "");
	const eightDaysAgo = Date.now() / 1000 - 8 * 86_400;
	const sixDaysAgo = Date.now() / 1000 - 6 * 86_400;
	for (const [name, at] of [
		["claude-code.0123abcd", eightDaysAgo],
		["claude.0123abcd", eightDaysAgo],
		["claude.4567abcd", sixDaysAgo],
		// The folder may be the operator's own.
		["claude-code.notes", eightDaysAgo],
		["thesis.tex", eightDaysAgo],
	] as const) {
		const path = join(m.stateDir, ".trash", name);
		write(join(path, "file"), "");
		utimesSync(path, at, at);
	}
	await m.install();
	expect(readdirSync(scope)).toEqual(["claude-code"]);
	const kept = readdirSync(join(m.stateDir, ".trash"));
	expect(kept).toContain("claude.4567abcd");
	expect(kept.map((name) => name.replace(/\.[0-9a-f]{8}$/, "")).sort()).toEqual(
		["claude", "claude", "claude-code", "claude-code.notes", "thesis.tex"],
	);
});

test("the program finds this checkout's own Claude Code in order", async () => {
	const stateDir = mkdtempSync(join(tmpdir(), "nexus-install-"));
	dirs.push(stateDir);
	const argv = programArgv(process.execPath, "installClaude");
	const env = { NEXUS_STATE_DIR: stateDir, PATH: process.env.PATH ?? "" };
	const floor = floorVersion(
		readFileSync(join(CODE_ROOT, "package.json"), "utf8"),
	);
	expect(await runIn(argv, stateDir, env)).toEqual({
		rc: 0,
		out: `already at ${floor} source=floor\n`,
		err: "",
	});
});

test("an old node is refused before anything is moved", async () => {
	const m = machine([`package=${FLOOR}`], "v16.3.0");
	installed(m, "2.1.1");
	expect(await m.install()).toBe(
		"failed: /bin/node is version 16; 18 or newer is needed",
	);
	expect(m.says()).toBe("2.1.1 (Claude Code)");
});

test.each([
	["npm ERR! EBUSY", true],
	["Resource busy", true],
	["cannot unlink .nfs00000ab3", true],
	["ENOTFOUND registry", false],
	["the .nfs folder", false],
])("%s: busy %p", (output, busy) => {
	expect(isBusyFailure(output)).toBe(busy);
});

describe("the version in force", () => {
	const place = { codeRoot: "/c", stateDir: "/s", pinFile: null };
	const manifest = (deps: unknown) => JSON.stringify({ dependencies: deps });
	const own = manifest({ "@anthropic-ai/claude-code": "2.1.332" });

	test.each([
		[
			"the pin, even one older than the floor",
			"2.1.1\n",
			own,
			"2.1.1 local-pin",
		],
		["a blank pin is none", " \n", own, "2.1.332 floor"],
		["a pin that is no version is none", "; rm -rf", own, "2.1.332 floor"],
		["neither", "", manifest({}), "none"],
		["a manifest that is torn", "", '{"dependencies', "none"],
		[
			"a range is no exact version",
			"",
			manifest({ "@anthropic-ai/claude-code": "^2.1.0" }),
			"none",
		],
	])("%s", (_name, pin, text, wanted) => {
		const { files } = fakeDoors();
		files.seed("/s/cc-version-local", pin);
		files.seed("/c/package.json", text);
		const found = effectiveVersion(files, place);
		expect(found === null ? "none" : `${found.version} ${found.source}`).toBe(
			wanted,
		);
	});

	test("the pin may lie elsewhere", () => {
		const { files } = fakeDoors();
		files.seed("/elsewhere", "2.2.0");
		expect(readLocalPin(files, { ...place, pinFile: "/elsewhere" })).toBe(
			"2.2.0",
		);
	});

	test("this checkout has a floor", () => {
		const text = readFileSync(
			join(import.meta.dir, "../../package.json"),
			"utf8",
		);
		expect(floorVersion(text)).toMatch(/^\d+\.\d+\.\d+$/);
	});
});
