import { describe, expect, test } from "bun:test";
import { ok } from "../../monitor/_fleet/failure.ts";
import type { SendVerdict } from "../../monitor/_fleet/fleet.ts";
import {
	isSshConnectFailure,
	sshDestination,
} from "../../monitor/_fleet/ssh.ts";
import {
	captureWithFallback,
	keysWithFallback,
	remoteCommand,
	type SshTarget,
} from "../../monitor/_fleet/ssh-fallback.ts";
import { resolveSshTargets } from "../../monitor/_fleet/ssh-targets.ts";
import { isProxyFailure } from "../../monitor/_fleet/thrum/panes.ts";
import { verdict } from "../../monitor/_fleet/verdict.ts";
import { parseFallback } from "../../resources/_capture-fallback/run.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { stubFleet, unseen } from "./stub-fleet.ts";

const HOST: SshTarget = {
	kind: "repo",
	destination: "ana@box",
	repo: "/srv/it's here",
};
const OFF = "rpcrouter: caller-peer lacks required capability tmux";

function sshArgv(command: string): readonly string[] {
	const quiet = ["-n", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5"];
	return ["ssh", ...quiet, "ana@box", command];
}

test.each([
	["rpcrouter: caller-peer lacks required capability", true],
	["peer unreachable", true],
	["circuit open, dial skipped", true],
	["Remote capture requires thrum Pro", true],
	["upgrade to PRO to proxy", true],
	["your pro license ended", true],
	["pro\nrequires", false],
	["the process requires a tty", false],
	["unknown agent", false],
	["connection refused", false],
])("%j closes the way through the daemon: %p", (text, is) =>
	expect(isProxyFailure(text)).toBe(is),
);

test.each([
	["ana@box: Permission denied (publickey).", true],
	["ssh: Could not resolve hostname box: Name or service not known", true],
	["connect to host box port 22: Connection refused", true],
	["connect to host box port 22: Connection timed out", true],
	["Received disconnect: Too many authentication failures", true],
	["Error: unknown agent", false],
])("%j means that ssh did not connect: %p", (text, is) =>
	expect(isSshConnectFailure(text)).toBe(is),
);

test("a destination is the target alone, or a user at it", () => {
	expect(sshDestination("", "box")).toBe("box");
	expect(sshDestination("ana", "box")).toBe("ana@box");
});

test("every value of a remote command is quoted", () => {
	expect(remoteCommand("capture", "a", "/srv/app")).toBe(
		"cd '/srv/app' && thrum tmux capture 'a'",
	);
	expect(remoteCommand("key", "a'; rm -rf /", "/x y", ["1", "Enter"])).toBe(
		`cd '/x y' && thrum tmux send 'a'\\''; rm -rf /' --keys '1,Enter'`,
	);
});

describe("a look", () => {
	const look = (
		first: ReturnType<typeof unseen> | string,
		ssh: SshTarget | null = HOST,
		answer: Parameters<
			ReturnType<typeof fakeDoors>["proc"]["answer"]
		>[1] = "❯ far\n",
	) => {
		const doors = fakeDoors();
		doors.proc.answer("ssh", answer);
		doors.proc.answer("ssh-add", 0);
		const fleet = stubFleet({ a: [first] });
		const shot = captureWithFallback(doors, fleet, "a", ssh);
		const programs = () => doors.proc.execs.map(({ argv }) => argv);
		return { shot, programs };
	};

	test("that the fleet takes never goes over SSH", async () => {
		const { shot, programs } = look("❯ near\n");
		expect(await shot).toEqual({
			ok: true,
			text: "❯ near\n",
			route: "primary",
		});
		expect(programs()).toEqual([]);
	});

	test.each([["unknown agent"], ["connection refused"], [""]])(
		"that fails with %j is returned as it is",
		async (detail) => {
			const { shot, programs } = look(unseen(detail, 7));
			expect(await shot).toEqual(unseen(detail, 7));
			expect(programs()).toEqual([]);
		},
	);

	test("that the daemon may not take goes over SSH", async () => {
		const { shot, programs } = look(unseen(OFF));
		expect(await shot).toEqual({ ok: true, text: "❯ far\n", route: "ssh" });
		expect(programs()).toEqual([
			sshArgv(`cd '/srv/it'\\''s here' && thrum tmux capture 'a'`),
		]);
	});

	test("without a target stays with the fleet's words", async () => {
		const { shot, programs } = look(unseen(OFF), null);
		expect(await shot).toEqual(unseen(OFF));
		expect(programs()).toEqual([]);
	});

	test("at a session asks that machine's tmux by exact name", async () => {
		const ssh = { kind: "session", destination: "ana@box", session: "api" };
		const { shot, programs } = look(unseen(OFF), ssh as SshTarget);
		expect((await shot).ok).toBe(true);
		expect(programs()).toEqual([
			sshArgv("tmux capture-pane -p -J -t '=api:' -S -50"),
		]);
	});

	test("that comes back blank, or fails over there, is a failure", async () => {
		const blank = look(unseen(OFF), HOST, "\n\n");
		expect(await blank.shot).toMatchObject({ ok: false, failure: "empty" });
		const failed = look(unseen(OFF), HOST, {
			rc: 1,
			stdout: "half a pane\n",
			stderr: "Error: no session\n",
		});
		expect(await failed.shot).toEqual(
			unseen("half a pane\nError: no session", 1),
		);
		expect(failed.programs()).toHaveLength(1);
	});

	test("over an ssh that could not connect gets the keys added once, and one more try", async () => {
		const { shot, programs } = look(unseen(OFF), HOST, {
			rc: 255,
			stderr: "ana@box: Permission denied (publickey).\n",
		});
		expect(await shot).toMatchObject({ ok: false, exitCode: 255 });
		expect(programs().map((argv) => argv[0])).toEqual([
			"ssh",
			"ssh-add",
			"ssh",
		]);
	});

	test("the keys to add are those of the environment", async () => {
		const env = { THRUM_CAPTURE_FALLBACK_SSH_KEYS: " /k/one  /k/two " };
		const doors = fakeDoors({ proc: { env } });
		let tries = 0;
		doors.proc.answer("ssh", () => {
			tries += 1;
			return tries === 1
				? { kind: "exited", rc: 255, stdout: "", stderr: "Connection refused" }
				: { kind: "exited", rc: 0, stdout: "❯ far\n", stderr: "a banner" };
		});
		doors.proc.answer("ssh-add", 1);
		const fleet = stubFleet({ a: [unseen(OFF)] });
		expect(await captureWithFallback(doors, fleet, "a", HOST)).toEqual({
			ok: true,
			text: "❯ far\n",
			route: "ssh",
		});
		expect(doors.proc.execs[1]?.argv).toEqual(["ssh-add", "/k/one", "/k/two"]);
	});
});

describe("keys", () => {
	const press = async (own: SendVerdict, ssh: SshTarget | null = HOST) => {
		const doors = fakeDoors();
		doors.proc.answer("ssh", { rc: 3, stderr: "withheld" });
		const fleet = stubFleet({}, { sendKeys: async () => own });
		const end = await keysWithFallback(doors, fleet, "a", ["1"], ssh);
		return { end, ssh: doors.proc.execs.map(({ argv }) => argv.at(-1)) };
	};

	test.each([
		[verdict(0, "sent 1")],
		[verdict(1, "unknown agent")],
		[verdict(2, "no key: Foo")],
		[verdict(3, OFF)],
		[verdict(4, OFF)],
	])("that ended with %j are not pressed again", async (own) => {
		const { end, ssh } = await press(own);
		expect(end).toEqual(own);
		expect(ssh).toEqual([]);
	});

	test("that the daemon may not press go over SSH, and its exit code counts", async () => {
		const { end, ssh } = await press(verdict(1, OFF));
		expect(end).toEqual({ exitCode: 3, detail: "withheld" });
		expect(ssh).toEqual([remoteCommand("key", "a", "/srv/it's here", ["1"])]);
	});

	test("never go to a session without a thrum", async () => {
		const ssh = { kind: "session", destination: "box", session: "s" } as const;
		const { end } = await press(verdict(1, OFF), ssh);
		expect(end.exitCode).toBe(1);
	});
});

describe("where a member is found", () => {
	const MACHINE = {
		hostname: "host-b",
		ssh: { target: "box-b", user: "ana" },
		repo_path: "/srv/app",
	};
	const resolve = async (
		roster: Parameters<typeof resolveSshTargets>[1],
		box: unknown,
		machines: readonly unknown[] = [MACHINE],
	) => {
		let asked = 0;
		const fleet = stubFleet(
			{},
			{
				stateGet: async (kind, scope) => {
					if (kind === "agent_pool") return ok({ box });
					return ok(kind === "topology" ? machines[Number(scope)] : null);
				},
				stateScopes: async (kind) => {
					asked += 1;
					const rows = kind === "topology" ? machines : [];
					return ok(rows.map((_, n) => String(n)));
				},
			},
		);
		const { of, notes } = await resolveSshTargets(fleet, roster);
		return { a: of.get("a"), notes, asked: () => asked };
	};

	test("is what the roster declares", async () => {
		const entry = { agentId: "a", hostname: "h", tmuxSession: "s" };
		const { a, asked } = await resolve([entry], "host-b");
		expect(a).toEqual({ kind: "session", destination: "h", session: "s" });
		expect(asked()).toBe(0);
	});

	test("is else its box among the machines, which are listed once", async () => {
		const { a, asked } = await resolve(
			[{ agentId: "a" }, { agentId: "b" }, { agentId: "c", hostname: "h" }],
			"host-b",
		);
		expect(a).toEqual({
			kind: "repo",
			destination: "ana@box-b",
			repo: "/srv/app",
		});
		expect(asked()).toBe(1);
	});

	test.each([
		["host-b", [{ ...MACHINE, ssh: { target: "PENDING-setup", user: "ana" } }]],
		["host-b", [{ ...MACHINE, ssh: { target: "-oProxyCommand=x" } }]],
		["host-b", [{ ...MACHINE, repo_path: "TBD" }]],
		["host-b", [{ hostname: "host-b" }]],
		["host-c", [MACHINE]],
		["TODO", [MACHINE]],
		["", [MACHINE]],
		[undefined, [MACHINE]],
		[7, ["torn"]],
	])("is nowhere with box %p and %j", async (box, machines) => {
		const { a, notes } = await resolve([{ agentId: "a" }], box, machines);
		expect(a).toBeUndefined();
		expect(notes).toHaveLength(1);
		expect(notes[0]).toStartWith("ssh-fallback NONE for a: ");
	});

	test("is nowhere when the fleet cannot say", async () => {
		const down = { kind: "unreachable", exitCode: 1, stderr: "down" } as const;
		const fleet = stubFleet({}, { stateGet: async () => down });
		const roster = [{ agentId: "a" }, { agentId: "b" }];
		const { notes } = await resolveSshTargets(fleet, roster);
		expect(notes).toEqual(["ssh-fallback NONE for a b: agent_pool: down"]);
	});
});

test.each([
	[["capture", "@a", "NONE", "", "/srv"], { agent: "a", ssh: null }],
	[["capture", "a", "box", "", "/srv"], { ssh: { destination: "box" } }],
	[
		["key", "a", "box", "ana", "/srv", "1", "Enter"],
		{ keys: ["1", "Enter"], ssh: { destination: "ana@box" } },
	],
])("%j is understood", (argv, request) =>
	expect(parseFallback(argv)).toMatchObject(request),
);

test.each([
	[[]],
	[["capture"]],
	[["look", "a", "NONE", "", "/srv"]],
	[["capture", "a", "NONE", ""]],
	[["capture", "a", "NONE", "", "/srv", "1"]],
	[["key", "a", "NONE", "", "/srv"]],
	[["capture", "a", "-oProxyCommand=x", "", "/srv"]],
	[["capture", "--help", "NONE", "", "/srv"]],
])("%j is usage", (argv) => expect(parseFallback(argv)).toBeNull());
