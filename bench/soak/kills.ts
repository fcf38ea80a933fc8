/** Kills by pid, what comes back by itself, and the supervisor that the orchestrator would have armed. */
import type { Asked, Kill } from "./ledger.ts";
import type { Night } from "./night.ts";
import type { SoakWorld } from "./world.ts";

/** As the command that arms the supervisor says. */
const TICK_MS = 15_000;

/** By turns and by chance; the last third of a night is left in peace, so that a watcher's memory can be followed. */
export async function killAtRandom(
	world: SoakWorld,
	night: Night & { readonly pauseMs: number; readonly untilShare: number },
): Promise<void> {
	for (let n = 0; ; n++) {
		await night.sleep(night.pauseMs * (0.7 + 0.6 * night.chance()));
		if (night.isOver() || night.passed() > night.untilShare) return;
		await (n % 2 === 0 ? killWatcher(world) : killOrchestrator(world));
	}
}

async function killWatcher(world: SoakWorld): Promise<void> {
	const pid = world.pid();
	if (pid === null || world.check(pid) !== "live") return;
	await killed(world, "watcher", pid, () => {
		const next = world.pid();
		return next !== null && next !== pid && world.check(next) === "live";
	});
}

async function killOrchestrator(world: SoakWorld): Promise<void> {
	const [pid] = world.orchestrators();
	if (pid === undefined) return;
	await killed(world, "orchestrator", pid, () =>
		world.orchestrators().some((other) => other !== pid),
	);
}

async function killed(
	world: SoakWorld,
	what: Kill["what"],
	pid: number,
	isBack: () => boolean,
): Promise<void> {
	const kill: Kill = { what, at: Date.now(), backAt: null };
	process.kill(pid, "SIGKILL");
	world.ledger.kills.push(kill);
	while (!isBack()) {
		if (Date.now() - kill.at > 300_000) return;
		await Bun.sleep(250);
	}
	kill.backAt = Date.now();
}

/** The worker that does this errand dies in its turn. */
export async function killWorker(
	world: SoakWorld,
	asked: Asked,
): Promise<void> {
	const window = asked.window ?? "";
	const begun = world.ledger.kills.some(
		(kill) => kill.window === window && kill.at > asked.at,
	);
	if (begun) return;
	const kill: Kill = { what: "worker", window, at: Date.now(), backAt: null };
	world.ledger.kills.push(kill);
	await Bun.sleep(3000);
	const pane = world.paneOf(window);
	if (pane === null) return;
	process.kill(pane.pid, "SIGKILL");
}

/** Looks every 15 s, and revives what is down; until `isOver`. */
export async function supervise(
	world: SoakWorld,
	isOver: () => boolean,
): Promise<void> {
	while (!isOver()) {
		const { rc } = await world.asOperator("superviseTick");
		if (rc !== 0) await world.asOperator("revive");
		for (let n = 0; n < TICK_MS / 250 && !isOver(); n++) await Bun.sleep(250);
	}
}
