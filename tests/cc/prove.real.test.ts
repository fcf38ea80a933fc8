/** The proof of a candidate, on the Claude Code of this checkout and on a program that is none. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProofKit } from "../../monitor/_cc-apply/prove/kit.ts";
import { proveCandidate } from "../../monitor/_cc-apply/prove.ts";
import {
	claudeArgv,
	claudeConfig,
	claudeEnv,
	claudeHomeAt,
} from "../../monitor/_nexus/demo/claude-home.ts";
import { startModelServer } from "../../monitor/_nexus/demo/model/server.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { fakeLog } from "../fakes/log.ts";

const dir = mkdtempSync(join(tmpdir(), "nexus-candidate-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const doors = { ...realDoors(), log: fakeLog() };
const kit: ProofKit = {
	startModel: startModelServer,
	homeAt: claudeHomeAt,
	config: claudeConfig,
	env: claudeEnv,
	argv: claudeArgv,
	tmuxIn: (env) => realTmux(doors.proc, doors.random, { env }),
};

test("this checkout's Claude Code passes every check", async () => {
	const binary = join(CODE_ROOT, "node_modules/.bin/claude");
	const checks = await proveCandidate(doors, kit, binary);
	expect(checks.map(({ name, isGood }) => [name, isGood])).toEqual([
		["a new session reads as idle", true],
		['"proof step: hello" arrives whole and once', true],
		["after its turn it reads as idle", true],
		['"proof step: work on" arrives whole and once', true],
		["a running turn reads as busy", true],
		["when the turn ends it reads as idle", true],
		['"proof step: ask me" arrives whole and once', true],
		["a question reads as blocked", true],
	]);
}, 90_000);

test("a program that ends at once fails the first check, and leaves nothing behind", async () => {
	const binary = join(dir, "claude");
	writeFileSync(binary, "#!/bin/sh\necho 9.9.9\n");
	chmodSync(binary, 0o755);
	// Time passes without waiting: the limit is a minute.
	let mono = 0;
	const hasty = {
		...doors,
		clock: {
			...doors.clock,
			monoMs: () => mono,
			sleep: async (ms: number) => {
				mono += ms;
				await Bun.sleep(1);
				return "slept" as const;
			},
		},
	};
	const checks = await proveCandidate(hasty, kit, binary);
	expect(checks).toHaveLength(1);
	expect(checks[0]).toMatchObject({
		name: "a new session reads as idle",
		isGood: false,
	});
}, 30_000);
