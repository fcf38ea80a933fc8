/**
 * Is this Claude Code one that we can see and type into? The real program, a loopback model, our own reader and our
 * own delivery (contract 06 §13.3). What it does not try: permission prompts, usage limits, resuming, hooks.
 */
import { clean } from "../_delivery/clean.ts";
import { arrivedWhole, provesDelivery } from "../_delivery/evidence.ts";
import { pasteToTarget } from "../_delivery/paste-to-target.ts";
import { transcriptsOf } from "../_delivery/transcript.ts";
import { parseJson } from "../_state/json-object.ts";
import type { Doors } from "../_sys/doors.ts";
import type { Check } from "./evidence.ts";
import type { ProofKit } from "./prove/kit.ts";
import { ASK, GATE, HELLO, proofReport, WORK } from "./prove/script.ts";
import { openStage, type ProofStage, WINDOW } from "./prove/stage.ts";

const START_LIMIT_MS = 60_000;
const STATE_LIMIT_MS = 30_000;
const POLL_MS = 200;
const IDLE = ["idle", "autosuggest-only"];

/** Ends at the first check that fails: what comes after it would prove nothing. */
export async function proveCandidate(
	doors: Doors,
	kit: ProofKit,
	binary: string,
): Promise<readonly Check[]> {
	const stage = await openStage(doors, kit, binary);
	if ("kind" in stage)
		return [{ name: "a window opens", isGood: false, detail: stage.why }];
	const steps: readonly (() => Promise<Check>)[] = [
		() => reads(stage, "a new session reads as idle", IDLE, START_LIMIT_MS),
		() => arrives(stage, HELLO),
		() => reads(stage, "after its turn it reads as idle", IDLE),
		() => arrives(stage, WORK),
		() => reads(stage, "a running turn reads as busy", ["busy"]),
		async () => {
			stage.model.release(GATE);
			return reads(stage, "when the turn ends it reads as idle", IDLE);
		},
		() => arrives(stage, ASK),
		() => reads(stage, "a question reads as blocked", ["blocked"]),
	];
	const checks: Check[] = [];
	try {
		for (const step of steps) {
			const check = await step();
			checks.push(check);
			if (!check.isGood) break;
		}
		return checks;
	} finally {
		await stage.close();
	}
}

/** Read right by all witnesses together and by the screen alone, both in one look. */
async function reads(
	stage: ProofStage,
	name: string,
	wanted: readonly string[],
	limitMs = STATE_LIMIT_MS,
): Promise<Check> {
	const { clock } = stage.doors;
	const deadline = clock.monoMs() + limitMs;
	for (;;) {
		const pane = await stage.pane();
		const seen = pane && (await stage.look(pane));
		const all = seen?.kind === "ok" ? seen.look.state : (seen?.kind ?? "gone");
		const alone = pane ? await stage.screenSays(pane) : "";
		const detail = `all witnesses: ${all}; the screen alone: ${alone || "?"}`;
		if (wanted.includes(all) && wanted.includes(alone))
			return { name, isGood: true, detail };
		if (clock.monoMs() >= deadline) {
			const screen = pane ? await stage.screen(pane) : "(no window)";
			return { name, isGood: false, detail: `${detail}\n${screen.trimEnd()}` };
		}
		await clock.sleep(POLL_MS);
	}
}

/** Pasted as the watcher pastes, and then proven from the transcript: whole, and once. */
async function arrives(stage: ProofStage, step: string): Promise<Check> {
	const { doors, deps } = stage;
	const name = `"${step}" arrives whole and once`;
	const nonce = doors.random.hex(16);
	const text = proofReport(step, doors.clock.iso(), nonce);
	const file = `${deps.stateDir}/report-${nonce}.md`;
	doors.files.writeAtomic(file, text);
	const pasted = await pasteToTarget(deps, {
		window: WINDOW,
		file,
		stamp: "no-liveness-stamp",
	});
	const outcome = `rc ${pasted.rc}, ${pasted.outcome}`;
	if (pasted.rc !== 0) return { name, isGood: false, detail: outcome };
	const deadline = doors.clock.monoMs() + STATE_LIMIT_MS;
	for (;;) {
		const found = await recordsWith(stage, nonce);
		const whole = found.filter((r) => arrivedWhole(r, clean(text).text));
		const detail = `${outcome}; ${found.length} record(s), ${whole.length} whole`;
		if (found.length === 1 && whole.length === 1)
			return { name, isGood: true, detail };
		if (found.length > 1 || doors.clock.monoMs() >= deadline)
			return { name, isGood: false, detail };
		await doors.clock.sleep(POLL_MS);
	}
}

/** Records of the session's transcript that a person or a paste sent, with this nonce in them. */
async function recordsWith(
	stage: ProofStage,
	nonce: string,
): Promise<readonly unknown[]> {
	const { files } = stage.doors;
	const pane = await stage.pane();
	const seen = pane && (await stage.look(pane));
	const id = seen?.kind === "ok" ? seen.look.sessionId : null;
	if (id === null) return [];
	const paths = transcriptsOf(files, [stage.configDir], id) ?? [];
	return paths.flatMap((path) => {
		const read = files.read(path);
		return (read.kind === "ok" ? read.text : "")
			.split("\n")
			.map(parseJson)
			.filter((record) => provesDelivery(record, nonce) === "submission");
	});
}
