/** A watcher's start where Claude Code is missing (contract 06 §11.4). */
import { describe, expect, test } from "bun:test";
import { installMissingClaude } from "../../monitor/watcher/_launch/claude-install.ts";
import { fakeDoors } from "../fakes/doors.ts";
import type { ExecAnswer } from "../fakes/proc.ts";

const HOME = {
	root: "/root",
	stateDir: "/root/monitor/.state",
	codeRoot: "/code",
};

/** Runs it against an installer that ends so; `flags` are what the first report will tell. */
async function started(answer: ExecAnswer, isThere = false) {
	const doors = fakeDoors({ auto: true });
	doors.files.seedDir(HOME.stateDir);
	if (isThere) doors.files.seed("/code/node_modules/.bin/claude", "");
	doors.proc.answer(/install-claude-local\.ts$/, answer);
	await installMissingClaude(doors, HOME);
	const paths = doors.files.paths(HOME.stateDir);
	return {
		doors,
		calls: doors.proc.execs,
		flags: paths.map((path) => [path, doors.files.text(path)]),
		name: `${HOME.stateDir}/local-claude-install-failed.`,
	};
}

describe("Claude Code", () => {
	test("that is there is not installed", async () => {
		expect((await started(1, true)).calls).toEqual([]);
	});

	test("that is missing is installed, in this checkout; a success leaves no word", async () => {
		const { calls, flags } = await started(0);
		expect(flags).toEqual([]);
		expect(calls.map(({ opts }) => [opts.cwd, opts.timeoutMs])).toEqual([
			["/code", 600_000],
		]);
		expect(calls[0]?.argv.at(-1)).toBe("/code/monitor/install-claude-local.ts");
	});

	test.each<readonly [string, ExecAnswer, string]>([
		["tells why", { rc: 1, stderr: " no network \n" }, "no network\n"],
		[
			"says nothing",
			3,
			"monitor/install-claude-local.ts failed (rc=3) without a word\n",
		],
		[
			"never ends",
			"hang",
			"monitor/install-claude-local.ts failed (timeout) without a word\n",
		],
	])(
		"whose installer %s is told of by a flag, and the start goes on",
		async (_, answer, text) => {
			const { flags, name, doors } = await started(answer);
			const now = doors.clock.now();
			expect(flags).toEqual([[`${name}${now}`, text]]);
			expect(doors.log.messages("warn").join()).toContain(
				"could not be installed",
			);
		},
	);

	test("whose flag cannot be written stops no start", async () => {
		const doors = fakeDoors({ auto: true });
		doors.files.faults.fail({ path: /failed/, ops: ["write"], code: "ENOSPC" });
		doors.proc.answer(/install-claude-local\.ts$/, 1);
		await installMissingClaude(doors, HOME);
		expect(doors.log.messages("warn").join()).toContain(
			"(rc=1); going on without",
		);
	});
});
