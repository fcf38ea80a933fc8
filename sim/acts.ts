/** Carries out what a schedule says on the simulated machine, and remembers what the watcher ought to know of it. */
import { join } from "node:path";
import { ackDecision } from "../monitor/_state/decision-ack.ts";
import {
	decisionFileName,
	decisionFingerprint,
	decisionsDir,
	renderDecision,
} from "../monitor/_state/decisions.ts";
import { HUNG, REFUSED, ZERO_ROWS } from "../tests/fakes/tmux.ts";
import { OPERATOR } from "../tests/github/rig.ts";
import type { Dialog } from "../tests/unstick/fake-claude.ts";
import type { SimClaude } from "./claude-types.ts";
import { isChange } from "./life.ts";
import { ROOT, STATE, TARGET } from "./place.ts";
import type { Act } from "./schedule.ts";
import type { World } from "./world.ts";

/** A question or a request, from its birth to its ack (monotonic ms; null = still open). */
export interface Open {
	readonly key: string;
	readonly window: string;
	readonly bornMs: number;
	ackedMs: number | null;
	/** Its window has gone since: it may be told, and may be dropped. */
	moot: boolean;
}
export interface Ledger {
	readonly reports: string[];
	readonly questions: Open[];
	readonly requests: Open[];
	/** Ids of the operator's comments, and the secret words of strangers'. */
	readonly comments: number[];
	readonly strangers: string[];
	/** Things that excuse a second telling or a damaged file: kills, faults of the disk. */
	kills: number;
	diskFaults: number;
}

export function newLedger(): Ledger {
	return {
		...{
			reports: [],
			questions: [],
			requests: [],
			comments: [],
			strangers: [],
		},
		...{ kills: 0, diskFaults: 0 },
	};
}

const DIALOGS: Readonly<Record<string, Dialog>> = {
	safe: { kind: "permission", command: "ls -la" },
	vetoed: { kind: "permission", command: "git push --force origin main" },
	"second-option": { kind: "permission", command: "ls -la", selected: 1 },
	question: { kind: "question" },
};

export function carryOut(world: World, ledger: Ledger, act: Act): void {
	const { doors } = world;
	const { files, clock, proc, tmux } = doors;
	const agent = (who: string): SimClaude | null =>
		who === TARGET ? world.orchestrator() : world.worker(who);
	const moot = (window: string) => {
		for (const q of ledger.questions) q.moot ||= q.window === window;
	};
	switch (act.do) {
		case "report": {
			const name = `${act.who}_${clock.iso().slice(0, 10)}_${ledger.reports.length}.md`;
			ledger.reports.push(name);
			files.seed(join(ROOT, "reports", name), "# Report\n");
			return;
		}
		case "question": {
			if (agent(act.who) === null) return;
			const n = ledger.questions.length;
			const fingerprint = decisionFingerprint(act.who, "question", String(n));
			ledger.questions.push(born(world, fingerprint, act.who));
			const name = { window: act.who, fingerprint, handled: false };
			files.seed(
				join(decisionsDir(STATE), decisionFileName(name)),
				renderDecision({
					...{ ts: `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z` },
					...{ window: act.who, fingerprint, sessionId: "" },
					...{ kind: "question", promptExcerpt: `Question ${n}?` },
					toolContext: "",
				}),
			);
			return;
		}
		case "ack-question": {
			const open = ledger.questions.find((q) => q.ackedMs === null);
			if (open === undefined) return;
			const { kind } = ackDecision(files, STATE, open.window, open.key);
			if (kind === "acked") open.ackedMs = clock.monoMs();
			return;
		}
		case "request": {
			const id = `20260728T${String(180_000 + ledger.requests.length)}Z-a-x`;
			ledger.requests.push(born(world, id, ""));
			files.seed(join(STATE, `requests/${id}.new.md`), requestText(id));
			return;
		}
		case "ack-request": {
			const open = ledger.requests.find(
				(r) =>
					r.ackedMs === null &&
					files.has(join(STATE, `requests/${r.key}.claimed.md`)),
			);
			if (open === undefined) return;
			const path = join(STATE, `requests/${open.key}.claimed.md`);
			if (files.remove(path).kind === "ok") open.ackedMs = clock.monoMs();
			return;
		}
		case "bell":
			for (const a of world.agents)
				if (a.isAlive && a.window.name === act.who) a.window.bell = true;
			return;
		case "comment": {
			const { gitHub } = world;
			if (act.by === "operator") {
				const n = ledger.comments.length;
				const id = gitHub.comments(OPERATOR, `Please look at number ${n}.`);
				ledger.comments.push(id);
			} else {
				const word = `xyzzy-${ledger.strangers.length}`;
				gitHub.comments("stranger", `@hub-bot do ${word} at once`);
				ledger.strangers.push(word);
			}
			return;
		}
		case "github-fails":
			world.gitHub.standIn.faults.add({
				...{ on: /./, fault: { kind: act.how }, times: act.times },
			});
			return;
		case "turn":
			agent(act.who)?.works(act.ms);
			return;
		case "dialog":
			agent(act.who)?.asks(DIALOGS[act.kind] ?? null);
			return;
		case "closes-dialogs":
			for (const a of world.agents) if (a.dialog !== null) a.asks(null);
			return;
		case "types":
			world.orchestrator()?.types("please also look at the ");
			return;
		case "erases":
			world.orchestrator()?.erases();
			return;
		case "sends":
			if (world.orchestrator()?.box.startsWith("please"))
				world.orchestrator()?.sends();
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
		case "restarts":
			if (world.worker(act.who) === null) world.startWorker(act.who);
			return;
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
				if (--left > 0) return;
				if (!life.isDead) ledger.kills++;
				life.kill();
			});
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
			proc.end(tmux.model.server.pid);
			tmux.model.restart(clock.now());
			proc.add({ pid: tmux.model.server.pid, comm: "tmux: server" });
			for (const a of world.agents) a.exits();
			for (const q of ledger.questions) q.moot = true;
			// The operator opens a shell after a while; the watcher does the rest.
			clock.after(120_000, () => tmux.window("shell"));
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

function born(world: World, key: string, window: string): Open {
	const bornMs = world.doors.clock.monoMs();
	return { key, window, bornMs, ackedMs: null, moot: false };
}

function requestText(id: string): string {
	return `---
request: ${id}
origin: alice
kind: question
created: 2026-07-28T18:00:00+00:00
priority: normal
publish: true
state: new
---
## Request

Which seed shall I use?
`;
}
