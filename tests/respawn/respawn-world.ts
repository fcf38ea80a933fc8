/** The machine that the thin parts of a respawn run on: fake doors with an empty state dir and one shell. */
import type { PaneLook } from "../../monitor/_pane/types.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE } from "../watcher/watcher-rig.ts";

export const SID = "aaaaaaaa-0000-4000-8000-000000000000";
export const HOME = { root: "/root", stateDir: STATE, codeRoot: "/code" };

/** What a look at an idle pane with an empty box shows. */
export const QUIET: PaneLook = {
	state: "idle",
	input: "blank",
	overlay: null,
	menu: false,
	menuSelected: null,
	queued: false,
	composer: null,
	dialog: null,
	line: "",
	sessionId: null,
};

export interface RespawnWorld {
	readonly doors: FakeDoors;
	/** Of a file of the state dir. */
	readonly text: (name: string) => string;
	readonly has: (name: string) => boolean;
}

export function respawnWorld(): RespawnWorld {
	// The folder of a batch job that started the watcher, and is over.
	const env = { HOME: "/home/op", TMPDIR: "/scratch/job" };
	const doors = fakeDoors({ auto: true, proc: { env } });
	doors.files.seedDir(STATE);
	doors.tmux.window("shell");
	return {
		doors,
		text: (name) => doors.files.text(`${STATE}/${name}`),
		has: (name) => doors.files.has(`${STATE}/${name}`),
	};
}
