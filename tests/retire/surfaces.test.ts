import { describe, expect, test } from "bun:test";
import { backgroundProgressPath } from "../../monitor/_state/background-progress.ts";
import {
	decisionFileName,
	decisionsDir,
} from "../../monitor/_state/decisions.ts";
import { decisionsEmitPath } from "../../monitor/_state/decisions-emit.ts";
import { engagementLogPath } from "../../monitor/_state/engagement-log.ts";
import { footgunSeenPath } from "../../monitor/_state/footgun-seen.ts";
import { heartbeatPath } from "../../monitor/_state/heartbeat.ts";
import { idleStatePath } from "../../monitor/_state/idle-state.ts";
import { loopStopPath } from "../../monitor/_state/loop-stop.ts";
import { machineInputPath } from "../../monitor/_state/machine-input.ts";
import { machineSubmitPath } from "../../monitor/_state/machine-submit.ts";
import { operatorEngagedPath } from "../../monitor/_state/operator-engaged.ts";
import {
	orphanAsyncPath,
	orphanWokenPath,
} from "../../monitor/_state/orphan-async.ts";
import { overLimitStampPath } from "../../monitor/_state/over-limit-stamp.ts";
import { overLimitStatePath } from "../../monitor/_state/over-limit-state.ts";
import { paneChangePath } from "../../monitor/_state/pane-change.ts";
import { pasteLeftoverPath } from "../../monitor/_state/paste-leftover.ts";
import { pendingToolPath } from "../../monitor/_state/pending-tool.ts";
import {
	pruneWindowState,
	RETIRE_SURFACES,
	stateRefsWindow,
	surfacePath,
} from "../../monitor/_state/retire-surfaces.ts";
import {
	skepticChannelDir,
	skepticPendingPath,
} from "../../monitor/_state/skeptic.ts";
import { spawnPromptPath } from "../../monitor/_state/spawn-prompt.ts";
import { turnFailurePath } from "../../monitor/_state/turn-failure.ts";
import { userPromptPath } from "../../monitor/_state/user-prompt.ts";
import { windowKey } from "../../monitor/_state/window-key.ts";
import { windowProvenancePath } from "../../monitor/_state/window-provenance.ts";
import { workerHealthPath } from "../../monitor/_state/worker-health.ts";
import { fakeDoors } from "../fakes/doors.ts";

const S = "/s";
const FP = "0123456789ab";
/** Names that begin alike, or would be read as paths or patterns. */
const NEIGHBOURS = ["w", "w.1", "w1", "w-1", "W"];

/** Puts something on every surface of these windows. */
function furnish(windows: readonly string[]) {
	const { files } = fakeDoors();
	for (const surface of RETIRE_SURFACES)
		for (const window of windows) {
			const path = `${S}/${surfacePath(surface, window)}`;
			if (surface.kind === "rows") files.append(path, `${window}\t1\tx`);
			else if (surface.kind === "file") files.seed(path, "x");
			else if (surface.kind === "dir") files.seed(`${path}/req.md`, "x");
			else if (path.includes("/decisions/")) {
				files.seed(`${path}${FP}.json`, "{}");
				files.seed(`${path}${FP}.handled.json`, "{}");
			} else files.seed(`${path}tag`, "x");
		}
	files.seed(`${S}/action-log.jsonl`, `{"event":"spawn","window":"w"}\n`);
	return files;
}

test.each([
	[userPromptPath(S, "w.1"), "user-prompt/<w>"],
	[machineSubmitPath(S, "w.1"), "machine-submit/<w>"],
	[heartbeatPath(S, "w.1"), "heartbeat/<w>.json"],
	[paneChangePath(S, "w.1"), "pane-change/<w>"],
	[spawnPromptPath(S, "w.1"), "spawn-prompts/<w>.txt"],
	[backgroundProgressPath(S, "w.1"), "background-progress/<w>"],
	[windowProvenancePath(S, "w.1"), "windows/<k>.json"],
	[skepticPendingPath(S, "w.1"), "skeptic/pending/<k>"],
	[skepticChannelDir(S, "w.1"), "skeptic/<k>"],
	[pasteLeftoverPath(S, "w.1"), "paste-leftover/<w>"],
	[pendingToolPath(S, "w.1"), "pending-tool/<w>.json"],
	[overLimitStampPath(S, "w.1"), "over-limit/<w>.json"],
	[turnFailurePath(S, "w.1"), "turn-failure/<w>.json"],
	[loopStopPath(S, "w.1"), "loop-stop/<w>.flag"],
	[workerHealthPath(S, "w.1"), "worker-health/<w>.json"],
	[orphanWokenPath(S, "w.1"), "orphan-async-woken/<k>"],
	[orphanAsyncPath(S), "orphan-async-state.tsv"],
	[overLimitStatePath(S), "over-limit-state.tsv"],
	[footgunSeenPath(S, "w.1", ""), "footgun-seen/<s>."],
	[idleStatePath(S), "idle-state.tsv"],
	[engagementLogPath(S), "engagement-log.tsv"],
	[operatorEngagedPath(S), "operator-engaged.tsv"],
	[machineInputPath(S), "machine-input.tsv"],
	[decisionsEmitPath(S), "pending-decisions-emit-state.tsv"],
	[
		`${decisionsDir(S)}/${decisionFileName({ window: "w.1", fingerprint: FP, handled: false })}`.slice(
			0,
			-`${FP}.json`.length,
		),
		"decisions/<w>.",
	],
])("%s is the surface %s", (path, pattern) => {
	const surface = RETIRE_SURFACES.find((s) => s.path === pattern);
	expect(surface).toBeDefined();
	expect(surface && `${S}/${surfacePath(surface, "w.1")}`).toBe(path ?? "");
});

describe.each(NEIGHBOURS)("window %s", (window) => {
	test("is found on every surface, and after pruning on none", () => {
		const files = furnish([window]);
		const found = stateRefsWindow(files, S, window);
		expect(found.length).toBe(RETIRE_SURFACES.length + 1);
		pruneWindowState(files, S, window);
		expect(stateRefsWindow(files, S, window)).toEqual([]);
		expect(files.paths(S)).toEqual([`${S}/action-log.jsonl`]);
	});

	test("takes nothing of its neighbours with it", () => {
		const others = NEIGHBOURS.filter((name) => name !== window);
		const files = furnish(NEIGHBOURS);
		pruneWindowState(files, S, window);
		const left = Object.fromEntries(
			files.paths(S).map((p) => [p, files.text(p)]),
		);
		const without = furnish(others);
		expect(left).toEqual(
			Object.fromEntries(without.paths(S).map((p) => [p, without.text(p)])),
		);
	});
});

test("rows of others keep their order, and the file its mode", () => {
	const { files } = fakeDoors();
	const path = `${S}/machine-input.tsv`;
	files.seed(path, "a\t1\tx\nw\t2\tx\nb\t3\tx\nw\t4\tx\n", { mode: 0o640 });
	pruneWindowState(files, S, "w");
	expect(files.text(path)).toBe("a\t1\tx\nb\t3\tx\n");
	expect(files.stat(path)).toMatchObject({ stat: { mode: 0o640 } });
});

test("a surface that cannot be looked at counts as left over", () => {
	const { files } = fakeDoors();
	files.seed(`${S}/idle-state.tsv`, "x\ty\n");
	files.faults.fail({ path: /idle-state|\/decisions/, code: "EIO" });
	files.seedDir(`${S}/decisions`);
	expect(stateRefsWindow(files, S, "w")).toEqual([
		"decisions/w. (unreadable)",
		"idle-state.tsv (unreadable)",
	]);
});

test("a name that is no file name has no files, and touches no other's", () => {
	const files = furnish(["w"]);
	const before = files.paths(S);
	for (const name of ["../s/user-prompt/w", "", ".", ".."]) {
		pruneWindowState(files, S, name);
		expect(stateRefsWindow(files, S, name)).toEqual([]);
	}
	expect(files.paths(S)).toEqual(before);
});

test.each([
	["w", "w"],
	["w_-A9", "w_-A9"],
	["w.1", "w%2E1"],
	["a/b", "a%2Fb"],
	["%", "%25"],
	["é", "%C3%A9"],
	["😀", "%F0%9F%98%80"],
])("the key of %s is %s", (name, key) => {
	expect(windowKey(name)).toBe(key);
});
