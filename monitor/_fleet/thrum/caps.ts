/** What this build of `thrum` can do, read from its help (contract 09 §5). */
import { ok } from "../failure.ts";
import type { FleetCaps, R } from "../fleet.ts";
import type { Thrum } from "./call.ts";

/** How each ability is called in a message to people. */
export const CAP_NAMES: Readonly<Record<keyof FleetCaps, string>> = {
	keys: "tmux send --keys",
	notifyOnSuccess: "monitor start --notify-on-success",
	detect: "detect",
	scopedTeam: "team --offline",
	captureFormats: "tmux capture --format",
	captureByAgent: "tmux capture <agent>",
	modelPin: "tmux create and launch --model --effort",
	state: "state",
};

/** A call that fails because the program is out of reach is no statement on what it can do. */
export async function probeCaps(thrum: Thrum): R<FleetCaps> {
	const texts: string[] = [];
	for (const words of HELP) {
		const asked = await thrum([...words, "--help"], { answers: ANY });
		if (asked.kind !== "ok") return asked;
		const { exitCode, stdout, stderr } = asked.value;
		// Help of an unknown verb is the parent's, with an error in front.
		texts.push(exitCode === 0 ? `${stdout}\n${stderr}` : "");
	}
	return ok(capsOf(texts));
}

const HELP: readonly (readonly string[])[] = [
	["tmux", "send"],
	["monitor", "start"],
	["tmux", "create"],
	["tmux", "launch"],
	["tmux", "capture"],
	["team"],
	["detect"],
	["state"],
];
const ANY = Array.from({ length: 256 }, (_, rc) => rc);

/** Pure. Texts in the order of `HELP`; empty: no such verb. */
function capsOf(texts: readonly string[]): FleetCaps {
	const [send = "", start = "", create = "", launch = ""] = texts;
	const [capture = "", team = "", detect = "", state = ""] = texts.slice(4);
	const pins = (help: string) =>
		mentions(help, "--model") && mentions(help, "--effort");
	return {
		keys: mentions(send, "--keys"),
		notifyOnSuccess: mentions(start, "--notify-on-success"),
		detect: detect !== "",
		scopedTeam: mentions(team, "--offline"),
		captureFormats: mentions(capture, "--format"),
		captureByAgent: /\bagent\b/i.test(capture),
		modelPin: pins(create) && pins(launch),
		state: state !== "",
	};
}

function mentions(help: string, flag: string): boolean {
	return new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(help);
}
