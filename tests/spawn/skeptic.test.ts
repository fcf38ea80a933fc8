import { describe, expect, test } from "bun:test";
import { parseActionLog } from "../../monitor/_state/action-log.ts";
import { S, spawnRig } from "./rig.ts";

const ROLE = [
	"--skeptic-role",
	"--skeptic-target",
	"dev.1",
	"--skeptic-depth",
	"2",
];
const OVERRIDE = {
	NEXUS_SKEPTIC_SELF_SPAWN: "1",
	NEXUS_SKEPTIC_SELF_SPAWN_REASON: "nobody\nelse",
};

describe("a reviewer", () => {
	test("is told whose work it looks at; an ordinary worker is told nothing", async () => {
		const rig = spawnRig();
		await rig.fresh(...ROLE, "--skeptic-orig", "root-cause");
		expect(rig.prompt()).toMatch(
			/^- Skeptic role: YES\. .*window `dev\.1` \(depth 2\).*`root-cause`/m,
		);
		const ordinary = spawnRig();
		await ordinary.fresh("--skeptic", "require", "--skeptic-depth", "1");
		expect(ordinary.prompt()).not.toContain("keptic");
	});

	test("leaves event, channels and markers for target and origin", async () => {
		const rig = spawnRig();
		await rig.fresh(...ROLE, "--skeptic-orig", "dev");
		const { files } = rig.doors;
		for (const key of ["dev%2E1", "dev"]) {
			expect(files.text(`${S}/skeptic/pending/${key}`)).toBe("2\n");
			expect(files.stat(`${S}/skeptic/${key}`).kind).toBe("ok");
		}
		const log = files.text(`${S}/action-log.jsonl`);
		const [event] = parseActionLog(log, ["skeptic-spawn"]);
		expect(event?.window).toBe("w");
		expect(event?.field("target-window")).toBe("dev.1");
		expect(event?.field("orig-window")).toBe("dev");
		expect(event?.field("depth")).toBe("2");
		expect(event?.field("agent")).toBe("monitor");
	});

	test("is started all the same where its channel cannot be made, with a warning; else without one", async () => {
		const well = spawnRig();
		const ran = await well.fresh(...ROLE);
		expect(ran.err).not.toContain("review of");
		const rig = spawnRig();
		rig.doors.files.faults.fail({
			path: `${S}/skeptic/pending/dev%2E1`,
			ops: ["write"],
			code: "EROFS",
		});
		const hurt = await rig.fresh(...ROLE);
		expect(hurt.rc).toBe(0);
		expect(hurt.err).toContain("review of dev.1: ");
	});

	test("fulfils the requests for it, and no other", async () => {
		const rig = spawnRig();
		const { files } = rig.doors;
		const request = (name: string, kind: string, origin: string) =>
			files.seed(
				`${S}/requests/${name}`,
				`---\nrequest: x\norigin: ${origin}\nkind: ${kind}\n---\n`,
			);
		request("a.new.md", "spawn-skeptic", "dev_1");
		request("b.claimed.md", "spawn-skeptic", "dev_1");
		request("c.claimed.md", "spawn-skeptic", "dev_2");
		request("d.claimed.md", "question", "dev_1");
		request("e.failed.md", "spawn-skeptic", "dev_1");
		await rig.fresh(...ROLE);
		expect(files.list(`${S}/requests`)).toEqual({
			kind: "ok",
			names: [
				"a.done.md",
				"b.done.md",
				"c.claimed.md",
				"d.claimed.md",
				"e.failed.md",
			],
		});
	});
});

describe("the request for a reviewer", () => {
	const REQUEST = "---\nrequest: x\norigin: dev_1\nkind: spawn-skeptic\n---\n";

	test("lies in the inbox that is configured", async () => {
		const rig = spawnRig();
		const { files } = rig.doors;
		files.seed(
			"/root/config/nexus.yml",
			"github: {repo: a/b, user_login: me}\nmonitor: {requests: {dir: /inbox}}\n",
		);
		files.seed("/inbox/a.claimed.md", REQUEST);
		expect((await rig.fresh(...ROLE)).rc).toBe(0);
		expect(files.list("/inbox")).toMatchObject({ names: ["a.done.md"] });
	});

	test("that cannot be taken is a word; the reviewer runs", async () => {
		const rig = spawnRig();
		const { files } = rig.doors;
		files.seed(`${S}/requests/a.claimed.md`, REQUEST);
		const fault = { path: /a\.claimed\.md/, ops: ["rename"] as const };
		files.faults.fail({ ...fault, code: "EROFS" });
		const { rc, err } = await rig.fresh(...ROLE);
		expect(rc).toBe(0);
		expect(err).toMatch(/^spawn-worker: request a\.claimed\.md: .*EROFS/m);
		expect((await spawnRig().fresh(...ROLE)).err).toMatch(/^spawned: [^\n]*$/);
	});
});

describe("a worker does not choose its own reviewer", () => {
	test.each([
		[{}, 0],
		[{ NEXUS_WORKER_WINDOW: "stranger" }, 0],
		[{ NEXUS_WORKER_WINDOW: "dev.1" }, 20],
		[{ NEXUS_WORKER_WINDOW: "dev" }, 20],
		[{ NEXUS_WORKER_WINDOW: "dev", NEXUS_SKEPTIC_SELF_SPAWN: "1" }, 20],
		[
			{
				NEXUS_WORKER_WINDOW: "dev",
				...OVERRIDE,
				NEXUS_SKEPTIC_SELF_SPAWN_REASON: " ",
			},
			20,
		],
		[
			{
				NEXUS_WORKER_WINDOW: "dev",
				...OVERRIDE,
				NEXUS_SKEPTIC_SELF_SPAWN: "yes",
			},
			20,
		],
		[{ NEXUS_WORKER_WINDOW: "dev", ...OVERRIDE }, 0],
	])("%j: exit %i", async (env, rc) => {
		const rig = spawnRig(env);
		const ran = await rig.fresh(...ROLE, "--skeptic-orig", "dev");
		expect(ran.rc).toBe(rc);
		if (rc === 20)
			expect(ran.err).toMatch(
				/^spawn-worker: window dev.* is under review and must not start its own reviewer: .*NEXUS_SKEPTIC_SELF_SPAWN_REASON/,
			);
	});

	test("whoever overrides that is on record, in one line; asking alone is not", async () => {
		const rig = spawnRig({ NEXUS_WORKER_WINDOW: "dev.1", ...OVERRIDE });
		const log = `${S}/skeptic-self-spawn.log`;
		await rig.fresh(...ROLE, "--print-prompt");
		expect(rig.doors.files.has(log)).toBe(false);
		await rig.fresh(...ROLE);
		expect(rig.doors.files.text(log)).toBe(
			`[${rig.doors.clock.iso()}] caller=dev.1 window=w target=dev.1 reason=nobody else\n`,
		);
	});

	test("an override that cannot be put on record is a word, too", async () => {
		const rig = spawnRig({ NEXUS_WORKER_WINDOW: "dev.1", ...OVERRIDE });
		for (const path of [/skeptic-self-spawn/, /action-log/])
			rig.doors.files.faults.fail({ path, ops: ["append"], code: "ENOSPC" });
		const { rc, err } = await rig.fresh(...ROLE);
		expect(rc).toBe(0);
		expect(err).toMatch(/^spawn-worker: self-spawn log: .*ENOSPC/m);
		// Of the start, and of the review.
		expect(err.match(/^spawn-worker: action log: .*ENOSPC/gm)).toHaveLength(2);
	});

	test("an inbox that cannot be used is a word, and no request is taken for answered", async () => {
		const rig = spawnRig({ NEXUS_REQUESTS_DIR: "relative" });
		const { rc, err } = await rig.fresh(...ROLE);
		expect(rc).toBe(0);
		expect(err).toMatch(/^spawn-worker: .*relative/m);
	});

	test("a reviewed worker may start workers that review nobody", async () => {
		const rig = spawnRig({ NEXUS_WORKER_WINDOW: "dev" });
		expect((await rig.fresh()).rc).toBe(0);
	});
});
