/** How the watcher is, while it is kept busy. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { cpuSeconds, ownMiB, pssMiB } from "../measure.ts";
import type { Vitals } from "./ledger.ts";
import type { SoakWorld } from "./world.ts";

const EVERY_MS = 5000;

export async function watchVitals(
	world: SoakWorld,
	isOver: () => boolean,
): Promise<void> {
	while (!isOver()) {
		world.ledger.vitals.push(await look(world));
		for (let n = 0; n < EVERY_MS / 250 && !isOver(); n++) await Bun.sleep(250);
	}
}

async function look(world: SoakWorld): Promise<Vitals> {
	const { watchers, orchestrators } = await counts(world);
	const sizes = filesBelow(world.stateDir);
	return {
		at: Date.now(),
		watchers,
		orchestrators,
		...process(world),
		files: sizes.length,
		kiB: Math.round(sizes.reduce((a, b) => a + b, 0) / 1024),
	};
}

/** A successor may start while its predecessor is reaped: two count only when they are two a second later, too. */
async function counts(
	world: SoakWorld,
): Promise<Pick<Vitals, "watchers" | "orchestrators">> {
	const count = () => ({
		watchers: world.groups().length,
		orchestrators: world.orchestrators().length,
	});
	const first = count();
	if (first.watchers <= 1 && first.orchestrators <= 1) return first;
	await Bun.sleep(1000);
	const second = count();
	return {
		watchers: Math.min(first.watchers, second.watchers),
		orchestrators: Math.min(first.orchestrators, second.orchestrators),
	};
}

function process(
	world: SoakWorld,
): Pick<Vitals, "pid" | "pssMiB" | "ownMiB" | "cpuSeconds"> {
	const pid = world.pid();
	try {
		if (pid === null || world.check(pid) !== "live") throw new Error("none");
		return {
			pid,
			pssMiB: pssMiB(pid),
			ownMiB: ownMiB(pid),
			cpuSeconds: cpuSeconds(pid),
		};
	} catch {
		return { pid: null, pssMiB: 0, ownMiB: 0, cpuSeconds: 0 };
	}
}

/** Sizes in bytes. */
function filesBelow(dir: string): number[] {
	return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
		const path = join(dir, entry.name);
		if (entry.isDirectory()) return filesBelowOrNone(path);
		const size = statSync(path, { throwIfNoEntry: false })?.size;
		return size === undefined ? [] : [size];
	});
}

/** A folder may go while it is looked for. */
function filesBelowOrNone(dir: string): number[] {
	try {
		return filesBelow(dir);
	} catch {
		return [];
	}
}
