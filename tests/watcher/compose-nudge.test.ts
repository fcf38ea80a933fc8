import { beforeEach, describe, expect, test } from "bun:test";
import {
	type IdleRow,
	overlayDetail,
	renderStagedIdle,
} from "../../monitor/_emit/idle-rows.ts";
import {
	composeNudge,
	type NudgeSource,
	nudgeDecision,
	nudgeSources,
} from "../../monitor/watcher/_compose_nudge.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const queue: NudgeSource = { path: "/s/queue", lane: "comments" };
const poll: NudgeSource = { path: "/s/poll", lane: "comments" };
const decisions: NudgeSource = { path: "/s/decisions", lane: "compose" };

describe("a source", () => {
	const rows: [
		string,
		NudgeSource,
		number,
		number,
		number,
		boolean,
		boolean,
	][] = [
		["never seen and not empty nudges", queue, 0, 1001, 5, true, false],
		["with the same mtime does not", queue, 1001, 1001, 5, false, false],
		["that is newer but empty does not", poll, 900, 1001, 0, false, false],
		["older than remembered does not", queue, 1001, 900, 5, false, false],
		["of the compose lane pulls compose", decisions, 1, 2, 5, false, true],
		["that is absent does not", queue, 0, 0, 0, false, false],
	];
	test.each(rows)(
		"%s",
		(_name, source, before, mtimeMs, size, comments, compose) => {
			const decision = nudgeDecision(new Map([[source.path, before]]), [
				[source, { mtimeMs, size }],
			]);
			expect(decision).toMatchObject({ comments, compose });
		},
	);

	test("is remembered even when it was empty, so that only a later write nudges", () => {
		const { next } = nudgeDecision(new Map(), [
			[poll, { mtimeMs: 1001, size: 0 }],
		]);
		const again = nudgeDecision(next, [[poll, { mtimeMs: 1001, size: 7 }]]);
		expect(again.comments).toBe(false);
	});
});

describe("the hook after a tick", () => {
	let doors: FakeDoors;
	let calls: string[];
	beforeEach(() => {
		doors = fakeDoors();
		calls = [];
	});
	const hook = (registered: readonly string[]) =>
		composeNudge(
			doors.files,
			nudgeSources({ stateDir: "/state", stageDir: "/stage" }),
			{
				fireNow: (name) => calls.push(`fire ${name}`),
				override: (name, interval, duration) =>
					calls.push(`override ${name} ${interval}/${duration}`),
				skipUntil: () => 0,
				nextFireOf: () => null,
				isRegistered: (name) => registered.includes(name),
				wake: () => calls.push("wake"),
			},
		);

	test("fires compose for a new decision, once, and wakes the loop", () => {
		const after = hook([]);
		doors.files.seed("/stage/pending_decisions.out", "window=w fp=1\n");
		after();
		after();
		expect(calls).toEqual([
			"fire compose_emit",
			"override compose_emit 5/60",
			"wake",
		]);
	});

	test("takes the comment lane to comment_surface when that is registered, else to compose", () => {
		doors.files.seed("/stage/github_poll.out", "issue=1\n");
		hook(["comment_surface"])();
		hook([])();
		expect(calls.filter((c) => c.startsWith("fire"))).toEqual([
			"fire comment_surface",
			"fire compose_emit",
		]);
	});

	test("fires compose for an agent before a question, and for no other idle row", () => {
		const after = hook([]);
		const stage = (rows: readonly IdleRow[]) =>
			doors.files.seed("/stage/idle_section.out", renderStagedIdle(rows));
		const idle: IdleRow = {
			window: "a",
			class: "no-wrap-up",
			ageSeconds: 60,
			since: 1,
			askedAt: null,
			detail: "",
		};
		stage([idle]);
		after();
		expect(calls).toEqual([]);
		doors.clock.stall(1000);
		stage([
			idle,
			{ ...idle, class: "pane-absent", detail: overlayDetail("permission") },
		]);
		after();
		after();
		expect(calls).toEqual([
			"fire compose_emit",
			"override compose_emit 5/60",
			"wake",
		]);
	});

	test("says nothing when nothing arrived", () => {
		hook([])();
		expect(calls).toEqual([]);
	});
});
