/** The log that is followed: beside the cockpit, or in its place where no pane can be opened (contract 06 §7.3). */
import type { Doors } from "../../_sys/doors.ts";
import { logPane } from "./log-pane.ts";
import { oneAtATime } from "./looks.ts";

export interface FollowedLog {
	/** Whose log it is; null: none is beside the cockpit. */
	name(): string | null;
	/** It is shown in the cockpit's place. */
	isInPlace(): boolean;
	/** Of `wanted`, the files that are there. Returns at once. */
	follow(name: string, wanted: readonly string[]): void;
	/** Was the pane closed by hand? */
	look(): void;
	close(): Promise<void>;
}

export interface LogHearers {
	/** Something is to be drawn anew. */
	readonly onNews: () => void;
	/** For the line of notices. */
	readonly onFailure: (why: string) => void;
	/** The terminal is the log's, and again the cockpit's. */
	readonly leave: () => void;
	readonly comeBack: () => void;
}

/** Follows nothing yet. */
export function followedLog(
	doors: Pick<Doors, "files" | "tmux" | "proc">,
	hear: LogHearers,
): FollowedLog {
	const { files, proc } = doors;
	const pane = logPane(doors);
	let following: string | null = null;
	let isInPlace = false;

	async function show(name: string, found: readonly string[]): Promise<void> {
		const shown = await pane.follow(name, found);
		if (shown.kind === "beside") following = name;
		if (shown.kind === "failed")
			hear.onFailure(`tmux opened no pane: ${shown.why}`);
		if (shown.kind !== "in-place") return;
		isInPlace = true;
		hear.leave();
		await proc.foreground(shown.argv);
		isInPlace = false;
		hear.comeBack();
	}

	return {
		name: () => following,
		isInPlace: () => isInPlace,
		follow: (name, wanted) => {
			const found = wanted.filter((path) => files.stat(path).kind === "ok");
			if (found.length === 0)
				hear.onFailure(`logfile not found: ${wanted.join(", ")}`);
			else void show(name, found).then(hear.onNews);
		},
		look: oneAtATime(hear, async () => {
			if (following !== null && !(await pane.stands())) following = null;
		}),
		close: () => {
			following = null;
			return pane.close();
		},
	};
}
