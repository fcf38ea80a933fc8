import { describe, expect, test } from "bun:test";
import { decideNudge } from "../../monitor/_spawn/nudge.ts";
import { parseActionLog } from "../../monitor/_state/action-log.ts";
import { appendEvent } from "../../monitor/_state/action-log-append.ts";
import { writePin } from "../../monitor/_state/orchestrator-session-id.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { ROOT, S, type SpawnRig, spawnRig, WORK } from "./rig.ts";

const OWN = "11111111-0000-4000-8000-000000000001";
const OLD = "22222222-0000-4000-8000-000000000002";
const PINNED = "33333333-0000-4000-8000-000000000003";
const SLUG = "-work-w";

/** A window `w` of the past: it was spawned in WORK, and its transcript is where it should be. */
function pastRig(sessionId = OWN): SpawnRig {
	const rig = spawnRig();
	log(rig, "spawn", { workdir: WORK, "session-id": sessionId });
	transcript(rig, sessionId);
	return rig;
}
function log(
	{ doors }: SpawnRig,
	event: string,
	fields: Readonly<Record<string, string>>,
	window = "w",
): void {
	appendEvent(doors, S, {
		agent: "monitor",
		event,
		extras: [["window", window], ...Object.entries(fields)],
	});
}
function transcript({ doors }: SpawnRig, id: string, slug = SLUG): void {
	doors.files.seed(`/cc/projects/${slug}/${id}.jsonl`, "{}\n");
}
function report(
	{ doors }: SpawnRig,
	name: string,
	sessionId: string,
	window = "w",
): void {
	doors.files.seed(
		`${ROOT}/reports/${name}`,
		`---\nproject: p\nsession-id: ${sessionId}\nwindow: ${window}\n---\n`,
	);
}
function heartbeat({ doors }: SpawnRig, fields: object): void {
	doors.files.seed(`${S}/heartbeat/w.json`, JSON.stringify(fields));
}
function pin({ doors }: SpawnRig, id = PINNED): void {
	doors.files.seedDir(S);
	writePin(doors.files, S, id);
}
async function sessionOf(rig: SpawnRig): Promise<string> {
	const { out, rc } = await rig.spawn("--resume", "w", "--dry-run");
	return /session=(\S+)/.exec(out)?.[1] ?? `exit ${rc}`;
}

describe("which session a window means", () => {
	const steps: readonly (readonly [string, (rig: SpawnRig) => void])[] = [
		["the folder's only transcript", () => {}],
		["the newest spawn", (r) => log(r, "spawn", { "session-id": id(2) })],
		["the heartbeat", (r) => heartbeat(r, { session_id: id(3) })],
		[
			"the newest window-close",
			(r) => log(r, "window-close", { "session-id": id(4) }),
		],
		["the newest report", (r) => report(r, "p_2026-01-02_000000_x.md", id(5))],
	];
	const id = (n: number) => `${n}${OWN.slice(1)}`;
	test.each(steps.map(([name], n) => [name, n] as const))(
		"%s outranks what comes below it",
		async (_name, upTo) => {
			const rig = spawnRig();
			log(rig, "spawn", { workdir: WORK });
			transcript(rig, OWN);
			for (const [, add] of steps.slice(0, upTo + 1)) add(rig);
			// Beside the transcript of the folder there may be those of the others.
			for (const n of [2, 3, 4, 5]) transcript(rig, id(n), "elsewhere");
			expect(await sessionOf(rig)).toBe(id(upTo + 1));
		},
	);

	test("of two reports the newer says unknown: the older counts, also from its month's folder", async () => {
		const rig = pastRig(OLD);
		transcript(rig, OWN);
		report(rig, "p_2026-02-02_000000_x.md", "unknown");
		report(rig, "2026-01/p_2026-01-02_000000_x.md", OWN);
		report(rig, "p_2026-02-03_000000_x.md", OLD, "other");
		expect(await sessionOf(rig)).toBe(OWN);
	});

	test("what an earlier life of the name left is not its session", async () => {
		const rig = spawnRig();
		log(rig, "window-close", { workdir: WORK, "session-id": OLD });
		report(rig, "p_2026-01-02_000000_x.md", OLD);
		await rig.doors.clock.advance(60_000);
		log(rig, "spawn", { workdir: WORK, "session-id": OWN });
		for (const known of [OLD, OWN]) transcript(rig, known);
		expect(await sessionOf(rig)).toBe(OWN);
	});

	test("what another window left is not its session, nor is what says no session id", async () => {
		const rig = pastRig();
		log(rig, "spawn", { workdir: WORK, "session-id": OLD }, "v");
		log(rig, "window-close", { "session-id": OLD }, "v");
		log(rig, "window-close", { "session-id": "unknown" });
		heartbeat(rig, { session_id: "not-a-session" });
		transcript(rig, OLD, "elsewhere");
		expect(await sessionOf(rig)).toBe(OWN);
	});

	test("a resume goes on with the life of the window: what was known before it counts", async () => {
		const rig = spawnRig();
		log(rig, "spawn", { workdir: WORK, "session-id": OLD });
		await rig.doors.clock.advance(60_000);
		report(rig, "p_2026-01-02_000000_x.md", OWN);
		log(rig, "window-close", { "session-id": OLD });
		await rig.doors.clock.advance(60_000);
		log(rig, "spawn", { "session-id": OLD, mode: "resume" });
		for (const known of [OLD, OWN]) transcript(rig, known, "elsewhere");
		expect(await sessionOf(rig)).toBe(OWN);
	});

	test("a report that cannot be read is passed over", async () => {
		const rig = pastRig();
		report(rig, "p_2026-01-02_000000_x.md", OLD);
		transcript(rig, OLD);
		const fault = { path: /reports\/p_/, ops: ["read"] as const };
		rig.doors.files.faults.fail({ ...fault, code: "EIO" });
		expect(await sessionOf(rig)).toBe(OWN);
	});

	test("only transcripts count in a folder of transcripts", async () => {
		const rig = spawnRig();
		log(rig, "spawn", { workdir: WORK });
		transcript(rig, OWN);
		rig.doors.files.seed(`/cc/projects/${SLUG}/${OLD}.json`, "");
		expect(await sessionOf(rig)).toBe(OWN);
	});

	test("a heartbeat that holds the orchestrator's session is passed over, with a note", async () => {
		const rig = pastRig();
		pin(rig);
		heartbeat(rig, { session_id: PINNED.toUpperCase() });
		const { out, err } = await rig.spawn("--resume", "w", "--dry-run");
		expect(out).toContain(`session=${OWN}`);
		expect(err).toContain(`the heartbeat names ${PINNED.toUpperCase()}`);
	});

	test("in the root's own folder the only transcript is the orchestrator's, pin or not", async () => {
		const rig = spawnRig();
		log(rig, "spawn", { workdir: ROOT });
		transcript(rig, OWN, "-root");
		expect(await sessionOf(rig)).toBe("exit 11");
	});

	test("of two transcripts in a folder neither is its session", async () => {
		const rig = spawnRig();
		log(rig, "spawn", { workdir: WORK });
		for (const known of [OLD, OWN]) transcript(rig, known);
		const { rc, err } = await rig.spawn("--resume", "w", "--dry-run");
		expect(rc).toBe(11);
		expect(err).toEndWith(
			"no session of window w is known: name its id, and the window with -n",
		);
	});

	test("the orchestrator's own window may have the orchestrator's session", async () => {
		const rig = spawnRig();
		pin(rig);
		transcript(rig, PINNED, "-root");
		const args = ["--resume", PINNED, "-n", "orchestrator", "-c", ROOT];
		expect((await rig.spawn(...args, "--dry-run")).rc).toBe(0);
	});
});

describe("a session id", () => {
	test("is resumed in the window that is named", async () => {
		const rig = spawnRig();
		transcript(rig, OWN);
		const ran = await rig.spawn("--resume", OWN, "-n", "x", "-c", WORK);
		expect(ran.rc).toBe(0);
		expect(rig.window("x")).toBeDefined();
		expect(rig.launcher()).toContain(`--resume ${OWN}\n`);
	});

	test("of the orchestrator is refused to any other window", async () => {
		const rig = spawnRig();
		pin(rig);
		transcript(rig, PINNED);
		const args = ["--resume", PINNED.toUpperCase(), "-n", "x", "-c", WORK];
		const ran = await rig.spawn(...args);
		expect(ran.rc).toBe(14);
		expect(ran.err).toEndWith(
			"is the orchestrator's own session; it belongs into window orchestrator",
		);
		expect(rig.window("x")).toBeUndefined();
	});

	test.each([
		["no transcript anywhere", "has no transcript", () => {}],
		[
			"transcripts that cannot be looked for",
			"could not look for the transcript of",
			(r: SpawnRig) => {
				transcript(r, OWN);
				r.doors.files.faults.fail({
					path: "/cc/projects",
					ops: ["list"],
					code: "EIO",
				});
			},
		],
	] as const)("with %s: exit 11, %s", async (_name, says, prepare) => {
		const rig = spawnRig();
		prepare(rig);
		const args = ["--resume", OWN, "-n", "x", "-c", WORK];
		const ran = await rig.spawn(...args);
		expect(ran.rc).toBe(11);
		expect(ran.err).toContain(says);
	});

	test("with its transcript under another folder's name goes on, with a warning", async () => {
		const rig = spawnRig();
		transcript(rig, OWN, "-work-v");
		const ran = await rig.spawn("--resume", OWN, "-n", "x", "-c", WORK);
		expect(ran.rc).toBe(0);
		expect(ran.err).toContain("/cc/projects/-work-v/");
	});
});

describe("the folder", () => {
	test("is the named one, else the live pane's, the close's, the spawn's, the prompt's; only one that is there", async () => {
		const rig = spawnRig();
		const { files } = rig.doors;
		const folder = async (...more: string[]) => {
			const args = ["--resume", OWN, "-n", "w", "--dry-run", ...more];
			const { out, rc } = await rig.spawn(...args);
			return /workdir=(\S+)/.exec(out)?.[1] ?? `exit ${rc}`;
		};
		transcript(rig, OWN);
		expect(await folder()).toBe("exit 12");
		for (const dir of [
			"/by/prompt",
			"/by/spawn",
			"/by/close",
			"/by/pane",
			"/by/c",
		])
			files.seedDir(dir);
		files.seed(`${S}/spawn-prompts/w.txt`, "x\n- Workdir: /by/prompt\n");
		expect(await folder()).toBe("/by/prompt");
		log(rig, "spawn", { workdir: "/by/spawn" });
		expect(await folder()).toBe("/by/spawn");
		log(rig, "window-close", { workdir: "/by/close" });
		expect(await folder()).toBe("/by/close");
		files.removeTree("/by/close");
		expect(await folder()).toBe("/by/spawn");
		const { pane } = rig.doors.tmux.window("w");
		rig.doors.proc.add({ pid: pane.pid ?? 0, cwd: "/by/pane" });
		expect(await folder()).toBe("/by/pane");
		pane.dead = "1";
		expect(await folder()).toBe("/by/spawn");
		expect(await folder("-c", "/by/c")).toBe("/by/c");
		expect(await folder("-c", "/by/nothing")).toBe("exit 12");
		const { err } = await rig.spawn("--resume", "ghost");
		expect(err).toEndWith(
			"the folder of ghost is not known any more: name it with -c",
		);
	});
});

describe("the window", () => {
	test("of that name: dead is replaced by id, live is refused, --replace takes it", async () => {
		const rig = pastRig();
		const dead = rig.doors.tmux.window("w");
		dead.pane.dead = "1";
		expect((await rig.spawn("--resume", "w")).rc).toBe(0);
		const live = rig.window("w");
		expect(live?.id).not.toBe(dead.id);
		expect((await rig.spawn("--resume", "w")).rc).toBe(13);
		expect(rig.window("w")?.id).toBe(live?.id);
		expect((await rig.spawn("--resume", "w", "--replace")).rc).toBe(0);
		expect(rig.window("w")?.id).not.toBe(live?.id);
		const named = rig.doors.tmux.model
			.rows()
			.filter((r) => r.windowName === "w");
		expect(named).toHaveLength(1);
	});

	test("that is alive is told how it can be had", async () => {
		const rig = pastRig();
		rig.doors.tmux.window("w");
		const { err } = await rig.spawn("--resume", "w");
		expect(err).toContain("window w is alive: look at it, or take it with");
	});

	test.each([
		["", 13],
		["/j", 0],
	])(
		"that the call comes from is not taken by it (batch job %p): exit %i",
		async (job, rc) => {
			const rig = pastRig();
			const mine = rig.doors.tmux.window("w");
			Object.assign(rig.doors.proc.env, {
				TMUX: "/tmp/s,1,0",
				TMUX_PANE: mine.pane.id,
				CLAUDE_JOB_DIR: job,
			});
			const ran = await rig.spawn("--resume", "w", "--replace");
			expect(ran.rc).toBe(rc);
			expect(rig.window("w")?.id === mine.id).toBe(rc === 13);
			if (rc === 13) expect(ran.err).toContain("this call comes from window w");
		},
	);

	test("that comes while another start has its turn is refused, too", async () => {
		const rig = pastRig();
		const { locks, tmux } = rig.doors;
		const { acquireWithin } = locks;
		locks.acquireWithin = (...args) => {
			tmux.window("w");
			return acquireWithin(...args);
		};
		expect((await rig.spawn("--resume", "w")).rc).toBe(13);
	});

	test("that does not open leaves no word of a start", async () => {
		const rig = pastRig();
		rig.doors.tmux.fail("new-window", REFUSED);
		expect((await rig.spawn("--resume", "w")).rc).toBe(8);
		expect(rig.doors.files.has(`${S}/windows/w.json`)).toBe(false);
		const events = parseActionLog(
			rig.doors.files.text(`${S}/action-log.jsonl`),
			["spawn"],
		);
		expect(events).toHaveLength(1);
	});

	test.each([
		[
			"no claude",
			1,
			(r: SpawnRig) => r.doors.files.remove("/code/node_modules/.bin/claude"),
		],
		[
			"no template of the settings",
			10,
			(r: SpawnRig) =>
				r.doors.files.remove("/code/monitor/worker-settings.json"),
		],
		[
			"a workdir that takes no file",
			15,
			(r: SpawnRig) =>
				r.doors.files.faults.fail({
					path: WORK,
					ops: ["probe"],
					code: "EACCES",
				}),
		],
	] as const)(
		"is not killed for a start with %s: exit %i",
		async (_name, rc, spoil) => {
			const rig = pastRig();
			const before = rig.doors.tmux.window("w");
			spoil(rig);
			expect((await rig.spawn("--resume", "w", "--replace")).rc).toBe(rc);
			expect(rig.window("w")?.id).toBe(before.id);
		},
	);

	test("of which a part lives is alive", async () => {
		const rig = pastRig();
		const { pane } = rig.doors.tmux.window("w");
		rig.doors.tmux.model.split(pane);
		pane.dead = "1";
		expect((await rig.spawn("--resume", "w")).rc).toBe(13);
	});

	test("whose death is not provable counts as live", async () => {
		const rig = pastRig();
		rig.doors.tmux.window("w").pane.dead = "?";
		expect((await rig.spawn("--resume", "w")).rc).toBe(13);
	});

	test("that cannot be killed ends the attempt, and nothing is typed", async () => {
		const rig = pastRig();
		const dead = rig.doors.tmux.window("w");
		dead.pane.dead = "1";
		rig.doors.tmux.fail("kill-window", REFUSED);
		const ran = await rig.spawn("--resume", "w");
		expect(ran.rc).toBe(8);
		expect(ran.err).toContain(`window ${dead.id} is still there`);
		expect(rig.launcher()).toBe("");
	});

	test.each([
		["a disk that is full at the launcher", "spawn-launcher", 8],
		["a disk that is full at the settings", "worker-settings", 19],
		["no window in its place", "", 8],
	])("is not killed for %s", async (_name, file, rc) => {
		const rig = pastRig();
		const before = rig.doors.tmux.window("w");
		const fault = { path: new RegExp(file), ops: ["write"] as const };
		if (file === "") rig.doors.tmux.fail("new-window", REFUSED);
		else rig.doors.files.faults.fail({ ...fault, code: "ENOSPC" });
		expect((await rig.spawn("--resume", "w", "--replace")).rc).toBe(rc);
		expect(rig.window("w")?.id).toBe(before.id);
	});

	test("may be the only one of its session: the session outlives it", async () => {
		const rig = pastRig();
		const { model } = rig.doors.tmux;
		const alone = model.session("alone");
		const old = model.window(alone, "w");
		const orchestrator = rig.window("orchestrator");
		if (orchestrator !== undefined) model.closeWindow(orchestrator);
		expect((await rig.spawn("--resume", "w", "--replace")).rc).toBe(0);
		expect(rig.window("w")?.id).not.toBe(old.id);
	});

	test("does not exist without tmux", async () => {
		const rig = pastRig();
		rig.doors.tmux.fail("panes", REFUSED);
		const before = rig.disk();
		expect((await rig.spawn("--resume", "w")).rc).toBe(8);
		expect(rig.disk()).toEqual(before);
	});

	test("with a name that is none: exit 16", async () => {
		expect((await spawnRig().spawn("--resume", "a b")).rc).toBe(16);
	});
});

describe("a dry run", () => {
	test("says what was found and does nothing, also for a live window", async () => {
		const rig = pastRig();
		rig.doors.tmux.window("w");
		const before = rig.disk();
		const { rc, out } = await rig.spawn("--resume", "w", "--dry-run");
		expect(rc).toBe(0);
		expect(out).toBe(
			`resolved: window=w session=${OWN} workdir=${WORK} jsonl=/cc/projects/${SLUG}/${OWN}.jsonl nudge=off (heartbeat-absent)`,
		);
		expect(rig.disk()).toEqual(before);
		expect(rig.doors.tmux.trace()).toEqual(["panes"]);
	});
	test("leaves a damaged file where it lies, which a start would set aside", async () => {
		const rig = pastRig();
		rig.doors.files.seed(`${S}/action-log.jsonl`, "");
		const before = rig.disk();
		await rig.spawn("--resume", "w", "-c", WORK, "--dry-run");
		expect(rig.disk()).toEqual(before);
		await rig.spawn("--resume", "w", "-c", WORK);
		expect(rig.disk()).not.toEqual(before);
	});
});

describe("the nudge", () => {
	test.each([
		["auto", "busy", false, true, "heartbeat-busy"],
		["auto", "user_prompt", true, true, "heartbeat-user_prompt"],
		["auto", "idle_prompt", true, true, "pending-tool"],
		["auto", "idle_prompt", false, false, "heartbeat-idle_prompt"],
		["auto", null, false, false, "heartbeat-absent"],
		["auto", null, true, true, "pending-tool"],
		["auto", "permission_prompt", true, false, "heartbeat-permission_prompt"],
		["on", "permission_prompt", false, true, "forced"],
		["off", "busy", true, false, "suppressed"],
	] as const)(
		"%s, heartbeat %p, pending tool %p: %p (%s)",
		(wish, state, pending, on, reason) => {
			expect(decideNudge(wish, state, pending)).toEqual({ on, reason });
		},
	);

	test("is read from the window's files and becomes the first prompt", async () => {
		const rig = pastRig();
		heartbeat(rig, { state: "idle_prompt" });
		rig.doors.files.seed(`${S}/pending-tool/w.json`, "{}");
		const { err } = await rig.spawn("--resume", "w");
		expect(err).toStartWith(`resumed: window=w session=${OWN} workdir=${WORK}`);
		expect(err).toContain("nudge=on (pending-tool)");
		expect(rig.launcher()).toMatch(
			new RegExp(`--resume ${OWN} 'Your session was interrupted`),
		);
		const quiet = pastRig();
		await quiet.spawn("--resume", "w");
		expect(quiet.launcher()).toMatch(new RegExp(`--resume ${OWN}\n$`));
	});
});

test("a resumed worker is what it was: kind, topic and review stay, the start is new", async () => {
	const rig = spawnRig();
	await rig.fresh("--kind", "interactive", "--topic", "T", "--skeptic", "deny");
	const { files } = rig.doors;
	const born = JSON.parse(files.text(`${S}/windows/w.json`));
	transcript(rig, born.session_id);
	await rig.doors.clock.advance(5000);
	await rig.spawn("--resume", "w", "--replace");
	const now = JSON.parse(files.text(`${S}/windows/w.json`));
	expect(now).toEqual({ ...born, spawned_at: rig.doors.clock.iso() });
	const events = parseActionLog(files.text(`${S}/action-log.jsonl`), ["spawn"]);
	expect(events.map((e) => e.field("mode"))).toEqual([null, "resume"]);
	expect(events.at(-1)?.field("session-id")).toBe(born.session_id);
});

test("a window that the fleet knows nothing of is a task that nobody reviews, and as old as its resume", async () => {
	const rig = pastRig();
	const { files, clock } = rig.doors;
	files.seed(`${S}/engagement-log.tsv`, "w\t17\nother\t18\n");
	await rig.spawn("--resume", "w");
	expect(JSON.parse(files.text(`${S}/windows/w.json`))).toMatchObject({
		kind: "task",
		topic: "w",
		prompt_file: `${S}/spawn-prompts/w.txt`,
		skeptic_mode: "auto",
		skeptic_depth: 0,
		skeptic_role: false,
		skeptic_target: "",
		skeptic_orig: "",
	});
	expect(files.text(`${S}/engagement-log.tsv`)).toBe(
		`other\t18\nw\t${clock.now()}\n`,
	);
	expect(rig.launcher()).toContain(
		`--settings '${S}/settings/worker-settings.json' --resume ${OWN}`,
	);
	expect(rig.launcher()).toContain("rm -f '/tmp/spawn-launcher-w.4242'\n");
});

test.each([
	["none at its start, none now", [], [], null],
	["one at its start: it keeps it", ["--model", "opus"], [], "'opus'"],
	["another one now", ["--model", "opus"], ["--model=it's"], "'it'\\''s'"],
	["one now, none at its start", [], ["--model", "m"], "'m'"],
] as const)(
	"the model of a resumed worker: %s, also at the next resume",
	async (_name, first, second, model) => {
		const rig = spawnRig();
		await rig.fresh(...first);
		const born = rig.doors.files.text(`${S}/windows/w.json`);
		transcript(rig, JSON.parse(born).session_id);
		for (const asked of [second, []]) {
			await rig.spawn("--resume", "w", "--replace", ...asked);
			expect(/--model (.*) --settings/.exec(rig.launcher())?.[1] ?? null).toBe(
				model,
			);
		}
	},
);

test("the resume exports what a fresh start exports", async () => {
	const rig = pastRig();
	await rig.spawn("--resume", "w");
	for (const line of [
		"export NEXUS_ROOT='/root'",
		"export NEXUS_WORKER_WINDOW='w'",
		"export CLAUDE_CODE_RESUME_THRESHOLD_MINUTES='999999999'",
		"export CLAUDE_CODE_RESUME_TOKEN_THRESHOLD='999999999999'",
	])
		expect(rig.launcher()).toContain(`${line}\n`);
});
