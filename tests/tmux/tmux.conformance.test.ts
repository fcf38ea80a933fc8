/** One suite, two tmux: a real server on a private socket, and the fake one. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
	PaneRow,
	Tmux,
	TmuxCommand,
	TmuxResult,
} from "../../monitor/_sys/doors.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { startPrivateTmux } from "../support/private-tmux.ts";

interface Rig {
	readonly tmux: Tmux;
	/** Writes a file that `load-buffer` can read; its path. */
	file(text: string): string;
	/** Makes a window whose program echoes what is typed, with any name at all. */
	stage(name: string): Promise<void>;
	bell(windowId: string): Promise<void>;
	die(paneId: string): Promise<void>;
	stop(): Promise<void>;
}

const ECHO = ["cat"];

const rigs: readonly (readonly [string, () => Rig])[] = [
	[
		"the real tmux",
		() => {
			const server = startPrivateTmux({ columns: 80, rows: 24 });
			server.run("rename-window", "-t", "fleet", "w0");
			const tmux = realTmux(realProc(), realRandom(), {
				// The door must read every name in a locale without UTF-8, too.
				env: { ...server.env, LC_ALL: "C" },
				limitMs: 20_000,
			});
			return {
				tmux,
				file: (text) => {
					const path = join(server.dir, `p${Bun.hash(text)}`);
					writeFileSync(path, text);
					return path;
				},
				stage: async (name) => {
					const format = "#{window_id}";
					const id = server.run("new-window", "-d", "-P", "-F", format, "cat");
					const escaped = name.replaceAll("#", "##").replace(/;$/, "\\;");
					server.run("rename-window", "-t", id, "--", escaped);
				},
				bell: async (windowId) => {
					server.run("set-option", "-w", "-t", windowId, "monitor-bell", "on");
					const format = "#{pane_tty}";
					const tty = server.run("list-panes", "-t", windowId, "-F", format);
					writeFileSync(tty, "\x07");
				},
				die: async (paneId) => {
					server.run("set-option", "-p", "-t", paneId, "remain-on-exit", "on");
					const format = "#{pane_id} #{pane_pid}";
					for (const line of server
						.run("list-panes", "-t", paneId, "-F", format)
						.split("\n")) {
						const [id, pid] = line.split(" ");
						if (id === paneId) process.kill(Number(pid), "SIGKILL");
					}
				},
				stop: server.kill,
			};
		},
	],
	[
		"the fake tmux",
		() => {
			const { tmux, files } = fakeDoors();
			tmux.window("w0");
			return {
				tmux,
				file: (text) => {
					files.seed("/tmp/p", text);
					return "/tmp/p";
				},
				stage: async (name) => {
					tmux.window(name);
				},
				bell: async (windowId) => {
					const found = tmux.model.find(windowId);
					if (found !== null) found.window.bell = true;
				},
				die: async (paneId) => {
					const found = tmux.model.find(paneId);
					if (found !== null) found.pane.dead = "1";
				},
				stop: async () => {},
			};
		},
	],
];

describe.each(rigs)("%s", (_name, build) => {
	let rig: Rig;
	let tmux: Tmux;
	beforeEach(() => {
		rig = build();
		tmux = rig.tmux;
	});
	afterEach(() => rig.stop());

	async function rows(): Promise<readonly PaneRow[]> {
		const listed = await tmux.panes();
		if (listed.kind !== "ok") throw new Error(JSON.stringify(listed));
		return listed.rows;
	}
	async function row(name: string): Promise<PaneRow> {
		const found = (await rows()).find((r) => r.windowName === name);
		if (found === undefined) throw new Error(`no window ${name}`);
		return found;
	}
	async function ok(cmd: TmuxCommand): Promise<string> {
		const done = await tmux.run(cmd);
		if (done.kind !== "ok") throw new Error(JSON.stringify(done));
		return done.stdout;
	}
	async function window(name: string): Promise<PaneRow> {
		const session = (await row("w0")).sessionId;
		await ok({ kind: "new-window", session, name, command: ECHO });
		return row(name);
	}
	async function screen(paneId: string): Promise<string> {
		const look = await tmux.capture(paneId, { escapes: false });
		return look.kind === "ok" ? look.stdout.trimEnd() : look.kind;
	}
	/** Asks until the answer is the wanted one; the test's own limit is the deadline. */
	async function until<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
		while (JSON.stringify(await ask()) !== JSON.stringify(wanted))
			await Bun.sleep(10);
	}

	test("a new window is listed with its facts, and does not become the current one", async () => {
		const made = await window("bench-a.1");
		expect(made).toMatchObject({
			paneDead: "0",
			paneActive: true,
			windowActive: false,
			bell: false,
			paneIndex: 0,
		});
		expect(made.windowId).toMatch(/^@\d+$/);
		expect(made.paneId).toMatch(/^%\d+$/);
		expect(made.sessionId).toMatch(/^\$\d+$/);
		expect(made.panePid).toBeGreaterThan(0);
		expect(made.width).toBeGreaterThan(0);
		expect(made.windowActivity).toBeGreaterThanOrEqual(made.server.startTime);
		expect(made.server).toEqual((await row("w0")).server);
		expect((await row("w0")).windowActive).toBe(true);
	});

	test("what is created prints its ids", async () => {
		const session = (await row("w0")).sessionId;
		const printed = await ok({
			kind: "new-window",
			session,
			name: "x",
			command: ECHO,
		});
		const made = await row("x");
		expect(printed).toBe(`${session}|${made.windowId}|${made.paneId}\n`);
	});

	test("a window without a command runs the shell", async () => {
		const session = (await row("w0")).sessionId;
		const made = await ok({ kind: "new-window", session, name: "sh" });
		expect(made).toContain((await row("sh")).windowId);
	});

	test.each([
		"a|b|c",
		"with spaces  inside ",
		`"double" 'single' \`back\``,
		"semi;colon;",
		"per%cent %s #{pid} #(date) # ##",
		"-leading -dashes",
		"Grüße 日本 😀",
		"•bell",
		"@1",
		"~ *?[x] $",
		"|",
	])(
		"a window named %p is found under exactly that name, and the listing stays usable",
		async (name) => {
			await rig.stage(name);
			expect((await row("w0")).windowName).toBe("w0");
			const found = await row(name);
			expect(await tmux.exists(found.windowId)).toBe("yes");
			expect(await rows()).toHaveLength(2);
		},
	);

	test.each([
		"back\\slash \\;",
		"$HOME",
		"tab\there",
		"two\nlines",
		"bell\x07 escape\x1b[31m",
	])(
		"a window named %p, which tmux stores in its own spelling, leaves the listing usable",
		async (name) => {
			await rig.stage(name);
			expect((await row("w0")).windowName).toBe("w0");
			expect(await rows()).toHaveLength(2);
		},
	);

	test("a rename takes any text literally", async () => {
		const { windowId } = await window("x");
		for (const name of ["#{pid} #(x) %d;", "-flag", "a;b;", "Grüße"]) {
			await ok({ kind: "rename-window", target: windowId, name });
			expect((await row(name)).windowId).toBe(windowId);
		}
	});

	test("an option of a window's own is shown, and taken back; a rename gives it one", async () => {
		const { windowId: target } = await window("x");
		const name = "automatic-rename";
		const shown = async () =>
			(await ok({ kind: "show-option", target, name })).trim();
		await ok({ kind: "unset-option", target, name });
		expect(await shown()).toBe("");
		await ok({ kind: "rename-window", target, name: "y" });
		expect(await shown()).toBe("off");
		await ok({
			kind: "set-option",
			scope: "window",
			target,
			name,
			value: "on",
		});
		expect(await shown()).toBe("on");
	});

	test("an id that is gone does not exist, and commands to it fail", async () => {
		const { windowId, paneId } = await window("x");
		expect(await tmux.exists(windowId)).toBe("yes");
		expect(await tmux.exists(paneId)).toBe("yes");
		await ok({ kind: "kill-window", target: windowId });
		expect(await tmux.exists(windowId)).toBe("no");
		expect(await tmux.exists(paneId)).toBe("no");
		for (const cmd of [
			{ kind: "send-keys", target: paneId, keys: ["Enter"] },
			{ kind: "rename-window", target: windowId, name: "y" },
			{ kind: "kill-window", target: windowId },
		] as const)
			expect((await tmux.run(cmd)).kind).toBe("failed");
		expect((await tmux.capture(paneId, { escapes: true })).kind).toBe("failed");
	});

	test.each(["w0", "main:w0", "", "@1;kill-server", "%", "@", "=w0"])(
		"the bare target %p is refused: it would match by prefix",
		async (target) => {
			const done = await tmux.run({ kind: "send-keys", target, keys: ["x"] });
			expect(done.kind).toBe("failed");
			expect(await tmux.exists(target)).toBe("unknown");
			const look = await tmux.capture(target, { escapes: true });
			expect(look.kind).toBe("failed");
			expect(await rows()).toHaveLength(1);
		},
	);

	test("keys arrive as keys, and data that looks like tmux's own syntax arrives as data", async () => {
		const { paneId } = await window("x");
		const keys = ["a;", "-l", "\\;", "é", ";", "--", "b"];
		await ok({ kind: "send-keys", target: paneId, keys });
		await until(() => screen(paneId), "a;-l\\;é;--b");
		await ok({ kind: "send-keys", target: paneId, keys: ["BSpace", "c"] });
		await until(() => screen(paneId), "a;-l\\;é;--c");
	});

	test("a paste arrives whole and leaves no buffer behind", async () => {
		const { paneId } = await window("x");
		const path = rig.file("one; two\n-three #{pid} 😀");
		await ok({ kind: "load-buffer", buffer: "nexus-t-1", path });
		await ok({ kind: "paste-buffer", buffer: "nexus-t-1", target: paneId });
		const shown = async () => {
			const text = await screen(paneId);
			return text.includes("one; two") && text.includes("-three #{pid} 😀");
		};
		await until(shown, true);
		const again = await tmux.run({
			kind: "paste-buffer",
			buffer: "nexus-t-1",
			target: paneId,
		});
		expect(again.kind).toBe("failed");
	});

	test("a buffer can be dropped unpasted, and a missing file is no buffer", async () => {
		const path = rig.file("x");
		await ok({ kind: "load-buffer", buffer: "b", path });
		await ok({ kind: "delete-buffer", buffer: "b" });
		const gone = await tmux.run({ kind: "delete-buffer", buffer: "b" });
		expect(gone.kind).toBe("failed");
		const none = await tmux.run({
			kind: "load-buffer",
			buffer: "b",
			path: "/no/such/file",
		});
		expect(none.kind).toBe("failed");
	});

	test("keys into a dead pane are swallowed, and its flag says 1", async () => {
		const { paneId } = await window("x");
		await rig.die(paneId);
		await until(async () => (await row("x")).paneDead, "1");
		await ok({ kind: "send-keys", target: paneId, keys: ["x", "Enter"] });
		expect((await row("x")).paneDead).toBe("1");
		const both = await tmux.captureAll([paneId]);
		expect(both.kind === "ok" && both.text.has(paneId)).toBe(true);
	});

	test("a paste into a dead pane is refused, and the server lives", async () => {
		const { paneId } = await window("x");
		await rig.die(paneId);
		await until(async () => (await row("x")).paneDead, "1");
		const path = rig.file("one\ntwo");
		await ok({ kind: "load-buffer", buffer: "late", path });
		const paste = { kind: "paste-buffer", buffer: "late" } as const;
		const done = await tmux.run({ ...paste, target: paneId });
		expect(done).toMatchObject({
			kind: "failed",
			stderr: expect.stringContaining("the-pane-is-dead"),
		});
		expect((await row("x")).paneDead).toBe("1");
		await ok({ kind: "delete-buffer", buffer: "late" });
	});

	test("all panes are captured by one client; one that is gone is missing, the others are whole", async () => {
		const a = await window("a");
		const gone = await window("gone");
		const b = await window("b");
		for (const { paneId } of [a, b])
			await ok({
				kind: "send-keys",
				target: paneId,
				keys: [`text-${paneId.slice(1)}`],
			});
		await until(() => screen(b.paneId), `text-${b.paneId.slice(1)}`);
		await until(() => screen(a.paneId), `text-${a.paneId.slice(1)}`);
		await ok({ kind: "kill-window", target: gone.windowId });
		const got = await tmux.captureAll([a.paneId, gone.paneId, b.paneId]);
		if (got.kind !== "ok") throw new Error(got.kind);
		expect([...got.text.keys()].sort()).toEqual([a.paneId, b.paneId].sort());
		for (const { paneId, height } of [a, b]) {
			const text = got.text.get(paneId) ?? "";
			expect(text.trimEnd()).toBe(`text-${paneId.slice(1)}`);
			expect(text.split("\n")).toHaveLength(height + 1);
		}
	});

	test("a blank pane is captured as blank rows, not as missing", async () => {
		const { paneId, height } = await window("x");
		const got = await tmux.captureAll([paneId]);
		const text = got.kind === "ok" ? got.text.get(paneId) : undefined;
		expect(text?.trim()).toBe("");
		expect(text?.split("\n")).toHaveLength(height + 1);
		expect(await tmux.captureAll([])).toEqual({ kind: "ok", text: new Map() });
	});

	test("a bell is a flag of the window, and looking at it in a grouped session clears it", async () => {
		const { windowId } = await window("x");
		await rig.bell(windowId);
		await until(async () => (await row("x")).bell, true);
		const main = (await row("w0")).sessionId;
		await ok({ kind: "new-session", name: "nx-bell-clear-7", groupWith: main });
		const helper = (await rows()).find((r) => r.session === "nx-bell-clear-7");
		const session = helper?.sessionId ?? "";
		await ok({ kind: "select-window", target: windowId, session });
		await ok({ kind: "kill-session", target: session });
		await until(async () => (await row("x")).bell, false);
		expect((await row("w0")).windowActive).toBe(true);
		expect(await rows()).toHaveLength(2);
	});

	test("a session is made, found by its exact name, and ended", async () => {
		const has = async (name: string) =>
			(await tmux.run({ kind: "has-session", name })).kind;
		expect(await has("nexus")).toBe("failed");
		await ok({
			kind: "new-session",
			name: "nexus",
			windowName: "orchestrator",
			width: 100,
			height: 30,
			command: ECHO,
		});
		expect([await has("nexus"), await has("nex")]).toEqual(["ok", "failed"]);
		const twice = await tmux.run({ kind: "new-session", name: "nexus" });
		expect(twice.kind).toBe("failed");
		const made = await row("orchestrator");
		expect(made.session).toBe("nexus");
		await ok({ kind: "kill-session", target: made.sessionId });
		expect(await has("nexus")).toBe("failed");
	});

	test("sessions are listed with the options that were asked for, whatever stands in them", async () => {
		await ok({ kind: "new-session", name: "a|b ä", command: ECHO });
		const mine = (await rows()).find((r) => r.session === "a|b ä");
		if (mine === undefined) throw new Error("no session");
		const target = mine.sessionId;
		const value = "3|x|#{pid};";
		const set = { kind: "set-option", scope: "session", target } as const;
		await ok({ ...set, name: "@fleet-run", value });
		const listed = await tmux.sessions(["@fleet-run", "@other"]);
		if (listed.kind !== "ok") throw new Error(listed.kind);
		expect(listed.rows).toHaveLength(2);
		expect(listed.rows.find((r) => r.session === "a|b ä")).toEqual({
			sessionId: target,
			session: "a|b ä",
			server: mine.server,
			options: { "@fleet-run": value, "@other": "" },
		});
	});

	test("a pane that is respawned keeps its id", async () => {
		const { paneId } = await window("again");
		const command = ["cat", "-u"];
		await ok({ kind: "respawn-pane", target: paneId, command });
		expect((await row("again")).paneId).toBe(paneId);
		const empty = { kind: "respawn-pane", target: "%4711", command } as const;
		expect((await tmux.run(empty)).kind).toBe("failed");
	});

	test("a pane is split and closed again, and with its last pane a window is gone", async () => {
		const { paneId, windowId } = await window("two");
		const split = { kind: "split-pane", target: paneId, percent: 30 } as const;
		const ids = (await ok({ ...split, command: ECHO })).trim().split("|");
		const below = ids[2] ?? "";
		const panes = async () =>
			(await rows())
				.filter((r) => r.windowId === windowId)
				.map((r) => [r.paneId, r.paneActive]);
		expect(ids[1]).toBe(windowId);
		expect(await panes()).toEqual([
			[paneId, true],
			[below, false],
		]);
		await ok({ kind: "title-pane", target: below, title: "a; b" });
		await ok({ kind: "kill-pane", target: below });
		expect(await panes()).toEqual([[paneId, true]]);
		await ok({ kind: "kill-pane", target: paneId });
		expect(await panes()).toEqual([]);
		expect(await tmux.exists(windowId)).toBe("no");
		expect((await tmux.run({ ...split, command: ECHO })).kind).toBe("failed");
	});

	test("a window moves to a free index and to no other", async () => {
		const { windowId, sessionId } = await window("moved");
		const taken = (await row("w0")).windowIndex;
		const move = { kind: "move-window", target: windowId } as const;
		await ok({ ...move, session: sessionId, index: 7 });
		expect((await row("moved")).windowIndex).toBe(7);
		const again = { ...move, session: sessionId, index: taken } as const;
		expect((await tmux.run(again)).kind).toBe("failed");
		expect((await row("moved")).windowIndex).toBe(7);
	});

	test("tmux tells its version", async () => {
		const told = await tmux.version();
		expect(told.kind === "ok" && told.stdout).toMatch(/^tmux \d+\.\d+/);
	});

	test("the environment of new panes can be read", async () => {
		const shown = await tmux.globalEnvironment();
		expect(shown.kind === "ok" && /^PATH=/m.test(shown.stdout)).toBe(true);
	});

	test("an aborted question is aborted, not answered", async () => {
		const signal = AbortSignal.abort();
		expect(await tmux.panes(signal)).toEqual({ kind: "aborted" });
		const answers: TmuxResult[] = [
			await tmux.capture("%0", { escapes: true }, signal),
			await tmux.run({ kind: "delete-buffer", buffer: "b" }, signal),
		];
		expect(answers).toEqual([{ kind: "aborted" }, { kind: "aborted" }]);
		expect(await tmux.exists("@0", signal)).toBe("unknown");
	});

	test("after its server ended tmux could not look", async () => {
		for (const { sessionId } of await rows())
			await ok({ kind: "kill-session", target: sessionId });
		expect((await tmux.panes()).kind).toBe("failed");
		expect(await tmux.exists("@1")).toBe("unknown");
		expect((await tmux.captureAll(["%1"])).kind).toBe("failed");
	});
});
