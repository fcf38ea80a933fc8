/** Whatever way GitHub fails, at whatever request of a hand-off: repeated until it is done, it has said everything once (contract 05 §8.6). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { OPERATOR, REPO } from "../github/rig.ts";
import type { Fault } from "../github/stand-in/faults.ts";
import { type HubRig, hubRig } from "./hub-rig.ts";
import { NAME, REPORT, reportText } from "./wrap-up-rig.ts";

let rig: HubRig;
beforeEach(() => {
	rig = hubRig({ stepMs: 1000 });
	const { acts } = rig.standIn;
	acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	acts.commitFile(REPO, "README.md", "hi");
	rig.doors.files.seed(REPORT, reportText());
});
afterEach(async () => {
	expect(rig.standIn.problems).toEqual([]);
	await rig.close();
});

const FAULTS: readonly (readonly [string, Fault])[] = [
	["a primary limit", { kind: "primary" }],
	["a secondary limit", { kind: "secondary" }],
	["a secondary limit of ten minutes", { kind: "secondary", retryAfter: 600 }],
	["a page of HTML", { kind: "abuse-page" }],
	["a refusal", { kind: "forbidden" }],
	["a refused token", { kind: "unauthorized" }],
	["a broken server", { kind: "server" }],
	["half an answer", { kind: "truncated" }],
	["an answer without a word", { kind: "empty" }],
	["silence", { kind: "no-answer" }],
	["half an answer, and silence", { kind: "stalled-body" }],
	["not found", { kind: "answer", status: 404, body: { message: "No" } }],
];
const REQUESTS: readonly (readonly [string, RegExp])[] = [
	["the token", /access_tokens/],
	["the thread", /^GET .*\/issues\/1$/],
	["the branch", /^GET .*\/git\/ref\//],
	["the blob", /\/git\/blobs$/],
	["the tree", /^POST .*\/git\/trees$/],
	["the commit", /^POST .*\/git\/commits$/],
	["the swap", /^PATCH .*\/git\/refs\//],
	["the comment", /^POST .*\/issues\/1\/comments$/],
	["the rocket", /\/reactions$/],
];
/** Half an answer is one of a request that was carried out; a token is looked at before anything is done. */
function isDecidedFirst(what: string): boolean {
	return /half|silence|token/.test(what);
}

/** What is waited out takes its time even on a clock that runs. */
function isSlow(what: string): boolean {
	return /silence|HTML|^a secondary limit$/.test(what);
}

const rows = REQUESTS.flatMap(([where, on]) =>
	FAULTS.flatMap(([what, fault]) =>
		[false, true]
			.filter((done) => !done || !isDecidedFirst(what))
			.filter(() => !isSlow(what) || /swap|comment/.test(where))
			.map((done) => ({
				where,
				on,
				what,
				fault,
				done,
				when: done ? "after the work" : "instead of it",
			})),
	),
);

test.each(rows)("$what at $where, $when", async ({ on, fault, done }) => {
	const trigger = rig.standIn.acts.comment(REPO, 1, OPERATOR, "Build it.");
	const args = ["wrap-up", "1", `/n/reports/${NAME}`];
	args.push("--trigger-comment", String(trigger.id));
	const heal = rig.standIn.faults.add({ on, fault, executed: done });
	await rig.ng(...args);
	heal();
	let rc = 1;
	for (let again = 0; again < 3 && rc !== 0; again++) {
		rig.doors.clock.stall(1_000_000);
		({ rc } = await rig.ng(...args));
	}
	expect(rc).toBe(0);
	const [repo] = rig.standIn.place.state.repos;
	const said = repo?.comments.filter((c) => c.user.endsWith("[bot]")) ?? [];
	expect(said).toHaveLength(1);
	expect(said[0]?.body).toContain(`/blob/main/assets/1/${NAME}`);
	const rockets = trigger.reactions.filter((r) => r.content === "rocket");
	expect(rockets).toHaveLength(1);
	const isAnyoneElses = rig.standIn.requests.some(({ headers }) =>
		/ghp_|github_pat_/.test(headers.get("authorization") ?? ""),
	);
	expect(isAnyoneElses).toBe(false);
});
