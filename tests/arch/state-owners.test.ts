/** A state file has one owner: the module of `_state/` that names it (architecture, rule 3). */
import { expect, test } from "bun:test";
import { enforce } from "./law.ts";
import { lineAt, product } from "./sources.ts";

/** `join(stateDir, "watcher.pid")`, also with a folder or a template behind it. */
const STATE_PATH =
	/\bjoin\(\s*(?:[\w.]+\.)?(?:stateDir|stageDir)\s*,\s*(["'`])(.+?)\1/g;

const memory = product.filter(({ path }) => path.startsWith("monitor/_state/"));

test("no two modules of _state name the same path", () => {
	const owners = new Map<string, Set<string>>();
	for (const { path, code } of memory)
		for (const match of code.matchAll(STATE_PATH)) {
			const name = match[2] ?? "";
			const where = owners.get(name) ?? new Set();
			owners.set(name, where.add(`${path}:${lineAt(code, match.index)}`));
		}
	const shared = [...owners].filter(([, where]) => {
		const modules = new Set([...where].map((w) => w.replace(/:\d+$/, "")));
		return modules.size > 1;
	});
	expect(owners.size).toBeGreaterThan(5);
	expect(shared.map(([name, where]) => [name, [...where]])).toEqual([]);
});

enforce({
	law: "only _state builds a path below the state dir",
	why: "two places that build one path drift apart: a stamp was once written to one and cleared in the other",
	files: product.filter(({ path }) => !path.startsWith("monitor/_state/")),
	forbidden: STATE_PATH,
});

enforce({
	law: "a module of _state reads no clock, tmux or process of its own accord",
	why: "memory is parsed and rendered; who looks at the world is a floor above",
	files: memory,
	forbidden: /\bdoors\.(?:tmux|proc)\./,
});
