/** Whatever way GitHub fails, at whatever call: the comment is told once in the end, and not again when it was acknowledged (contract 02 §2.3, §2.4). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CACHE_PATH, KEY_PATH, PRIVATE_KEYS, REPO } from "../github/rig.ts";
import type { Fault } from "../github/stand-in/faults.ts";
import { type Night, OTHER, openNight } from "./night-rig.ts";

let night: Night;
beforeEach(() => {
	night = openNight();
});
afterEach(async () => {
	await night.close();
	expect(night.standIn.problems).toEqual([]);
});

/** Every class of the contract. */
const FAULTS: readonly (readonly [string, Fault])[] = [
	["a primary limit", { kind: "primary" }],
	["a primary limit by 429", { kind: "primary", status: 429 }],
	["a secondary limit", { kind: "secondary", retryAfter: 60 }],
	["a secondary limit that names no time", { kind: "secondary" }],
	["a page of HTML", { kind: "abuse-page" }],
	["a refusal", { kind: "forbidden" }],
	["a refused token", { kind: "unauthorized" }],
	["a broken server", { kind: "server" }],
	["a server without rest", { kind: "server", status: 503 }],
	["half an answer", { kind: "truncated" }],
	["an answer without a word", { kind: "empty" }],
	[
		"errors with status 200",
		{
			kind: "graphql-errors",
			errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }],
		},
	],
	["an answer with holes", { kind: "graphql-partial" }],
	["another shape", { kind: "answer", status: 200, body: { message: "hi" } }],
	["a redirect elsewhere", { kind: "redirect", to: "https://example.com/" }],
];
/** Those that take a deadline to be seen. */
const SILENCES: readonly (readonly [string, Fault])[] = [
	["half an answer, and silence", { kind: "stalled-body" }],
	["silence", { kind: "no-answer" }],
];
/** Each call that stands between a comment and the report. */
const CALLS: readonly (readonly [string, RegExp])[] = [
	["at every call", /./],
	["at the token", /access_tokens/],
	["at the delivery log", /GET \/app\/hook\/deliveries\?/],
	["at the search", /POST \/graphql/],
	["at the rate limit", /GET \/rate_limit/],
];

const EVERY_SECONDS = 15;
/** No mute outlasts a quarter of an hour. */
const LONGEST_MUTE = 1000;

/** So many turns of the watcher; whatever is pasted is acknowledged at once. Ids in the order in which they were told. */
async function live(turns: number): Promise<readonly string[]> {
	const told: string[] = [];
	for (let turn = 0; turn < turns; turn++) {
		for (const task of ["deliveries_poll", "github_poll", "comment_surface"])
			await toItsEnd(night.run(task));
		for (const id of night.take().pasted.flat()) {
			told.push(id);
			night.acknowledge(whereIs(id), Number(id));
		}
		night.wait(EVERY_SECONDS);
	}
	return told;
}

/** Deadlines pass quickly, but not as quickly as an answer comes. */
async function toItsEnd(run: Promise<void>): Promise<void> {
	let isOver = false;
	const over = run.finally(() => {
		isOver = true;
	});
	for (let ms = 0; ms < 8 && !isOver; ms++) await Bun.sleep(1);
	while (!isOver) {
		await night.doors.clock.advance(250);
		await Bun.sleep(1);
	}
	return over;
}

function whereIs(id: string): string {
	const found = night.standIn.place.state.repos.find((repo) =>
		repo.comments.some((comment) => String(comment.id) === id),
	);
	return found?.fullName ?? REPO;
}

function rowsOf(faults: typeof FAULTS) {
	return faults.flatMap(([what, fault]) =>
		CALLS.map(([where, on]) => ({ what, where, fault, on })),
	);
}

async function toldOnce(on: RegExp, fault: Fault, turns: number) {
	const before = night.say(REPO, "before").id;
	const cure = night.standIn.faults.add({ on, fault });
	const during = night.say(REPO, "during").id;
	const elsewhere = night.say(OTHER, "@hub-bot please").id;
	night.say(REPO, "not mine", "mallory");
	const early = await live(turns);
	cure();
	night.wait(LONGEST_MUTE);
	const late = await live(2);
	expect([...early, ...late].sort()).toEqual(
		[before, during, elsewhere].map(String).sort(),
	);
}

describe("a comment is told once", () => {
	test.each(rowsOf(FAULTS))("though $what came $where", ({ on, fault }) =>
		toldOnce(on, fault, 3),
	);

	test.each(rowsOf(SILENCES))("though $what came $where", ({ on, fault }) =>
		toldOnce(on, fault, 1),
	);

	test("though its payload could not be had three times: the search finds it", async () => {
		const cure = night.standIn.faults.add({
			on: /GET \/app\/hook\/deliveries\/\d/,
			fault: { kind: "server" },
		});
		const { id } = night.say(REPO, "please");
		const behind = night.say(REPO, "and this").id;
		const told = await live(4);
		cure();
		expect([...told, ...(await live(3))]).toEqual([id, behind].map(String));
	});

	test("though the token was refused between two pages", async () => {
		for (let n = 0; n < 25; n++)
			night.acts.openIssue(REPO, { user: "somebody", title: `${n}` });
		const { id } = night.acts.comment(REPO, 25, "op", "please");
		night.standIn.faults.add({
			on: /query IssueComments/,
			after: 1,
			times: 1,
			fault: { kind: "unauthorized" },
		});
		night.standIn.faults.add({
			on: /GET \/app\/hook\/deliveries\?/,
			fault: { kind: "server" },
		});
		expect(await live(2)).toEqual([String(id)]);
	});

	test("though the token ran out between two polls", async () => {
		await live(1);
		night.wait(3700);
		const { id } = night.say(REPO, "please");
		expect(await live(2)).toEqual([String(id)]);
	});

	test("though a listing has holes and redeliveries in any order", async () => {
		const first = night.say(REPO, "first");
		expect(await live(1)).toEqual([String(first.id)]);
		const second = night.say(REPO, "second");
		const { deliveries } = night.standIn.place.state;
		const known = deliveries.length;
		// Both come again, the older one on top; and the delivery that the cursor stands on is gone.
		for (const of of [deliveries[known - 1], deliveries[known - 2]])
			if (of !== undefined)
				deliveries.push({ ...of, id: `${of.id}9`, redelivery: true });
		deliveries.splice(known - 2, 1);
		expect(await live(2)).toEqual([String(second.id)]);
	});

	test("and once more when it was edited before anybody took it on, and not when it was deleted", async () => {
		const edited = night.say(REPO, "one");
		const deleted = night.say(REPO, "two");
		await night.run("deliveries_poll");
		await night.run("comment_surface");
		expect(night.bodies().join()).toContain("body: one");
		night.acts.editComment(REPO, edited.id, "op", "one, corrected");
		const [repo] = night.standIn.place.state.repos;
		repo?.comments.splice(repo.comments.indexOf(deleted), 1);
		night.wait(700);
		await night.run("deliveries_poll");
		await night.run("github_poll");
		await night.run("comment_surface");
		const [again = "", ...more] = night.bodies();
		expect(more).toEqual([]);
		expect(again).toContain("body: one, corrected");
		expect(again).not.toContain("body: two");
	});

	test("though it is on an issue of five thousand comments", async () => {
		for (let n = 0; n < 5000; n++) night.say(REPO, `talk ${n}`, "mallory");
		const { id } = night.say(REPO, "please");
		expect(await live(2)).toEqual([String(id)]);
	}, 20_000);
});

test("no credential that GitHub quotes is in a report, an archive, the log or a file", async () => {
	await live(1);
	const { token } = JSON.parse(night.doors.files.text(CACHE_PATH));
	const jwt = night.standIn.requests
		.map(({ headers }) => headers.get("authorization") ?? "")
		.find((header) => header.includes("eyJ"))
		?.replace(/^bearer /i, "");
	const message = `no: token ${token}, bearer ${jwt}, ${PRIVATE_KEYS.pkcs8}`;
	night.standIn.faults.add({
		on: /./,
		after: 1,
		fault: { kind: "answer", status: 422, body: { message } },
	});
	const seen: string[] = [];
	for (let turn = 0; turn < 5; turn++) {
		await live(1);
		night.wait(900);
		await night.run("github_poll");
		await night.run("comment_surface");
		seen.push(...night.bodies());
	}
	const { files, log } = night.doors;
	const kept = files.paths("/").filter((path) => !OWN.includes(path));
	const all = [...seen, ...log.messages(), ...kept.map((p) => files.text(p))];
	expect(seen.join()).toContain("watcher_alert=ingest-degraded");
	expect(jwt).toStartWith("eyJ");
	for (const secret of [token, jwt ?? "", PRIVATE_KEYS.pkcs8.slice(40, 90)])
		expect(all.filter((text) => text.includes(secret))).toEqual([]);
});

/** Where a credential belongs. */
const OWN: readonly string[] = [CACHE_PATH, KEY_PATH];
