/** What an orchestrator was given, and by no record has read, is named to whoever follows it, by its archived copy; at no cost while nothing changes. */
import { beforeEach, describe, expect, test } from "bun:test";
import {
	type UnreadAsk,
	type UnreadFinder,
	unreadFinder,
	unreadReports,
} from "../../monitor/_delivery/unread-reports.ts";
import {
	renderUnconfirmed,
	type UnconfirmedReport,
} from "../../monitor/_state/unconfirmed-reports.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE } from "./rig.ts";

const DEAD = "0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";
const NEXT = DEAD.replace("0b", "1c");
const ROWS = `${STATE}/unconfirmed-reports.tsv`;
const PROJECTS = "/home/op/.claude/projects";
const transcript = (sid: string) => `${PROJECTS}/-work/${sid}.jsonl`;

/** The n-th report is signed, and archived, n seconds after noon. */
const NOON = 1_767_268_800;
const two = (n: number) => String(n).padStart(2, "0");
const signature = (n: number) =>
	`nexus-emit-sig 2026-01-01T12:${two(Math.floor(n / 60))}:${two(n % 60)}+00:00 ${String(n).padStart(6, "0")}`;
const archive = (n: number) =>
	`${STATE}/diffs/2026-01-01_12-${two(Math.floor(n / 60))}-${two(n % 60)}_0f0f0f.md`;
const body = (n: number) => `=== state ===\n--- ${signature(n)} ---\n`;

let doors: FakeDoors;
let finder: UnreadFinder;
/** What was read, and of which size, since it was emptied. */
let reads: string[];
beforeEach(() => {
	doors = fakeDoors({ proc: { env: { HOME: "/home/op" } } });
	doors.files.seedDir(PROJECTS);
	finder = unreadFinder(doors, STATE);
	reads = [];
	doors.files.faults.before((op, path) => {
		if (op === "read") reads.push(path);
	});
});

const line = (record: unknown) => `${JSON.stringify(record)}\n`;
const prompt = (content: string) =>
	line({ type: "user", promptSource: "typed", message: { content } });
const enqueue = (content: string, at: number) =>
	line({
		type: "queue-operation",
		operation: "enqueue",
		content,
		timestamp: new Date(at * 1000).toISOString(),
	});

function give(n: number, more: Partial<UnconfirmedReport> = {}): void {
	const at = NOON + n;
	const row = { signature: signature(n), at, sessionId: DEAD, ...more };
	const before = doors.files.has(ROWS) ? doors.files.text(ROWS) : "";
	const text = renderUnconfirmed({ hadTranscript: true, ...row });
	doors.files.seed(ROWS, `${before}${text}\n`);
	doors.files.seed(archive(n), body(n));
}
const ASK: UnreadAsk = {
	sessionIds: [DEAD, NEXT],
	givenBefore: NOON + 600,
	livesElsewhere: () => false,
};
/** Numbers of the reports that are unread, or null: could not look. */
function unread(more: Partial<UnreadAsk> = {}): readonly number[] | null {
	const found = finder.find({ ...ASK, ...more });
	return found.kind === "ok"
		? found.unread.map(({ signature }) => Number(signature.slice(-6)))
		: null;
}

describe("a report that the screen showed as taken, and no record proved", () => {
	beforeEach(() => {
		doors.files.seed(transcript(DEAD), prompt("an earlier one"));
		give(1);
	});

	test("is lost with a session that died before it wrote it", () => {
		expect(finder.find(ASK)).toEqual({
			kind: "ok",
			unread: [{ path: archive(1), signature: signature(1) }],
		});
	});

	test("is named in a brief, too, whichever session the pin names", () => {
		for (const ids of [[DEAD], [NEXT], []])
			expect(unreadReports(doors, STATE, ids)).toEqual([
				{ path: archive(1), signature: signature(1) },
			]);
	});

	test.each([
		["lives on", { givenBefore: NOON + 1 }],
		[
			"lives in another window",
			{ livesElsewhere: (id: string) => id === DEAD },
		],
	])("is not lost while the process that took it %s", (_where, ask) => {
		expect(unread(ask)).toEqual([]);
	});

	test.each([
		["its own session, late", DEAD, body(1)],
		["a brief that named it", NEXT, `- /x.md (${signature(1)})`],
	])("is not lost when it stands in %s", (_where, sid, text) => {
		doors.files.append(transcript(sid), prompt(text).trimEnd());
		expect(unread()).toEqual([]);
		// Also where nobody remembers that session but the report itself.
		if (sid === DEAD) expect(unread({ sessionIds: [NEXT] })).toEqual([]);
	});

	test("is lost where its record alone says that it waits behind a turn", () => {
		doors.files.append(transcript(DEAD), enqueue(body(1), NOON + 1).trimEnd());
		expect(unread()).toEqual([1]);
	});

	test("is lost when its session has no transcript at all, or has none any more", () => {
		doors.files.remove(transcript(DEAD));
		expect(unread()).toEqual([1]);
		doors.files.removeTree(PROJECTS);
		expect(unread()).toEqual([1]);
	});

	test("is lost when nobody could name its session, unless one that is known has it", () => {
		give(2, { sessionId: null, hadTranscript: false });
		expect(unread({ livesElsewhere: () => true })).toEqual([2]);
		doors.files.append(transcript(NEXT), prompt(body(2)).trimEnd());
		expect(unread()).toEqual([1]);
	});

	test("is neither told nor forgotten while nobody can look, and known once somebody can", () => {
		for (const [path, op] of [
			[transcript(DEAD), "read"],
			[PROJECTS, "list"],
			[ROWS, "read"],
			[`${STATE}/diffs`, "list"],
		] as const) {
			finder = unreadFinder(doors, STATE);
			doors.files.faults.fail({ path, ops: [op], code: "EACCES" });
			expect(unread()).toBeNull();
			finder.forgetProven(NEXT);
			expect(unreadReports(doors, STATE, [DEAD])).toEqual([]);
			doors.files.faults.heal();
			expect(unread()).toEqual([1]);
		}
		// Without a home nobody knows where transcripts are.
		delete doors.proc.env.HOME;
		expect(unread()).toBeNull();
	});

	test("two, and one that waited behind the turn, are named in the order in which they were given", () => {
		give(5);
		doors.files.seed(archive(3), body(3));
		doors.files.append(transcript(DEAD), enqueue(body(3), NOON + 3).trimEnd());
		expect(unread()).toEqual([1, 3, 5]);
	});

	test("is known to the next watcher", () => {
		expect(unread()).toEqual([1]);
		finder = unreadFinder(doors, STATE);
		expect(unread()).toEqual([1]);
	});

	test("is left out when its archive is gone", () => {
		doors.files.remove(archive(1));
		expect(unread()).toEqual([]);
	});
});

describe("the proof of an unconfirmed report that comes late", () => {
	const left = () =>
		doors.files.has(ROWS) ? doors.files.text(ROWS).match(/\d{6}$/gm) : [];
	beforeEach(() => {
		doors.files.seed(transcript(DEAD), "");
		give(1);
		give(2);
	});

	test("ends its memory, and that of no other", () => {
		finder.forgetProven(NEXT);
		expect(left()).toEqual(["000001", "000002"]);
		doors.files.append(transcript(DEAD), prompt(body(2)).trimEnd());
		finder.forgetProven(NEXT);
		expect(left()).toEqual(["000001"]);
		doors.files.append(transcript(NEXT), prompt(body(1)).trimEnd());
		finder.forgetProven(NEXT);
		expect(left()).toEqual([]);
	});

	test("counts though the transcript has become long since then", () => {
		doors.files.append(transcript(DEAD), prompt(body(1)).trimEnd());
		finder.forgetProven(DEAD);
		const filler = line({ type: "x", text: "y".repeat(1024 * 1024) });
		doors.files.append(transcript(DEAD), filler.repeat(9).trimEnd());
		expect(unread()).toEqual([2]);
	});

	test("costs one small read where there is nothing to prove", () => {
		doors.files.remove(ROWS);
		reads.length = 0;
		finder.forgetProven(NEXT);
		expect(reads).toEqual([ROWS]);
	});
});

describe("looking again for what is lost", () => {
	const archives = () => reads.filter((path) => path.includes("/diffs/"));
	const transcripts = () => reads.filter((path) => path.endsWith(".jsonl"));

	test("reads no archive and no transcript that has not changed, found or not", () => {
		for (let n = 0; n < 400; n++) doors.files.seed(archive(n), body(n));
		const filler = line({ type: "x", text: "y".repeat(1024 * 1024) });
		doors.files.seed(
			transcript(DEAD),
			filler.repeat(9) +
				enqueue(body(350), NOON + 350) +
				enqueue(body(3999), NOON + 351),
		);
		doors.files.seed(transcript(NEXT), prompt("hello"));
		expect(unread()).toEqual([350]);
		// One report has no archive: each of the newest 300 was read for it, once.
		expect(archives()).toHaveLength(300);
		expect(transcripts()).toHaveLength(2);
		reads.length = 0;
		for (let minute = 0; minute < 60; minute++) expect(unread()).toEqual([350]);
		expect([archives(), transcripts()]).toEqual([[], []]);
		doors.files.append(transcript(NEXT), prompt("more").trimEnd());
		doors.files.seed(archive(401), body(401));
		expect(unread()).toEqual([350]);
		expect([archives(), transcripts()]).toEqual([
			[archive(401)],
			[transcript(NEXT)],
		]);
	});

	test("finds nothing that was queued since the process that lives began", () => {
		doors.files.seed(archive(1), body(1));
		doors.files.seed(transcript(NEXT), enqueue(body(1), NOON + 1));
		expect(unread({ givenBefore: NOON + 1 })).toEqual([]);
		expect(unread({ givenBefore: NOON + 2 })).toEqual([1]);
	});

	test("reads of many archives the one that was written when the report was signed", () => {
		for (let n = 0; n < 300; n++) doors.files.seed(archive(n), body(n));
		doors.files.seed(transcript(DEAD), enqueue(body(42), NOON + 42));
		expect(unread()).toEqual([42]);
		expect(archives()).toEqual([archive(42)]);
	});

	test("finds an archive that was written anew under its old name", () => {
		doors.files.seed(archive(1), body(1));
		doors.files.seed(transcript(DEAD), enqueue(body(9), NOON + 9));
		expect(unread()).toEqual([]);
		doors.files.writeAtomic(archive(1), body(9));
		expect(finder.find(ASK)).toMatchObject({ unread: [{ path: archive(1) }] });
	});

	test("tries an archive again that could not be read", () => {
		doors.files.seed(archive(1), body(1));
		doors.files.seed(transcript(DEAD), enqueue(body(1), NOON + 1));
		for (const op of ["read", "stat"] as const) {
			const fault = { path: archive(1), ops: [op], code: "EIO" };
			const heal = doors.files.faults.fail(fault);
			expect(unread()).toEqual([]);
			heal();
		}
		expect(unread()).toEqual([1]);
	});
});
