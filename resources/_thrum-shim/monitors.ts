/** Scheduled jobs of the shim (contract 09 §5, §6.7, §7). */
import { jobRunner } from "../../monitor/_fleet/jobs/runner.ts";
import {
	changeMonitor,
	type JobChange,
} from "../../monitor/_fleet/local/monitor-changes.ts";
import { readRuns } from "../../monitor/_state/fleet/monitor-log.ts";
import { bareName } from "../../monitor/_state/fleet/names.ts";
import {
	type Answer,
	answer,
	type Call,
	type Command,
	count,
	error,
	failed,
	JSON_FLAG,
	type ShimContext,
	said,
	usage,
} from "./command.ts";
import {
	json,
	monitorLine,
	monitorRow,
	monitorText,
	runLine,
} from "./print.ts";

const SPEC_FLAGS = {
	"--match": "text",
	"--to": "value",
	"--cwd": "value",
	"--env": "list",
	"--schedule": "value",
	"--notify-on-success": "switch",
} as const;
const DEFAULT_ROWS = 20;
/** Between two looks whether the runs of a tick by hand have ended. */
const LOOK_MS = 100;

export const MONITOR_COMMANDS: readonly Command[] = [
	{
		words: "monitor start",
		args: "--name NAME --match PATTERN --to AGENT|user:NAME --schedule CRON --notify-on-success [--cwd FOLDER] [--env NAME=TEXT …] -- PROGRAM [ARGUMENT …]",
		flags: { "--name": "value", ...SPEC_FLAGS },
		required: ["--name", "--match", "--to"],
		takes: Number.POSITIVE_INFINITY,
		creates: true,
		run: async ({ fleet, cwd }, call) => {
			const env = envOf(call);
			if (env === null) return usage("--env needs NAME=TEXT");
			const name = call.value("--name") ?? "";
			const started = await fleet.monitorStart({
				name,
				argv: call.positionals,
				match: call.value("--match") ?? "",
				to: bareName(call.value("--to") ?? ""),
				cwd: call.value("--cwd") ?? cwd,
				env,
				schedule: call.value("--schedule") ?? "",
				notifyOnSuccess: call.on("--notify-on-success"),
			});
			return answer(started, ({ id }) => said(`started ${name} (${id})`));
		},
	},
	{
		words: "monitor list",
		args: "[--all] [--json]   (--all: those that were stopped, too)",
		flags: { "--all": "switch", ...JSON_FLAG },
		run: async ({ fleet }, call) => {
			const listed = await fleet.monitorList({ all: call.on("--all") });
			return answer(listed, (views) =>
				call.on("--json")
					? said(json(views.map(monitorRow)))
					: said(views.map(monitorLine).join("\n")),
			);
		},
	},
	{
		words: "monitor show",
		args: "NAME [--json]",
		flags: JSON_FLAG,
		needs: 1,
		run: async ({ fleet }, call) =>
			answer(await fleet.monitorShow(call.first), (view) => {
				if (view === null) return error(`monitor ${call.first} not found`);
				return said(
					call.on("--json") ? json(monitorRow(view)) : monitorText(view),
				);
			}),
	},
	{
		words: "monitor stop",
		args: "NAME   (keeps the name)",
		needs: 1,
		run: async ({ fleet }, call) =>
			answer(await fleet.monitorStop(call.first), () =>
				said(`stopped ${call.first}`),
			),
	},
	{
		words: "monitor delete",
		args: "NAME   (stops it and frees the name)",
		needs: 1,
		run: async ({ fleet }, call) =>
			answer(await fleet.monitorDelete(call.first), () =>
				said(`deleted ${call.first}`),
			),
	},
	{
		words: "monitor restart",
		args: "NAME   (one that was stopped runs again)",
		needs: 1,
		run: async ({ local }, call) =>
			answer(await changeMonitor(local, call.first, { stopped: false }), () =>
				said(`restarted ${call.first}`),
			),
	},
	{
		words: "monitor update",
		args: "NAME [--match PATTERN] [--to AGENT|user:NAME] [--schedule CRON] [--notify-on-success] [--cwd FOLDER] [--env NAME=TEXT …]",
		flags: SPEC_FLAGS,
		needs: 1,
		run: async ({ local }, call) => {
			const env = envOf(call);
			if (env === null) return usage("--env needs NAME=TEXT");
			const to = call.value("--to");
			const given = (flag: string, key: keyof JobChange): JobChange => {
				const text = call.value(flag);
				return text === undefined ? {} : { [key]: text };
			};
			const changed = await changeMonitor(local, call.first, {
				...given("--match", "match"),
				...given("--schedule", "schedule"),
				...given("--cwd", "cwd"),
				...(to === undefined ? {} : { to: bareName(to) }),
				...(call.on("--env") ? { env } : {}),
				...(call.on("--notify-on-success") ? { notifyOnSuccess: true } : {}),
			});
			return answer(changed, () => said(`updated ${call.first}`));
		},
	},
	{
		words: "monitor logs",
		args: "NAME [-n N]   (the last runs, oldest first)",
		flags: { "--number": "value" },
		aliases: { "-n": "--number" },
		needs: 1,
		run: async ({ fleet, local }, call) => {
			const rows = count(call.value("--number"), DEFAULT_ROWS);
			if (rows === null) return usage("-n needs a number");
			return answer(await fleet.monitorShow(call.first), (view) => {
				if (view === null) return error(`monitor ${call.first} not found`);
				const { doors, place } = local;
				const runs = readRuns(doors.files, place.thrumDir, view.name, rows);
				return said(runs.map(runLine).join("\n"));
			});
		},
	},
	{
		words: "monitor tick",
		args: "  (runs what is due once, and waits for it; the watcher does so by itself)",
		run: (ctx) => tick(ctx),
	},
];

async function tick({ local }: ShimContext): Promise<Answer> {
	const runner = jobRunner(local);
	const ticked = await runner.tick();
	if (ticked.kind !== "ok") return failed(ticked);
	const started = [...ticked.value.started];
	while (runner.running().length > 0) {
		await local.doors.clock.sleep(LOOK_MS);
		const more = await runner.tick();
		if (more.kind === "ok") started.push(...more.value.started);
	}
	await runner.quiet();
	return said(
		started.length === 0 ? "nothing is due" : `ran ${started.join(", ")}`,
	);
}

/** Null: a word that sets nothing. */
function envOf(call: Call): Readonly<Record<string, string>> | null {
	const pairs = call.list("--env").map((pair): [string, string] | null => {
		const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? [];
		return name === undefined || value === undefined ? null : [name, value];
	});
	const good = pairs.filter((pair) => pair !== null);
	return good.length === pairs.length ? Object.fromEntries(good) : null;
}
