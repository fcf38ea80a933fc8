/** What becomes of a window that the watcher opened for a new orchestrator: its launcher runs, and a session appears in it. */
import type { FakeDoors } from "../tests/fakes/doors.ts";
import type { FakeWindow } from "../tests/fakes/tmux-model.ts";
import { TARGET } from "./place.ts";

export interface Launches {
	/** An agent is in it already. */
	isTaken(window: FakeWindow): boolean;
	/** From the window to its session. */
	delayMs(): number;
	start(window: FakeWindow, sessionId: string | undefined): void;
	/** One or several have just been closed. */
	windowsClosed(): void;
}

export function answerLaunches(
	{ clock, files, proc, tmux }: FakeDoors,
	launches: Launches,
): void {
	const awaited = new Set<FakeWindow>();
	tmux.after((call) => {
		if (call.op !== "run") return;
		const { cmd } = call;
		if (cmd.kind === "kill-window") return launches.windowsClosed();
		if (cmd.kind !== "new-window" && cmd.kind !== "new-session") return;
		const [launcher] = cmd.command ?? [];
		if (launcher === undefined || !files.has(launcher)) return;
		const window = tmux.model.sessions.flatMap((s) => s.windows).at(-1)?.window;
		// A call that failed opened none.
		const isNew =
			window?.name === TARGET &&
			!launches.isTaken(window) &&
			!awaited.has(window);
		if (!isNew) return;
		awaited.add(window);
		const session = /(?:--resume|--session-id)[ '"]+([0-9a-f-]{36})/.exec(
			files.text(launcher),
		)?.[1];
		// It takes itself away when it runs.
		files.remove(launcher);
		proc.add({ pid: window.pane.pid ?? 0, comm: "bash", exe: "/bin/bash" });
		clock.after(launches.delayMs(), () => {
			if (tmux.model.find(window.id) !== null) launches.start(window, session);
		});
	});
}
