/** The parts that run a program, with the real program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { classifyDiff } from "../../monitor/_emit/classify-diff.ts";
import { clearBells } from "../../monitor/_emit/clear-bells.ts";
import { listClones } from "../../monitor/_emit/git-listing.ts";
import { diffHead, localDiff } from "../../monitor/_emit/local-diff.ts";
import { toldPart } from "../../monitor/_emit/told-part.ts";
import { realClock } from "../../monitor/_sys/clock.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

const proc = realProc();
const signal = new AbortController().signal;
let dir: string;
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "nexus-emit-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("diff", () => {
	const put = (name: string, text: string) => {
		writeFileSync(join(dir, name), text);
		return join(dir, name);
	};

	test("of equal texts is the same, of others a unified diff with tabs in its headers", async () => {
		const a = put("a", "--- tmux ---\nw bell=0\n");
		const b = put("b", "--- tmux ---\nw bell=1\n");
		expect(await localDiff(proc, a, a, signal)).toEqual({ kind: "same" });
		const diff = await localDiff(proc, a, b, signal);
		expect(diff).toMatchObject({ kind: "differs" });
		const text = diff.kind === "differs" ? diff.text : "";
		expect(text).toMatch(/^--- \/.*\/a\t\d{4}-.*\n\+\+\+ \/.*\/b\t\d{4}-/);
		expect(text).toContain("-w bell=0\n+w bell=1\n");
		expect(classifyDiff(text)).toEqual({ signal: true, summary: "" });
	});

	test("of a file that is not there could not look", async () => {
		const a = put("a", "x\n");
		const gone = join(dir, "gone");
		expect(await localDiff(proc, a, gone, signal)).toEqual({
			kind: "unknown",
			reason: "diff exited 2",
		});
	});

	test("of a long change is told in parts, each from where the last one ended", async () => {
		const rows = (ns: readonly number[]) =>
			`# snapshot-format=v2\n${ns.map((n) => `r${n}.md\n`).join("")}`;
		const all = Array.from({ length: 300 }, (_, i) => 1000 + i);
		const now = rows(all.filter((n) => n % 3 !== 0));
		let since = rows(all.filter((n) => n % 2 !== 0));
		const told: string[] = [];
		for (let reports = 0; since !== now; reports++) {
			expect(reports).toBeLessThan(20);
			const [a, b] = [put("since", since), put("now", now)];
			const diff = await localDiff(proc, a, b, signal);
			const text = diff.kind === "differs" ? diff.text : "";
			told.push(...text.split("\n").slice(0, 50));
			since = toldPart(since, now, text, 50);
		}
		const count = (row: RegExp) => told.filter((l) => row.test(l)).length;
		expect(count(/^\+r1/)).toBe(100);
		expect(count(/^-r1/)).toBe(50);
	});

	test("is printed up to 120 lines", async () => {
		const long = put("long", "x\n".repeat(500));
		const diff = await localDiff(proc, put("empty", ""), long, signal);
		const head = diffHead(diff.kind === "differs" ? diff.text : "");
		expect(head.split("\n")).toHaveLength(120);
	});
});

describe("git", () => {
	const git = (cwd: string, ...args: string[]) =>
		Bun.spawnSync(
			["git", "-c", "user.name=t", "-c", "user.email=t@x", ...args],
			{ env: process.env, cwd },
		);

	test("tells HEAD, clean and dirty of clones, an empty one, and a broken one", async () => {
		const work = join(dir, "work");
		for (const name of ["clean", "dirty", "empty"])
			git("/", "init", "-q", join(work, name));
		for (const name of ["clean", "dirty"])
			git(join(work, name), "commit", "-q", "--allow-empty", "-m", "x");
		writeFileSync(join(work, "dirty/new"), "x");
		realFiles().writeAtomic(join(work, "x"), "no folder");
		realFiles().mkdir(join(work, "broken/.git"));
		const head = git(join(work, "clean"), "rev-parse", "HEAD").stdout;
		const doors = { files: realFiles(), clock: realClock({}), proc };
		const listing = await listClones(doors, dir, 20_000, new Map(), signal);
		const [broken, clean, dirty, empty] = listing.trimEnd().split("\n");
		expect(broken).toBe("broken none dirty");
		expect(clean).toBe(`clean ${head.toString().trim()} clean`);
		expect(dirty).toMatch(/^dirty [0-9a-f]{40} dirty$/);
		expect(empty).toBe("empty none clean");
	});
});

describe("bells on a real tmux", () => {
	let server: PrivateTmux;
	beforeAll(() => {
		server = startPrivateTmux();
		server.run("set-option", "-g", "monitor-bell", "on");
		for (const name of ["w.1", "w"])
			server.run("new-window", "-d", "-n", name, "printf '\\a'; exec cat");
	});
	afterAll(() => server.kill());

	const flags = () =>
		server.run(
			"list-windows",
			"-a",
			"-F",
			"#{session_name}|#{window_name}|#{window_bell_flag}|#{window_active}",
		);
	test("are cleared by exact name, without moving a window or leaving a session", async () => {
		await waitUntil("both bells", () => /w\.1\|1\|0\n.*w\|1\|0/.test(flags()), {
			describe: flags,
		});
		const tmux = realTmux(proc, realRandom(), { env: server.env });
		await clearBells({ tmux, proc }, new Set(["w"]));
		expect(flags().split("\n")).toEqual([
			"fleet|shell|0|1",
			"fleet|w.1|1|0",
			"fleet|w|0|0",
		]);
	});

	test("a helper that a dead watcher left is ended, one that alone keeps a window is not", async () => {
		const tmux = realTmux(proc, realRandom(), { env: server.env });
		server.run(
			"new-session",
			"-d",
			"-s",
			"nx-bell-clear-999999",
			"-t",
			"fleet",
		);
		server.run(
			"new-session",
			"-d",
			"-s",
			"nx-bell-clear-999998",
			"-n",
			"last",
			"cat",
		);
		await clearBells({ tmux, proc }, new Set(["w.1"]));
		const left = flags();
		expect(left).not.toContain("nx-bell-clear-999999");
		expect(left).toContain("nx-bell-clear-999998|last");
		expect(left).toContain("fleet|w.1|0|0");
		server.run("kill-session", "-t", "=nx-bell-clear-999998");
	});
});
