/** Members that the fleet cannot reach: their machine's own tmux, proof of life (contract 09 §12.2). */
import { describe, expect, test } from "bun:test";
import type { Member } from "../../monitor/_fleet/fleet.ts";
import {
	classifyBothFailed,
	liveProof,
} from "../../resources/_roster-watch/classify.ts";
import {
	DENIED,
	FILE,
	GONE,
	OUT,
	PLAIN,
	START,
	world,
} from "./roster-world.ts";
import { memberOf } from "./stub-fleet.ts";

describe("over SSH", () => {
	const run = async (
		roster: unknown,
		member: Partial<Member>,
		answers: (command: string) => {
			rc: number;
			stdout?: string;
			stderr?: string;
		},
		first = GONE,
	) => {
		const w = world({
			params: { roster: [roster] },
			pictures: { a: [first] },
			members: { a: memberOf("a", member) },
		});
		w.doors.proc.answer("ssh", (argv) => {
			const said = answers(argv.at(-1) ?? "");
			return { kind: "exited", stdout: "", stderr: "", ...said };
		});
		const { out } = await w.run();
		const commands = w.doors.proc.execs.map(({ argv }) => argv);
		return { out, commands, file: w.file(), w };
	};
	const declared = { agent_id: "a", hostname: "box", tmux_session: "s" };

	test("a declared member is captured by the exact name of its session", async () => {
		const { out, commands, file } = await run(declared, {}, () => ({
			rc: 0,
			stdout: "far\n",
		}));
		expect(out).toEqual([PLAIN]);
		expect(file).toBe("=== a ===\nfar\n\n");
		const quiet = ["-n", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5"];
		const alive = [
			"-o",
			"ServerAliveInterval=5",
			"-o",
			"ServerAliveCountMax=1",
		];
		expect(commands).toEqual([
			[
				"ssh",
				...quiet,
				...alive,
				"box",
				"tmux capture-pane -p -J -t '=s:' -S -30",
			],
		]);
	});

	test("else the first session that exists of three names on its host", async () => {
		const member = {
			hostname: "box",
			isLocal: false,
			worktree: "/w/app.night",
		};
		const { commands, out } = await run("a", member, (command) =>
			command.includes("=app-night:")
				? { rc: 0, stdout: "far\n" }
				: { rc: 1, stderr: "can't find session" },
		);
		expect(out).toEqual([PLAIN]);
		expect(
			commands.map((argv) => /=(.*):/.exec(argv.at(-1) ?? "")?.[1]),
		).toEqual(["a", "app.night", "app-night"]);
	});

	test("a host that cannot be reached is asked once", async () => {
		const member = { hostname: "box", isLocal: false, worktree: "/w/b" };
		const { commands, file, out } = await run("a", member, () => ({
			rc: 255,
			stderr: "ssh: refused\n",
		}));
		expect(commands).toHaveLength(1);
		expect(file).toBe(
			"=== a ===\nno session\n--- SSH fallback failed for a (exit 255) ---\nssh: refused\n--- CAPTURE FAILED for a (nonzero exit — NOT an empty pane) ---\n\n",
		);
		expect(out).toEqual([
			`ROSTER INCIDENT: tmux capture failed for a; inspect ${FILE}`,
			PLAIN,
		]);
	});

	test.each([
		[
			"half an address",
			{ agent_id: "a", hostname: "box" },
			{ hostname: "other", isLocal: false },
		],
		[
			"the other half",
			{ agent_id: "a", tmux_session: "s" },
			{ hostname: "other", isLocal: false },
		],
		["no host", "a", {}],
		["this machine", "a", { hostname: "HOST-A.local", isLocal: false }],
		[
			"an option for a host",
			{ agent_id: "a", hostname: "-oProxyCommand=x", tmux_session: "s" },
			{},
		],
	])("is not tried with %s", async (_, entry, member) => {
		const { commands, file } = await run(entry, member, () => ({
			rc: 0,
			stdout: "far\n",
		}));
		expect(commands).toEqual([]);
		expect(file).not.toContain("SSH fallback");
		expect(file).toContain("--- CAPTURE FAILED for a");
	});

	test("a denied capture of a remote agent whose process runs is known to be degraded", async () => {
		const stat = `77 (a b) ${Array.from({ length: 19 }, () => "S").join(" ")} 4711 0`;
		const member = {
			hostname: "box",
			isLocal: false,
			agentPid: 77,
			agentStart: "4711",
		};
		const { out, file, w } = await run(
			"a",
			member,
			(command) =>
				command.startsWith("cat /proc/77/stat")
					? { rc: 0, stdout: stat }
					: { rc: 1 },
			DENIED,
		);
		expect(out[0]).toStartWith(
			"DEGRADED-KNOWN: tmux capture capability-denied/empty binding for a but LIVE",
		);
		expect(out[1]).toBe(PLAIN);
		expect(file).toContain("--- DEGRADED-KNOWN for a: ");
		const [record = ""] = w.doors.files.paths(`${OUT}/archive/records`);
		expect(JSON.parse(w.doors.files.text(record))).toMatchObject({
			failure_state: "capture_failed",
			capture_route: "both_failed",
			primary_rc: 1,
			ssh_rc: 1,
		});
	});
});

describe("proof of life", () => {
	const seen = (seconds: number) =>
		new Date((START - seconds) * 1000).toISOString();
	test.each([
		["its process runs", {}, "runs", "pid"],
		["its process is gone", {}, "gone", null],
		["nobody could look", {}, "unknown", null],
		["the fleet calls it dead", { state: "dead" }, "runs", null],
		["the fleet calls it alive", { state: "alive" }, "runs", "pid"],
		[
			"seen a moment ago, with a session",
			{ lastSeen: seen(0), sessionId: "s" },
			"gone",
			"last-seen",
		],
		[
			"seen 899 s ago, with mail",
			{ lastSeen: seen(899), inboxTotal: 1 },
			"unknown",
			"last-seen",
		],
		[
			"seen 900 s ago",
			{ lastSeen: seen(900), sessionId: "s" },
			"unknown",
			null,
		],
		[
			"seen 899 s ahead",
			{ lastSeen: seen(-899), sessionId: "s" },
			"unknown",
			"last-seen",
		],
		[
			"seen 900 s ahead",
			{ lastSeen: seen(-900), sessionId: "s" },
			"unknown",
			null,
		],
		["seen, but nobody", { lastSeen: seen(0), inboxTotal: 0 }, "unknown", null],
		["seen some time", { lastSeen: "lately", sessionId: "s" }, "unknown", null],
	] as const)("%s", (_, part, pid, proof) =>
		expect(liveProof(memberOf("a", part), START, pid)).toBe(proof),
	);

	test.each([
		["Local agent not found", "pid", "degraded"],
		["an EMPTY tmux binding", "pid", "degraded"],
		["proxy has no capability", "last-seen", "degraded"],
		["capability tmux denied", "pid", "degraded"],
		["peer b is unreachable", "pid", "degraded"],
		["circuit open", "pid", "degraded"],
		["dial skipped", "pid", "degraded"],
		["circuit open", null, "failed"],
		["no such session", "pid", "failed"],
	] as const)("%j with proof %p is %s", (text, proof, kind) =>
		expect(classifyBothFailed(text, proof)).toBe(kind),
	);

	// A name may hold blanks and brackets; the start is field 22.
	const STAT = `77 (a (b) c) S 1 ${"0 ".repeat(17)}770 0 0`;
	test.each([
		["runs, as recorded", "770", { rc: 0, stdout: STAT }, "DEGRADED"],
		["was started anew", "5", { rc: 0, stdout: STAT }, "FAILED"],
		["runs, its start unknown", undefined, { rc: 0, stdout: "" }, "DEGRADED"],
		["is gone", "770", { rc: 1 }, "FAILED"],
		["cannot be asked for", "770", { rc: 255 }, "FAILED"],
	])(
		"a pid of another machine that %s",
		async (_, agentStart, said, verdict) => {
			const w = world({
				params: { roster: ["a"] },
				pictures: { a: [DENIED] },
				members: {
					a: memberOf("a", {
						...{ agentPid: 77, agentStart },
						...{ hostname: "box", isLocal: false },
					}),
				},
			});
			const asked: string[] = [];
			w.doors.proc.answer("ssh", (argv) => {
				const command = argv.at(-1) ?? "";
				const isLook = command.startsWith("cat /proc/77/stat");
				if (isLook) asked.push(command);
				const none = { rc: 1, stdout: "", stderr: "" };
				return { kind: "exited", ...none, ...(isLook ? said : {}) };
			});
			await w.run();
			expect(w.file()).toContain(verdict);
			expect(asked).toHaveLength(1);
		},
	);

	test.each([
		["runs, as recorded", "770", "DEGRADED"],
		["was started anew", "5", "FAILED"],
	])("a local pid that %s", async (_, agentStart, verdict) => {
		const w = world({
			params: { roster: ["a"] },
			pictures: { a: [DENIED] },
			members: { a: memberOf("a", { agentPid: 77, agentStart }) },
		});
		w.doors.proc.add({ pid: 77 });
		await w.run();
		expect(w.file()).toContain(verdict);
	});
});
