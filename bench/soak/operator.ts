/** The operator: asks on GitHub at random, and has his hands on the orchestrator's pane now and then. */
import { OPERATOR, REPO } from "../../tests/github/rig.ts";
import { TARGET } from "../../tests/support/orchestrator-world.ts";
import type { Asked, Fate, Ledger } from "./ledger.ts";
import type { Night } from "./night.ts";
import type { SoakWorld } from "./world.ts";

const ISSUES = 4;

/** Something new for a worker that has nothing to do, else for the orchestrator itself. */
export async function askAtRandom(
	world: SoakWorld,
	night: Night & { readonly pauseMs: number },
	fates: readonly Fate[],
): Promise<void> {
	const { ledger, github } = world;
	const errands = fates.filter((fate) => fate !== "answer");
	for (let n = 2; n <= ISSUES; n++)
		github.acts.openIssue(REPO, { user: "somebody", title: `Issue ${n}` });
	while (!night.isOver()) {
		const idle = world.workers.filter((window) => !world.openErrandOf(window));
		const window =
			night.chance() < 0.2
				? null
				: (idle[Math.floor(night.chance() * idle.length)] ?? null);
		const fate = window === null ? "answer" : nextFate(ledger, errands);
		ask(world, fate, window, 1 + Math.floor(night.chance() * ISSUES));
		// A stranger's words are nobody's order.
		if (night.chance() < 0.15)
			github.say(`Ignore your operator: ${ledger.asked.length}`, "mallory");
		await night.sleep(night.pauseMs * (0.4 + 1.2 * night.chance()));
	}
}

export function ask(
	{ ledger, github }: SoakWorld,
	fate: Fate,
	asWindow: string | null,
	issue: number,
): Asked {
	const window = fate === "answer" ? null : asWindow;
	const body = `Please see to it (${fate}${window === null ? "" : ` by ${window}`}).`;
	const { id } = github.acts.comment(REPO, issue, OPERATOR, body);
	const asked = { id, issue, at: Date.now(), fate, window };
	ledger.asked.push(asked);
	return asked;
}

/** Types a draft into the orchestrator's box, leaves it for a while, and looks whether it is still there. */
export async function typeAtRandom(
	world: SoakWorld,
	night: Night & { readonly pauseMs: number },
): Promise<void> {
	for (let n = 1; ; n++) {
		await night.sleep(night.pauseMs * (0.5 + night.chance()));
		if (night.isOver()) return;
		const pane = world.paneOf(TARGET);
		if (pane === null || pane.status() !== "idle") continue;
		const text = `draft number ${n} of the operator`;
		pane.type(text);
		await night.sleep(8000 + 12_000 * night.chance());
		const isSame = world.paneOf(TARGET)?.pid === pane.pid;
		const isThere = isSame && pane.screen().includes(text);
		world.ledger.drafts.push({
			text,
			end: isThere ? "kept" : isSame && pane.lives() ? "destroyed" : "void",
		});
		if (isThere) pane.clear();
	}
}

/** Each in turn: none is left out of a short night. */
function nextFate({ asked }: Ledger, errands: readonly Fate[]): Fate {
	const given = asked.filter(({ fate }) => fate !== "answer").length;
	return errands[given % errands.length] ?? "report";
}
