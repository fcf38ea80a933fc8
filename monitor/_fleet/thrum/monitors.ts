/** Scheduled jobs through thrum (contract 09 §5). */
import { valueAt } from "../../_state/json-object.ts";
import { readCron } from "../cron.ts";
import { fail, ok } from "../failure.ts";
import type { Fleet, FleetCaps, MonitorView, R } from "../fleet.ts";
import { compileMatch } from "../job-lines.ts";
import { ARGV } from "./argv.ts";
import type { Thrum } from "./call.ts";
import { CAP_NAMES } from "./caps.ts";
import { jsonIn, monitorOf, monitorsIn } from "./parse.ts";

type MonitorCalls = Pick<
	Fleet,
	| "monitorStart"
	| "monitorList"
	| "monitorShow"
	| "monitorStop"
	| "monitorDelete"
>;

/**
 * Schedule and pattern are checked here, for some builds take what never fires. Refused without
 * `--notify-on-success`.
 */
export function thrumMonitors(
	thrum: Thrum,
	caps: () => R<FleetCaps>,
): MonitorCalls {
	async function show(name: string): R<MonitorView | null> {
		const shown = await thrum(ARGV.monitorShow(name));
		if (shown.kind === "not-found") return ok(null);
		if (shown.kind !== "ok") return shown;
		const json = jsonIn(shown.value.stdout);
		const view = monitorOf(valueAt(json, "monitor") ?? json);
		return view === null
			? fail("failed", "thrum monitor show: no monitor in its answer")
			: ok(view);
	}
	async function act(argv: readonly string[]): R<void> {
		const done = await thrum(argv);
		return done.kind === "ok" ? ok(undefined) : done;
	}

	return {
		monitorStart: async (m) => {
			const cron = readCron(m.schedule);
			if (cron.kind === "bad") return fail("usage", cron.why);
			if (compileMatch(m.match) === null)
				return fail("usage", `invalid match pattern: ${m.match}`);
			const can = await caps();
			if (can.kind !== "ok") return can;
			// Without it some builds deliver nothing, with every status field healthy.
			if (!can.value.notifyOnSuccess)
				return fail(
					"refused",
					`this thrum has no ${CAP_NAMES.notifyOnSuccess}`,
				);
			const started = await thrum(ARGV.monitorStart(m));
			if (started.kind !== "ok") return started;
			const id = /\((mon_[0-9A-Z]{26})\)/.exec(started.value.stdout)?.[1];
			if (id !== undefined) return ok({ id });
			const found = await show(m.name);
			if (found.kind !== "ok") return found;
			return found.value === null
				? fail("failed", `monitor ${m.name} does not show after its start`)
				: ok({ id: found.value.id });
		},
		monitorList: async (o = {}) => {
			const listed = await thrum(ARGV.monitorList(o.all ?? false));
			if (listed.kind !== "ok") return listed;
			const views = monitorsIn(jsonIn(listed.value.stdout));
			return views === null
				? fail("failed", "thrum monitor list: no list in its answer")
				: ok(views);
		},
		monitorShow: show,
		monitorStop: (name) => act(ARGV.monitorStop(name)),
		monitorDelete: async (name) => {
			const deleted = await act(ARGV.monitorDelete(name));
			if (deleted.kind !== "usage") return deleted;
			// A build without `delete`: the most that can be done, and it has to be said.
			const stopped = await act(ARGV.monitorStop(name));
			return stopped.kind === "ok"
				? fail("refused", `monitor ${name} is stopped; name still held`)
				: stopped;
		},
	};
}
