/** What every fleet does, whoever keeps it (contract 09 §3): one suite for `local`, the stand-in `thrum` and a real one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { Done, Fleet } from "../../monitor/_fleet/fleet.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ECHO, type FleetWorld, type Keeper, openFleetWorld } from "./world.ts";

const PIN = { model: "m", effort: "low" } as const;
const RUN = "run-1";

export function fleetConformance(keeper: Keeper): void {
	let world: FleetWorld;
	let fleet: Fleet;
	let other: Fleet;

	beforeAll(() => {
		world = openFleetWorld();
		fleet = world.open(keeper, "boss");
		other = world.open(keeper, "w1");
	});
	afterAll(async () => {
		await world.close();
	});

	test("says who it is and what it can do", async () => {
		expect(fleet.backend).toBe(keeper === "local" ? "local" : "thrum");
		const caps = value(await fleet.caps());
		expect(Object.entries(caps).filter(([, can]) => !can)).toEqual([]);
		expect(value(await fleet.whoami())?.agentId).toBe("boss");
	});

	describe("a worktree", () => {
		test("is made on a branch of its own, found again, and removed with it", async () => {
			const made = value(await fleet.worktreeCreate("wt"));
			expect(made).toMatchObject({
				branch: "feature/wt",
				reused: false,
				branchCreated: true,
			});
			expect(existsSync(made.path)).toBe(true);
			const again = value(await fleet.worktreeCreate("wt"));
			expect(again).toMatchObject({ path: made.path, reused: true });
			value(await fleet.worktreeRemove(made, "wt", { deleteBranch: true }));
			expect(existsSync(made.path)).toBe(false);
			expect(world.git("branch", "--list", "feature/wt")).toBe("");
		});

		test("on a branch that stood before leaves the branch alone", async () => {
			world.git("branch", "feature/old");
			const made = value(await fleet.worktreeCreate("old"));
			expect(made.branchCreated).toBe(false);
			value(await fleet.worktreeRemove(made, "old", { deleteBranch: false }));
			expect(world.git("branch", "--list", "feature/old")).toContain("old");
		});
	});

	describe("an agent", () => {
		beforeAll(async () => {
			const { path } = value(await fleet.worktreeCreate("w1"));
			const session = { session: "w1", runtime: ECHO, ...PIN };
			value(
				await fleet.sessionCreate({
					...session,
					cwd: path,
					agent: "w1",
					role: "watcher",
					module: "w1",
					runId: RUN,
				}),
			);
			value(await fleet.sessionLaunch(session));
		});

		test("is in the team, and can be asked for by name", async () => {
			const team = value(await fleet.team({ includeOffline: true }));
			expect(team.map((m) => m.agentId)).toContain("w1");
			expect(value(await fleet.member("w1"))).toMatchObject({
				agentId: "w1",
				role: "watcher",
				tmuxSession: "w1",
				tmuxState: "alive",
				isLocal: true,
			});
			expect(value(await fleet.member("nobody"))).toBeNull();
		});

		test("has its session to itself", async () => {
			expect(value(await fleet.sessionExists("w1"))).toBe(true);
			// A name in front of it is another session.
			expect(value(await fleet.sessionExists("w"))).toBe(false);
			const again = await fleet.sessionCreate({
				session: "w1",
				cwd: world.repo,
				agent: "w2",
				role: "watcher",
				module: "w2",
				runId: "run-2",
				...PIN,
			});
			expect(again.kind).toBe("exists");
		});

		test("gets text as it was sent, and its pane can be read", async () => {
			const sent = await fleet.sendText("w1", "fix it;");
			expect(sent).toMatchObject({ exitCode: 0, verdict: "delivered" });
			await waitUntil("the text in the pane", async () => {
				const shot = await fleet.capture("w1");
				return shot.ok && /^fix it;$/m.test(shot.text);
			});
			const doc = await fleet.captureDoc("w1");
			expect(doc).toMatchObject({ ok: true, footer: null });
			expect(doc.lines).toContain("fix it;");
		});

		test("gets keys, and a word that is none is refused before any is sent", async () => {
			const refused = await fleet.sendKeys("w1", ["z", "Entre"]);
			expect(refused).toMatchObject({ exitCode: 2, verdict: "usage" });
			expect(await fleet.sendKeys("w1", ["y"])).toMatchObject({ exitCode: 0 });
			const shot = await fleet.capture("w1");
			expect(shot.ok && shot.text.trimEnd().endsWith("y")).toBe(true);
			expect(shot.ok && shot.text).not.toContain("z");
		});

		test("of no such name cannot be read, typed to or written to", async () => {
			const shot = await fleet.capture("nobody");
			expect(shot).toMatchObject({ ok: false, failure: "not-found" });
			expect((await fleet.sendText("nobody", "x")).exitCode).toBe(1);
			expect((await fleet.sendKeys("nobody", ["y"])).exitCode).toBe(1);
			expect(await fleet.send("nobody", "x")).toMatchObject({
				kind: "not-found",
				stderr: expect.stringContaining("unknown recipient: @nobody"),
			});
		});

		test("gets messages, reads them once, answers; the sender sees what was read", async () => {
			const sent = value(await fleet.send("@w1", "first line\nsecond"));
			expect(sent.recipients).toEqual(["w1"]);
			const unread = async () => value(await other.inbox({ unread: true }));
			const [message] = await unread();
			expect(message).toMatchObject({
				messageId: sent.messageId,
				from: "boss",
				body: "first line\nsecond",
				isRead: false,
			});
			// A look at what is unread is no reading.
			expect(await unread()).toHaveLength(1);
			expect(value(await fleet.sent({ unread: true }))).toHaveLength(1);
			expect(value(await other.inbox())).toHaveLength(1);
			expect(await unread()).toHaveLength(0);
			expect(value(await fleet.sent({ unread: true }))).toHaveLength(0);
			expect(value(await fleet.sent())).toHaveLength(1);
			value(await other.send("user:ana", "need a word"));
			const ana = world.open(keeper, "user:ana");
			expect(value(await ana.inbox({ unread: true }))).toMatchObject([
				{ from: "w1", body: "need a word" },
			]);
		});

		test("is ended by the run that made it, and by no other", async () => {
			const kill = (onlyRunId: string) =>
				fleet.sessionKill("w1", { onlyRunId });
			expect(value(await kill("run-2"))).toBe(false);
			expect(value(await fleet.sessionExists("w1"))).toBe(true);
			expect(value(await kill(RUN))).toBe(true);
			expect(value(await fleet.sessionExists("w1"))).toBe(false);
			expect(value(await kill(RUN))).toBe(false);
			expect(value(await fleet.member("w1"))?.tmuxState).toBe("dead");
		});
	});

	describe("a monitor", () => {
		const spec = () => ({
			name: "w1-pane-watch",
			argv: ["/bin/true", "--flag"],
			match: "^watch-tick: ",
			to: "w1",
			cwd: world.repo,
			env: { AGENT_NAME: "w1" },
			schedule: "*/10 * * * *",
			notifyOnSuccess: true,
		});
		const show = async () => value(await fleet.monitorShow("w1-pane-watch"));

		test("keeps its name when it is stopped, and only a deletion frees it", async () => {
			const { id } = value(await fleet.monitorStart(spec()));
			expect(await show()).toMatchObject({
				id,
				argv: ["/bin/true", "--flag"],
				target: "w1",
				envKeys: ["AGENT_NAME"],
				schedule: "*/10 * * * *",
				status: "running",
			});
			expect(await fleet.monitorStart(spec())).toMatchObject({
				kind: expect.stringMatching(/^(exists|failed)$/),
				stderr: expect.stringContaining("monitor name already in use"),
			});
			value(await fleet.monitorStop("w1-pane-watch"));
			expect((await show())?.status).toBe("stopped");
			expect(value(await fleet.monitorList())).toEqual([]);
			expect(value(await fleet.monitorList({ all: true }))).toHaveLength(1);
			expect((await fleet.monitorStart(spec())).kind).not.toBe("ok");
			value(await fleet.monitorDelete("w1-pane-watch"));
			expect(await show()).toBeNull();
			value(await fleet.monitorStart(spec()));
			value(await fleet.monitorDelete("w1-pane-watch"));
		});

		test.each([
			[{ schedule: "5/3 * * * *" }, "bad minute"],
			[{ match: "(" }, "invalid match pattern"],
		])("of %j is refused before anything starts", async (part, why) => {
			const refused = await fleet.monitorStart({ ...spec(), ...part });
			expect(refused).toMatchObject({
				kind: "usage",
				stderr: expect.stringContaining(why),
			});
			expect(await show()).toBeNull();
		});
	});

	test("names the permission prompt in a text", async () => {
		const prompt = "Do you want to proceed?\n❯ 1. Yes\n  2. No\n";
		expect(value(await fleet.detect(prompt, "claude"))).toBe(
			"tool_confirmation",
		);
		expect(value(await fleet.detect("nothing", "claude"))).toBeNull();
	});

	test("has no state row that nobody wrote", async () => {
		expect(value(await fleet.stateGet("agent_pool", "w1"))).toBeNull();
		expect(value(await fleet.stateScopes("topology"))).toEqual([]);
	});

	if (keeper === "thrum")
		test("wrote no command line that the contract does not know", () => {
			expect(existsSync(`${world.standIn}/violations`)).toBe(false);
		});
}

export function value<T>(done: Done<T>): T {
	if (done.kind !== "ok") throw new Error(`${done.kind}: ${done.stderr}`);
	return done.value;
}
