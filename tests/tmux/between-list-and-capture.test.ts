/** What happens to a real pane between the listing and the capture of a sweep, and what is then said of it and its neighbours (contract 03 §5). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../../monitor/_pane/settings.ts";
import { sweepPanes } from "../../monitor/_pane/sweep.ts";
import type { PaneRows } from "../../monitor/_sys/doors.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { readFixture } from "../pane/cli-support.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: PrivateTmux;
let listed: PaneRows;
let pane: string;

const real = realDoors();
const deps = () => ({
	doors: {
		...real,
		tmux: realTmux(real.proc, real.random, {
			env: server.env,
			limitMs: 20_000,
		}),
	},
	stateDir: join(server.dir, "state"),
	settings: DEFAULT_SETTINGS,
});

/** Opens a window in which a program called `claude` stands still behind an idle screen. */
function agent(name: string): string {
	const script = `cat '${join(server.dir, "idle.ansi")}'; exec '${join(server.dir, "bin/claude")}' -f /dev/null`;
	return server.run(
		...["new-window", "-d", "-P", "-F", "#{pane_id}", "-n", name],
		...["sh", "-c", script],
	);
}
async function lines(rows?: PaneRows): Promise<Map<string, string>> {
	const swept = await sweepPanes(deps(), rows && { listed: rows });
	if (swept.kind !== "ok") throw new Error("tmux could not be asked");
	return new Map(swept.panes.map((p) => [p.row.windowName, p.line]));
}
const stateIn = (line: string | undefined) =>
	/^state=(\S+)/.exec(line ?? "")?.[1];

beforeEach(async () => {
	server = startPrivateTmux();
	mkdirSync(join(server.dir, "bin"));
	copyFileSync("/usr/bin/tail", join(server.dir, "bin/claude"));
	chmodSync(join(server.dir, "bin/claude"), 0o755);
	const idle = readFixture("claude-code/2.1.332-160x45/idle-fresh");
	// As it would be printed: rows end in CR LF, the last one has none.
	writeFileSync(
		join(server.dir, "idle.ansi"),
		idle.trimEnd().replaceAll("\n", "\r\n"),
	);
	pane = agent("a");
	agent("b");
	await waitUntil("two idle agents", async () => {
		const seen = await lines();
		return ["a", "b"].every((name) => stateIn(seen.get(name)) === "idle");
	});
	listed = await deps().doors.tmux.panes();
});
afterEach(() => server.kill());

/** In the pane, over the program that called itself claude. */
const draws = (text: string) => {
	const tty = server.run("display-message", "-p", "-t", pane, "#{pane_tty}");
	writeFileSync(tty, text);
};
const FULL_SCREEN = "\x1b[?1049h\x1b[H\x1b[2J";

/** A program that was told to end may still be there when its process is looked at: then nobody can tell. */
const ENDED = ["absent", "unknown"];

const events: readonly (readonly [string, () => void, readonly string[]])[] = [
	["its window is closed", () => server.run("kill-window", "-t", pane), ENDED],
	[
		"its program ends and tmux keeps the corpse",
		() => {
			server.run("set-option", "-w", "-t", pane, "remain-on-exit", "on");
			server.run("respawn-pane", "-k", "-t", pane, "true");
		},
		ENDED,
	],
	[
		"a shell takes its place",
		() => server.run("respawn-pane", "-k", "-t", pane, "sh"),
		// Between fork and exec nobody can tell what it will be.
		["absent", "unknown"],
	],
	[
		"its window shrinks",
		() => server.run("resize-window", "-t", pane, "-x", "60", "-y", "20"),
		["idle", "empty"],
	],
	[
		"its window grows",
		() => server.run("resize-window", "-t", pane, "-x", "240", "-y", "60"),
		["idle"],
	],
	[
		"somebody enters copy mode",
		() => server.run("copy-mode", "-t", pane),
		["idle"],
	],
	[
		"somebody scrolls back in it",
		() => {
			server.run("copy-mode", "-t", pane);
			server.run("send-keys", "-X", "-t", pane, "page-up");
		},
		["idle"],
	],
	[
		"vim covers its screen",
		() =>
			draws(
				`${FULL_SCREEN}one line\r\n${"~\r\n".repeat(30)}"notes.txt" 1L, 9B`,
			),
		["empty"],
	],
	[
		"another agent covers its screen",
		() =>
			draws(
				`${FULL_SCREEN}  OpenAI Codex (v0.40)\r\n\r\n› Explain this\r\n\r\n  ⏎ send   ⌃C quit`,
			),
		["empty"],
	],
	["its screen is cleared", () => draws("\x1b[2J\x1b[H"), ["unknown"]],
];

test.each(events)("%s", async (_, happens, states) => {
	happens();
	const seen = await lines(listed);
	expect(states).toContain(stateIn(seen.get("a")) ?? "");
	expect(stateIn(seen.get("b"))).toBe("idle");
});
