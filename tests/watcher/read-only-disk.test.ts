/** A state dir that turns read-only under the running watcher, and back. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
	endWatchers,
	makeRoot,
	startedWatcher,
	startWatcher,
} from "./watcher-process.ts";

let tmux: PrivateTmux;
beforeAll(() => {
	tmux = startPrivateTmux();
});
afterEach(endWatchers);
afterAll(() => tmux.kill());

/** No new file can be made in an immutable folder, not even by root; needs a file system and rights for `chattr`. */
function freeze(dir: string, on: boolean): boolean {
	const flag = on ? "+i" : "-i";
	try {
		return (
			Bun.spawnSync(["chattr", flag, dir], {
				env: process.env,
				stderr: "ignore",
			}).exitCode === 0
		);
	} catch {
		return false;
	}
}
/** The alarm's status file, which lies outside the tree; it is dated at each poll. */
function statusOf(runtimeDir: string): string | null {
	const [path] = new Bun.Glob("nexus-*/*/status").scanSync(runtimeDir);
	return path === undefined
		? null
		: readFileSync(join(runtimeDir, path), "utf8");
}

function canFreeze(): boolean {
	const dir = join(process.env.TMPDIR ?? "/tmp", `nexus-freeze-${process.pid}`);
	mkdirSync(dir);
	const can = freeze(dir, true) && freeze(dir, false);
	Bun.spawnSync(["rmdir", dir], { env: process.env });
	return can;
}

test.skipIf(!canFreeze())(
	"it says so once, rings, waits without a task, and goes on when the disk is back",
	async () => {
		const at = makeRoot(tmux, "frozen");
		const bin = join(at.root, "bin");
		const rings = join(at.root, "rings");
		mkdirSync(bin);
		writeFileSync(
			join(bin, "sandbox-notify"),
			`#!/bin/sh\necho "$1" >> ${rings}\n`,
		);
		chmodSync(join(bin, "sandbox-notify"), 0o755);
		const watcher = await startedWatcher(at, [], {
			env: {
				MONITOR_FS_DEGRADED_POLL_SECONDS: "1",
				PATH: `${bin}:${process.env.PATH}`,
			},
		});
		const ticks = () => at.state("watcher-scheduler.jsonl").split("\n").length;
		const epoch = () => /epoch=(\d+)/.exec(at.state("watcher-progress"))?.[1];
		freeze(at.stateDir, true);
		try {
			await waitUntil(
				"the alarm",
				() => watcher.log().includes("not writable"),
				{ describe: watcher.log },
			);
			const before = ticks();
			await waitUntil("the bell", () => existsSync(rings));
			const polls = new Set<string>();
			await waitUntil("three polls of the sick disk", () => {
				const status = statusOf(tmux.dir);
				if (status !== null) polls.add(status);
				return polls.size >= 3;
			});
			expect(ticks()).toBe(before);
			expect(readFileSync(rings, "utf8").trim().split("\n")).toHaveLength(1);
			expect(watcher.log().match(/not writable/g)).toHaveLength(1);
		} finally {
			freeze(at.stateDir, false);
		}
		const then = epoch();
		await waitUntil("the loop to move", () => epoch() !== then);
		expect(watcher.log()).toContain("writable again");
		watcher.signal("SIGTERM");
		expect(await watcher.exited).toBe(0);
	},
	30_000,
);

test.skipIf(!canFreeze())(
	"one that starts on a read-only disk waits, and publishes itself when the disk is back",
	async () => {
		const at = makeRoot(tmux, "frozen-start");
		writeFileSync(
			join(at.stateDir, "last-snapshot.txt"),
			"# snapshot-format=v2 old\n",
		);
		freeze(at.stateDir, true);
		const watcher = startWatcher(at, [], {
			env: { MONITOR_FS_DEGRADED_POLL_SECONDS: "1" },
		});
		try {
			await waitUntil("the alarm", () =>
				watcher.log().includes("not writable"),
			);
			expect(at.has("watcher.pid")).toBe(false);
		} finally {
			freeze(at.stateDir, false);
		}
		await waitUntil("the pidfile", () => at.has("watcher.pid"), {
			describe: watcher.log,
		});
		expect(at.state("nexus-instance.lock")).toStartWith(
			`pid: ${watcher.pid}\n`,
		);
		watcher.signal("SIGTERM");
		expect(await watcher.exited).toBe(0);
		expect(at.has("watcher.pid")).toBe(false);
	},
	30_000,
);
