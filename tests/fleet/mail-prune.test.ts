/** Old mail of a fleet that is kept here: nothing but this removes it. */
import { beforeEach, describe, expect, test } from "bun:test";
import { pruneMail } from "../../monitor/_state/fleet/mail-prune.ts";
import {
	idTimeMs,
	sortableId,
} from "../../monitor/_state/fleet/sortable-id.ts";
import { fleetMonitorsTask } from "../../monitor/watcher/_fleet_monitors.ts";
import { watcherContext } from "../watcher/watcher-rig.ts";
import { value } from "./conformance.ts";
import { type LocalRig, localRig, REPO, T } from "./local-rig.ts";

const DAY = 86_400_000;
let rig: LocalRig;
beforeEach(() => {
	rig = localRig();
});

const send = async (to: string) =>
	value(await rig.open("a").send(to, "x")).messageId;
const read = async (who: string) => value(await rig.open(who).inbox());
const later = (days: number) => rig.doors.clock.advance(days * DAY);
const prune = () => pruneMail(rig.doors.files, T, rig.doors.clock.nowMs());
/** Every file of a message: itself, its place in a box, the note of its sender. */
const files = (id: string) =>
	rig.doors.files
		.paths(T)
		.filter((path) => path.includes(id))
		.map((path) => path.slice(T.length + 1).replace(id, "<id>"))
		.sort();

describe("a message", () => {
	const ALL = ["inbox/user:ana/cur/<id>", "messages/<id>.json", "sent/a/<id>"];
	const UNREAD = ALL.map((path) => path.replace("/cur/", "/new/"));
	test.each([
		["that was read goes a week after that", 0, 7.1, []],
		["stays for the week", 0, 6.9, ALL],
		["that was read late counts from then", 20, 6.9, ALL],
		["that nobody read stays", null, 29.9, UNREAD],
		["that nobody read for a month goes", null, 30.1, []],
	] as const)("%s", async (_name, readAfter, days, left) => {
		const id = await send("user:ana");
		if (readAfter !== null) {
			await later(readAfter);
			await read("user:ana");
		}
		await later(days);
		prune();
		expect(files(id)).toEqual([...left]);
	});

	test("stays as long as one box names it", async () => {
		const id = await send("user:ana");
		rig.doors.files.mkdir(`${T}/inbox/user:bo/new`);
		rig.doors.files.seed(`${T}/inbox/user:bo/new/${id}`, "");
		await read("user:ana");
		await later(8);
		prune();
		expect(files(id)).toEqual([
			"inbox/user:bo/new/<id>",
			"messages/<id>.json",
			"sent/a/<id>",
		]);
	});

	test.each(["inbox", "inbox/user:ana/cur"])(
		"stays while %s cannot be listed: it may be named there",
		async (dir) => {
			const id = await send("user:ana");
			await read("user:ana");
			await later(8);
			const before = files(id);
			rig.doors.files.faults.fail({
				path: `${T}/${dir}`,
				ops: ["list"],
				code: "EIO",
			});
			prune();
			expect(files(id)).toEqual(before);
		},
	);

	test("that is on its way is not taken for one that nobody has", async () => {
		const id = sortableId("msg", rig.doors.clock, rig.doors.random);
		rig.doors.files.seed(`${T}/messages/${id}.json`, "{}");
		prune();
		expect(files(id)).toEqual(["messages/<id>.json"]);
		await later(8);
		prune();
		expect(files(id)).toEqual([]);
	});

	test("has its time in its name", () => {
		const id = sortableId("msg", rig.doors.clock, rig.doors.random);
		expect(idTimeMs(id)).toBe(rig.doors.clock.nowMs());
		for (const none of ["", "msg_", "msg_0123", "msg_UUUUUUUUUU"])
			expect(idTimeMs(none)).toBeNull();
	});
});

test("what a stranger put beside the mail stays", async () => {
	const note = `${T}/messages/README.json`;
	rig.doors.files.seed(note, "mine");
	rig.doors.files.seed(`${T}/sent/a/notes`, "mine");
	await later(100);
	prune();
	expect(rig.doors.files.has(note)).toBe(true);
	expect(rig.doors.files.has(`${T}/sent/a/notes`)).toBe(true);
});

test("the watcher looks for old mail at its start, and once an hour", async () => {
	const { doors, ctx } = rig;
	const settings = { ...ctx.settings, backend: "local" as const };
	const task = fleetMonitorsTask({ ...ctx, settings });
	const run = task.make(watcherContext(doors, { root: REPO }));
	const { signal } = new AbortController();
	const tick = () => run({ signal, afterGap: false, log: () => {}, doors });
	/** Of ten days ago, in nobody's box. */
	const left = (): string => {
		const nowMs = () => doors.clock.nowMs() - 10 * DAY;
		const id = sortableId("msg", { nowMs }, doors.random);
		doors.files.seed(`${T}/messages/${id}.json`, "{}");
		return id;
	};
	const first = left();
	await tick();
	expect(files(first)).toEqual([]);
	const second = left();
	await doors.clock.advance(3_599_000);
	await tick();
	expect(files(second)).toHaveLength(1);
	await doors.clock.advance(1000);
	await tick();
	expect(files(second)).toEqual([]);
});
