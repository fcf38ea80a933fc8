/** Programs that end, fail, hang, flood and leave children behind. Each ends within its own limit or the test times out. */
import { expect, test } from "bun:test";
import { execProgram } from "../../monitor/_sys/exec.ts";
import { procStat } from "../../monitor/_sys/proc-fs.ts";
import { processTree } from "../../monitor/_sys/process-tree.ts";

const LONG = { timeoutMs: 20_000 };
const SHORT = { timeoutMs: 300 };

/** Waits for a process to end or become a zombie; the test's own limit is the deadline. */
async function ended(pid: number): Promise<void> {
	for (;;) {
		const stat = procStat(pid);
		if (stat.kind === "absent") return;
		if (stat.kind === "ok" && stat.value.state === "Z") return;
		await Bun.sleep(10);
	}
}

test.each([
	["exit 0", { rc: 0, stdout: "", stderr: "" }],
	[
		"echo out; echo err >&2; exit 3",
		{ rc: 3, stdout: "out\n", stderr: "err\n" },
	],
	["kill -9 $$", { rc: 137 }],
	["cat; printf %s $MARK", { rc: 0, stdout: "in put\nm", stderr: "" }],
])("%p", async (script, expected) => {
	const done = await execProgram(["sh", "-c", script], {
		...LONG,
		stdin: "in put\n",
		env: { PATH: process.env.PATH ?? "", MARK: "m" },
	});
	expect(done).toMatchObject({ kind: "exited", ...expected });
});

test("without stdin a program reads an empty one, not ours", async () => {
	const done = await execProgram(["cat"], LONG);
	expect(done).toEqual({ kind: "exited", rc: 0, stdout: "", stderr: "" });
});

test("what cannot be started is told apart: no such program, no such folder, not executable", async () => {
	expect(await execProgram(["no-such-program-here"], LONG)).toEqual({
		kind: "not-found",
		program: "no-such-program-here",
	});
	expect(await execProgram(["/no/such"], LONG)).toMatchObject({
		kind: "not-found",
	});
	expect(await execProgram([], LONG)).toMatchObject({ kind: "not-found" });
	expect(await execProgram(["sh"], { ...LONG, cwd: "/no/such" })).toMatchObject(
		{ kind: "failed", reason: "no such folder: /no/such" },
	);
	expect(
		await execProgram(["sh"], { ...LONG, env: { PATH: "/nowhere" } }),
	).toMatchObject({ kind: "not-found" });
});

test("at the limit the call settles, whoever ignores SIGTERM or holds the output open, and all of them die", async () => {
	const script =
		"trap '' TERM; (trap '' TERM; exec sleep 600) & echo $$ $!; wait";
	const done = await execProgram(["sh", "-c", script], SHORT);
	if (done.kind !== "timeout") throw new Error(done.kind);
	const pids = done.stdout.trim().split(" ").map(Number);
	expect(pids).toHaveLength(2);
	await Promise.all(pids.map(ended));
});

test("a descendant that made a session of its own dies at the limit, too", async () => {
	const script = "setsid sh -c 'echo $$; exec sleep 600' & wait";
	const done = await execProgram(["sh", "-c", script], SHORT);
	if (done.kind !== "timeout") throw new Error(done.kind);
	await ended(Number(done.stdout.trim()));
});

test("a program that has ended is answered for, though a grandchild holds its output open", async () => {
	const script = "sleep 600 & echo $!";
	const done = await execProgram(["sh", "-c", script], LONG);
	if (done.kind !== "exited") throw new Error(done.kind);
	const pid = Number(done.stdout.trim());
	expect(done.rc).toBe(0);
	expect(procStat(pid).kind).toBe("ok");
	process.kill(pid, "SIGKILL");
	await ended(pid);
});

test("errors that go to a file end with the program, and leave no file behind", async () => {
	const script =
		"sleep 600 >/dev/null & echo $!; echo refused, more >&2; exit 4";
	const opts = { ...LONG, stderrToFile: true, maxBytes: 8 };
	const done = await execProgram(["sh", "-c", script], opts);
	if (done.kind !== "exited") throw new Error(done.kind);
	expect(done).toMatchObject({ rc: 4, stderr: "refused," });
	const pid = Number(done.stdout.trim());
	expect(procStat(pid).kind).toBe("ok");
	process.kill(pid, "SIGKILL");
	await ended(pid);
});

test("output beyond the bound is dropped, and the program still runs to its end", async () => {
	const script = "head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2";
	const done = await execProgram(["sh", "-c", script], {
		...LONG,
		maxBytes: 1000,
	});
	expect(done).toEqual({
		kind: "exited",
		rc: 0,
		stdout: "x".repeat(1000),
		stderr: "end\n",
	});
});

test("an abort settles at once and ends the program; an aborted signal starts none", async () => {
	const abort = new AbortController();
	const running = execProgram(["sh", "-c", "exec sleep 600"], {
		...LONG,
		signal: abort.signal,
	});
	abort.abort();
	expect(await running).toEqual({ kind: "aborted" });
	expect(
		await execProgram(["sh", "-c", "exit 1"], {
			...LONG,
			signal: abort.signal,
		}),
	).toEqual({ kind: "aborted" });
});

test("a tree that is ended politely gets SIGTERM, and whoever is left after the grace SIGKILL", async () => {
	const script =
		"trap 'echo bye' TERM; (trap '' TERM; exec sleep 600) & echo $!; while :; do wait; done";
	const child = Bun.spawn(["sh", "-c", script], {
		env: process.env,
		stdout: "pipe",
		detached: true,
	});
	const reader = child.stdout.getReader();
	const text = async () =>
		new TextDecoder().decode((await reader.read()).value);
	const stubborn = Number((await text()).trim());
	processTree(child.pid, true).endWithin(300);
	expect(await text()).toStartWith("bye\n");
	await Promise.all([child.exited, ended(stubborn)]);
	expect(child.signalCode).toBe("SIGKILL");
});
