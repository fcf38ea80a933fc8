/** The watcher's unstick pass over the real agents of a private tmux server. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import { readerSettings } from "../../monitor/_pane/settings.ts";
import { sweepPanes } from "../../monitor/_pane/sweep.ts";
import { detectUnstickTask } from "../../monitor/watcher/_unstick.ts";
import type { TaskFn } from "../../monitor/watcher/context.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { watcherContext } from "../watcher/watcher-rig.ts";
import type { RealDelivery } from "./real-delivery.ts";

export interface RealUnstick {
	/** One pass over all windows of the server. */
	pass(): Promise<void>;
	/** Lines of its log about a window. */
	log(window: string): readonly string[];
	/** Decision records of a window. */
	decisions(window: string): readonly Record<string, unknown>[];
}

/** `hands` are those of the orchestrator's delivery; `root` is the folder that may be trusted. */
export function realUnstick(
	{ deps, stateDir }: RealDelivery,
	opts: {
		readonly root: string;
		readonly config?: { readonly [K in ConfigKey]?: ConfigValue<K> };
	},
): RealUnstick {
	const { doors } = deps;
	const config = watcherConfig(opts.config);
	const settings = readerSettings(config);
	const ctx = {
		...watcherContext(fakeDoors(), { config }),
		root: opts.root,
		stateDir,
		fleetThisTick: () => sweepPanes({ doors, stateDir, settings }),
	};
	const task = detectUnstickTask({ hands: () => deps, expedite: () => 0 });
	const run: TaskFn = task.make(ctx);
	return {
		pass: async () => {
			const { signal } = new AbortController();
			await run({ signal, afterGap: false, log: () => {}, doors });
		},
		log: (window) =>
			textOf(join(stateDir, "watcher-unstick.log"))
				.split("\n")
				.filter((line) => line.includes(`window=${window} `)),
		decisions: (window) =>
			namesIn(join(stateDir, "decisions"))
				.filter((name) => name.startsWith(`${window}.`))
				.map((name) => JSON.parse(textOf(join(stateDir, "decisions", name)))),
	};
}

function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}

function namesIn(dir: string): string[] {
	try {
		return readdirSync(dir);
	} catch {
		return [];
	}
}
