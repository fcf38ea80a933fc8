/** Every fault ends, and somebody who looks in the morning opens what is closed. */
import { WORKERS } from "./act.ts";
import { mendDisk } from "./disk-faults.ts";
import type { World } from "./world.ts";

export function heal(world: World): void {
	const { doors, gitHub, agents, services, startWorker, worker } = world;
	const { proc, tmux } = doors;
	mendDisk(world);
	tmux.heal();
	world.halves.tmux = 0;
	world.halves.exec = null;
	proc.tableUnreadable = false;
	proc.spawnFails = null;
	gitHub.standIn.faults.clear();
	services.heal();
	world.fleet.hangs(false);
	world.hands.calm();
	for (const a of agents) {
		a.hang(false);
		if (a.dialog !== null) a.asks(null);
		a.erases();
	}
	for (const name of WORKERS) if (worker(name) === null) startWorker(name);
}
