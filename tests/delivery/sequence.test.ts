import { describe, expect, test } from "bun:test";
import { EMIT, makeRig } from "./rig.ts";

describe("one delivery, step by step", () => {
	test("a look, keys, buffer, paste, a look, one Enter", async () => {
		const { deliver, repl, steps } = makeRig();
		expect(await deliver()).toMatchObject({
			rc: 0,
			outcome: "submitted",
			enterRetries: 0,
		});
		// The pane is proven alive right before the first key and right before the
		// paste; between the last look and the Enter there is nothing.
		expect(steps.slice(1)).toEqual([
			"look",
			"panes",
			"i BSpace",
			"load-buffer",
			"panes",
			"paste-buffer",
			"look",
			"Enter",
		]);
		expect(repl.sent).toEqual([EMIT]);
		expect(repl.wrongs).toEqual([]);
	});

	test("0.1 s between the first keys and the buffer, 0.2 s between the paste and the look", async () => {
		const { deliver, doors, onStep } = makeRig();
		const at: Record<string, number> = {};
		onStep((step) => {
			at[step] = doors.clock.monoMs();
		});
		await deliver();
		const { "i BSpace": keys, "load-buffer": load } = at;
		expect((load ?? 0) - (keys ?? 0)).toBe(100);
		expect((at.Enter ?? 0) - (at["paste-buffer"] ?? 0)).toBe(200);
	});

	test("keys and the paste go to the pane's id; each paste has a buffer of its own", async () => {
		const { deliver, doors, repl } = makeRig();
		await deliver();
		await deliver("a second one, quite another");
		const runs = doors.tmux.calls.flatMap((call) =>
			call.op === "run" ? [call.cmd] : [],
		);
		for (const cmd of runs)
			if ("target" in cmd) expect(cmd.target).toBe(repl.window.pane.id);
		const buffers = runs.flatMap((cmd) =>
			cmd.kind === "paste-buffer" ? [cmd.buffer] : [],
		);
		expect(new Set(buffers).size).toBe(2);
		for (const name of buffers)
			expect(name).toMatch(/^nexus-paste-\d+-[0-9a-f]{8}$/);
		expect(doors.tmux.model.buffers.size).toBe(0);
	});

	test("the temporary file and the memory of the text are gone afterwards", async () => {
		const { deliver, doors, leftover } = makeRig();
		await deliver();
		expect(doors.files.paths("/tmp")).toEqual([]);
		expect(leftover()).toBeNull();
	});
});

describe("an agent that is ready takes it", () => {
	test("in vim's normal mode: the box is opened for insertion first", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ vim: "normal" });
		expect((await deliver()).outcome).toBe("submitted");
		expect(repl.wrongs).toEqual([]);
	});

	test("in the middle of a turn: the text is queued", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ busy: true });
		expect(await deliver()).toMatchObject({ rc: 0, outcome: "queued" });
	});

	test("with a suggestion in the box, which is not somebody's text", async () => {
		const { deliver, repl } = makeRig();
		const suggestion = { state: "autosuggest-only", input: "ghost" } as const;
		repl.set({ script: [suggestion, {}] });
		expect((await deliver()).outcome).toBe("submitted");
	});

	test("though it renders late: the Enter waits for the text", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ lateLooks: 6 });
		expect((await deliver()).outcome).toBe("submitted");
		expect(repl.enters).toBe(1);
	});

	test("though its screen could not be read at first", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ script: [{ state: "unknown" }, { state: "empty" }, {}] });
		expect((await deliver()).outcome).toBe("submitted");
	});

	test("under another name: an id is the same pane, whatever its window is called", async () => {
		const { afterPaste, deliver, repl } = makeRig();
		afterPaste(() => {
			repl.window.name = "renamed; by 'somebody'";
		});
		expect((await deliver()).outcome).toBe("submitted");
	});
});
