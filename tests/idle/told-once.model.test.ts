/**
 * Over random nights of a fleet: every idle worker is told until a report of it was delivered, and then not again while
 * it stays what it is. The probe and the emit cycle run on fake doors and real screens, beside a model that knows only
 * what stood at each sweep and what was delivered.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { PasteRc } from "../../monitor/_emit/ladder.ts";
import { sectionLines } from "../../monitor/_emit/sections.ts";
import { idleRig, type Screen } from "./idle-rig.ts";

const NAMES = ["a", "b", "c"] as const;
type Name = (typeof NAMES)[number];
const SHOWN: readonly Screen[] = ["idle", "busy", "limit"];

type Step =
	| { readonly do: "open" | "close" | "die"; readonly window: Name }
	| { readonly do: "show"; readonly window: Name; readonly screen: Screen }
	| { readonly do: "wrap"; readonly window: Name }
	| { readonly do: "wait"; readonly seconds: number }
	| { readonly do: "sweep" }
	| { readonly do: "compose"; readonly rc: PasteRc }
	| { readonly do: "restart" };

const window = fc.constantFrom(...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ do: fc.constantFrom("open", "close", "die"), window }),
	fc.record({
		do: fc.constant("show"),
		window,
		screen: fc.constantFrom(...SHOWN),
	}),
	fc.record({ do: fc.constant("wrap"), window }),
	fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(10, 61, 300) }),
	{ weight: 4, arbitrary: fc.record({ do: fc.constant("sweep") }) },
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant("compose"),
			rc: fc.constantFrom<PasteRc[]>(0, 0, 0, 3, 4, 7),
		}),
	},
	fc.record({ do: fc.constant("restart") }),
);

/** What a sweep must say of a worker, from outside. */
interface Worker {
	screen: Screen;
	dead: boolean;
	/** When the probe last saw it engaged, or first saw it at all. */
	engagedAt: number | null;
	wrappedAt: number | null;
}

function classOf(w: Worker, now: number): string | null {
	if (w.dead) return age(w, now) >= 60 ? "pane-absent" : null;
	if (w.screen === "limit") return "over-limit";
	if (w.screen === "busy" || age(w, now) < 60) return null;
	return w.wrappedAt === null ? "no-wrap-up" : "wrapped";
}
function age(w: Worker, now: number): number {
	return now - (w.engagedAt ?? now);
}

/** `<window> <class>` of the rows of a report. */
function rowsIn(body: string): string[] {
	return sectionLines(body, "idle")
		.flatMap((line) => {
			const [, name, said] = /^ {2}- (\S+) (.*)$/.exec(line) ?? [];
			return name === undefined || said === undefined
				? []
				: [`${name} ${classSaid(said)}`];
		})
		.sort();
}
function classSaid(text: string): string {
	if (text.startsWith("wrapped up")) return "wrapped";
	if (text.startsWith("pane-absent")) return "pane-absent";
	return text.startsWith("OVER-LIMIT") ? "over-limit" : "no-wrap-up";
}

async function live(steps: readonly Step[]): Promise<void> {
	// Without the clock's own reports: every report here is of a change.
	const config = {
		"monitor.full_state_emit_interval_seconds": 0,
		"monitor.idle_pool_spawn_grace_seconds": 0,
	};
	let rig = idleRig({ config });
	await rig.seed();
	const fleet = new Map<Name, Worker>();
	/** Rows that were delivered and stood at every sweep since. */
	let told = new Set<string>();
	let staged: string[] = [];

	const sweep = async () => {
		await rig.idle();
		const now = rig.clock.now();
		for (const w of fleet.values()) {
			const works = w.screen === "busy" && !w.dead;
			w.engagedAt = works ? now : (w.engagedAt ?? now);
		}
		const standing = [...fleet].flatMap(([name, w]) => {
			const cls = classOf(w, now);
			return cls === null ? [] : [`${name} ${cls}`];
		});
		told = new Set([...told].filter((row) => standing.includes(row)));
		staged = standing.filter((row) => !told.has(row)).sort();
	};
	const compose = async (rc: PasteRc) => {
		rig.ends.splice(0, rig.ends.length, rc, rc);
		rig.tried.splice(0);
		rig.log.clear();
		await rig.snapshot();
		await rig.compose();
		const open = staged.filter((row) => fleet.has(row.split(" ")[0] as Name));
		const [body] = rig.tried;
		const duplicate = rig.log
			.messages()
			.some((m) => m.startsWith("emit suppressed"));
		if (body !== undefined) expect(rowsIn(body)).toEqual(open);
		else if (!duplicate) expect(open).toEqual([]);
		if (rc !== 0 && !duplicate) return;
		for (const row of open) told.add(row);
		if (open.length > 0) staged = [];
	};

	for (const s of steps) {
		switch (s.do) {
			case "open":
				if (fleet.has(s.window)) break;
				rig.worker(s.window, "idle");
				fleet.set(s.window, {
					screen: "idle",
					dead: false,
					engagedAt: null,
					wrappedAt: null,
				});
				// A window of an old name is a new life.
				rig.clock.stall(1000);
				rig.logged(["spawn", 0, { window: s.window }]);
				break;
			case "close":
				if (!fleet.delete(s.window)) break;
				rig.close(s.window);
				// The probe sees it gone before the name can come back.
				await sweep();
				break;
			case "die": {
				const w = fleet.get(s.window);
				if (w === undefined) break;
				w.dead = true;
				rig.dies(s.window);
				break;
			}
			case "show": {
				const w = fleet.get(s.window);
				if (w === undefined) break;
				w.screen = s.screen;
				rig.show(s.window, s.screen);
				break;
			}
			case "wrap": {
				const w = fleet.get(s.window);
				if (w === undefined) break;
				w.wrappedAt = rig.clock.now();
				rig.logged(["wrap-up", 0, { window: s.window, report: "none.md" }]);
				break;
			}
			case "wait":
				rig.clock.stall(s.seconds * 1000);
				break;
			case "sweep":
				await sweep();
				break;
			case "compose":
				await compose(s.rc);
				break;
			case "restart":
				rig.clock.stall(1000);
				rig = idleRig({ config, after: rig.doors });
				staged = [];
				await rig.snapshot();
				break;
		}
	}
	// Whatever happened: once the orchestrator listens again, everything that stands is told, and then nothing is.
	rig.clock.stall(3600 * 1000);
	await sweep();
	await compose(0);
	await sweep();
	expect(staged).toEqual([]);
	expect(rig.staged("idle_section")).toBe("");
}

test("an idle worker is told until it was delivered, and then not again while it stays so", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
			live,
		),
		{ numRuns: 120 },
	);
}, 60_000);
