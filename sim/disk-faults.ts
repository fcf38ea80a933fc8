/** What goes wrong with the simulated machine's disk, and with what people do to its files. */
import { lastSnapshotPath } from "../monitor/_state/last-snapshot.ts";
import { untoldBaselinePath } from "../monitor/_state/untold-baseline.ts";
import type { FileOp } from "../tests/fakes/faults.ts";
import type { Fault } from "./act.ts";
import type { Ledger } from "./ledger.ts";
import { CONFIG_PATH } from "./operator-config.ts";
import { ROOT, STATE } from "./place.ts";
import { growsByAppends } from "./state-files.ts";
import type { World } from "./world.ts";

type DiskFault = Extract<
	Fault,
	{
		do:
			| "disk-fails"
			| "read-only"
			| "disk-full"
			| "slow-disk"
			| "garbage"
			| "bad-config"
			| "locks-fail";
	}
>;
const DISK_FAULTS: ReadonlySet<Fault["do"]> = new Set<DiskFault["do"]>([
	...(["disk-fails", "read-only", "disk-full", "slow-disk"] as const),
	...(["garbage", "bad-config", "locks-fail"] as const),
]);
export const isDiskFault = (fault: Fault): fault is DiskFault =>
	DISK_FAULTS.has(fault.do);

/** Steps that change the disk: an atomic write is two of them, with its temporary file in between. */
const STEPS: ReadonlySet<FileOp> = new Set<FileOp>([
	...(["write", "append", "touch", "remove", "rename", "mkdir"] as const),
]);
export const isStep = (op: FileOp): boolean => STEPS.has(op);

/** What keeps in mind what was told. */
const MEMORY =
	/last-snapshot|untold-baseline|pending-delivery|stable-hash|emit-state|emit-history/;
/** Without either, nobody knows what was told. */
const BASELINES = [lastSnapshotPath(STATE), untoldBaselinePath(STATE)];
const LOCKS = ["deliveries-queue.lock", "unacked-mentions.lock"];

export function carryOutDiskFault(
	world: World,
	ledger: Ledger,
	act: DiskFault,
): void {
	const { clock, files, locks } = world.doors;
	ledger.diskFaults++;
	switch (act.do) {
		case "disk-fails":
			files.faults.fail({
				path: /^\/nexus\/monitor\/\.state\//,
				ops: ["write", "append", "rename", "read"],
				code: act.code,
				times: act.times,
			});
			return;
		case "read-only":
			files.faults.readOnly = true;
			clock.after(act.ms, () => {
				files.faults.readOnly = false;
			});
			return;
		case "disk-full":
			files.faults.freeBytes = act.bytes;
			clock.after(act.ms, () => makeRoom(world));
			return;
		case "slow-disk":
			files.slow(`${ROOT}/reports`, 300_000);
			clock.after(act.ms, () => files.slow(`${ROOT}/reports`, 0));
			return;
		case "garbage": {
			const paths = files.paths(STATE).filter((p) => !p.endsWith(".lock"));
			const path = paths[act.nth % paths.length];
			if (path === undefined) return;
			world.trace.push(`  garbage in ${path}`);
			spoil(world, ledger, path);
			files.seed(path, garbageOf(act.how, files.text(path)));
			return;
		}
		case "bad-config":
			breakConfig(world, act.how);
			clock.after(act.ms, () => mendConfig(world));
			return;
		case "locks-fail":
			for (const name of LOCKS) locks.cannotOpen(`${STATE}/${name}`, "EACCES");
			clock.after(act.ms, () => {
				for (const name of LOCKS) locks.canOpen(`${STATE}/${name}`);
			});
			return;
	}
}

/** What was never synced is gone. */
export function reboot(world: World, ledger: Ledger): void {
	const { files } = world.doors;
	const texts = new Map(files.paths(STATE).map((p) => [p, files.text(p)]));
	files.reboot({ powerCut: true });
	ledger.diskFaults++;
	for (const [path, text] of texts)
		if (files.text(path) !== text) spoil(world, ledger, path);
}

/** Nobody can be blamed for what a file that was broken from outside no longer says. */
function spoil(world: World, ledger: Ledger, path: string): void {
	world.spoiled.add(path);
	if (MEMORY.test(path)) ledger.forgotten++;
	ledger.isBaselineLost ||= BASELINES.includes(path);
	for (const open of [...ledger.questions, ...ledger.requests])
		open.moot ||= path.includes(open.key);
}

function garbageOf(how: string, before: string): string {
	switch (how) {
		case "noise":
			return "}}%$ not what you expect\n\n===\tñ\u0007\n";
		case "half":
			return before.slice(0, before.length / 2);
		case "zeros":
			return "\0".repeat(512);
		case "json":
			return "{}\n";
		default:
			return "";
	}
}

function breakConfig({ config, doors: { files } }: World, how: string): void {
	if (how === "gone") return void files.remove(CONFIG_PATH);
	const text =
		how === "syntax"
			? `${config}monitor: [\n`
			: how === "value"
				? config.replace("git_enabled: false", "git_enabled: perhaps")
				: config;
	files.seed(CONFIG_PATH, text, { mode: how === "writable" ? 0o666 : 0o600 });
}

/** A disk is no longer full. An append that did not fit was cut off, whoever wrote it and however the room came back. */
function makeRoom({ doors: { files }, spoiled }: World): void {
	if (!Number.isFinite(files.faults.freeBytes)) return;
	for (const path of files.paths(STATE))
		if (growsByAppends(path)) spoiled.add(path);
	files.faults.freeBytes = Number.POSITIVE_INFINITY;
}

/** Every fault of the disk ends. */
export function mendDisk(world: World): void {
	const { files, locks } = world.doors;
	files.faults.readOnly = false;
	makeRoom(world);
	files.faults.heal();
	files.slow(`${ROOT}/reports`, 0);
	for (const name of LOCKS) locks.canOpen(`${STATE}/${name}`);
	mendConfig(world);
}

function mendConfig({ config, doors: { files } }: World): void {
	files.seed(CONFIG_PATH, config, { mode: 0o600 });
}
