/** A delivery that was cut off: what arrived is not told again, what did not is (contract 01 §4.1). */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Arrival, decidePast } from "../../monitor/_emit/past-delivery.ts";
import type { CommentsView } from "../../monitor/_emit/providers.ts";
import { parsePendingDelivery } from "../../monitor/_state/pending-delivery.ts";
import type { Files } from "../../monitor/_sys/doors.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { type EmitRig, emitRig, ROOT, STATE } from "./emit-rig.ts";

const COMMENT = "issue=1 id=2 author=op\n  body: hi\n";
const REPORT = "w1_2026-05-11_134100_done.md";

/** A comment that was told is remembered on the disk of `doors`. */
function comments(
	{ files }: FakeDoors,
	now: Files,
): { composeGhNow: () => Promise<CommentsView> } {
	const path = join(STATE, "told-comment");
	const learn = () => void now.writeAtomic(path, "told\n");
	return {
		composeGhNow: async () => ({
			text: files.has(path) ? "" : COMMENT,
			commit: learn,
			commitTold: (body) => {
				if (body.includes("issue=1 id=2")) learn();
			},
			release: () => {},
		}),
	};
}

const WRITES = [
	"writeAtomic",
	"append",
	"remove",
	"renameNew",
	"touch",
	"truncate",
	"mkdir",
] as const;

/** The process that uses it is killed at its n-th write: that one and all later ones do not happen. */
function mortal(files: FakeDoors["files"], n: number) {
	let left = Number.POSITIVE_INFINITY;
	const dying = new Proxy(files, {
		get: (target, name) => {
			const value = Reflect.get(target, name);
			if (!WRITES.some((write) => write === name)) return value;
			return (...args: unknown[]) => {
				if (left-- <= 0) throw new Error("killed");
				return Reflect.apply(value as () => unknown, target, args);
			};
		},
	});
	const arm = () => {
		left = n;
	};
	return { dying, arm, died: () => left < 0 };
}

const times = (bodies: readonly string[], words: string) =>
	bodies.filter((body) => body.includes(words)).length;

/** One report with a comment and a local change, by a watcher that dies at its n-th write; null: it lived. */
async function killedAt(n: number): Promise<readonly string[] | null> {
	const doors = fakeDoors({ now: 1_800_000_000, auto: true });
	doors.tmux.window("orchestrator");
	await emitRig({ after: doors }).seed();
	doors.files.seed(join(ROOT, `reports/${REPORT}`), "done\n");
	const { dying, arm, died } = mortal(doors.files, n);
	const mine = { ...doors, files: dying } as FakeDoors;
	const victim = emitRig({ after: mine, further: comments(doors, dying) });
	await victim.snapshot();
	arm();
	await victim.compose().catch(() => {});
	doors.clock.stall(2000);
	const heir = emitRig({
		after: doors,
		further: comments(doors, doors.files),
		transcript: victim.pasted,
	});
	await heir.sweep();
	for (let i = 0; i < 3; i++) {
		await heir.cycle();
		await doors.clock.sleep(60_000);
	}
	expect(doors.files.paths(join(STATE, "pending-delivery"))).toEqual([]);
	const told = [...victim.pasted, ...heir.pasted];
	expect([n, times(told, "issue=1 id=2"), times(told, REPORT)]).toEqual([
		n,
		1,
		1,
	]);
	return died() ? told : null;
}

describe("a watcher that is killed", () => {
	test("between any two of its writes leaves nothing untold and nothing told twice", async () => {
		let n = 0;
		while ((await killedAt(n)) !== null) n++;
		expect(n).toBeGreaterThan(8);
	});
});

test("a report that another task is delivering right now is left to it", async () => {
	const rig = emitRig({ arrival: "no" });
	await rig.seed();
	rig.files.seed(join(ROOT, `reports/${REPORT}`), "done\n");
	const marks: string[][] = [];
	const look = () =>
		marks.push(rig.files.paths(join(STATE, "pending-delivery")));
	let other: Promise<unknown> = Promise.resolve();
	rig.duringPaste(() => {
		rig.duringPaste(() => {});
		other = rig.compose().then(look);
		look();
	});
	await rig.cycle();
	await other;
	expect(marks[0]).toHaveLength(1);
	expect(times(rig.tried, REPORT)).toBeGreaterThan(0);
	expect(
		rig.log.messages().filter((line) => line.includes("was cut off")),
	).toEqual([]);
});

describe("a report that was sent and not confirmed", () => {
	const afterwards = async (rc: 4 | 6, rig: EmitRig) => {
		await rig.seed();
		rig.files.seed(join(ROOT, `reports/${REPORT}`), "done\n");
		rig.ends.push(rc);
		await rig.cycle();
		await rig.clock.sleep(60_000);
		await rig.cycle();
		return times(rig.pasted, REPORT);
	};

	test.each([4, 6] as const)(
		"(rc %d) and arrived late is not told again",
		async (rc) => {
			const doors = fakeDoors({ now: 1_800_000_000, auto: true });
			doors.tmux.window("orchestrator");
			const further = comments(doors, doors.files);
			const rig = emitRig({ after: doors, further, arrival: "yes" });
			await rig.seed();
			rig.ends.push(rc);
			await rig.cycle();
			await doors.clock.sleep(60_000);
			await rig.cycle();
			expect(times(rig.tried, "issue=1 id=2")).toBe(1);
		},
	);

	test.each([4, 6] as const)(
		"(rc %d) and arrived late leaves no local change untold: the next report names what came since",
		async (rc) => {
			const rig = emitRig({ arrival: "yes" });
			await rig.seed();
			rig.files.seed(join(ROOT, `reports/${REPORT}`), "done\n");
			rig.ends.push(rc);
			await rig.cycle();
			await rig.clock.sleep(60_000);
			const later = "z_2026-05-11_9.md";
			rig.files.seed(join(ROOT, `reports/${later}`), "done\n");
			await rig.cycle();
			expect(times(rig.tried, `+${REPORT}`)).toBe(1);
			expect(times(rig.tried, `+${later}`)).toBe(1);
		},
	);

	test.each(["no", "unknown"] as const)(
		"is told again where the answer is %s",
		async (arrival) => {
			const doors = fakeDoors({ now: 1_800_000_000, auto: true });
			doors.tmux.window("orchestrator");
			const further = comments(doors, doors.files);
			const rig = emitRig({ after: doors, further, arrival });
			await afterwards(4, rig);
			expect(times(rig.pasted, "issue=1 id=2")).toBe(1);
			expect(times(rig.tried, "issue=1 id=2")).toBe(2);
		},
	);
});

test("the record outlives a look that was ended from outside: the next run learns from it", async () => {
	const doors = fakeDoors({ now: 1_800_000_000, auto: true });
	doors.tmux.window("orchestrator");
	const further = comments(doors, doors.files);
	const ending = new AbortController();
	const arrival = (): Arrival => {
		if (ending.signal.aborted) return "yes";
		ending.abort();
		return "unknown";
	};
	const rig = emitRig({ after: doors, further, arrival });
	await rig.seed();
	rig.ends.push(4);
	await rig.cycle();
	await rig.compose({ signal: ending.signal });
	expect(doors.files.paths(join(STATE, "pending-delivery"))).toHaveLength(1);
	await rig.cycle();
	expect(times(rig.tried, "issue=1 id=2")).toBe(1);
});

test("the record outlives a run that is ended while it learns from it", async () => {
	const ending = new AbortController();
	let looks = 0;
	const composeGhNow = async (): Promise<CommentsView> => {
		if (++looks === 2) ending.abort();
		const none = () => {};
		return { text: COMMENT, commit: none, commitTold: none, release: none };
	};
	const rig = emitRig({ arrival: "yes", further: { composeGhNow } });
	await rig.seed();
	looks = 0;
	rig.ends.push(4);
	await rig.cycle();
	await rig.compose({ signal: ending.signal });
	expect(rig.files.paths(join(STATE, "pending-delivery"))).toHaveLength(1);
});

test("the record of a report that another task sends again meanwhile is left to that task", async () => {
	let sender: number | null = null;
	const arrival = (): Arrival => {
		sender = rig.ctx.startedAt;
		const [path = ""] = rig.files.paths(join(STATE, "pending-delivery"));
		const record = JSON.parse(rig.files.text(path) ?? "");
		rig.files.seed(path, `${JSON.stringify({ ...record, sender })}\n`);
		return "no";
	};
	// From then on this task itself sends nothing.
	const hold = () => ({ paused: () => sender !== null, record: () => {} });
	const rig = emitRig({ arrival, further: { hold } });
	await rig.seed();
	rig.files.seed(join(ROOT, `reports/${REPORT}`), "done\n");
	rig.ends.push(4);
	await rig.cycle();
	await rig.cycle();
	expect(sender).not.toBeNull();
	expect(rig.files.paths(join(STATE, "pending-delivery"))).toHaveLength(1);
});

test.each([
	["yes", 10, "learn"],
	["no", 10, "drop"],
	["unknown", 10, "drop"],
	["open", 10, "keep"],
	["open", null, "drop"],
	["yes", null, "learn"],
] as const)("arrived %s, %p s ago: %s", (arrival, age, ruling) => {
	expect(decidePast(arrival, age)).toBe(ruling);
});

test.each([
	"",
	"{",
	"[]",
	'{"archive":"a","body":1}',
	'{"archive":"a","body":"b","at":1}',
])("a damaged record (%j) proves nothing", (text) =>
	expect(parsePendingDelivery(text)).toBeNull(),
);
