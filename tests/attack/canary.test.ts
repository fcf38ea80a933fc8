/** Credentials as canaries: wherever a verb or the watcher writes, prints, logs or starts something, none of them sings. */
import { afterEach, expect, test } from "bun:test";
import { type Night, openNight } from "../comments/night-rig.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import {
	CACHE_PATH,
	CONFIG_PATH,
	KEY_PATH,
	OPERATOR,
	PRIVATE_KEYS,
	REPO,
} from "../github/rig.ts";
import type { StandIn } from "../github/stand-in/server.ts";
import { CWD, type HubRig, hubRig } from "../ng/hub-rig.ts";

const PAT = `gho_${"Ca9nary0".repeat(4)}XyZ1`;
const KEY_LINES = PRIVATE_KEYS.pkcs8.split("\n").slice(1, 4);
/** Where they are kept. */
const HOMES = [CACHE_PATH, KEY_PATH, CONFIG_PATH];

let close: () => Promise<void> = async () => {};
afterEach(() => close());

/** Everything that was sent as a credential so far, and what it was made with. */
function secretsOf(standIn: StandIn): readonly string[] {
	const sent = standIn.requests.map((r) =>
		(r.headers.get("authorization") ?? "").replace(/^\w+ /, ""),
	);
	return [...new Set([...sent, ...KEY_LINES, PAT])].filter(
		(secret) => secret.length > 20,
	);
}

/** Answers that hold them: GitHub, or what stands in between, quotes a request that it did not like. */
function quoteBack(standIn: StandIn, status: number): () => void {
	// The key itself is never sent, so that nobody can quote it.
	const words = secretsOf(standIn)
		.filter((secret) => !KEY_LINES.includes(secret))
		.join(" ");
	return standIn.faults.add({
		on: /^(?!.*access_tokens)/,
		fault: {
			kind: "answer",
			status,
			body: { message: `no: ${words}`, errors: [{ message: words }] },
		},
	});
}

/** All that somebody else could come to see. */
function everythingOf(
	doors: Omit<FakeDoors, "net">,
	more: readonly string[],
): string {
	return [
		...more,
		...doors.log.messages(),
		...doors.files
			.paths("/")
			.filter((path) => !HOMES.includes(path))
			.map((path) => `${path}: ${doors.files.text(path)}`),
		...doors.proc.execs.map(({ argv, opts }) =>
			JSON.stringify([argv, opts.env ?? {}, opts.stdin ?? ""]),
		),
		...doors.proc.spawned.map((one) => JSON.stringify(one)),
		JSON.stringify(doors.tmux.calls),
	].join("\n");
}

function expectSilence(text: string, standIn: StandIn): void {
	const secrets = secretsOf(standIn);
	// The canaries are alive: a token of an installation, a JWT and the key were there to be seen.
	expect(secrets.some((s) => s.startsWith("ghs_"))).toBe(true);
	expect(secrets.some((s) => s.startsWith("eyJ"))).toBe(true);
	for (const secret of secrets) {
		const at = text.indexOf(secret);
		expect(at < 0 ? "" : text.slice(Math.max(0, at - 200), at + 20)).toBe("");
	}
}

const CALLS: readonly (readonly string[])[] = [
	["process", "7"],
	["process-issue", "1"],
	["react", "7", "rocket"],
	["react-issue", "1", "rocket"],
	["show", "7"],
	["suppress-emit", "7"],
	["reply", "1"],
	["comment-edit", "7"],
	["close", "1", "--comment", "done"],
	["issue", "view", "1", "--with-body", "--with-comments"],
	["issue", "create", "--title", "t"],
	["pr", "create", "--head", "b", "--title", "t"],
	["pr", "edit", "1", "--title", "t"],
	["pr", "merge", "1"],
	["pr", "view", "1"],
	["preflight"],
	["nexus-identity", "--dry-run"],
	["nexus-identity", "--upsert-overview"],
	["upload", `${CWD}/r.md`],
	["wrap-up", "1", `${CWD}/r.md`, "--allow-stub"],
	["wrap-up-check", "w1"],
	["dashboard", "get"],
	["dashboard", "put", "--body-file", `${CWD}/r.md`],
	["dashboard", "scaffold"],
	["dashboard", "validate"],
	["watcher-status"],
	["log-action", "w1", "--event", "note"],
	["report-init", "w1"],
	[
		"fetch-asset",
		"URL/user-attachments/assets/00000000-0000-0000-0000-000000000000",
	],
];

test("ng's verbs, when all goes well and when GitHub quotes what it was sent", async () => {
	const rig: HubRig = hubRig({ over: { overview_issue_number: "1" } });
	close = rig.close;
	const { doors, standIn } = rig;
	standIn.acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	standIn.acts.commitFile(REPO, "README.md", "hi");
	doors.files.seed(
		`${CWD}/r.md`,
		"# A report\n\nDone, and said so in some words.\n",
	);
	doors.proc.answer("gh", `${PAT}\n`);
	doors.proc.answer("git", "deadbeef\n");
	const said: string[] = [];
	const all = async () => {
		for (const call of CALLS) {
			const { out, err } = await rig.ngWith(
				"Some words for a body.",
				...call.map((w) => w.replace("URL", standIn.url)),
			);
			said.push(out, err);
		}
	};
	await all();
	for (const status of [422, 401]) {
		const heal = quoteBack(standIn, status);
		await all();
		heal();
		// A pause that was met is over.
		doors.clock.stall(2_000_000);
	}
	// The operator's own token was fetched, too.
	expect(doors.proc.execs.some(({ argv }) => argv[0] === "gh")).toBe(true);
	expectSilence(everythingOf(doors, said), standIn);
}, 60_000);

test("the watcher's nights, with GitHub quoting what it was sent", async () => {
	const night: Night = openNight();
	close = night.close;
	const said: string[] = [];
	const round = async () => {
		for (const task of ["deliveries_poll", "github_poll", "comment_surface"])
			await night.run(task);
		said.push(...night.bodies());
		night.wait(2000);
	};
	night.say(REPO, "please do it");
	await round();
	for (const status of [422, 403, 500, 401]) {
		const heal = quoteBack(night.standIn, status);
		for (let i = 0; i < 3; i++) await round();
		heal();
		night.say(REPO, `and ${status}, too`);
		await round();
	}
	expect(said.join("\n")).toContain("please do it");
	expectSilence(everythingOf(night.doors, said), night.standIn);
}, 60_000);
