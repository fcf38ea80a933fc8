import { expect, test } from "bun:test";
import { sha256Hex } from "../../config/cache.ts";
import {
	type GlanceSays,
	type GlanceState,
	glance,
	startGlance,
} from "../../config/glance.ts";
import { OWN, ROOT, rig } from "./rig.ts";

const GOOD = "monitor: {interval_seconds: 45}\n";
const BETTER = "monitor: {interval_seconds: 46}\n";
const BAD = "monitor: {interval_seconds: fast}\n";
const short = (text: string) => sha256Hex(text).slice(0, 12);
const IGNORED: GlanceSays = {
	lines: [
		`config: ${OWN}:1:29: monitor.interval_seconds: expected an integer >= 1, got "fast"`,
		`config: edit ignored, still running on ${short(GOOD)}`,
	],
	alarm: true,
};

/** A watcher that runs on `GOOD`; each call edits the file (or not) and glances. */
function watching() {
	const r = rig(GOOD);
	let state = startGlance({ path: OWN, sha256: sha256Hex(GOOD) });
	let mtime = 2000;
	return {
		...r,
		look: async (edit?: string, mode = 0o600) => {
			if (edit !== undefined) r.files.seed(OWN, edit, { mode, mtime: mtime++ });
			const seen = await r.clock.run(glance(r.from, state));
			state = seen.state;
			return seen.says;
		},
	};
}

test("an untouched file, or one that was only touched, is nothing to speak of", async () => {
	const w = watching();
	expect(await w.look()).toBeNull();
	expect(await w.look()).toBeNull();
	expect(await w.look(GOOD)).toBeNull();
});

test("a bad edit is told once, however long it stays", async () => {
	const w = watching();
	expect(await w.look(BAD)).toEqual(IGNORED);
	expect(await w.look()).toBeNull();
	expect(await w.look(BAD)).toBeNull();
	expect(await w.look(GOOD)).toBeNull();
	expect(await w.look(BAD)).toBeNull();
});

test("a good edit is told once: a restart applies it", async () => {
	const w = watching();
	expect(await w.look(BETTER)).toEqual({
		lines: [
			`config: ${OWN} changed (${short(BETTER)}): monitor/svc.ts restart watcher applies it`,
		],
		alarm: false,
	});
	expect(await w.look(BETTER)).toBeNull();
	expect(await w.look(BAD)).toEqual(IGNORED);
});

test("an edit between the load and the first glance is seen", async () => {
	const w = watching();
	w.files.seed(OWN, BAD, { mode: 0o600, mtime: 1000 });
	expect(await w.look()).toEqual(IGNORED);
});

test("a file that others may now write raises the alarm though its text stayed", async () => {
	const says = await watching().look(GOOD, 0o622);
	expect(says?.alarm).toBe(true);
	expect(says?.lines[0]).toBe(
		`config: ${OWN}: mode 0622: its group may write it`,
	);
});

test("a file that is gone leaves the template, which is another configuration", async () => {
	const w = watching();
	await w.look();
	w.files.remove(OWN);
	const says = await w.look();
	expect(says?.lines[0]).toContain("nexus.example.yml changed");
	w.files.remove(`${ROOT}/config/nexus.example.yml`);
	const none = await w.look();
	expect(none?.alarm).toBe(true);
	expect(none?.lines[0]).toStartWith("config: no config found; tried: ");
});

test("a watcher that started without a file is not told that there is none", async () => {
	const r = rig(null, { bare: true });
	const look = (state: GlanceState) => r.clock.run(glance(r.from, state));
	const first = await look(startGlance({ path: OWN, sha256: "" }));
	expect(first.says).toBeNull();
	r.files.seed(OWN, GOOD, { mode: 0o600 });
	const then = await look(first.state);
	expect(then.says?.lines[0]).toStartWith(`config: ${OWN} changed `);
});

test("a stalled disk is no edit", async () => {
	const w = watching();
	w.files.slow(`${ROOT}/config`, 60_000);
	expect(await w.look(BAD)).toBeNull();
	w.files.slow(`${ROOT}/config`, 0);
	expect(await w.look()).toEqual(IGNORED);
});
