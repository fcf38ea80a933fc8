/** The program `_tmux-window` against a real server: value on stdout, the answer in the exit code (contract 04 §4.1). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { BUN_FLAGS, programPath } from "../../monitor/_sys/names.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";

let server: PrivateTmux;
beforeAll(() => {
	server = startPrivateTmux();
	for (const name of ["w1-sk", "a.0", "-x", "tab|pipe; 😀"])
		server.run("new-window", "-d", "-n", name, "cat");
});
afterAll(() => server.kill());

async function run(env: Record<string, string>, ...args: string[]) {
	const child = Bun.spawn(
		[process.execPath, ...BUN_FLAGS, programPath("tmuxWindow"), ...args],
		{ env: { ...server.env, ...env }, stdout: "pipe", stderr: "pipe" },
	);
	const [out, err] = await Promise.all([
		child.stdout.text(),
		child.stderr.text(),
	]);
	return { rc: await child.exited, out, err };
}

test("a name is answered with its id or its index", async () => {
	const listed = server.run(
		"list-windows",
		"-F",
		"#{window_id}|#{window_name}",
	);
	const id = listed.split("\n").find((line) => line.endsWith("|a.0"));
	expect(await run({}, "id", "a.0")).toEqual({
		rc: 0,
		out: `${id?.split("|")[0]}\n`,
		err: "",
	});
	expect(await run({}, "index", "w1-sk")).toEqual({
		rc: 0,
		out: "1\n",
		err: "",
	});
	expect((await run({}, "id", "tab|pipe; 😀")).rc).toBe(0);
});

test("a prefix of a name is absent: tmux itself would have taken the sibling", async () => {
	expect(await run({}, "id", "w1")).toEqual({ rc: 1, out: "", err: "" });
});

test.each([
	[["id"], 2, "no window name"],
	[["id", ""], 2, "no window name"],
	[["validate", "a.b-c_1"], 0, ""],
	[["validate", "a b"], 2, "starts with a letter"],
	[["validate", "a\tb"], 2, "control character"],
	[["validate", ""], 2, "empty"],
	[["frobnicate", "x"], 64, "usage:"],
	[[], 64, "usage:"],
])("%j exits %i", async (args, rc, reason) => {
	const done = await run({}, ...args);
	expect([done.rc, done.out]).toEqual([rc, ""]);
	expect(done.err).toContain(reason);
});

test("without a server it could not look", async () => {
	// An existing folder: with one that is not there tmux falls back to the person's own server.
	const nowhere = { TMUX_TMPDIR: mkdtempSync(`${server.dir}/nowhere-`) };
	expect(await run(nowhere, "id", "w1")).toMatchObject({ rc: 3, out: "" });
});
