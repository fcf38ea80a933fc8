/** The demo itself, as a person runs it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { waitUntil } from "../support/wait-until.ts";

const NEXUS = resolve(import.meta.dir, "../../nexus");
let tmp: string;
let env: Record<string, string | undefined>;

beforeAll(() => {
	tmp = mkdtempSync(join(tmpdir(), "nexus-demos-"));
	env = { ...process.env, TMPDIR: tmp, XDG_RUNTIME_DIR: tmp };
});
afterAll(() => {
	Bun.spawnSync([NEXUS, "demo", "--stop"], { env });
	rmSync(tmp, { recursive: true, force: true });
});

/** Folders of demos that are still there. */
function roots(): string[] {
	const records = `nexus-demo-${process.getuid?.()}`;
	return readdirSync(tmp).filter(
		(name) => name.startsWith("nexus-demo-") && name !== records,
	);
}

test("--once settles a comment, delivers every emit exactly once, whole, proves it, and leaves nothing behind", async () => {
	const demo = Bun.spawn([NEXUS, "demo", "--once"], { env, stdout: "pipe" });
	const text = await new Response(demo.stdout).text();
	expect(await demo.exited, text).toBe(0);
	for (const told of [
		"spawned: window=bench-b ",
		"issue=1 id=3000000001 author=demo\n  body: Please measure the cache sizes.",
		"demo-bot[bot] marks the comment: EYES",
		"demo-bot[bot] marks the comment: ROCKET",
		"reactions:                  EYES by demo-bot[bot], ROCKET by demo-bot[bot]\n",
		"may be surfaced again:      no\n",
		"emits that carry it:        1\n",
		"comments of the bot:        1\n",
		"equal to the report:        byte for byte\n",
		"  - build (idx ",
		"window=bench-b fp=",
		"user messages that hold it: 1",
		"byte for byte",
	])
		expect(text).toContain(told);
	const [, report = "none"] =
		/uploaded: +assets\/1\/(\S+_cache-sizes\.md)\n/.exec(text) ?? [];
	expect(text).toContain(`\n+${report}\n`);
	expect(text).toMatch(
		RegExp(
			`Full report: http://127\\.0\\.0\\.1:\\d+/demo/hub/\\S*/${report}\n`,
		),
	);
	expect(text).toMatch(/state=blocked .*name=bench-b .*overlay=permission/);
	expect(text).not.toContain("NO\n");
	expect(roots()).toEqual([]);
}, 240_000);

test("--stop ends a demo whose own process was killed", async () => {
	const demo = Bun.spawn([NEXUS, "demo"], { env, stdout: "pipe" });
	const seen = { text: "" };
	void (async () => {
		const words = new TextDecoder();
		for await (const chunk of demo.stdout) seen.text += words.decode(chunk);
	})();
	const running = () => seen.text.includes("the launcher started the watcher");
	await waitUntil("the watcher", running, { limitMs: 60_000 });
	const [root] = roots();
	const watcher = Number(/watcher, pid (\d+)/.exec(seen.text)?.[1]);
	demo.kill("SIGKILL");
	await demo.exited;
	expect(existsSync(`/proc/${watcher}`)).toBe(true);

	const stop = Bun.spawnSync([NEXUS, "demo", "--stop"], { env });
	expect(stop.exitCode).toBe(0);
	expect(stop.stdout.toString()).toContain(join(tmp, root!));
	await waitUntil("init to reap it", () => !existsSync(`/proc/${watcher}`));
	expect(roots()).toEqual([]);
}, 120_000);
