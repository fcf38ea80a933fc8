/** `svc status [watcher]`: the table once (contract 06 §6, §7.1). Writes nothing but the probe of the disk. */
import { gatherStack, type StackFacts } from "./cockpit/facts.ts";
import { buildRows, coreRows, exitCodeFor, type Row } from "./cockpit/rows.ts";
import { renderJson, renderTable } from "./cockpit/table.ts";
import { subjectOf } from "./subject.ts";
import type { SvcVerb } from "./verb.ts";

/** 0; 1 disk read-only or the named row not up; 6 more than one watcher; 2 `status watcher` while it is down. */
export const run: SvcVerb = async (name, ctx) => {
	const { doors, settings, print } = ctx;
	const f = await gatherStack(doors, settings);
	const rows = rowsFor(name, f);
	if (typeof rows === "string") {
		doors.log.warn(rows);
		return 1;
	}
	const exit = exitOf(name, f, rows);
	const iso = doors.clock.iso(f.now);
	if (ctx.json) {
		const extras = { at: iso, exit, problems: settings.problems };
		print(renderJson(f, rows, extras));
		return exit;
	}
	for (const line of settings.problems) print(line);
	const head = { iso, registry: f.registry };
	for (const line of renderTable(head, rows, ctx.colour)) print(line);
	if (name === undefined && doors.files.stat(f.registry).kind === "absent")
		print(`no registered services (expected at ${f.registry})`);
	return exit;
};

/** All rows, those of one name, or why there are none. */
function rowsFor(
	name: string | undefined,
	f: StackFacts,
): readonly Row[] | string {
	if (name === undefined) return buildRows(f);
	const { target, registry } = f;
	const subject = subjectOf({ verb: "status", name, target, registry });
	switch (subject.kind) {
		case "watcher":
			return coreRows(f);
		case "watcher-managed":
			return buildRows(f).filter((r) => r.name === "fs" || r.name === target);
		default:
			return subject.line;
	}
}

function exitOf(
	name: string | undefined,
	f: StackFacts,
	rows: readonly Row[],
): number {
	const exit = exitCodeFor(rows);
	if (exit !== 0 || name === undefined) return exit;
	if (name === "watcher") return f.verdict.state === "DOWN" ? 2 : 0;
	return f.targetPresence === "up" ? 0 : 1;
}
