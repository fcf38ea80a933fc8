import { expect, test } from "bun:test";
import { type Place, placeOf } from "./floors.ts";
import { importsOf } from "./imports.ts";
import { enforce } from "./law.ts";
import { product, type Source } from "./sources.ts";

const WHY =
	"faces > duties > knowledge > memory > doors; what stands beside is passed in as an argument";

enforce({
	law: "every file stands on a floor",
	why: "a file that no rule places is held by no rule",
	files: product,
	forbidden: ({ path }) => (placeOf(path) === null ? [0] : []),
});

enforce({
	law: "imports only go down",
	why: WHY,
	files: product,
	forbidden: (source) => offending(source, (from, to) => to.floor > from.floor),
});

enforce({
	law: "no duty imports a duty, and no knowledge folder another",
	why: WHY,
	files: product,
	forbidden: (source) =>
		offending(
			source,
			(from, to) =>
				to.floor === from.floor &&
				to.room !== from.room &&
				from.floor < 4 &&
				// The configuration reads its file through the doors.
				!(from.room === "config" && to.room === "_sys"),
		),
});

enforce({
	law: "a face imports no face",
	why: "a face reads argv and builds the doors; what two faces share is a duty",
	files: product,
	forbidden: (source) =>
		offending(
			source,
			(from, to) =>
				to.floor === 4 &&
				from.floor === 4 &&
				to.room !== from.room &&
				to.room !== "wiring",
		),
});

test.each([
	["config/load.ts", 4],
	["config/schema/core.ts", 0],
	["monitor/_sys/tmux.ts", 0],
	["monitor/_state/kv.ts", 1],
	["monitor/_pane/grid.ts", 2],
	["monitor/_ng/reply.ts", 3],
	["monitor/hooks/_io.ts", 3],
	["monitor/hooks/stamp-clear.ts", 4],
	["monitor/watcher/_compose_emit.ts", 3],
	["monitor/watcher/_compose_emit/staged.ts", 3],
	["monitor/watcher/main.ts", 4],
	["monitor/_tmux-window.ts", 4],
	["monitor/svc.ts", 4],
	["monitor/watcher/helper.ts", undefined],
])("%s stands on floor %p", (path, floor) => {
	expect(placeOf(path)?.floor as number | undefined).toBe(floor);
});

test("a duty's file and its folder are one room", () => {
	const file = placeOf("monitor/watcher/_loop.ts");
	expect(placeOf("monitor/watcher/_loop/once.ts")).toEqual(file);
	expect(placeOf("monitor/watcher/_launch.ts")).not.toEqual(file);
});

test("type-only imports count as none", () => {
	const code = [
		'import type { A } from "./a.ts";',
		'import { type B, type C } from "./b.ts";',
		'import { type D, e } from "./d.ts";',
		'export type * from "./f.ts";',
		'export * from "./g.ts";',
		'const h = () => import("./h.ts");',
		'let i: import("./i.ts").I;',
		'import "./j.ts";',
	].join("\n");
	const source = { path: "monitor/_sys/x.ts", text: code, code };
	const paths = importsOf(source).map((i) => i.path);
	expect(paths.sort()).toEqual(
		["d", "g", "h", "j"].map((name) => `monitor/_sys/${name}.ts`),
	);
});

function offending(
	source: Source,
	breaks: (from: Place, to: Place) => boolean,
): readonly number[] {
	const from = placeOf(source.path);
	if (from === null) return [];
	return importsOf(source)
		.filter(({ path }) => {
			const to = path === null ? null : placeOf(path);
			return to !== null && breaks(from, to);
		})
		.map((i) => i.offset);
}
