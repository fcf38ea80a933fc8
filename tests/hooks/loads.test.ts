/** What a hook loads (contract 08 §1.1): it starts at every tool call, so each module is a cost to every agent. */
import { describe, expect, test } from "bun:test";
import { HOOKS, PROGRAMS } from "../../monitor/_sys/names.ts";
import { importsOf } from "../arch/imports.ts";
import { product } from "../arch/sources.ts";

const byPath = new Map(product.map((source) => [source.path, source]));
const programs = [...HOOKS, PROGRAMS.workerHeartbeat];

/** Modules and packages that stand in memory before the hook does anything: lazy imports are left out. */
function loadedBy(path: string, seen = new Set<string>()): ReadonlySet<string> {
	const source = byPath.get(path);
	if (seen.has(path) || source === undefined) return seen;
	seen.add(path);
	const isLazy = (offset: number) =>
		/\bimport\($/.test(source.code.slice(offset, offset + 7));
	for (const { path: next, specifier, offset } of importsOf(source)) {
		if (isLazy(offset)) continue;
		if (next === null) seen.add(specifier);
		else loadedBy(next, seen);
	}
	return seen;
}

describe.each(programs)("%s", (program) => {
	const loaded = [...loadedBy(program)];

	test("stands on hooks, state and doors alone", () => {
		const others = loaded.filter(
			(path) =>
				path !== program &&
				!/^monitor\/(?:hooks\/_|_state\/|_sys\/)|^node:(?:fs|path)$/.test(path),
		);
		expect(others).toEqual([]);
	});

	test("loads no door that costs more than the hook itself", () => {
		// Measured: libc 0.7 ms, promises of the disk 1 ms, crypto 5 ms, tmux and processes 6 ms; a hook has some 4.
		const heavy = loaded.filter((path) =>
			/_sys\/(?:real-doors|tmux|exec|proc|lock|flock|random|cli|names)\b|^node:(?!fs$|path$)|^bun:/.test(
				path,
			),
		);
		expect(heavy).toEqual([]);
	});

	test("loads few modules", () => {
		expect(loaded.length).toBeLessThan(24);
	});
});
