/** The demo's panes as nexus sees them: what `monitor/pane-state.ts --all` prints, told whenever it changes. */
import { parseLine } from "../../_pane/line.ts";
import { programArgv, programName } from "../../_sys/names.ts";
import type { Stage } from "./stage.ts";
import { SESSION } from "./world.ts";

export interface FollowedPanes {
	/** State by window now; prints the line of each pane whose state is new. Empty when nothing could be seen. */
	look(): Promise<ReadonlyMap<string, string>>;
}

const LOOK_LIMIT_MS = 20_000;

/** `look` says the lines that changed since the last look; an answer without any state is taken for no change. */
export function followPanes(stage: Stage): FollowedPanes {
	let known: ReadonlyMap<string, string> = new Map();
	return {
		look: async () => {
			const lines = await paneLines(stage);
			const states = statesOf(lines);
			for (const line of changedLines(lines, known)) stage.say(line);
			if (states.size > 0) known = states;
			return states;
		},
	};
}

/** What a person would type to see the same. */
export function panesCommand(): string {
	return `${programName("paneState")} --all ${SESSION}`;
}

/** Pure. */
export function changedLines(
	lines: readonly string[],
	known: ReadonlyMap<string, string>,
): readonly string[] {
	return lines.filter((line) =>
		[...statesOf([line])].some(([name, state]) => known.get(name) !== state),
	);
}

/** Pure; a line that is none of ours counts for nothing. */
export function statesOf(
	lines: readonly string[],
): ReadonlyMap<string, string> {
	return new Map(
		lines.flatMap((line) => {
			const reading = parseLine(line);
			const name = reading?.get("name");
			return reading && name ? [[name, reading.state] as const] : [];
		}),
	);
}

async function paneLines(stage: Stage): Promise<readonly string[]> {
	const { doors, env, codeRoot, signal } = stage;
	const words = ["--all", SESSION];
	const argv = programArgv(doors.proc.execPath, "paneState", words, codeRoot);
	const ran = await doors.proc.exec(argv, {
		timeoutMs: LOOK_LIMIT_MS,
		env,
		signal,
	});
	return ran.kind === "exited" ? ran.stdout.trimEnd().split("\n") : [];
}
