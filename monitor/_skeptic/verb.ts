/** What a verb of the skeptic channel is given, and how it opens the channel of a window (contract 08 §7). */
import { readSettings, type Settings } from "../_state/settings.ts";
import { skepticChannelDir } from "../_state/skeptic.ts";
import type { Doors } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";

export interface SkepticContext {
	readonly doors: Doors;
	readonly codeRoot: string;
	/** A line of the result. */
	readonly out: (line: string) => void;
	/** A line of a diagnostic. */
	readonly err: (line: string) => void;
	readonly stdin: () => Promise<string>;
}

/** Resolves to the exit code. */
export type SkepticVerb = (
	args: readonly string[],
	ctx: SkepticContext,
) => Promise<number>;

/** Wrong words, or it could not be done; stderr says which. */
export const REFUSED = 1;
/** No such question, or no such channel. */
export const NOT_THERE = 2;
/** Time is up. */
export const TIMEOUT = 4;

export interface Channel {
	readonly kind: "ok";
	/** The reviewed window. */
	readonly window: string;
	readonly stateDir: string;
	readonly dir: string;
	readonly config: Settings["config"];
}
type Refused = { readonly kind: "refused"; readonly rc: number };

/** `window` undefined: the caller's own, which its launcher named. What is wrong has been said. */
export async function openChannel(
	window: string | undefined,
	ctx: SkepticContext,
): Promise<Channel | Refused> {
	const { doors, err } = ctx;
	const named = window ?? doors.proc.env.NEXUS_WORKER_WINDOW ?? "";
	const wrong =
		named === ""
			? "the reviewed window is missing, and NEXUS_WORKER_WINDOW is not set"
			: validateWindowName(named);
	if (wrong !== null) {
		err(wrong);
		return { kind: "refused", rc: REFUSED };
	}
	const state = await openState(ctx);
	if (state.kind === "refused") return state;
	const { stateDir, config } = state;
	const dir = skepticChannelDir(stateDir, named);
	return { kind: "ok", window: named, stateDir, dir, config };
}

/** Refused with a configuration that cannot be used; each of its problems has been said. */
export async function openState(
	ctx: SkepticContext,
): Promise<
	(Pick<Channel, "stateDir" | "config"> & { readonly kind: "ok" }) | Refused
> {
	const { doors, codeRoot, err } = ctx;
	const { home, config, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	return problems.length > 0
		? { kind: "refused", rc: REFUSED }
		: { kind: "ok", stateDir: home.stateDir, config };
}

/** The refusal, with what was given. */
export function noQuestion(word: string | undefined): string {
	return word === undefined
		? "which question? Its number, stem or file name is missing"
		: `no question '${excerpt(word)}'`;
}
