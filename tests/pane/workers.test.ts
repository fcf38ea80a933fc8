import { describe, expect, test } from "bun:test";
import { isWorkerName, listWorkers } from "../../monitor/_pane/workers.ts";
import { paneRow } from "../fakes/tmux-model.ts";

const RULES = {
	target: "boss",
	servicesWindow: "services",
	services: new Set(["api"]),
};

test.each([
	["proj", true],
	["my window", true],
	["service", true],
	["", false],
	["•", false],
	["•proj", false],
	["boss", false],
	["services", false],
	["watcher", false],
	["claude", false],
	["orchestrator", false],
	["monitor", false],
	["api", false],
])("a window named %j is a worker: %p", (name, is) => {
	expect(isWorkerName(name, RULES)).toBe(is);
});

describe("the workers of a listing", () => {
	const row = (windowName: string, part = {}) =>
		paneRow({ windowName, ...part });
	const names = (...rows: ReturnType<typeof row>[]) =>
		listWorkers(rows, RULES).map((r) => `${r.windowName} ${r.paneId}`);

	test("are the active panes of their windows, in the order of the rows", () => {
		expect(
			names(
				row("b", { paneId: "%1", paneActive: false }),
				row("b", { paneId: "%2" }),
				row("a", { paneId: "%3" }),
				row("boss", { paneId: "%4" }),
			),
		).toEqual(["b %2", "a %3"]);
	});
	test("stand for their name once, a live pane before a corpse", () => {
		const corpse = row("a", { paneId: "%1", paneDead: "1" });
		const live = row("a", { paneId: "%2" });
		expect(names(corpse, live)).toEqual(["a %2"]);
		expect(names(live, corpse)).toEqual(["a %2"]);
		expect(names(corpse)).toEqual(["a %1"]);
		expect(names(live, row("a", { paneId: "%9" }))).toEqual(["a %2"]);
	});
});
