/** A real watcher whose files are changed under its feet, on a copy of the code (contract 06 §9). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { reapGroup } from "../../monitor/_liveness/reap-group.ts";
import {
	listWatcherGroups,
	type WatcherIdentity,
	watcherIdentity,
} from "../../monitor/_liveness/watcher-process.ts";
import { CODE_ROOT, programArgv } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { sourceHash } from "../../monitor/_sys/source-hash.ts";
import { openRealRoot, type RealRoot, runIn } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 60_000;
const doors = realDoors();
let at: RealRoot;
let code: string;
let identity: WatcherIdentity;

beforeAll(() => {
	at = openRealRoot();
	code = join(at.root, "code");
	for (const part of ["monitor", "config", "package.json"])
		cpSync(join(CODE_ROOT, part), join(code, part), {
			recursive: true,
			preserveTimestamps: true,
			filter: (path) => basename(path) !== ".state",
		});
	symlinkSync(join(CODE_ROOT, "node_modules"), join(code, "node_modules"));
	identity = watcherIdentity(doors.files, at.stateDir, code);
	// Nobody there who could take a report: what is to be told stays to be told.
	at.tmux.run("new-window", "-d", "-n", "orchestrator", "cat");
	at.tmux.run("new-window", "-d", "-n", "worker-1", "cat");
	mkdirSync(join(at.stateDir, "decisions"));
	decide("aaaaaaaaaaaa");
	decide("bbbbbbbbbbbb");
	const now = Math.floor(Date.now() / 1000);
	writeFileSync(
		join(at.stateDir, "pending-decisions-emit-state.tsv"),
		`worker-1\tbbbbbbbbbbbb\t${now}\n`,
	);
});
afterAll(async () => {
	for (const pgid of groups()) await reapGroup(doors, pgid, 1, identity);
	await at.close();
}, LIMIT);

function decide(fingerprint: string): void {
	writeFileSync(
		join(at.stateDir, `decisions/worker-1.${fingerprint}.json`),
		`${JSON.stringify({
			ts: "2026-05-11T20:42:01Z",
			window: "worker-1",
			session_id: "",
			kind: "permission_prompt",
			prompt_excerpt: "Allow Bash?",
			tool_context: "",
			fingerprint,
		})}\n`,
	);
}
function groups(): readonly number[] {
	const found = listWatcherGroups(doors, identity);
	return found.kind === "ok" ? found.value.map((g) => g.pgid) : [];
}
function hashNow(): string {
	const found = sourceHash(doors.files, code, "monitor/watcher/main.ts");
	return found.kind === "ok" ? found.hash : "torn";
}
/** Ends of runs of the version check since telemetry line `from`. */
function checksSince(from: number): number {
	const lines = at.state("watcher-scheduler.jsonl").split("\n").slice(from);
	return lines.filter(
		(l) => l.includes('"version_check"') && l.includes('"async-done"'),
	).length;
}
const telemetry = () => at.state("watcher-scheduler.jsonl").split("\n").length;
const log = () => at.state("watcher.log");
const archives = () =>
	readdirSync(join(at.stateDir, "diffs")).map((name) =>
		readFileSync(join(at.stateDir, "diffs", name), "utf8"),
	);

test(
	"it replaces itself once, keeps its state and loses nothing that was to be told",
	async () => {
		const launched = await runIn(
			programArgv(
				process.execPath,
				"launcher",
				["--target", "orchestrator"],
				code,
			),
			at.root,
			{
				...at.env,
				WATCHER_WINDOW: "headless",
				MONITOR_VERSION_RESTART_ENABLED: "true",
				MONITOR_VERSION_CHECK_INTERVAL_SECONDS: "1",
				MONITOR_VERSION_SETTLE_SECONDS: "1",
				// Nothing but the successor's own record keeps it from going on and on.
				MONITOR_VERSION_RESTART_COOLDOWN_SECONDS: "1",
				MONITOR_INTERVAL_SECONDS: "2",
			},
		);
		expect([launched.rc, launched.err]).toEqual([0, expect.anything()]);
		const first = at.pid() ?? 0;
		await waitUntil("its checks", () => checksSince(0) >= 2, { describe: log });
		expect(at.state("version/watcher.running")).toContain(hashNow());
		await waitUntil("a report", () =>
			archives().some((body) => body.includes("fp=aaaaaaaaaaaa")),
		);
		const before = archives().length;

		// An update comes in two steps, as git writes it; the first alone would not even parse.
		const file = join(code, "monitor/watcher/_loop.ts");
		const text = readFileSync(file, "utf8");
		writeFileSync(file, `${text.slice(0, text.length / 2)}\n<<<<<<<`);
		const torn = telemetry();
		await waitUntil("checks of half an update", () => checksSince(torn) >= 2);
		expect(at.pid()).toBe(first);
		writeFileSync(file, text);
		appendFileSync(
			file,
			"\n/** A newer version. */\nexport const newer = 1;\n",
		);

		const second = await waitUntil(
			"the successor",
			() => {
				const pid = at.pid();
				return pid !== null && pid !== first && groups().includes(pid)
					? pid
					: null;
			},
			{ describe: log },
		);
		await waitUntil(
			"the successor's record",
			() => at.state("version/watcher.running").includes(hashNow()),
			{ describe: log },
		);
		const settled = telemetry();
		await waitUntil("its checks", () => checksSince(settled) >= 3, {
			describe: log,
		});
		expect(at.pid()).toBe(second);
		expect(groups()).toEqual([second]);
		expect(doors.proc.alive(first)).toBe(false);
		expect(
			at.state("version/self-restart-history.txt").trimEnd().split("\n"),
		).toHaveLength(1);
		expect(at.state("watcher-spawns.log")).toContain("version-restart");
		expect(log()).toContain("version restart: ");

		const after = archives().slice(before);
		expect(after.join()).toContain("fp=aaaaaaaaaaaa");
		// Told before, and still remembered.
		expect(archives().join()).not.toContain("fp=bbbbbbbbbbbb");
		expect(at.state("pending-decisions-emit-state.tsv")).toContain(
			"bbbbbbbbbbbb",
		);
	},
	LIMIT,
);
