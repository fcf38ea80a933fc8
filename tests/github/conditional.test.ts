/** What has not changed is not sent again, and nobody who asks can tell. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
	type AnswerMemory,
	conditional,
} from "../../monitor/_github/conditional.ts";
import { OPERATOR, openRig, REPO, type Rig } from "./rig.ts";
import { LISTING } from "./source-rig.ts";

let rig: Rig;
let memory: AnswerMemory;
beforeEach(() => {
	rig = openRig();
	memory = new Map();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
});
afterEach(async () => {
	await rig.close();
	expect(rig.standIn.problems).toEqual([]);
});

const list = () =>
	rig.another({ remember: memory }).app(
		LISTING,
		{ per_page: 1 },
		{
			deadlineMs: 15_000,
			read: (data) => (Array.isArray(data) ? data.map((d) => d.guid) : null),
		},
	);
const statuses = () => rig.standIn.requests.map((r) => r.status);

test("the second answer is the first, with a page that goes on, and costs nothing", async () => {
	rig.standIn.acts.comment(REPO, 1, OPERATOR, "two");
	const first = await list();
	const second = await list();
	expect(statuses()).toEqual([200, 304]);
	if (first.kind !== "ok" || second.kind !== "ok") throw new Error("failed");
	expect(second.value).toEqual(first.value);
	expect(second.status).toBe(200);
	expect(second.headers.link).toBe(first.headers.link as string);
	expect(second.headers["x-ratelimit-remaining"]).toBe(
		first.headers["x-ratelimit-remaining"] as string,
	);
});

test("what has changed comes whole", async () => {
	const first = await list();
	rig.standIn.acts.comment(REPO, 1, OPERATOR, "two");
	const second = await list();
	expect(statuses()).toEqual([200, 200]);
	expect(second).not.toEqual(first);
	await list();
	expect(statuses()).toEqual([200, 200, 304]);
});

test("half an answer is not remembered", async () => {
	rig.standIn.faults.add({
		on: LISTING,
		times: 1,
		fault: { kind: "truncated" },
	});
	expect(await list()).toMatchObject({ failure: { kind: "malformed" } });
	expect(await list()).toMatchObject({ kind: "ok" });
	expect(statuses()).toEqual([200, 200]);
});

test("whole JSON of another shape is not believed again because it has not changed", async () => {
	rig.standIn.faults.add({
		on: LISTING,
		times: 1,
		fault: { kind: "graphql-partial" },
	});
	expect(await list()).toMatchObject({ failure: { kind: "malformed" } });
	expect(await list()).toMatchObject({ kind: "ok" });
	expect(statuses()).toEqual([200, 200]);
});

test("a failure is a failure, and forgets what was known", async () => {
	await list();
	rig.standIn.faults.add({ on: LISTING, times: 1, fault: { kind: "server" } });
	expect(await list()).toMatchObject({ failure: { kind: "server" } });
	expect((await list()).kind).toBe("ok");
	expect(statuses()).toEqual([200, 502, 200]);
});

test("a write is never conditional, and only so many answers are kept", async () => {
	const sent: string[] = [];
	const ask = conditional(async (url, init) => {
		sent.push(`${url} ${new Headers(init.headers).get("if-none-match")}`);
		return Response.json({}, { headers: { etag: `"${url}"` } });
	}, memory);
	for (const url of ["a", "b", "c", "d", "a", "e", "a", "b"])
		await ask(url, {});
	await ask("a", { method: "POST" });
	expect(sent).toEqual([
		...["a null", "b null", "c null", "d null"],
		...['a "a"', "e null", 'a "a"', "b null"],
		"a null",
	]);
});
