/** Did the bot react to what it was told? The verdict, and the check over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { archiveName, archivePath } from "../../monitor/_state/emit-archive.ts";
import {
	type CheckFacts,
	functionalCheckDecide,
	type Reaction,
} from "../../monitor/watcher/_functional_check/decide.ts";
import { auditedComments } from "../../monitor/watcher/_functional_check/recent-emits.ts";
import { functionalCheckTask } from "../../monitor/watcher/_functional_check.ts";
import { fakeNet } from "../fakes/net.ts";
import { STATE, watcherContext } from "../watcher/watcher-rig.ts";
import { OPERATOR, REPO } from "./rig.ts";
import {
	openSources,
	type SourceRig,
	type SourceRigOptions,
} from "./source-rig.ts";

const emit = (ageSeconds: number, ...reactions: Reaction[]) => ({
	ageSeconds,
	reactions,
});
const decide = (emits: CheckFacts["emits"], over: Partial<CheckFacts> = {}) =>
	functionalCheckDecide({ slaSeconds: 600, hasBot: true, emits, ...over });

describe("the verdict on", () => {
	test.each([
		[
			"two old emits without a reaction",
			[emit(900, "silent"), emit(800, "silent")],
			"stale reason=all-emits-unprocessed-past-SLA n_emits=2 n_processed=0 n_stale=2 sla=600s",
			"stale-all-emits-unprocessed-past-SLA",
		],
		[
			"the same with one reaction",
			[emit(900, "silent", "reacted"), emit(800, "silent")],
			"healthy reason=healthy-with-processed n_emits=2 n_processed=1 n_stale=1 n_unknown=0 n_in_progress=0 sla=600s",
			"healthy-with-processed",
		],
		[
			"a young emit",
			[emit(60, "silent")],
			"healthy reason=healthy-in-progress n_emits=1 n_processed=0 n_stale=0 n_unknown=0 n_in_progress=1 sla=600s",
			"healthy-in-progress",
		],
		[
			"one that nobody could look at",
			[emit(900, "failed", "failed")],
			"healthy reason=healthy-unknown-no-stale n_emits=1 n_processed=0 n_stale=0 n_unknown=1 n_in_progress=0 sla=600s",
			"healthy-unknown-no-stale",
		],
		[
			"an old one beside one that nobody could look at",
			[emit(900, "silent"), emit(900, "failed")],
			"healthy reason=healthy n_emits=2 n_processed=0 n_stale=1 n_unknown=1 n_in_progress=0 sla=600s",
			"healthy",
		],
		[
			"an old one that could be looked at in part",
			[emit(900, "silent", "failed")],
			"stale reason=all-emits-unprocessed-past-SLA n_emits=1 n_processed=0 n_stale=1 sla=600s",
			"stale-all-emits-unprocessed-past-SLA",
		],
		[
			"one as old as the limit",
			[emit(600, "silent")],
			"stale reason=all-emits-unprocessed-past-SLA n_emits=1 n_processed=0 n_stale=1 sla=600s",
			"stale-all-emits-unprocessed-past-SLA",
		],
		["no emits", [], "bypass reason=no-recent-emits", "bypass-no-recent-emits"],
		[
			"emits without a comment",
			[emit(900), emit(10)],
			"bypass reason=no-eligible-comments",
			"bypass-no-eligible-comments",
		],
	])("%s", (_name, emits, text, decision) => {
		const verdict = decide(emits);
		expect(verdict.text).toBe(text);
		expect(verdict.row?.decision).toBe(decision);
	});

	test("anything, when it is off or there is no bot, is none, and leaves no row", () => {
		const emits = [emit(900, "silent")];
		expect(decide(emits, { slaSeconds: 0 })).toEqual({
			text: "bypass reason=disabled",
			row: null,
		});
		expect(decide(emits, { hasBot: false })).toEqual({
			text: "bypass reason=no-bot-login",
			row: null,
		});
	});
});

test("only comments that the bot could react to are judged, and only their own section", () => {
	const body = [
		"--- local state changes ---",
		"issue=1 id=1 author=op",
		"--- eligible github comments ---",
		"issue=2 id=2 author=op",
		"  body: issue=3 id=3 author=op",
		"pr=4 id=4 author=op",
		"mention=acme/other kind=pr n=5 id=5 author=op",
		"cross_repo=acme/far kind=pr n=6 id=6 author=op",
		"--- dashboard ---",
		"issue=7 id=7 author=op",
	].join("\n");
	expect(auditedComments(body).map((c) => c.id)).toEqual(["2", "5"]);
});

describe("the check", () => {
	let rig: SourceRig;
	const open = async (opts: SourceRigOptions = {}) => {
		await rig?.close();
		rig = openSources(opts);
		rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	};
	beforeEach(() => open());
	afterEach(async () => {
		await rig.close();
		expect(rig.standIn.problems).toEqual([]);
	});

	const say = () => rig.standIn.acts.comment(REPO, 1, OPERATOR, "x");
	function archive(ageSeconds: number, ...ids: number[]): void {
		const name = archiveName(rig.doors.clock.now() - ageSeconds, "abcdef");
		const rows = ids.map((id) => `issue=1 id=${id} author=op\n  body: x\n`);
		rig.doors.files.seed(
			archivePath(STATE, name),
			`--- eligible github comments ---\n${rows.join("")}--- dashboard ---\n`,
		);
	}
	async function check() {
		const { doors, config } = rig;
		const fn = functionalCheckTask(rig.app).make(
			watcherContext({ ...doors, net: fakeNet() }, { config }),
		);
		return fn({
			doors,
			afterGap: false,
			signal: new AbortController().signal,
			log: () => {},
		});
	}
	const rows = () => {
		const path = join(STATE, "functional-check.tsv");
		return rig.doors.files.has(path) ? rig.doors.files.text(path) : "";
	};
	const calls = () => rig.asked().filter((line) => line.includes("reactions"));
	const fired = () =>
		rig.doors.log.messages().filter((m) => m.startsWith("functional-check"));

	test("fires when nothing was reacted on in time, and only then", async () => {
		const c = say();
		archive(900, c.id);
		archive(800, c.id);
		rig.doors.proc.programs.set("sandbox-notify", "/bin/sandbox-notify");
		await check();
		expect(fired()).toEqual([
			"functional-check FIRED: stale reason=all-emits-unprocessed-past-SLA n_emits=2 n_processed=0 n_stale=2 sla=600s",
		]);
		expect(rig.doors.proc.execs.map(({ argv }) => argv.at(-1))).toEqual([
			"watcher: functional check stale (stale reason=all-emits-unprocessed-past-SLA n_emits=2 n_processed=0 n_stale=2 sla=600s)",
		]);
		// The same comment is asked about once a check.
		expect(calls()).toHaveLength(1);
		expect(rows()).toBe(
			`${rig.doors.clock.now()}\t2\t0\t2\tstale-all-emits-unprocessed-past-SLA\n`,
		);
		rig.standIn.acts.react(c, "hub-bot[bot]", "eyes");
		await check();
		expect(fired()).toHaveLength(1);
		expect(rows().split("\n")[1]).toEndWith(
			"\t2\t2\t0\thealthy-with-processed",
		);
	});

	test("makes no call while a pause holds that an agent met, and then one that ends it", async () => {
		const { id } = say();
		archive(900, id);
		const agent = rig.another({
			stateDir: STATE,
			pacing: { kind: "command", retryMs: 1 },
		});
		const comments =
			"POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
		rig.standIn.faults.add({
			on: comments,
			fault: { kind: "secondary" },
			times: 1,
		});
		const met = await agent.rest(
			comments,
			{ owner: "acme", repo: "hub", issue_number: 1, body: "b" },
			{ deadlineMs: 1000, read: (data) => data },
		);
		expect(met).toMatchObject({ failure: { kind: "rate_secondary" } });
		await check();
		expect(calls()).toEqual([]);
		expect(fired()).toEqual([]);
		rig.doors.clock.stall(60_000);
		await check();
		expect(calls()).toHaveLength(1);
		expect(rig.doors.files.has(join(STATE, "github-pause-core"))).toBe(false);
	});

	test("counts the bot's eyes and rockets alone, wherever they stand", async () => {
		const c = say();
		rig.standIn.acts.react(c, OPERATOR, "eyes");
		rig.standIn.acts.react(c, "hub-bot[bot]", "heart");
		archive(900, c.id);
		await check();
		expect(fired()).toHaveLength(1);
		for (let n = 0; n < 120; n++) rig.standIn.acts.react(c, `fan${n}`, "heart");
		rig.standIn.acts.react(c, "hub-bot[bot]", "rocket");
		await check();
		expect(fired()).toHaveLength(1);
	});

	test("does not fire when nobody could look", async () => {
		archive(900, 1, 2);
		await check();
		expect(rows()).toContain("healthy-unknown-no-stale");
	});

	test("makes forty calls and no more", async () => {
		const ids = Array.from({ length: 45 }, () => say().id);
		archive(900, ...ids);
		await check();
		expect(calls()).toHaveLength(40);
	});

	test("looks at the newest emits that are young enough", async () => {
		for (const age of [9000, 500, 400, 300, 200, 100]) archive(age, say().id);
		await check();
		expect(calls()).toHaveLength(5);
		expect(rows()).toContain("\t5\t0\t0\thealthy-in-progress\n");
	});

	test("waits four times as long as the limit, where that is more than two hours", async () => {
		await open({ config: { "monitor.functional_sla_seconds": 3000 } });
		archive(12_000, say().id);
		archive(12_001, say().id);
		await check();
		expect(calls()).toHaveLength(1);
	});

	test("that is off asks nobody and writes nothing", async () => {
		await open({ config: { "monitor.functional_sla_seconds": 0 } });
		archive(900, say().id);
		rig.forget();
		await check();
		expect(rig.asked()).toEqual([]);
		expect(rows()).toBe("");
	});
});
