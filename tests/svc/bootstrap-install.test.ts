import { describe, expect, test } from "bun:test";
import {
	bootstrapInstall,
	preflight,
} from "../../monitor/_svc/bootstrap-install.ts";
import { fakeDoors } from "../fakes/doors.ts";

const ENV = {
	TMUX: "/tmp/t,1,0",
	SANDBOX_ACTIVE: "1",
	SANDBOX_PROJECT_DIR: "/code",
};
const WHOLE = [
	"monitor/ng",
	"monitor/watcher/entry.ts",
	"config/nexus.example.yml",
	"monitor/install-prompt.md",
];

function checkout(without?: string) {
	const doors = fakeDoors({ proc: { env: ENV } });
	for (const path of WHOLE)
		if (path !== without) doors.files.seed(`/code/${path}`, "how\n");
	return doors;
}

describe("the installation is refused", () => {
	const refusal = (
		over: Readonly<Record<string, string | undefined>>,
		doors = checkout(),
		force = false,
	) => preflight({ ...ENV, ...over }, doors.files, "/code", force)?.exit;

	for (const name of Object.keys(ENV))
		test(`without ${name} → 2`, () => {
			expect(refusal({ [name]: undefined })).toBe(2);
		});
	test("with SANDBOX_ACTIVE=0 → 2", () => {
		expect(refusal({ SANDBOX_ACTIVE: "0" })).toBe(2);
	});
	for (const path of WHOLE)
		test(`without ${path} → 2`, () => {
			expect(refusal({}, checkout(path))).toBe(2);
		});
	test("where a configuration stands → 3, unless forced", () => {
		const doors = checkout();
		doors.files.seed("/code/config/nexus.yml", "x: 1\n");
		expect(refusal({}, doors)).toBe(3);
		expect(refusal({}, doors, true)).toBeUndefined();
	});
	test("nowhere else", () => {
		expect(refusal({})).toBeUndefined();
	});
});

describe("the agent that installs", () => {
	const run = async (doors: ReturnType<typeof checkout>) => {
		let waited = 0;
		const wait = async () => void waited++;
		const rc = await bootstrapInstall(doors, "/code", false, wait);
		return { rc, waited, ran: doors.proc.execs.map((e) => e.argv) };
	};

	test("is told where and how, and its exit code is ours; a person sees why it failed", async () => {
		const doors = checkout();
		doors.proc.programs.set("claude", "/usr/bin/claude");
		doors.proc.answer("claude", 7);
		const { rc, waited, ran } = await run(doors);
		expect([rc, waited]).toEqual([7, 1]);
		expect(ran).toEqual([
			[
				"/usr/bin/claude",
				"--dangerously-skip-permissions",
				expect.stringMatching(/^Install nexus in \/code,.*how\n$/s),
			],
		]);
	});

	test("is installed first where there is none; without one, 1", async () => {
		const doors = checkout();
		const { rc, ran } = await run(doors);
		expect(rc).toBe(1);
		expect(ran[0]?.at(-1)).toBe("/code/monitor/install-claude-local.ts");
	});
});
