import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import {
	parseBackgroundProgress,
	readBackgroundProgress,
	writeBackgroundProgress,
} from "../../monitor/_state/background-progress.ts";
import {
	engagementLogPath,
	readEngagementLog,
	writeEngagementLog,
} from "../../monitor/_state/engagement-log.ts";
import {
	readIdleState,
	writeIdleState,
} from "../../monitor/_state/idle-state.ts";
import {
	parsePreludeStamp,
	readPreludeStamp,
	writePreludeStamp,
} from "../../monitor/_state/last-prelude-stamp.ts";
import {
	keptMachineInput,
	machineInputPath,
	parseMachineInput,
	pruneMachineInput,
} from "../../monitor/_state/machine-input.ts";
import {
	readMachineSubmit,
	writeMachineSubmit,
} from "../../monitor/_state/machine-submit.ts";
import {
	followNotifications,
	notificationsPath,
	parseNotifications,
} from "../../monitor/_state/notifications.ts";
import {
	isMarked,
	type OperatorRow,
	parseOperatorRow,
	readOperatorEngaged,
	writeOperatorEngaged,
} from "../../monitor/_state/operator-engaged.ts";
import {
	parsePaneChange,
	readPaneChange,
	writePaneChange,
} from "../../monitor/_state/pane-change.ts";
import { readServiceNames } from "../../monitor/_state/services-registry.ts";
import {
	parseTurnFailure,
	readTurnFailure,
} from "../../monitor/_state/turn-failure.ts";
import { windowFile } from "../../monitor/_state/window-file.ts";
import {
	parseSpawnedSessionId,
	spawnedSessionId,
	windowProvenancePath,
} from "../../monitor/_state/window-provenance.ts";
import { fakeDoors } from "../fakes/doors.ts";

const S = "/s";
const rig = () => {
	const doors = fakeDoors({ now: 1_800_000_000 });
	doors.files.seedDir(S);
	return doors;
};

describe("a file with a row a line", () => {
	const path = engagementLogPath(S);

	test("comes back as it was written, and unchanged it is left alone", () => {
		const { files, ...doors } = rig();
		const rows = [
			{ window: "a b", at: 100 },
			{ window: "c", at: 200 },
		];
		writeEngagementLog(files, S, rows);
		expect(files.text(path)).toBe("a b\t100\nc\t200\n");
		expect(readEngagementLog({ files, ...doors }, S)).toEqual({
			kind: "ok",
			rows,
		});
		files.remove(path);
		files.seed(path, "a b\t100\nc\t200\n", { mtime: 5 });
		writeEngagementLog(files, S, rows);
		const found = files.stat(path);
		expect(found.kind === "ok" && found.stat.mtimeMs).toBe(5000);
	});

	test("without rows there is no file, for zero bytes are damage", () => {
		const { files } = rig();
		writeEngagementLog(files, S, [{ window: "a", at: 1 }]);
		writeEngagementLog(files, S, []);
		expect(files.has(path)).toBe(false);
	});

	test("a bad line costs only itself", () => {
		const doors = rig();
		doors.files.seed(path, "a\t100\nb\tx\n\t5\nc\t200\nd\t3");
		expect(readEngagementLog(doors, S)).toEqual({
			kind: "ok",
			rows: [
				{ window: "a", at: 100 },
				{ window: "c", at: 200 },
				{ window: "d", at: 3 },
			],
		});
		expect(doors.log.messages()).toEqual([]);
	});

	test.each(["", "\0\0\0\0", "nonsense\n"])(
		"%j is damage: told, set aside once, and no rows",
		(text) => {
			const doors = rig();
			doors.files.seed(path, text);
			const none = { kind: "ok", rows: [] } as const;
			expect(readEngagementLog(doors, S)).toEqual(none);
			expect(readEngagementLog(doors, S)).toEqual(none);
			expect(doors.log.messages()).toHaveLength(1);
			expect(doors.files.has(`${path}.damaged.1800000000`)).toBe(true);
		},
	);

	test("a window's name cannot add a row", () => {
		const { files } = rig();
		writeIdleState(files, S, [
			{ window: "a\tb\nc", class: "wrapped", askedAt: null },
			{ window: "d", class: "pane-absent", askedAt: 5 },
		]);
		expect(files.text(join(S, "idle-state.tsv"))).toBe(
			"a b c\twrapped\nd\tpane-absent\t5\n",
		);
	});
});

test("an empty idle-state.tsv says that nothing was told, without complaint", () => {
	const doors = rig();
	doors.files.seed(join(S, "idle-state.tsv"), "");
	expect(readIdleState(doors, S)).toEqual({ kind: "ok", rows: [] });
	expect(doors.log.messages()).toEqual([]);
});

describe("the operator's marks", () => {
	const row: OperatorRow = {
		window: "w",
		since: 1,
		last: 2,
		promptSeen: 3,
		src: "submit",
		reminded: 4,
	};
	test("come back, and an older row without a sixth column was never reminded", () => {
		const doors = rig();
		writeOperatorEngaged(doors.files, S, [row]);
		expect(readOperatorEngaged(doors, S)).toEqual({ kind: "ok", rows: [row] });
		expect(parseOperatorRow("w\t1\t2\t3\tsubmit")).toEqual({
			...row,
			reminded: 0,
		});
	});
	test.each(["w\t1\t2", "w\t1\tx\t3\tsubmit\t0", "\t1\t2\t3\tsubmit\t0"])(
		"%j is no row",
		(line) => {
			expect(parseOperatorRow(line)).toBeNull();
		},
	);

	const now = 10_000;
	const facts = {
		spawnAt: null,
		engagedDoneAt: null,
		changeAt: now - 10,
		now,
		changeTtlSeconds: 600,
	};
	const mark = { ...row, since: now - 100, last: now - 50 };
	const cases: [string, Partial<typeof mark>, object, boolean][] = [
		["a pane that moved lately", {}, {}, true],
		["no mark at all", { since: 0 }, {}, false],
		["a pane that stood still too long", {}, { changeAt: now - 601 }, false],
		["a pane nobody has read", {}, { changeAt: null }, false],
		["a pane that moved in the far future", {}, { changeAt: now + 700 }, false],
		["a clock that stepped back a little", {}, { changeAt: now + 5 }, true],
		["a release after it", {}, { engagedDoneAt: now - 99 }, false],
		["a release before it", {}, { engagedDoneAt: now - 100 }, true],
		["a new life of the window", {}, { spawnAt: now - 99 }, false],
		["a spawn before it", {}, { spawnAt: now - 100 }, true],
	];
	test.each(cases)("judged with %s", (_n, m, f, holds) => {
		expect(isMarked({ ...mark, ...m }, { ...facts, ...f })).toBe(holds);
	});
});

describe("a window's own file", () => {
	test.each(["", ".", "..", "a/b", "../x", "a\0b"])(
		"does not exist for the name %j",
		(name) => {
			const { files } = rig();
			expect(windowFile("/s/pane-change", name)).toBeNull();
			writePaneChange(files, S, name, { hash: "1", at: 1 });
			expect(files.paths(S)).toEqual([]);
		},
	);

	test("comes back as it was written", () => {
		const { files } = rig();
		writePaneChange(files, S, "w.1", { hash: "77", at: 5 });
		writeMachineSubmit(files, S, "w.1", 6);
		writeBackgroundProgress(files, S, "w.1", { cpuTicks: 42, at: 7 });
		expect(readPaneChange(files, S, "w.1")).toEqual({ hash: "77", at: 5 });
		expect(readMachineSubmit(files, S, "w.1")).toBe(6);
		expect(readBackgroundProgress(files, S, "w.1")).toEqual({
			cpuTicks: 42,
			at: 7,
		});
	});

	test("a change whose text nobody has read yet has no hash", () => {
		expect(parsePaneChange("\t5\n")).toEqual({ hash: "", at: 5 });
	});

	test("whatever stands in it, reading never throws", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				parsePaneChange(text);
				parseBackgroundProgress(text);
				parseTurnFailure(text);
				parseNotifications(text);
				parseSpawnedSessionId(text);
				parsePreludeStamp(text);
				parseOperatorRow(text);
			}),
		);
	});
});

describe("machine input", () => {
	const rows = (n: number) =>
		Array.from({ length: n }, (_, i) => ({
			window: `w${i % 3}`,
			stamp: 1000 + i,
			src: "paste-followup",
			flag: "",
		}));
	test("of up to 200 rows only those of windows that are gone go", () => {
		const kept = keptMachineInput(rows(200), new Set(["w0"]));
		expect(kept).toEqual(rows(200).filter((r) => r.window !== "w0"));
	});
	test("of more the newest of each window stays, whichever unit its writer used", () => {
		const late = {
			window: "w0",
			stamp: 9_000_000_000_000_000,
			src: "unstick",
			flag: "",
		};
		const kept = keptMachineInput([late, ...rows(201)], new Set());
		expect(kept).toEqual([late, ...rows(201).slice(199)]);
	});
	test("a row that another program appends meanwhile is not lost", () => {
		const { files } = rig();
		const path = machineInputPath(S);
		files.seed(path, "gone\t1\tx\nw\t2\tx\n");
		const growing: typeof files = {
			...files,
			stat: (p) => {
				files.append(path, "late\t3\tx\n");
				return files.stat(p);
			},
		};
		pruneMachineInput(growing, S, new Set(["gone"]));
		expect(parseMachineInput(files.text(path)).map((r) => r.window)).toEqual([
			"gone",
			"w",
			"late",
		]);
		pruneMachineInput(files, S, new Set(["gone"]));
		expect(parseMachineInput(files.text(path)).map((r) => r.window)).toEqual([
			"w",
			"late",
		]);
	});
});

describe("what hooks and the spawner leave", () => {
	test.each([
		[
			'{"ts":1000,"category":"transient","recovery":"respawn","session_id":"s"}',
			{
				at: 1000,
				category: "transient",
				recovery: "respawn",
				sessionId: "s",
			},
		],
		[
			'{"ts":"1970-01-01T00:16:40Z"}',
			{ at: 1000, category: "unknown", recovery: "paste", sessionId: null },
		],
		[
			'{"ts":"soon","category":7}',
			{ at: null, category: "unknown", recovery: "paste", sessionId: null },
		],
		['{"ts":10', null],
		["[]", null],
	])("turn failure %s", (text, failure) => {
		const { files } = rig();
		files.seed(join(S, "turn-failure/w.json"), text);
		expect(readTurnFailure(files, S, "w")).toEqual(failure);
	});

	test("notifications: numbers, digits and dates are times; other rows cost only themselves", () => {
		const { files } = rig();
		expect(followNotifications()(files, S)).toEqual([]);
		files.seed(
			notificationsPath(S),
			[
				'{"window":"a","ts":1000.5}',
				'{"window":"b","ts":"1001"}',
				'{"window":"c","ts":"1970-01-01T00:16:42Z"}',
				'{"window":"","ts":1}',
				'{"window":"d"}',
				"torn {",
			].join("\n"),
		);
		expect(followNotifications()(files, S)).toEqual([
			{ window: "a", at: 1000.5 },
			{ window: "b", at: 1001 },
			{ window: "c", at: 1002 },
		]);
	});

	test("of a huge journal the newest rows are read", () => {
		const { files } = rig();
		const row = (n: number) => `{"window":"w${n}","ts":${n}}\n`;
		const all = Array.from({ length: 60_000 }, (_, n) => row(n)).join("");
		files.seed(notificationsPath(S), all);
		const read = followNotifications()(files, S) ?? [];
		expect(read.at(-1)).toEqual({ window: "w59999", at: 59_999 });
		expect(read.length).toBeLessThan(60_000);
	});

	test("provenance names the session that was started, under the window's key", () => {
		const { files } = rig();
		const path = windowProvenancePath(S, "w.1");
		expect(path).toBe("/s/windows/w%2E1.json");
		files.seed(path, '{"window":"w.1","session_id":"abc","extra":1}');
		expect(spawnedSessionId(files, S, "w.1")).toBe("abc");
		expect(spawnedSessionId(files, S, "w%2E1")).toBeNull();
	});
});

describe("the services registry", () => {
	test("names the services of its good lines", () => {
		const text = [
			"# comment\tx\ty\tz",
			"",
			"api\t/srv/api\trun\tcheck",
			"  # another",
			"web\t/srv/web\trun\tcheck\t\temit-only\r",
			"short\t/srv",
			"hole\t\trun\tcheck",
			"last\t/srv\trun\tcheck",
		].join("\n");
		const { files } = rig();
		files.seed("/r", text);
		expect(readServiceNames(files, "/r")).toEqual({
			kind: "ok",
			names: new Set(["api", "web", "last"]),
		});
	});
	test("that is not there lists nothing; one that cannot be read is no answer", () => {
		const { files } = rig();
		expect(readServiceNames(files, "/r")).toEqual({
			kind: "ok",
			names: new Set(),
		});
		files.seed("/r", "");
		expect(readServiceNames(files, "/r").kind).toBe("unreadable");
		files.seed("/r", "a\tb\0c\n");
		expect(readServiceNames(files, "/r").kind).toBe("unreadable");
		files.remove("/r");
		files.seedDir("/r");
		expect(readServiceNames(files, "/r").kind).toBe("unreadable");
	});
});

test("the stamp of the last count keeps its fraction; before the first everything counts", () => {
	const doors = rig();
	expect(readPreludeStamp(doors, S)).toBe(0);
	writePreludeStamp(doors.files, S, 1000.25);
	expect(readPreludeStamp(doors, S)).toBe(1000.25);
	doors.files.seed(join(S, "last-prelude.ts"), "soon");
	expect(readPreludeStamp(doors, S)).toBe(0);
});
