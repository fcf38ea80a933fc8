/** A path or a symlink that somebody has put in the way leads nothing out of its tree. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT, HOOKS, PROGRAMS } from "../../monitor/_sys/names.ts";
import type { Hook } from "../../monitor/hooks/_io.ts";
import { emitRig, ROOT, STATE } from "../emit/emit-rig.ts";
import type { FakeFiles } from "../fakes/files.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { STATE as HOOK_STATE, hookRig } from "../hooks/hook-rig.ts";
import { CWD, hubRig, S } from "../ng/hub-rig.ts";
import { askChannel, type ChannelName, channelDoors } from "./channels.ts";
import { exported } from "./parsers.ts";

const VICTIM = "/etc/passwd";
const THEIRS = "root:x:0:0:root:/root:/bin/sh\n";

/** Every file below `dir` becomes a symlink to the victim. */
function turnIntoLinks(files: FakeFiles, dir: string): readonly string[] {
	files.seed(VICTIM, THEIRS, { mtime: 1 });
	const paths = files.paths(dir);
	for (const path of paths) {
		files.remove(path);
		files.seedLink(VICTIM, path);
	}
	return paths;
}
function expectUntouched(files: FakeFiles): void {
	expect(files.text(VICTIM)).toBe(THEIRS);
	expect(files.lstat(VICTIM)).toMatchObject({
		stat: { kind: "file", mtimeMs: 1000 },
	});
}

const PAYLOADS = [
	{
		hook_event_name: "Notification",
		notification_type: "permission_prompt",
		message: "Allow?",
		session_id: "6f1c1f5e-0d0c-4a6c-9d5b-0a5b4a1b2c3d",
	},
	{
		hook_event_name: "PreToolUse",
		tool_name: "Bash",
		tool_input: {
			command: "gh issue comment 1 -b x && sbatch job.sh; sleep 600 &",
		},
	},
	{
		hook_event_name: "PostToolUse",
		tool_name: "Bash",
		tool_input: { command: "sbatch job.sh", run_in_background: true },
		tool_response: { stdout: "Submitted batch job 1234" },
	},
	{
		hook_event_name: "StopFailure",
		error: "rate_limit",
		message: "You've hit your limit · resets 3am (UTC)",
		session_id: "s",
	},
	{
		hook_event_name: "StopFailure",
		error: "server_error",
		message: "529 overloaded",
		session_id: "s",
	},
	{
		hook_event_name: "UserPromptSubmit",
		prompt: "do it",
		session_id: "6f1c1f5e-0d0c-4a6c-9d5b-0a5b4a1b2c3d",
	},
];
const ARGS = [
	"busy",
	"user_prompt",
	"turn_end",
	"heartbeat",
	"paste-received",
	"over-limit",
	"--clear",
	"",
];

describe.each([...HOOKS, PROGRAMS.workerHeartbeat])("%s", (program) => {
	test("writes through no symlink in a state file's place", async () => {
		const text = readFileSync(join(CODE_ROOT, program), "utf8");
		const [, name = ""] = /runHook\(hookDoors\(\), (\w+)/.exec(text) ?? [];
		const [, file = ""] =
			new RegExp(`\\b${name}\\b[^}]*\\} from "([^"]+)"`).exec(text) ?? [];
		const hook = (await exported(
			join(program, "..", file),
			name,
		)) as Hook | null;
		if (hook === null) throw new Error(`${program} runs no hook`);
		for (const payload of PAYLOADS)
			for (const arg of ARGS) {
				const rig = hookRig({ NEXUS_WORKER_WINDOW: "w1" });
				await rig.run(hook, payload, arg);
				turnIntoLinks(rig.doors.files, HOOK_STATE);
				expect((await rig.run(hook, payload, arg)).code % 2).toBe(0);
				expectUntouched(rig.doors.files);
			}
	});
});

test("a cycle of the watcher writes through none", async () => {
	const rig = emitRig({ idle: true });
	const work = async () => {
		rig.request("20260511T204201Z-eve-01");
		rig.decide("w1", "0123456789ab");
		rig.files.seed(join(ROOT, `reports/r${rig.clock.now()}.md`), "x");
		await rig.idle();
		await rig.cycle();
		await rig.fullStateSnap();
		await rig.prune();
		await rig.sweep();
	};
	await rig.seed();
	await work();
	const turned = turnIntoLinks(rig.files, STATE);
	expect(turned.length).toBeGreaterThan(10);
	await work();
	rig.clock.stall(100_000);
	await work();
	expectUntouched(rig.files);
	// Nor is anything told of what they point to.
	expect(rig.tried.join("")).not.toContain("root:x:0");
});

test("ng writes through none, and publishes nothing that one leads to", async () => {
	const rig = hubRig();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	rig.standIn.acts.commitFile(REPO, "README.md", "hi");
	const { files } = rig.doors;
	const calls = [
		["log-action", "w1", "--event", "note", "--note", "x"],
		["suppress-emit", "1"],
		["engaged-done", "w1"],
		["decision-ack", "w1", "0123456789ab"],
		["report-init", "w1"],
		["reply", "1"],
		["process", "1"],
	];
	for (const call of calls) await rig.ngWith("A reply of some words.", ...call);
	const turned = turnIntoLinks(files, S);
	expect(turned.length).toBeGreaterThan(1);
	for (const call of calls) await rig.ngWith("A reply of some words.", ...call);
	expectUntouched(files);

	const before = rig.writes().length;
	files.seedLink(VICTIM, "/n/reports/link.md");
	files.seedLink(VICTIM, `${CWD}/body.md`);
	files.seedDir("/elsewhere");
	for (const call of [
		["upload", "/n/reports/link.md"],
		["wrap-up", "1", "/n/reports/link.md"],
		["reply", "1", "--body-file", `${CWD}/body.md`],
		["issue", "create", "--title", "t", "--body-file", `${CWD}/body.md`],
		["pr", "edit", "1", "--body-file", `${CWD}/body.md`],
		["comment-edit", "7", "--force", "--body-file", `${CWD}/body.md`],
	]) {
		const { rc, err } = await rig.ng(...call);
		expect([call[0], rc]).not.toEqual([call[0], 0]);
		expect(err).not.toContain("root:x:0");
	}
	expect(rig.writes().slice(before)).toEqual([]);
	expect(JSON.stringify(rig.standIn.place.state.repos)).not.toContain(
		"root:x:0",
	);
	await rig.close();
}, 20_000);

test.each([
	...[
		"../../etc/cron.d/x",
		"/etc/cron.d/x",
		"a/b",
		"..",
		".",
		"a\0b",
		"%2e%2e%2fetc",
		"~/x",
		"$HOME/x",
	],
])(
	"the name %j of a window, agent, request or service makes no file outside",
	async (name) => {
		const rig = hubRig();
		const before = new Set(rig.doors.files.paths("/"));
		for (const call of [
			["log-action", name, "--event", "x"],
			["decision-ack", name, "0123456789ab"],
			["decision-ack", "w1", name],
			["engaged-done", name],
			["suppress-emit", name],
			["retire-window", name],
			["respawn", name],
			["service-incident", name],
			["spawn-decision", name],
			["report-init", name],
			["report-init", "w1", "--topic", name],
		])
			await rig.ng(...call);
		const made = rig.doors.files.paths("/").filter((path) => !before.has(path));
		expect(
			made.filter(
				(path) => !path.startsWith(`${S}/`) && !path.startsWith("/n/reports/"),
			),
		).toEqual([]);
		await rig.close();
	},
);

test.each([
	...["../../etc/cron.d/x", "/etc/cron.d/x", "a/b", "..", ".", "a\0b", "~/x"],
])("the name %j makes no file outside the channels", async (name) => {
	const doors = channelDoors();
	await askChannel(doors, "skeptic", "init", "w1");
	const filed = ["file", "--slug", "s", "--message", "x"];
	expect((await askChannel(doors, "request", ...filed)).rc).toBe(0);
	const before = new Set(doors.files.paths("/"));
	const calls: readonly (readonly [ChannelName, ...string[]])[] = [
		["skeptic", "init", name],
		["skeptic", "ask", name, "x", "--text", "x"],
		["skeptic", "ask", "w1", name, "--text", "x"],
		["skeptic", "answer", "w1", name, "--message", "x"],
		["skeptic", "close", name],
		["skeptic", "reset", name],
		["request", "file", "--origin", name, "--slug", "s", "--message", "x"],
		["request", "file", "--slug", name, "--message", "x"],
		["request", "ack", name],
		["request", "reply", name, "--message", "x"],
		["request", "fail", name, "--reason", "x"],
		["request", "fetch", name, "progress"],
	];
	for (const call of calls) await askChannel(doors, ...call);
	const made = doors.files.paths("/").filter((path) => !before.has(path));
	const inside = /^\/root\/monitor\/\.state\/(?:requests|skeptic)\/|^\/proc\//;
	expect(made.filter((path) => !inside.test(path))).toEqual([]);
});
