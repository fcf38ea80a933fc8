/** `svc status [name]`: the table once (contract 06 §6, §7.1). Writes nothing but the probe of the disk. */
import { REGISTRY_UNREADABLE_EXIT } from "../_state/services-registry.ts";
import { gatherStack, type StackFacts } from "./cockpit/facts.ts";
import {
	buildRows,
	coreRows,
	exitCodeFor,
	type Row,
	targetRow,
} from "./cockpit/rows.ts";
import { serviceLines, serviceRows } from "./cockpit/service-rows.ts";
import { renderJson, renderTable } from "./cockpit/table.ts";
import { resolveSubject } from "./resolve-subject.ts";
import type { Subject } from "./subject.ts";
import type { SvcVerb } from "./verb.ts";

/**
 * 0; 1 disk read-only, the named row not up, or no such name; 6 more than one watcher; 2 `status watcher` while it is
 * down; 79 the registry cannot be read.
 */
export const run: SvcVerb = async (name, ctx) => {
	const { doors, settings, print } = ctx;
	const subject =
		name === undefined ? null : resolveSubject(doors, settings, "status", name);
	if (subject?.kind === "unknown" || subject?.kind === "missing") {
		doors.log.warn(subject.line);
		return subject.kind === "unknown" ? subject.exit : 1;
	}
	const only = subject === null ? {} : { only: name ?? "" };
	const f = await gatherStack(doors, settings, only);
	const rows = rowsFor(subject, f);
	const exit = exitOf(subject, f, rows);
	const iso = doors.clock.iso(f.now);
	if (ctx.json) {
		const extras = { at: iso, exit, problems: settings.problems };
		print(renderJson(f, rows, extras));
		return exit;
	}
	for (const line of settings.problems) print(line);
	const head = { iso, registry: f.registry };
	for (const line of renderTable(head, rows, ctx.colour)) print(line);
	if (subject === null)
		for (const line of serviceLines(f.services, f.registry)) print(line);
	return exit;
};

/** All rows, or those of one name. */
function rowsFor(subject: Subject | null, f: StackFacts): readonly Row[] {
	const core = coreRows(f);
	const disk = core.filter((r) => r.name === "fs");
	switch (subject?.kind) {
		case undefined:
			return buildRows(f);
		case "watcher":
			return core;
		case "watcher-managed":
			return [...disk, targetRow(f)];
		default:
			return [...disk, ...serviceRows(f.services)];
	}
}

function exitOf(
	subject: Subject | null,
	f: StackFacts,
	rows: readonly Row[],
): number {
	const exit = exitCodeFor(rows);
	if (exit !== 0) return exit;
	switch (subject?.kind) {
		case undefined:
			return f.services.kind === "unreadable" ? REGISTRY_UNREADABLE_EXIT : 0;
		case "watcher":
			return f.verdict.state === "DOWN" ? 2 : 0;
		default:
			return rows.at(-1)?.status === "UP" ? 0 : 1;
	}
}
