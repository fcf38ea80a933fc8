/** What goes wrong on the simulated machine. */
import { HUNG, REFUSED, ZERO_ROWS } from "../tests/fakes/tmux.ts";
import type { Fault } from "./act.ts";
import type { SimClaude } from "./claude-types.ts";
import type { Ledger } from "./ledger.ts";
import { isChange } from "./life.ts";
import { TARGET } from "./place.ts";
import type { World } from "./world.ts";

export function carryOutFault(world: World, ledger: Ledger, act: Fault): void {
	const { doors } = world;
	const { files, clock, tmux } = doors;
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
			const hung = world.orchestrator();
			hung?.hang(true);
			clock.after(act.ms, () => hung?.hang(false));
			return;
		}
		case "kill": {
			const life = world.watcher();
			let left = act.calls;
			life?.onCall((call) => {
				if (act.of === "changes" && !isChange(call)) return;
				if (--left > 0 || life.isDead) return;
				if (act.torn && call.op === "append") {
					ledger.diskFaults++;
					files.faults.tear(call.on, 7);
					life.killAfterCall();
				} else life.kill();
			});
			return;
		}
		case "power-cut":
			ledger.diskFaults++;
			for (const { life } of world.watchers) life.kill();
			endServer(world);
			for (const q of ledger.questions) q.moot = true;
			files.reboot({ powerCut: true });
			return;
		case "hits-limit": {
			const limited = agent(act.who);
			const back = new Date(clock.nowMs() + act.hours * 3_600_000);
			const hour = back.getUTCHours();
			limited?.hitsLimit(`${hour % 12 || 12}${hour < 12 ? "am" : "pm"} (UTC)`);
			// To the full hour, as the words say.
			const early = back.getTime() % 3_600_000;
			const ms = act.hours * 3_600_000 - early;
			clock.after(ms, () => limited?.hitsLimit(null));
			return;
		}
		case "second-watcher":
			world.startWatcher();
			return;
		case "steps-clock":
			clock.stepWall(act.ms);
			return;
		case "suspends":
			clock.suspend(act.ms);
			return;
		case "stalls":
			clock.stall(act.ms);
			return;
		case "tmux-fails": {
			const how = { hung: HUNG, refused: REFUSED, "zero-rows": ZERO_ROWS };
			tmux.fail(act.op, how[act.how], act.times, act.late ? "late" : undefined);
			return;
		}
		case "tmux-dies":
			endServer(world);
			for (const q of ledger.questions) q.moot = true;
			return;
		case "disk-fails":
			ledger.diskFaults++;
			files.faults.fail({
				path: /^\/nexus\/monitor\/\.state\//,
				ops: ["write", "append", "rename", "read"],
				code: act.code,
				times: act.times,
			});
			return;
		case "read-only":
			ledger.diskFaults++;
			files.faults.readOnly = true;
			clock.after(act.ms, () => {
				files.faults.readOnly = false;
			});
			return;
	}
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
