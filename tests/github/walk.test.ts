import { describe, expect, test } from "bun:test";
import { type PageAnswer, walkSearch } from "../../monitor/_github/walk.ts";

type Answer = PageAnswer<string>;
const page = (
	name: string,
	hasNext: boolean,
	cursor: string | null,
): Answer => ({
	kind: "page",
	items: [name],
	next: { hasNext, cursor },
});
const partial = (hasNext: boolean, cursor: string | null): Answer => ({
	kind: "partial",
	next: { hasNext, cursor },
});

async function walk(
	answers: readonly Answer[],
	opts: { maxPages?: number; budgetMs?: number; pageMs?: number } = {},
) {
	const asked: (string | null)[] = [];
	const notes: string[] = [];
	let now = 0;
	const result = await walkSearch<string>(
		async (after) => {
			asked.push(after);
			now += opts.pageMs ?? 0;
			return answers[Math.min(asked.length, answers.length) - 1] as Answer;
		},
		{
			maxPages: opts.maxPages ?? 40,
			budgetMs: opts.budgetMs ?? 180_000,
			monoMs: () => now,
			note: (reason, detail) => notes.push(`${reason} ${detail}`),
		},
	);
	return { ...result, asked, notes };
}

describe("a walk", () => {
	test("goes on by the cursor of each page to the last one", async () => {
		const done = await walk([
			page("p1", true, "c1"),
			page("p2", true, "c2"),
			page("p3", false, null),
		]);
		expect(done).toMatchObject({
			items: ["p1", "p2", "p3"],
			ok: 3,
			failed: 0,
			truncated: false,
			ended: false,
			asked: [null, "c1", "c2"],
			notes: [],
		});
	});

	test("drops a partial page and goes on behind it", async () => {
		const done = await walk([
			page("p1", true, "c1"),
			partial(true, "c2"),
			page("p3", false, null),
		]);
		expect(done).toMatchObject({
			items: ["p1", "p3"],
			ok: 2,
			failed: 1,
			truncated: false,
			asked: [null, "c1", "c2"],
		});
		expect(done.notes).toEqual([
			"partial_resolution page 2 dropped, walk CONTINUES",
		]);
	});

	test("of which a partial page does not say where it goes on is truncated", async () => {
		const done = await walk([page("p1", true, "c1"), partial(true, null)]);
		expect(done).toMatchObject({ ok: 1, failed: 1, truncated: true });
		expect(done.notes[0]).toContain("every later page is withheld");
	});

	test("whose last page is partial is not truncated", async () => {
		const done = await walk([page("p1", true, "c1"), partial(false, null)]);
		expect(done).toMatchObject({ ok: 1, failed: 1, truncated: false });
		expect(done.notes[0]).toContain("no later pages exist");
	});

	test.each<[string, Answer]>([
		["an answer that is none", { kind: "malformed" }],
		["a page that has a next one without a cursor", page("p2", true, "")],
		["a cursor that was there before", page("p2", true, "c1")],
	])("ends at %s", async (_name, answer) => {
		const done = await walk([page("p1", true, "c1"), answer]);
		expect(done).toMatchObject({ failed: 1, truncated: true });
		expect(done.asked).toHaveLength(2);
		expect(done.notes[0]).toStartWith("malformed_page");
	});

	test("ends at a call that failed, and says nothing more than its caller did", async () => {
		const done = await walk([page("p1", true, "c1"), { kind: "failed" }]);
		expect(done).toMatchObject({
			items: ["p1"],
			ok: 1,
			failed: 1,
			truncated: true,
			notes: [],
		});
	});

	test("that is ended from outside states nothing", async () => {
		const done = await walk([page("p1", true, "c1"), { kind: "ended" }]);
		expect(done).toMatchObject({ ok: 1, failed: 0, ended: true, notes: [] });
	});

	test("without an end stops at its cap", async () => {
		let n = 0;
		const endless = Array.from({ length: 9 }, () => page("p", true, `c${n++}`));
		const done = await walk(endless, { maxPages: 4 });
		expect(done.asked).toHaveLength(4);
		expect(done).toMatchObject({ ok: 4, truncated: true });
		expect(done.notes[0]).toStartWith("page_cap");
	});

	test("whose last page is the one at the cap is whole", async () => {
		const done = await walk([page("p1", true, "c1"), page("p2", false, "c2")], {
			maxPages: 2,
		});
		expect(done).toMatchObject({ ok: 2, truncated: false, notes: [] });
	});

	test("stops when its time is up", async () => {
		let n = 0;
		const endless = Array.from({ length: 9 }, () => page("p", true, `c${n++}`));
		const done = await walk(endless, { budgetMs: 100, pageMs: 40 });
		expect(done.asked).toHaveLength(3);
		expect(done).toMatchObject({ ok: 3, truncated: true });
		expect(done.notes).toEqual([
			"budget_exhausted after 3 page(s): the rest is missing",
		]);
		const sharp = await walk(endless, { budgetMs: 100, pageMs: 50 });
		expect(sharp.asked).toHaveLength(2);
	});
});
