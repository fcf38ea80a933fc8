/** Modes of what is written, whatever the umask: nothing that others could change, and nothing private that they could read. */
import { afterEach, expect, test } from "bun:test";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { enforce } from "../arch/law.ts";
import { product } from "../arch/sources.ts";
import { emitRig, ROOT, STATE } from "../emit/emit-rig.ts";
import type { FakeFiles } from "../fakes/files.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { hubRig } from "../ng/hub-rig.ts";
import { openRealRoot, type RealRoot } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Paths below the root or the home, and the mode that each must have. The first that fits counts. */
const MODES: readonly (readonly [RegExp, number, string])[] = [
	[/(?:^|\/)token\.json$/, 0o600, "a token of the App's"],
	[/\/config-cache\.json$/, 0o600, "the operator's configuration"],
	[/\/nexus\.yml$/, 0o600, "the operator's configuration"],
	[/\/pending-delivery\//, 0o600, "reports on their way"],
	[/\/paste-leftover\//, 0o600, "a text that lies in somebody's box"],
	[/\/settings\/.*\.sh$|\/hooks\//, 0, "programs"],
	[/\.(?:lock)$/, 0o640, "locks"],
	[/\/(?:action-log|scheduler)\.jsonl$/, 0o640, "evidence"],
	[/\/(?:watcher|boot-recover)\.log$/, 0o640, "logs"],
	[
		/\/(?:watcher-alerts|watcher-spawns|over-limit|unstick)[\w-]*\.log$/,
		0o640,
		"evidence",
	],
];

function flawOf(path: string, mode: number): string | null {
	const shown = `${path} is ${mode.toString(8)}`;
	if ((mode & 0o022) !== 0) return `${shown}: others may write it`;
	const [, wanted = 0, what = ""] = MODES.find(([re]) => re.test(path)) ?? [];
	return wanted === 0 || mode === wanted
		? null
		: `${shown}, and ${what} must be ${wanted.toString(8)}`;
}

function flawsOn(files: FakeFiles, seeded: ReadonlySet<string>) {
	return files
		.paths("/")
		.filter((path) => !seeded.has(path) && !path.startsWith("/proc/"))
		.flatMap((path) => {
			const found = files.lstat(path);
			return found.kind === "ok" ? (flawOf(path, found.stat.mode) ?? []) : [];
		});
}

enforce({
	law: "no file or folder is made with a mode that lets others write",
	why: "a state that another account of the machine can change is an order of its",
	files: product,
	forbidden:
		/\b(?:mode(?::| =) ?|(?:mkdir(?:New|Sync)?|openSync)\([^)]*, )0o[0-7]?[0-7](?:[2367][0-7]|[0-7][2367])\b/,
	breaks: [
		"files.writeAtomic(p, t, { mode: 0o660 });",
		"files.mkdir(dir, 0o777);",
		"const mkdirNew = (dir, mode = 0o757) => {};",
	],
	allows: [
		"files.writeAtomic(p, t, { mode: 0o640 });",
		"files.mkdir(dir, 0o755);",
		"(stat.mode & 0o022) === 0",
	],
});

test("of the watcher's cycles, on the fake disk", async () => {
	const rig = emitRig({ idle: true });
	const seeded = new Set(rig.files.paths("/"));
	await rig.seed();
	rig.request("20260511T204201Z-eve-01");
	rig.decide("w1", "0123456789ab");
	seeded.add(join(STATE, "decisions/w1.0123456789ab.json"));
	rig.files.seed(join(ROOT, "reports/a.md"), "x");
	rig.ends.push(7, 1, 0);
	for (let i = 0; i < 4; i++) {
		await rig.idle();
		await rig.cycle();
		rig.clock.stall(400_000);
		await rig.sweep();
	}
	expect(rig.files.paths(STATE).length).toBeGreaterThan(10);
	expect(flawsOn(rig.files, seeded)).toEqual([]);
});

test("of ng's verbs, on the fake disk", async () => {
	const rig = hubRig();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	rig.standIn.acts.commitFile(REPO, "README.md", "hi");
	const seeded = new Set(rig.doors.files.paths("/"));
	for (const call of [
		["log-action", "w1", "--event", "note"],
		["suppress-emit", "1"],
		["engaged-done", "w1"],
		["report-init", "w1"],
		["reply", "1"],
		["process", "1"],
	])
		await rig.ngWith("A reply of some words.", ...call);
	expect(rig.doors.files.paths("/home").length).toBeGreaterThan(0);
	expect(flawsOn(rig.doors.files, seeded)).toEqual([]);
	await rig.close();
});

let root: RealRoot | undefined;
const umask = process.umask();
afterEach(async () => {
	process.umask(umask);
	await root?.close();
	root = undefined;
}, 30_000);

test("of the programs themselves, started by somebody whose umask forbids nothing", async () => {
	root = openRealRoot();
	const { run, env, stateDir } = root;
	process.umask(0);
	expect(await run("svc", ["start", "watcher"])).toMatchObject({ rc: 0 });
	const live = root;
	await waitUntil("a first cycle", () => live.state("watcher-cycle") !== "");
	await run("ng", ["log-action", "w1", "--event", "note"]);
	await run("ng", ["report-init", "w1"]);
	await run("workerHeartbeat", ["busy"], { NEXUS_WORKER_WINDOW: "w1" });
	await run("writeProbe");
	await run("svc", ["stop", "watcher"]);
	const made = everythingBelow(root.root).filter(
		// Made by the rig before the umask was taken away, or by tmux.
		(path) => path !== root?.configPath && path !== env.TMUX_TMPDIR,
	);
	expect(
		made.filter((path) => path.startsWith(stateDir)).length,
	).toBeGreaterThan(10);
	const flaws = made.flatMap((path) => {
		const found = lstatSync(path);
		if (found.uid !== process.getuid?.()) return [`${path} is not ours`];
		if (found.isSymbolicLink()) return [];
		const mode = found.mode & 0o7777;
		return found.isDirectory()
			? (mode & 0o022) === 0
				? []
				: [`${path} is ${mode.toString(8)}: others may write into it`]
			: (flawOf(path, mode) ?? []);
	});
	expect(flaws).toEqual([]);
}, 60_000);

function everythingBelow(dir: string): readonly string[] {
	return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
		const path = join(dir, entry.name);
		return entry.isDirectory() ? [path, ...everythingBelow(path)] : [path];
	});
}
