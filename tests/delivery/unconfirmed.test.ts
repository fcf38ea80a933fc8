/** A report that counts as told though no record proves it is written down, until one does (contract 04 §6.2). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pasteWithRetry } from "../../monitor/_delivery/paste-with-retry.ts";
import { withUnconfirmed } from "../../monitor/_delivery/unconfirmed.ts";
import {
	parseUnconfirmed,
	renderUnconfirmed,
	type UnconfirmedReport,
} from "../../monitor/_state/unconfirmed-reports.ts";
import { SESSION } from "./fake-repl.ts";
import {
	EMIT,
	FILE,
	makeRig,
	type Rig,
	SIGNATURE,
	STATE,
	TARGET,
} from "./rig.ts";

const PATH = `${STATE}/unconfirmed-reports.tsv`;

function paste({ doors, deps }: Rig, text = EMIT, window = TARGET) {
	doors.files.seed(FILE, text);
	return pasteWithRetry(deps, { window, file: FILE, stamp: "stamp" });
}
const written = ({ doors }: Rig) =>
	doors.files.has(PATH) ? doors.files.text(PATH) : null;

describe("what is written down of a report that the screen shows as taken", () => {
	test.each([
		["its session, whose transcript says nothing of it", {}, SESSION, "seen"],
		["that nobody could name its session", { sessionId: null }, "-", "blind"],
	] as const)("%s", async (_what, state, session, sight) => {
		const rig = makeRig();
		rig.repl.set({ records: false, ...state });
		const before = rig.doors.clock.now();
		expect(await paste(rig)).toMatchObject({ rc: 0, confirmed: false });
		expect(written(rig)).toBe(
			`${[before, session, sight, SIGNATURE].join("\t")}\n`,
		);
		expect(rig.doors.clock.now()).toBeGreaterThan(before);
	});

	test("a session that has no transcript yet", async () => {
		const rig = makeRig();
		rig.repl.set({ records: false });
		rig.doors.files.remove(rig.repl.transcript);
		await paste(rig);
		expect(written(rig)).toContain(`\t${SESSION}\tblind\t`);
	});

	test.each([
		["nothing, when a record proves it", { shown: false }, true, null],
		["when its signature came late", { shown: true }, false, SIGNATURE],
	] as const)("%s", async (_what, { shown }, confirmed, signature) => {
		const rig = makeRig();
		rig.repl.set({ records: false, shows: false });
		let captures = 0;
		rig.onStep((step) => {
			if (step !== "capture" || ++captures !== 7) return;
			rig.doors.clock.after(100, () => {
				if (shown) rig.repl.window.pane.history = EMIT.split("\n");
				else
					rig.repl.record({
						type: "user",
						promptSource: "typed",
						message: { content: EMIT },
					});
			});
		});
		const outcome = "arrived late";
		expect(await paste(rig)).toMatchObject({ rc: 0, outcome, confirmed });
		const warned = rig.doors.log.messages("warn").join();
		expect(warned.includes("UNCONFIRMED")).toBe(!confirmed);
		if (signature === null) expect(written(rig)).toBeNull();
		else expect(written(rig)).toContain(signature);
	});

	test("nothing of a report that was confirmed, of one that did not arrive, of an unsigned brief, of a worker's", async () => {
		const confirmed = makeRig();
		await paste(confirmed);
		const failed = makeRig();
		failed.repl.set({ records: false, shows: false });
		expect((await paste(failed)).rc).toBe(4);
		const unsigned = makeRig();
		unsigned.repl.set({ records: false });
		expect((await paste(unsigned, "a brief\nof\nfour\nlines")).rc).toBe(0);
		const worker = makeRig();
		worker.repl.set({ records: false });
		worker.repl.window.name = "w1";
		expect((await paste(worker, EMIT, "w1")).rc).toBe(0);
		for (const rig of [confirmed, failed, unsigned, worker])
			expect(written(rig)).toBeNull();
	});

	test.each([
		["a full disk", "write", "ENOSPC"],
		["a file that cannot be read", "read", "EIO"],
	] as const)(
		"is lost on %s: said so, and nothing is overwritten",
		async (_what, op, code) => {
			const rig = makeRig();
			rig.doors.files.seed(PATH, "1\t-\tseen\tnexus-emit-sig old\n");
			rig.repl.set({ records: false });
			rig.doors.files.faults.fail({ path: PATH, ops: [op], code });
			expect((await paste(rig)).rc).toBe(0);
			expect(rig.doors.log.messages("warn").join()).toContain(
				`${SIGNATURE} is not written down as unconfirmed`,
			);
			expect(written(rig)).toBe("1\t-\tseen\tnexus-emit-sig old\n");
		},
	);
});

describe("of several", () => {
	const A = SESSION;
	const B = SESSION.replace("0b", "1c");
	const report = (
		n: number,
		sessionId: string | null,
		hadTranscript: boolean,
	): UnconfirmedReport => ({
		signature: `nexus-emit-sig ${n}`,
		at: n,
		sessionId,
		hadTranscript,
	});
	const kept = (...reports: readonly UnconfirmedReport[]) =>
		reports
			.reduce<readonly UnconfirmedReport[]>(withUnconfirmed, [])
			.map(({ at }) => at);

	test("all are kept that a transcript may prove, and one that is pasted again counts once", () => {
		expect(kept(report(1, A, true), report(2, A, true))).toEqual([1, 2]);
		const again = { ...report(1, A, true), at: 9 };
		expect(kept(report(1, A, true), report(2, A, true), again)).toEqual([2, 9]);
	});

	test("of those that nothing can prove only a session's last: it has lived on after the others", () => {
		expect(kept(report(1, A, false), report(2, A, false))).toEqual([2]);
		expect(kept(report(1, null, false), report(2, null, false))).toEqual([2]);
		expect(kept(report(1, A, false), report(2, B, false))).toEqual([1, 2]);
		expect(kept(report(1, A, true), report(2, A, false))).toEqual([1, 2]);
		expect(kept(report(1, A, false), report(2, A, true))).toEqual([1, 2]);
	});

	test("the newest twenty", () => {
		const many = Array.from({ length: 25 }, (_, n) => report(n, A, true));
		expect(kept(...many)).toEqual(many.slice(5).map(({ at }) => at));
	});
});

test("a row is read as it was written, and a line that is none is no row", () => {
	fc.assert(
		fc.property(
			fc.nat(),
			fc.boolean(),
			fc.option(fc.uuid()),
			(at, hadTranscript, sessionId) => {
				const row = { at, hadTranscript, sessionId, signature: SIGNATURE };
				expect(parseUnconfirmed(renderUnconfirmed(row))).toEqual(row);
			},
		),
	);
	for (const line of [
		"",
		"x\t-\tseen\tnexus-emit-sig a",
		"1\tno-session\tseen\tnexus-emit-sig a",
		"1\t-\tsometimes\tnexus-emit-sig a",
		"1\t-\tseen\tanother word",
		"1\t-\tseen",
	])
		expect(parseUnconfirmed(line)).toBeNull();
});
