import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseHeld } from "../../monitor/_state/over-limit-held.ts";
import { parseLimitRow } from "../../monitor/_state/over-limit-state.ts";
import {
	pasteDigest,
	prunePasteVerdicts,
} from "../../monitor/_state/paste-verdicts.ts";
import {
	readLimitReset,
	readPendingHeadsup,
	writeLimitReset,
	writePendingHeadsup,
} from "../../monitor/_state/ratelimit-episode.ts";
import {
	raiseResetEvent,
	takeResetEvent,
} from "../../monitor/_state/ratelimit-reset-event.ts";
import { pruneUnstick, readEpisode } from "../../monitor/_state/unstick.ts";
import { renderUnstickNote } from "../../monitor/_state/unstick-log.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { dialogRows, fakeClaude, RULE } from "./fake-claude.ts";
import { STATE, unstickRig } from "./rig.ts";

const { files, clock } = fakeDoors();
const UNSTICK = `${STATE}/unstick`;

describe("files of a limit's episode", () => {
	test.each([
		[{ at: 5, source: "guess" }, "5\n"],
		[{ at: 5, source: "probe" }, "5\tprobe\n"],
		[{ at: 5, source: "shown" }, "5\tshown\n"],
		[{ at: 5, source: "event" }, "5\tevent\n"],
	] as const)("%j is %j", (reset, text) => {
		writeLimitReset(files, STATE, reset);
		expect(files.text(`${UNSTICK}/ratelimit.reset.epoch`)).toBe(text);
		expect(readLimitReset(files, STATE)).toEqual(reset);
	});

	test.each([
		["soon\n", { at: null, source: "guess" }],
		["", { at: null, source: "guess" }],
		["7\tstars\n", { at: 7, source: "guess" }],
	] as const)("%j reads as %j", (text, reset) => {
		files.seed(`${UNSTICK}/ratelimit.reset.epoch`, text);
		expect(readLimitReset(files, STATE)).toEqual(reset);
	});

	test("a pending word comes back as it was", () => {
		for (const windows of [[], ["w1"], ["w1", "w-2.x"]]) {
			const pending = { at: 9, woken: windows.length, windows };
			writePendingHeadsup(files, STATE, pending);
			expect(readPendingHeadsup(files, STATE)).toEqual(pending);
		}
	});

	test("of two events the first is told, once", () => {
		raiseResetEvent(files, STATE, 1, "first\tof\nthem");
		raiseResetEvent(files, STATE, 2, "second");
		expect(takeResetEvent(files, STATE)).toBe("first_of_them");
		expect(takeResetEvent(files, STATE)).toBeNull();
	});
});

describe("what is old goes", () => {
	test("captures of dialogs, and not what an episode still needs", () => {
		const { files, clock } = fakeDoors();
		const old = clock.now() - 1000;
		for (const name of [
			"w1.permission.abc.audit",
			"ratelimit.reset.epoch",
			"credential.sig",
		])
			files.seed(`${UNSTICK}/${name}`, "x", { mtime: old - 1 });
		files.seed(`${UNSTICK}/w2.permission.fp`, "x", { mtime: old + 1 });
		pruneUnstick(files, STATE, old);
		const left = files.list(UNSTICK);
		expect(left.kind === "ok" && left.names).toEqual([
			"credential.sig",
			"ratelimit.reset.epoch",
			"w2.permission.fp",
		]);
	});

	test("verdicts of follow-ups", () => {
		const dir = `${STATE}/paste-verdicts`;
		files.seed(`${dir}/w1.1`, "rc=0\n", { mtime: clock.now() - 10 });
		files.seed(`${dir}/w1.2`, "rc=0\n", { mtime: clock.now() });
		prunePasteVerdicts(files, STATE, clock.now() - 5);
		expect(files.paths(dir)).toEqual([`${dir}/w1.2`]);
	});
});

test("a digest is of the text as a transcript has it", () => {
	expect(pasteDigest("a\tb")).toBe(pasteDigest("a    b"));
	expect(pasteDigest("a")).not.toBe(pasteDigest("b"));
});

test("a line of the log is one line of words, whatever a name holds", () => {
	const note = {
		window: "a b\nc",
		case: "A",
		action: "x",
		fields: { k: "v w" },
	};
	expect(renderUnstickNote("T", note)).toBe(
		"[T] window=a_b_c case=A action=x k=v_w\n",
	);
});

test("no text makes a reader throw", () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			parseHeld(text);
			parseLimitRow(text);
			files.seed(`${UNSTICK}/w.permission.fp`, text);
			files.seed(`${UNSTICK}/w.permission.tries`, text);
			const place = {
				stateDir: STATE,
				window: "w",
				dialog: "permission",
			} as const;
			expect(readEpisode(files, place).tries).toBeGreaterThanOrEqual(0);
		}),
	);
});

test("whatever is quoted above a live input box, no key is sent and nothing is decided", async () => {
	const piece = fc.constantFrom(
		dialogRows({ kind: "permission", command: "npm publish" }),
		dialogRows({ kind: "permission", command: "ls", selected: 1 }),
		dialogRows({ kind: "rate-limit" }),
		dialogRows({ kind: "question" }),
		dialogRows({
			kind: "start",
			rows: [" trust this folder", " /root"],
			options: ["No", "Yes, I trust this folder"],
			selected: 1,
		}),
		[RULE],
		["● prose", "", "❯ a message"],
		["  ⎿  Esc to cancel"],
	);
	const transcripts = fc
		.array(piece, { maxLength: 4 })
		.map((pieces) => pieces.flat());
	await fc.assert(
		fc.asyncProperty(
			transcripts,
			fc.boolean(),
			async (transcript, isTarget) => {
				const rig = unstickRig();
				const claude = fakeClaude(rig.doors, isTarget ? "orchestrator" : "w1");
				claude.set({ transcript });
				await rig.pass();
				await rig.pass();
				expect(claude.keys).toEqual([]);
				expect(rig.names("decisions")).toEqual([]);
			},
		),
		{ numRuns: 60 },
	);
});
