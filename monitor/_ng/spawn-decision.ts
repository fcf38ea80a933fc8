/** `ng spawn-decision <window> [--topic s]`: is there a worker that knows the matter and can go on (contract 05 §13.5)? */
import { readerSettings } from "../_pane/settings.ts";
import { sweepPanes } from "../_pane/sweep.ts";
import { readActionLog } from "../_state/action-log.ts";
import { readSettings, type Settings } from "../_state/settings.ts";
import { WINDOW_EVENTS, windowEvents } from "../_state/window-events.ts";
import { parseCli } from "../_sys/cli.ts";
import type { Doors } from "../_sys/doors.ts";
import { decideSpawn, type SpawnFacts } from "./spawn-decision/decide.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, { doors, codeRoot, out, err }) => {
	const cli = parseCli(args, {
		flags: { "--topic": "value" },
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const [window] = cli.positionals;
	if (!window) {
		err("spawn-decision needs a window");
		return 1;
	}
	const settings = await readSettings(doors, codeRoot, true);
	for (const line of settings.problems) err(line);
	if (settings.problems.length > 0) return 1;
	const { stateDir } = settings.home;
	const log = readActionLog(doors, stateDir, WINDOW_EVENTS);
	const events = windowEvents(log ?? [])(window);
	const ageOf = (at: number | null | undefined) =>
		at ? Math.max(0, doors.clock.now() - at) : null;
	const retainAge = ageOf(events.retain?.at);
	const made = decideSpawn({
		pane: await lookAt(doors, settings, window),
		retainAge: log === null ? "could-not-look" : retainAge,
		retainTtlSeconds: settings.config["monitor.retain_ttl_seconds"],
	});
	const head = `decision=${made.decision} reason=${made.reason}`;
	out(
		made.reason === "no-tmux"
			? head
			: `${head} pane_state=${made.paneState} retain_age_s=${retainAge ?? "none"} spawn_age_s=${ageOf(events.spawnAt) ?? "none"}`,
	);
	return made.rc;
};

async function lookAt(
	doors: Doors,
	{ home, config }: Settings,
	window: string,
): Promise<SpawnFacts["pane"]> {
	const listed = await doors.tmux.panes();
	if (listed.kind === "no-tmux") return { kind: "no-tmux" };
	if (listed.kind !== "ok") return { kind: "could-not-look" };
	const rows = listed.rows.filter((row) => row.windowName === window);
	if (rows.length === 0) return { kind: "no-window" };
	const reader = {
		doors,
		stateDir: home.stateDir,
		settings: readerSettings(config),
	};
	const swept = await sweepPanes(reader, { listed: { kind: "ok", rows } });
	const [pane] = swept.kind === "ok" ? swept.panes : [];
	return { kind: "seen", state: pane?.verdict.answer.state ?? "unknown" };
}
