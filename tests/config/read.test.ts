import { describe, expect, test } from "bun:test";
import { cacheKey } from "../../config/cache.ts";
import { loadConfig } from "../../config/read.ts";
import { warningLine } from "../../config/report.ts";
import { configCachePath } from "../../monitor/_state/config-cache.ts";
import { OWN, type Rig, ROOT, rig, UID } from "./rig.ts";

const GOOD = "monitor: {interval_seconds: 45}\n";
const STATE = `${ROOT}/monitor/.state`;
const CACHE = configCachePath(STATE);

describe("who may write the file decides who drives the fleet", () => {
	test.each([
		[0o600, 0],
		[0o400, 0],
		[0o644, 1],
		[0o640, 1],
		[0o604, 1],
	])("mode %o loads with %d warning", async (mode, count) => {
		const loaded = await loadConfig(rig(GOOD, { mode }).from);
		expect(loaded.kind).toBe("ok");
		const shown = mode.toString(8).padStart(4, "0");
		expect(loaded.warnings.map((w) => warningLine(OWN, w))).toEqual(
			count === 0 ? [] : [`config: ${OWN}: mode ${shown}, expected 0600`],
		);
	});

	test.each([
		[0o620, "mode 0620: its group may write it"],
		[0o602, "mode 0602: anybody may write it"],
		[0o666, "mode 0666: its group may write it"],
	])("mode %o is refused", async (mode, message) => {
		const answer = await rig(GOOD, { mode }).load(["monitor.interval_seconds"]);
		expect(answer.code).toBe(3);
		expect(answer.err[0]).toBe(`config: ${OWN}: ${message}`);
	});

	test("another user's file is refused, root's is not", async () => {
		const strange = await loadConfig(rig(GOOD, { uid: 1001 }).from);
		expect(strange.kind).toBe("bad");
		const roots = await loadConfig(rig(GOOD, { uid: 0 }).from);
		expect(roots.kind).toBe("ok");
	});

	test("the template's mode is nobody's business", async () => {
		const r = rig(null, { bare: true });
		r.files.seed(`${ROOT}/config/nexus.example.yml`, GOOD, { mode: 0o666 });
		expect((await loadConfig(r.from)).kind).toBe("ok");
	});
});

describe("a file caught in a rewrite is read once more after 100 ms", () => {
	const rewriteAfter = async (r: Rig, ms: number, text: string) => {
		r.clock.after(ms, () => r.files.seed(OWN, text, { mode: 0o600 }));
		return r.clock.run(loadConfig(r.from));
	};

	test("an empty one", async () => {
		const loaded = await rewriteAfter(rig(""), 50, GOOD);
		expect(loaded).toMatchObject({
			kind: "ok",
			tree: { monitor: { interval_seconds: 45 } },
		});
	});

	test("a young one that does not parse", async () => {
		const r = rig(null);
		r.files.seed(OWN, "monitor: {", { mode: 0o600 });
		expect((await rewriteAfter(r, 50, GOOD)).kind).toBe("ok");
	});

	test("one that vanished between the look and the read", async () => {
		const r = rig(GOOD);
		const stop = r.files.faults.before((op, path) => {
			if (op !== "read" || path !== OWN) return;
			stop();
			r.files.remove(OWN);
		});
		expect((await rewriteAfter(r, 50, GOOD)).kind).toBe("ok");
	});

	test("but not a third time", async () => {
		const loaded = await rewriteAfter(rig(""), 150, GOOD);
		expect(loaded).toMatchObject({ kind: "ok", tree: {} });
	});

	test("and an old one that does not parse is bad at once", async () => {
		const r = rig("monitor: {");
		const before = r.clock.nowMs();
		expect((await loadConfig(r.from)).kind).toBe("bad");
		expect(r.clock.nowMs()).toBe(before);
	});
});

describe("the cached tree", () => {
	const cached = (r: Rig) => loadConfig({ ...r.from, cachePath: CACHE });
	const withState = (text: string) => {
		const r = rig(text);
		r.files.seedDir(STATE);
		return r;
	};

	test("is written for a good file, private to its owner, and then used", async () => {
		const r = withState(
			"monitor: {interval_seconds: 45, mentions_enabled: on}\n",
		);
		const first = await cached(r);
		expect(first).toMatchObject({ kind: "ok", places: expect.anything() });
		const stat = r.files.stat(CACHE);
		expect(stat).toMatchObject({ kind: "ok", stat: { mode: 0o600 } });
		const second = await cached(r);
		if (first.kind !== "ok" || second.kind !== "ok") throw new Error();
		expect(second).toEqual({ ...first, places: null });
		expect(second.warnings).toHaveLength(1);
	});

	test.each([
		[
			"the text changed",
			(r: Rig) =>
				r.files.seed(OWN, "monitor: {interval_seconds: 46}\n", {
					mode: 0o600,
					mtime: 1000,
				}),
		],
		[
			"the file is another",
			(r: Rig) => r.files.seed(OWN, GOOD, { mode: 0o600, mtime: 1001 }),
		],
		[
			"the cache is torn",
			(r: Rig) => r.files.seed(CACHE, '{"key":"', { mode: 0o600 }),
		],
		[
			"the cache is of another shape",
			(r: Rig) => r.files.seed(CACHE, "[]", { mode: 0o600 }),
		],
		[
			"others may write the cache",
			(r: Rig) => r.files.seed(CACHE, r.files.text(CACHE), { mode: 0o666 }),
		],
		[
			"the cache is another user's",
			(r: Rig) =>
				r.files.seed(CACHE, r.files.text(CACHE), { mode: 0o600, uid: 7 }),
		],
	])("is a miss when %s", async (_, change) => {
		const r = withState(GOOD);
		await cached(r);
		change(r);
		const loaded = await cached(r);
		expect(loaded).toMatchObject({ kind: "ok", places: expect.anything() });
	});

	test("is never written for a file with a bad value", async () => {
		const r = withState("monitor: {interval_seconds: fast}\n");
		expect((await cached(r)).kind).toBe("bad");
		expect(r.files.has(CACHE)).toBe(false);
	});

	test("does not excuse a file that others may write", async () => {
		const r = withState(GOOD);
		await cached(r);
		r.files.seed(OWN, GOOD, { mode: 0o666, mtime: 1000 });
		expect((await cached(r)).kind).toBe("bad");
	});

	test("costs nothing where there is no state directory", async () => {
		expect((await cached(rig(GOOD))).kind).toBe("ok");
	});

	test("is keyed by path, device, inode, size, mtime, text and schema", () => {
		const stat = {
			kind: "file",
			size: 3,
			mtimeMs: 5.5,
			mode: 0o600,
			uid: UID,
			ino: 7,
			dev: 9,
		} as const;
		const key: unknown = JSON.parse(cacheKey("/n.yml", stat, "ab"));
		expect(key).toEqual({
			path: "/n.yml",
			dev: 9,
			ino: 7,
			size: 3,
			mtime_ns: 5500000,
			sha256: "ab",
			schema: expect.stringMatching(/^[0-9a-f]{12}$/),
		});
	});
});
