/** A fleet on fake doors, and the unstick pass over it. */
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import type { PasteDeps } from "../../monitor/_delivery/paste-to-target.ts";
import type { UnstickDeps } from "../../monitor/watcher/_unstick.ts";
import { detectUnstickTask } from "../../monitor/watcher/_unstick.ts";
import type {
	SchedulerPort,
	TaskFn,
	WatcherContext,
} from "../../monitor/watcher/context.ts";
import { paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import {
	STATE,
	watcherConfig,
	watcherContext,
} from "../watcher/watcher-rig.ts";

export { STATE };
export const NOW = 1_785_261_600;

export interface UnstickRig {
	readonly doors: FakeDoors;
	readonly ctx: WatcherContext;
	readonly hands: PasteDeps;
	/** One pass; the clock has moved on by the task's interval before. */
	pass(opts?: { readonly signal?: AbortSignal }): Promise<number>;
	/** `case action k=v…` of the log so far, without its time. */
	log(): string[];
	/** Sources of reset events that were handed on. */
	readonly expedited: string[];
	/** Names in a folder of the state dir. */
	names(folder: string): string[];
	json(path: string): Record<string, unknown>;
}

export function unstickRig(
	opts: {
		readonly config?: { readonly [K in ConfigKey]?: ConfigValue<K> };
		readonly env?: Readonly<Record<string, string>>;
		readonly deps?: Partial<UnstickDeps>;
		readonly scheduler?: SchedulerPort;
	} = {},
): UnstickRig {
	const doors = fakeDoors({ auto: true, now: NOW });
	Object.assign(doors.proc.env, { HOME: "/home/op", ...opts.env });
	doors.files.seedDir(STATE);
	const config = { ...watcherConfig(), ...opts.config };
	const { scheduler } = opts;
	const ctx = watcherContext(doors, {
		config,
		...(scheduler && { scheduler }),
	});
	const expedited: string[] = [];
	const handsOf = paneHands(doors);
	const task = detectUnstickTask({
		hands: handsOf,
		expedite: (_ctx, _run, source) => expedited.push(source),
		...opts.deps,
	});
	const run: TaskFn = task.make(ctx);
	const read = (path: string) =>
		doors.files.has(path) ? doors.files.text(path) : "";
	return {
		doors,
		ctx,
		expedited,
		hands: handsOf(ctx, { doors }),
		pass: async ({ signal = new AbortController().signal } = {}) => {
			await doors.clock.sleep(10_000);
			const log = (line: string) => doors.log.info(line);
			return (await run({ signal, afterGap: false, log, doors })).rc;
		},
		log: () =>
			read(`${STATE}/watcher-unstick.log`)
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => line.replace(/^\[[^\]]*\] /, "")),
		names: (folder) => {
			const listed = doors.files.list(`${STATE}/${folder}`);
			return listed.kind === "ok" ? [...listed.names] : [];
		},
		json: (path) => JSON.parse(read(`${STATE}/${path}`)),
	};
}
