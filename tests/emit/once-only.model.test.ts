/**
 * Over random nights: no once-only row is lost, none is repeated without cause, and no local change
 * hides behind another or is forgotten because its report did not arrive (contract 01 §4.1, §11.6). The pipeline runs on fake doors beside a model of
 * a few lines that knows only what was staged, what was delivered, and when.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { decisionsIn } from "../../monitor/_emit/decisions-section.ts";
import type { PasteRc } from "../../monitor/_emit/ladder.ts";
import {
	effectiveCooldown,
	requestsIn,
} from "../../monitor/_emit/requests-section.ts";
import { sectionLines } from "../../monitor/_emit/sections.ts";
import { emitRig, ROOT, STATE } from "./emit-rig.ts";

type Step =
	| { readonly do: "ask" | "answer" | "request" | "ack"; readonly n: number }
	| { readonly do: "report" }
	| { readonly do: "wait"; readonly seconds: number }
	| { readonly do: "poll" | "snapshot" }
	| { readonly do: "compose"; readonly rc: PasteRc }
	| { readonly do: "restart" };

const n = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ do: fc.constantFrom("ask", "answer", "request", "ack"), n }),
	fc.record({ do: fc.constant("report") }),
	fc.record({
		do: fc.constant("wait"),
		seconds: fc.constantFrom(10, 60, 301, 700, 90_000),
	}),
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constantFrom("poll", "snapshot") }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant("compose"),
			rc: fc.constantFrom<PasteRc[]>(0, 0, 0, 2, 3, 4, 6, 7),
		}),
	},
	fc.record({ do: fc.constant("restart") }),
);

const FP = ["f5a582351dfd", "0894179b4af2", "aaaaaaaaaaaa"];
const ID = [
	"20260511T200001Z-a-x",
	"20260511T200002Z-b-x",
	"20260511T200003Z-a-y",
];

interface Learned {
	at: number;
	count: number;
}

/** What the watcher should know: open questions and requests, what is staged of them, what it learned. */
function nightOf() {
	const open = new Set<string>();
	const learned = new Map<string, Learned>();
	let staged: string[] = [];
	const isDue = (key: string, now: number): boolean => {
		const last = learned.get(key);
		if (last === undefined) return true;
		const count = key.startsWith("request") ? last.count : 1;
		return now - last.at >= effectiveCooldown(300, count, 3600);
	};
	return {
		open,
		staged: () => staged,
		poll: (now: number) => {
			for (const key of [...learned.keys()])
				if (!open.has(key)) learned.delete(key);
			staged = [...open].filter((key) => isDue(key, now)).sort();
		},
		learn: (now: number) => {
			for (const key of staged) {
				const count = (learned.get(key)?.count ?? 0) + 1;
				learned.set(key, { at: now, count });
			}
			staged = [];
		},
		unstage: () => {
			staged = [];
		},
	};
}

const rowsIn = (body: string): string[] =>
	[
		...decisionsIn(body).map((d) => `decision ${d.fingerprint}`),
		...requestsIn(body).map((id) => `request ${id}`),
	].sort();

async function live(steps: readonly Step[]): Promise<void> {
	// No night is long enough for a request to be given up.
	const config = { "monitor.requests.max_age_seconds": 1e9 };
	let rig = emitRig({ config });
	await rig.seed();
	const night = nightOf();
	/** Reports that exist, that the last snapshot of this process shows, and that were told. */
	const written: string[] = [];
	let seen: string[] = [];
	let hasSnapshot = true;
	const arrived: string[] = [];

	for (const s of steps) {
		switch (s.do) {
			case "ask":
				rig.files.remove(
					join(STATE, `decisions/orchestrator.${FP[s.n]}.handled.json`),
				);
				rig.decide("orchestrator", FP[s.n] ?? "");
				night.open.add(`decision ${FP[s.n]}`);
				break;
			case "answer":
				rig.files.seed(
					join(STATE, `decisions/orchestrator.${FP[s.n]}.handled.json`),
					"",
				);
				night.open.delete(`decision ${FP[s.n]}`);
				break;
			case "request":
				rig.request(ID[s.n] ?? "", { state: "claimed" });
				night.open.add(`request ${ID[s.n]}`);
				break;
			case "ack":
				rig.files.remove(join(STATE, `requests/${ID[s.n]}.claimed.md`));
				night.open.delete(`request ${ID[s.n]}`);
				break;
			case "report":
				written.push(`r${written.length}.md`);
				rig.files.seed(join(ROOT, "reports", written.at(-1) ?? ""), "");
				break;
			case "wait":
				rig.clock.stall(s.seconds * 1000);
				break;
			case "snapshot":
				await rig.snapshot();
				seen = [...written];
				hasSnapshot = true;
				break;
			case "poll":
				await rig.decisions();
				await rig.requests();
				night.poll(rig.clock.now());
				break;
			case "restart":
				rig.clock.stall(1000);
				rig = emitRig({ config, after: rig.doors });
				night.unstage();
				hasSnapshot = false;
				break;
			case "compose": {
				rig.log.clear();
				rig.ends.splice(0, rig.ends.length, s.rc);
				await rig.compose();
				const emit = rig.log
					.messages()
					.find((m) => m.startsWith("emit archive="));
				const news = hasSnapshot
					? seen.filter((r) => !arrived.includes(r))
					: [];
				const rows = hasSnapshot ? night.staged() : [];
				expect(emit !== undefined).toBe(news.length + rows.length > 0);
				if (emit === undefined) break;
				const body = rig.state("last-change.txt") ?? "";
				expect(rowsIn(body)).toEqual(rows);
				const told = sectionLines(body, "localDiff").flatMap(
					(line) => /^\+(r\d+\.md)$/.exec(line)?.[1] ?? [],
				);
				expect(told).toEqual([...news].sort());
				const suppressed = rig.log
					.messages()
					.some((m) => m.startsWith("emit suppressed"));
				if (suppressed)
					expect(rowsIn(body).some((r) => r.startsWith("request"))).toBe(false);
				if (suppressed || s.rc === 0) {
					night.learn(rig.clock.now());
					arrived.push(...told);
				}
				break;
			}
		}
	}
	// Whatever happened: once the orchestrator listens again, everything open that is due is told.
	rig.clock.stall(90_000_000);
	rig.ends.splice(0);
	rig.pasted.splice(0);
	await rig.cycle();
	night.poll(rig.clock.now());
	expect(rowsIn(rig.pasted[0] ?? "")).toEqual(night.staged());
}

test("what is open is told until it was delivered, and then not again before its time", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
			live,
		),
		{ numRuns: 150 },
	);
}, 60_000);
