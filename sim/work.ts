/** A night's work: agents, people and GitHub do what they do, and the ledger keeps what ought to be told. */
import { join } from "node:path";
import { ackDecision } from "../monitor/_state/decision-ack.ts";
import {
	decisionFileName,
	decisionFingerprint,
	decisionsDir,
	renderDecision,
} from "../monitor/_state/decisions.ts";
import { OPERATOR } from "../tests/github/rig.ts";
import type { Work } from "./act.ts";
import type { SimClaude } from "./claude-types.ts";
import { DIALOGS } from "./dialogs.ts";
import type { Ledger, Open } from "./ledger.ts";
import { ROOT, STATE, TARGET } from "./place.ts";
import type { World } from "./world.ts";

export function carryOutWork(world: World, ledger: Ledger, act: Work): void {
	const { doors } = world;
	const { files, clock } = doors;
	const agent = (who: string): SimClaude | null =>
		who === TARGET ? world.orchestrator() : world.worker(who);
	switch (act.do) {
		case "report": {
			const [day, time = ""] = clock.iso().slice(0, 19).split("T");
			const stamp = `${day}_${time.replaceAll(":", "")}`;
			const name = `${act.who}_${stamp}_${ledger.reports.length}.md`;
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
					ts: `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`,
					window: act.who,
					fingerprint,
					sessionId: "",
					kind: "question",
					promptExcerpt: `Question ${n}?`,
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
		case "turn":
			agent(act.who)?.works(act.ms);
			return;
		case "dialog":
			agent(act.who)?.asks(DIALOGS[act.kind]);
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
		case "retires": {
			const moot = () => {
				for (const q of ledger.questions) q.moot ||= q.window === act.who;
			};
			moot();
			// What it asks in its last moment is asked by nobody; one that may not go is heard.
			world.retire(act.who).then(() => {
				if (world.worker(act.who) === null) moot();
			});
			return;
		}
		case "restarts":
			if (world.worker(act.who) === null) world.startWorker(act.who);
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
