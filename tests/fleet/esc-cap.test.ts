import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	capDir,
	conditionKey,
	nextCapState,
	UNAVAILABLE,
} from "../../monitor/_state/fleet/esc-cap.ts";
import { BUN_FLAGS, CODE_ROOT } from "../../monitor/_sys/names.ts";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";
import { runCap } from "../../resources/_esc-cap/run.ts";
import { fakeDoors } from "../fakes/doors.ts";

const T = "/srv/app/.thrum";
const CWD = "/srv/app-watch";
const FORCE_PUSH = [
	"--agent",
	"impl_api",
	"--text",
	"git push --force origin main",
];
const KEY = "ef7581ccb73d4382";
const PATH = `${T}/agents/night/esc/${KEY}`;

function world(redirect: string | null = `${T}\n`) {
	const doors = fakeDoors();
	doors.files.seedDir(T);
	doors.files.seedDir(CWD);
	if (redirect !== null) doors.files.seed(`${CWD}/.thrum/redirect`, redirect);
	const run = (verb: string, ...words: readonly string[]) =>
		runCap(doors, [verb, "--watcher", "night", ...words], CWD);
	return { doors, run };
}

test.each([
	["impl_api", "git push --force origin main", KEY],
	["impl_api", "  git  push\t--force origin main \nsecond line", KEY],
	["impl_api", "unwatchable|capture failed", "b718a0d26e4d6288"],
])("the key of %s and %j is %s", (agent, text, key) =>
	expect(conditionKey(agent, text)).toBe(key),
);

test("five escalations: three are sent, one closes, then silence", async () => {
	const { doors, run } = world();
	const lines = [];
	for (let n = 0; n < 5; n++)
		lines.push((await run("bump", ...FORCE_PUSH)).out);
	expect(lines).toEqual([
		"escalation 1 of 3: send it",
		"escalation 2 of 3: send it",
		"escalation 3 of 3: send it",
		"capped: closing sequence now",
		"capped: silent",
	]);
	expect(doors.files.text(PATH)).toBe("4\n");
	expect(doors.files.stat(PATH)).toMatchObject({ stat: { mode: 0o600 } });
	expect(doors.files.stat(capDir(T, "night"))).toMatchObject({
		stat: { mode: 0o700 },
	});
});

test.each([
	[null, "escalation 1 of 3: send it", "1\n"],
	["", "escalation 1 of 3: send it", "1\n"],
	["abc", "escalation 1 of 3: send it", "1\n"],
	["-1\n", "escalation 1 of 3: send it", "1\n"],
	["2 \n", "escalation 1 of 3: send it", "1\n"],
	["2", "escalation 3 of 3: send it", "3\n"],
	["02\n", "escalation 3 of 3: send it", "3\n"],
	["3\n", "capped: closing sequence now", "4\n"],
	["003", "capped: closing sequence now", "4\n"],
	["4\n", "capped: silent", null],
	["999\n", "capped: silent", null],
	["1000", "capped: silent", null],
	["0001", "capped: silent", null],
	["99999999999999999999", "capped: silent", null],
])("a file that holds %j: %s", (raw, line, write) =>
	expect(nextCapState(raw)).toEqual({ line, write }),
);

test("a silent bump keeps the file alive without changing it", async () => {
	const { doors, run } = world();
	doors.files.seed(PATH, "1000", { mtime: doors.clock.now() - 90_000 });
	await run("bump", ...FORCE_PUSH);
	expect(doors.files.text(PATH)).toBe("1000");
	expect(doors.files.stat(PATH)).toMatchObject({
		stat: { mtimeMs: doors.clock.nowMs() },
	});
});

describe("the store fails closed", () => {
	const bump = async ({ run }: ReturnType<typeof world>) =>
		run("bump", ...FORCE_PUSH);
	const closed = { exitCode: 0, out: UNAVAILABLE } as const;

	test.each(["rel/x\n", "", "\n", " /srv/app/.thrum\n"])(
		"a redirect of %j",
		async (redirect) => expect(await bump(world(redirect))).toEqual(closed),
	);

	test("no redirect, and no repository", async () => {
		const w = world(null);
		w.doors.proc.answer("git", 128);
		expect(await bump(w)).toEqual(closed);
	});

	test("a folder where the count should be", async () => {
		const w = world();
		w.doors.files.seedDir(PATH);
		expect(await bump(w)).toEqual(closed);
	});

	test("a folder that cannot be made", async () => {
		const w = world();
		w.doors.files.seed(`${T}/agents/night/esc`, "a file");
		expect(await bump(w)).toEqual(closed);
	});

	test.each(["writeAtomic", "mkdir", "touch"] as const)(
		"%s fails",
		async (op) => {
			const w = world();
			w.doors.files.seed(PATH, op === "touch" ? "7\n" : "1\n");
			const files = {
				...w.doors.files,
				[op]: () => ({ kind: "failed", code: "EROFS", reason: "read-only" }),
			};
			const doors = { ...w.doors, files };
			const words = ["bump", "--watcher", "night", ...FORCE_PUSH];
			expect(await runCap(doors, words, CWD)).toEqual(closed);
		},
	);
});

test("without a redirect the repository's own .thrum is meant", async () => {
	const { doors, run } = world(null);
	doors.proc.answer("git", "/srv/app\n");
	await run("bump", ...FORCE_PUSH);
	expect(doors.files.text(PATH)).toBe("1\n");
});

test("a condition that is over is told anew, one that nobody has seen for eight days is forgotten", async () => {
	const { doors, run } = world();
	await run("bump", ...FORCE_PUSH);
	await run("bump", ...FORCE_PUSH);
	expect((await run("count", ...FORCE_PUSH)).out).toBe("2");
	expect(await run("clear", ...FORCE_PUSH)).toEqual({ exitCode: 0 });
	expect((await run("count", ...FORCE_PUSH)).out).toBe("0");
	expect(await run("seen", ...FORCE_PUSH)).toEqual({ exitCode: 0 });
	expect(doors.files.has(PATH)).toBe(false);

	const DAY = 86_400;
	const dir = capDir(T, "night");
	const now = doors.clock.now();
	doors.files.seed(`${dir}/old`, "4\n", { mtime: now - 8 * DAY });
	doors.files.seed(`${dir}/held`, "4\n", { mtime: now - 8 * DAY + 1 });
	expect(await run("prune")).toEqual({ exitCode: 0 });
	expect(doors.files.paths(dir)).toEqual([`${dir}/held`]);
});

test("seen keeps a condition from being forgotten", async () => {
	const { doors, run } = world();
	doors.files.seed(PATH, "2\n", { mtime: doors.clock.now() - 700_000 });
	await run("seen", ...FORCE_PUSH);
	await run("prune");
	expect(doors.files.text(PATH)).toBe("2\n");
});

test("the key's text may be given whole", async () => {
	const { doors } = world();
	const text = "impl_api|unwatchable|capture failed";
	expect(await runCap(doors, ["key", "--key-text", text], CWD)).toEqual({
		exitCode: 0,
		out: "b718a0d26e4d6288",
	});
});

test.each([
	[[]],
	[["raise"]],
	[["bump", "--agent", "a", "--text", "x"]],
	[["bump", "--watcher", "../etc", "--agent", "a", "--text", "x"]],
	[["bump", "--watcher", "night"]],
	[["bump", "--watcher", "night", "--key-text", "no-bar"]],
	[["bump", "--watcher", "night", "--wat"]],
	[["prune"]],
])("usage: %j", async (argv) => {
	const { doors } = world();
	const answer = await runCap(doors, argv, CWD);
	expect(answer.exitCode).toBe(2);
	expect(answer.err).toContain("usage: esc-cap.ts");
});

describe("the program beside a shell version", () => {
	const dir = mkdtempSync(join(tmpdir(), "esc-cap-"));
	afterAll(() => rmSync(dir, { recursive: true, force: true }));
	mkdirSync(join(dir, "w/.thrum"), { recursive: true });
	mkdirSync(join(dir, "T"));
	writeFileSync(join(dir, "w/.thrum/redirect"), `${join(dir, "T")}\n`);
	const sh = (script: string) => {
		const ran = Bun.spawnSync(["sh", "-c", script], {
			env: process.env,
			cwd: join(dir, "w"),
		});
		return ran.stdout.toString().trim();
	};
	const program = [
		process.execPath,
		...BUN_FLAGS,
		join(CODE_ROOT, "resources/esc-cap.ts"),
	]
		.map(shellQuote)
		.join(" ");
	const words = `--watcher night --agent impl_api --text 'git push --force origin main'`;

	test("counts on where the other stopped, in the same file", () => {
		const file = `"$(cat .thrum/redirect)/agents/night/esc/$(printf '%s' 'impl_api|git push --force origin main' | sha256sum | cut -c1-16)"`;
		expect(sh(`${program} bump ${words}`)).toBe("escalation 1 of 3: send it");
		expect(sh(`n=$(cat ${file}); echo $((n + 1)) > ${file}; cat ${file}`)).toBe(
			"2",
		);
		expect(sh(`${program} bump ${words}`)).toBe("escalation 3 of 3: send it");
		expect(sh(`${program} --self-check`)).toBe("ok esc-cap.ts");
	});
});
