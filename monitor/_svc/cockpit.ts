/**
 * The cockpit: the table, live (contract 06 §7). It looks and never acts; no look holds up the picture, and whatever
 * ends it, the terminal is left as it was found.
 */
import { schedulerLogPath } from "../_state/scheduler-log.ts";
import { servicesRegistryPath } from "../_state/services-registry.ts";
import { watcherLogPath } from "../_state/watcher-log.ts";
import type { ProcessEvents } from "../_sys/process-events.ts";
import type { Terminal } from "../_sys/terminal.ts";
import { followedLog } from "./cockpit/followed-log.ts";
import { drawn, renderFrame } from "./cockpit/frame.ts";
import { geometryOf } from "./cockpit/geometry.ts";
import { guardPlace } from "./cockpit/guard.ts";
import {
	type Effect,
	type Key,
	type KeyState,
	keysIn,
	onKey,
} from "./cockpit/keys.ts";
import { leaveClean } from "./cockpit/leave-clean.ts";
import { cockpitLooks } from "./cockpit/looks.ts";
import type { SvcContext } from "./verb.ts";

/** News that arrive together are drawn together. */
const GATHER_MS = 40;
const SECOND_DIGIT_MS = 1000;
/** From the end of the picture to the end of the process, for checks that are being ended. */
const SETTLE_MS = 2500;

/** 0 quit, 4 not here, 130 ended by a signal. */
export async function runCockpit(
	ctx: SvcContext,
	terminal: Terminal,
	events: ProcessEvents,
): Promise<number> {
	const refused = await guardPlace(ctx.doors, ctx.settings);
	if (refused !== null) return refused;
	return fly(ctx, terminal, events);
}

async function fly(
	ctx: SvcContext,
	terminal: Terminal,
	events: ProcessEvents,
): Promise<number> {
	const { doors, settings } = ctx;
	const { clock, proc } = doors;
	const { config, home } = settings;
	const over = new AbortController();
	const ended = Promise.withResolvers<number>();
	const hear = { onNews: drawSoon, onFailure: notice };
	const looks = cockpitLooks(doors, settings, over.signal, hear);
	const log = followedLog(doors, {
		...hear,
		leave: () => terminal.leave(),
		comeBack: () => {
			isWiped = true;
			if (!over.signal.aborted) terminal.enter();
		},
	});
	let keys: KeyState = {
		services: 0,
		page: 1,
		pages: 1,
		digit: null,
		notice: null,
	};
	let isDrawing = false;
	/** The next picture is drawn on a wiped screen. */
	let isWiped = true;
	let stopWaiting = () => {};

	function refresh(): void {
		looks.refresh();
		log.look();
	}

	function drawSoon(): void {
		if (isDrawing || over.signal.aborted) return;
		isDrawing = true;
		clock.after(GATHER_MS, () => {
			isDrawing = false;
			draw();
		});
	}

	function draw(): void {
		if (log.isInPlace() || over.signal.aborted) return;
		const wished = { rows: config.SVC_ROWS, cols: config.SVC_COLS };
		const size = geometryOf(wished, terminal.size());
		const frame = renderFrame(
			{
				...keys,
				following: log.name(),
				iso: clock.iso(),
				core: looks.core(),
				services: looks.services.facts(),
				fleet: looks.fleet(),
				registry: servicesRegistryPath(proc.env, home.root),
				problems: settings.problems,
				colour: ctx.colour,
			},
			size,
		);
		const { page, pages } = frame;
		keys = { ...keys, page, pages, services: looks.services.rows().length };
		terminal.write(drawn(frame, size, isWiped));
		isWiped = false;
	}

	function notice(text: string): void {
		keys = { ...keys, notice: text };
	}

	function press(key: Key): void {
		stopWaiting();
		const [next, effects] = onKey(keys, key);
		keys = next;
		for (const effect of effects) carryOut(effect);
		draw();
	}

	function carryOut(effect: Effect): void {
		switch (effect.kind) {
			case "quit":
				ended.resolve(effect.exit);
				break;
			case "refresh":
				refresh();
				break;
			case "await-digit":
				stopWaiting = clock.after(SECOND_DIGIT_MS, () =>
					press({ kind: "waited" }),
				);
				break;
			case "close-log":
				void log.close().then(drawSoon);
				break;
			case "follow-watcher":
				log.follow("watcher", [
					watcherLogPath(home.stateDir),
					schedulerLogPath(home.stateDir, proc.env.MONITOR_SCHEDULER_LOG),
				]);
				break;
			case "follow": {
				const row = looks.services.rows()[effect.position - 1];
				if (row !== undefined) log.follow(row.name, [row.logfile]);
			}
		}
	}

	function tick(): void {
		if (over.signal.aborted) return;
		refresh();
		clock.after(config.SVC_REFRESH * 1000, tick);
	}

	events.keepAlive();
	leaveClean(terminal, events, {
		end: ended.resolve,
		isAway: log.isInPlace,
		warn: doors.log.warn,
	});
	terminal.enter();
	terminal.onKeys((chunk) => {
		for (const key of keysIn(chunk)) press(key);
	});
	terminal.onResize(() => {
		isWiped = true;
		draw();
		refresh();
	});
	tick();
	draw();
	const exit = await ended.promise;
	over.abort();
	terminal.leave();
	await log.close();
	await Promise.race([looks.services.settled(), clock.sleep(SETTLE_MS)]);
	return exit;
}
