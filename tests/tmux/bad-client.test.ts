/** What the door says of a tmux that hangs, says nothing, says rubbish or is not there (contract 00 R3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	chmodSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tmux } from "../../monitor/_sys/doors.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";

let dir: string;
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "bad-tmux-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const proc = realProc();

/** The door over a shell script that stands for tmux. */
function tmuxThat(script: string, limitMs = 20_000): Tmux {
	const bin = mkdtempSync(join(dir, "bin-"));
	writeFileSync(join(bin, "tmux"), `#!/bin/sh\n${script}\n`);
	chmodSync(join(bin, "tmux"), 0o755);
	const env = { PATH: `${bin}:/usr/bin:/bin`, PIDS: join(bin, "pids") };
	return realTmux(proc, realRandom(), { env, limitMs });
}

/** Every way to ask, and what it says. */
async function answers(tmux: Tmux): Promise<Record<string, string>> {
	const keys = { kind: "send-keys", target: "%1", keys: ["Enter"] } as const;
	const window = {
		kind: "new-window",
		session: "$1",
		name: "x",
		command: ["cat"],
	} as const;
	return {
		panes: (await tmux.panes()).kind,
		captureAll: (await tmux.captureAll(["%1"])).kind,
		capture: (await tmux.capture("%1", { escapes: true })).kind,
		exists: await tmux.exists("%1"),
		keys: (await tmux.run(keys)).kind,
		window: (await tmux.run(window)).kind,
	};
}

test("a tmux that ignores SIGTERM, with a child that holds the output open, is hung at our limit, and all of it dies", async () => {
	const tmux = tmuxThat(
		`trap '' TERM; (trap '' TERM; exec sleep 600) & echo $$ $! >> $PIDS; echo partial; wait`,
		250,
	);
	expect(await answers(tmux)).toEqual({
		panes: "hung",
		captureAll: "hung",
		capture: "hung",
		exists: "unknown",
		keys: "hung",
		window: "hung",
	});
	const found = await Bun.$`cat ${dir}/bin-*/pids`.quiet().text();
	const pids = found.trim().split(/\s+/).map(Number);
	expect(pids).toHaveLength(12);
	for (const pid of pids) while (proc.alive(pid)) await Bun.sleep(5);
});

const ALL_FAILED = {
	panes: "failed",
	captureAll: "failed",
	capture: "failed",
	exists: "unknown",
	keys: "failed",
	window: "failed",
};

test.each([
	// So looks a client that somebody ended from outside. Keys have no answer to miss.
	["exits 0 and prints nothing", "exit 0", { ...ALL_FAILED, keys: "ok" }],
	[
		"fails, being of another version",
		"echo 'server version is too old for client' >&2; exit 1",
		ALL_FAILED,
	],
	[
		// Any text may be a screen; nothing else believes it.
		"exits 0 and prints rubbish",
		"echo 'open terminal failed'",
		{ ...ALL_FAILED, capture: "ok", keys: "ok", window: "ok" },
	],
])("a tmux that %s could not be asked", async (_what, script, expected) => {
	expect(await answers(tmuxThat(script))).toEqual(expected);
});

test("without tmux every answer says so", async () => {
	const env = { PATH: join(dir, "nothing-here") };
	const tmux = realTmux(proc, realRandom(), { env });
	expect(await answers(tmux)).toEqual({
		panes: "no-tmux",
		captureAll: "no-tmux",
		capture: "no-tmux",
		exists: "unknown",
		keys: "no-tmux",
		window: "no-tmux",
	});
});

test("a listing that was cut after a whole row could not be asked: a window that is left out is not gone", async () => {
	const row = "echo '$0|@1|0|%1|0|1|1|0|77|80|24|0|0|0|1|1|1|4|main|w0'";
	expect((await tmuxThat(row).panes()).kind).toBe("failed");
	const whole = tmuxThat(`${row}; for end; do :; done; echo "$end"`);
	const listed = await whole.panes();
	expect(listed.kind === "ok" && listed.rows.map((r) => r.windowName)).toEqual([
		"w0",
	]);
});

describe("captures", () => {
	test("a pane that died in between is asked once again, and only it", async () => {
		const log = join(dir, "asked");
		// First client: %2 has no rows. Second client: %2 has come back.
		const tmux =
			tmuxThat(`n=$(cat ${log}.n 2>/dev/null || echo 0); echo $((n+1)) > ${log}.n
while read -r cmd a b c d e; do
  echo "$cmd $a $b $c $d $e" >> ${log}
  case $cmd in
    display-message) echo "$b";;
    capture-pane) if [ "$e" = %2 ] && [ "$n" = 0 ]; then bad=1; else echo "rows of $e"; fi;;
  esac
done
exit \${bad:-0}`);
		const got = await tmux.captureAll(["%1", "%2", "%3"]);
		expect(got.kind === "ok" && Object.fromEntries(got.text)).toEqual({
			"%1": "rows of %1\n",
			"%2": "rows of %2\n",
			"%3": "rows of %3\n",
		});
		const captures = readFileSync(log, "utf8").match(/capture-pane.*/g);
		expect(captures?.map((line) => line.split(" ").at(-1))).toEqual([
			"%1",
			"%2",
			"%3",
			"%2",
		]);
	});

	test("an answer without its end mark is no answer, even with rc 0", async () => {
		const tmux = tmuxThat("read -r cmd a mark; echo $mark; echo row; exit 0");
		expect((await tmux.captureAll(["%1"])).kind).toBe("failed");
	});
});
