/** What goes wrong on the simulated machine with its agents, its watcher, its clock, tmux and GitHub; with its disk: disk-faults.ts. */
import { SimulatedCrash } from "../tests/fakes/faults.ts";
import { HUNG, REFUSED, ZERO_ROWS } from "../tests/fakes/tmux.ts";
import { redeliver } from "../tests/github/stand-in/events.ts";
import type { Fault } from "./act.ts";
import type { SimClaude } from "./claude-types.ts";
import { DIALOGS } from "./dialogs.ts";
import {
	carryOutDiskFault,
	isDiskFault,
	isStep,
	reboot,
} from "./disk-faults.ts";
import type { Ledger } from "./ledger.ts";
import { TARGET } from "./place.ts";
import type { World } from "./world.ts";

export function carryOutFault(world: World, ledger: Ledger, act: Fault): void {
	if (isDiskFault(act)) {
		carryOutDiskFault(world, ledger, act);
		return;
	}
	const { doors } = world;
	const { clock, proc, tmux } = doors;
	const agent = (who: string): SimClaude | null =>
		who === TARGET ? world.orchestrator() : world.worker(who);
	const moot = (window: string) => {
		for (const q of ledger.questions) q.moot ||= q.window === window;
	};
	switch (act.do) {
		case "github-fails":
			world.gitHub.standIn.faults.add({
				on: /./,
				fault: { kind: act.how },
				times: act.times,
			});
			return;
		case "webhook": {
			const { place } = world.gitHub.standIn;
			const newest = place.state.deliveries.at(-1);
			if (act.how === "lost") place.state.deliveries.pop();
			else if (newest !== undefined) redeliver(place, newest.id);
			return;
		}
		case "exits":
			agent(act.who)?.exits();
			moot(act.who);
			return;
		case "closes-window": {
			const gone = agent(act.who);
			if (gone === null) return;
			tmux.model.closeWindow(gone.window);
			gone.exits();
			moot(act.who);
			return;
		}
		case "hangs": {
			const hung = agent(act.who ?? TARGET);
			hung?.hang(true);
			clock.after(act.ms, () => hung?.hang(false));
			return;
		}
		case "crashes":
			agent(act.who)?.crashes();
			return;
		case "surprises":
			world.hands.afterLook(act.who, () => {
				const surprised = agent(act.who);
				if (act.with === "draft") surprised?.types("wait, first ");
				else surprised?.asks(DIALOGS.surprise);
			});
			return;
		case "service-dies":
			world.services.dies(act.which);
			return;
		case "service-sickens":
			world.services.sickens(act.which);
			return;
		case "service-hangs":
			world.services.hangs(act.which, true);
			clock.after(act.ms, () => world.services.hangs(act.which, false));
			return;
		case "job-hangs":
			world.fleet.hangs(true);
			clock.after(act.ms, () => world.fleet.hangs(false));
			return;
		case "kill":
			kill(world, ledger, act);
			return;
		case "power-cut":
			for (const { life } of world.watchers) life.kill();
			endServer(world);
			for (const q of ledger.questions) q.moot = true;
			reboot(world, ledger);
			return;
		case "hits-limit": {
			const limited = agent(act.who);
			const back = new Date(clock.nowMs() + act.hours * 3_600_000);
			const hour = back.getUTCHours();
			const words = `${hour % 12 || 12}${hour < 12 ? "am" : "pm"} (UTC)`;
			// To the full hour, as the words say.
			const early = back.getTime() % 3_600_000;
			limited?.hitsLimit(words, act.hours * 3_600_000 - early);
			return;
		}
		case "second-watcher":
			world.startWatcher();
			return;
		case "steps-clock":
			ledger.clockJumps++;
			clock.stepWall(act.ms);
			return;
		case "suspends":
			ledger.clockJumps++;
			world.time.suspend(act.ms);
			return;
		case "stalls":
			ledger.clockJumps++;
			world.time.stall(act.ms);
			return;
		case "tmux-fails": {
			const how = { hung: HUNG, refused: REFUSED, "zero-rows": ZERO_ROWS };
			tmux.fail(act.op, how[act.how], act.times, act.late ? "late" : undefined);
			return;
		}
		case "tmux-halves":
			world.halves.tmux += act.times;
			return;
		case "tmux-dies":
			endServer(world);
			for (const q of ledger.questions) q.moot = true;
			return;
		case "proc-fails": {
			const { how } = act;
			const is = (fails: boolean) => {
				if (how === "unreadable") proc.tableUnreadable = fails;
				else if (how === "no-spawn") proc.spawnFails = fails ? "EAGAIN" : null;
				else world.halves.exec = fails ? how : null;
			};
			is(true);
			clock.after(act.ms, () => is(false));
			return;
		}
	}
}

/** SIGKILL of the watcher that runs now. */
function kill(
	world: World,
	ledger: Ledger,
	{ calls, of, torn }: Extract<Fault, { do: "kill" }>,
): void {
	const { files } = world.doors;
	const life = world.watcher();
	if (life === null) return;
	let left = calls;
	const diesAt = (what: string) => world.trace.push(`  killed at ${what}`);
	if (of === "any") {
		life.onCall((call) => {
			if (--left > 0) return;
			diesAt(`${call.door}.${call.op} ${call.on}`);
			life.kill();
		});
		return;
	}
	const over = files.faults.before((op, path) => {
		if (life.isDead) return over();
		if (world.hands.changing !== life.pid || !isStep(op) || --left > 0) return;
		over();
		diesAt(`${op} ${path}`);
		if (torn && op === "append") {
			ledger.diskFaults++;
			world.spoiled.add(path);
			const whole = files.faults.tear(path, 7);
			life.killAfterCall();
			// Another fault may have refused the append before.
			world.doors.clock.after(1, whole);
			return;
		}
		life.kill();
		throw new SimulatedCrash("the process died here");
	});
}

/** tmux ends with every window in it; the operator opens a shell after a while, and the watcher does the rest. */
function endServer({ doors, agents }: World): void {
	const { clock, proc, tmux } = doors;
	proc.end(tmux.model.server.pid);
	tmux.model.restart(clock.now());
	proc.add({ pid: tmux.model.server.pid, comm: "tmux: server" });
	for (const a of agents) a.exits();
	clock.after(120_000, () => tmux.window("shell"));
}
