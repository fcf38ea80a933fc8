/** A process that dies between any two changes of the disk leaves a request in exactly one state (contract 08 §6.2, §6.3). */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { requestsConfig } from "../../monitor/_emit/local-providers.ts";
import { renderPendingRequests } from "../../monitor/_emit/pending-requests.ts";
import { requestChannel } from "../../monitor/_request/dispatch.ts";
import { parseRequestName } from "../../monitor/_state/requests.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const S = "/root/monitor/.state";
const INBOX = join(S, "requests");

const ask = async (doors: FakeDoors, ...argv: string[]) => {
	const out: string[] = [];
	const rc = await requestChannel(argv, {
		doors,
		codeRoot: "/code",
		err: () => {},
		out: (line) => out.push(line),
		outBytes: (bytes) => out.push(Buffer.from(bytes).toString()),
		stdin: async () => new Uint8Array(),
	});
	return { rc, out: out.join("\n") };
};
const poll = (doors: FakeDoors) =>
	renderPendingRequests(doors, {
		stateDir: S,
		inbox: INBOX,
		everything: false,
		afterGap: false,
		config: requestsConfig(watcherConfig()),
	});
const states = ({ files }: FakeDoors) =>
	files
		.paths(INBOX)
		.flatMap((path) => parseRequestName(path.slice(INBOX.length + 1)) ?? [])
		.map(({ state }) => state);

function machine(): FakeDoors {
	const doors = fakeDoors({
		now: 1_785_000_000,
		auto: true,
		proc: { env: { NEXUS_ROOT: "/root", HOME: "/h" } },
	});
	doors.files.seedDir("/root");
	return doors;
}

interface Transition {
	readonly name: string;
	/** Up to the transition; gives the request's id. */
	readonly before: (doors: FakeDoors) => Promise<string>;
	readonly act: (doors: FakeDoors, id: string) => Promise<unknown>;
	/** Where it may stand when all is over and the watcher has looked. */
	readonly after: readonly string[];
}

const file = async (doors: FakeDoors) =>
	(await ask(doors, "file", "--origin", "w", "--slug", "s", "--message", "m?"))
		.out;
const claimed = async (doors: FakeDoors) => {
	const id = await file(doors);
	await poll(doors);
	return id;
};
const transitions: readonly Transition[] = [
	{
		name: "filing",
		before: async () => "",
		act: file,
		after: ["claimed"],
	},
	{ name: "claiming", before: file, act: poll, after: ["claimed"] },
	{
		name: "an acknowledgement",
		before: claimed,
		act: (doors, id) => ask(doors, "ack", id),
		after: ["claimed", "done"],
	},
	{
		name: "an answer",
		before: claimed,
		act: (doors, id) => ask(doors, "reply", id, "--message", "so"),
		after: ["claimed", "replied", "failed"],
	},
	{
		name: "an amended answer",
		before: async (doors) => {
			const id = await claimed(doors);
			await ask(doors, "reply", id, "--message", "so");
			return id;
		},
		act: (doors, id) =>
			ask(doors, "reply", id, "--amend", "--message", "no, so"),
		after: ["replied"],
	},
	{
		name: "a refusal",
		before: claimed,
		act: (doors, id) => ask(doors, "fail", id, "--reason", "no"),
		after: ["claimed", "failed"],
	},
	{
		name: "the end of one that is too old",
		before: async (doors) => {
			const id = await claimed(doors);
			await doors.clock.advance(300_000_000);
			return id;
		},
		act: poll,
		after: ["claimed", "failed"],
	},
];

describe.each(transitions)("$name", ({ before, act, after }) => {
	test.each([
		["between two changes", { tear: false }, {}],
		["in the middle of one", { tear: true }, {}],
		["with the power of the host", { tear: false }, { powerCut: true }],
	])(
		"a death %s leaves one state, and the watcher ends what hangs",
		async (_when, how, cut) => {
			for (let at = 0; ; at++) {
				const doors = machine();
				const id = await before(doors);
				const { faults } = doors.files;
				faults.crashAt(at, how);
				const from = faults.changes();
				const isWhole = await act(doors, id).then(
					() => true,
					() => false,
				);
				const changed = faults.changes() - from;
				doors.files.reboot(cut);
				const now = states(doors);
				expect(now.length).toBeLessThanOrEqual(1);
				if (id !== "") expect(now).toHaveLength(1);
				// What hung on its way is ended after a minute.
				await doors.clock.advance(61_000);
				await poll(doors);
				for (const state of states(doors)) expect(after).toContain(state);
				expect(states(doors)).toHaveLength(now.length);
				if (isWhole && changed <= at) return;
				expect(at).toBeLessThan(50);
			}
		},
	);
});

test.each([
	["reply", ["--message", "so"]],
	["fail", ["--reason", "no"]],
])(
	"a watcher that looks in the middle of a %s of an old request does not take it for one that hangs",
	async (verb, words) => {
		for (let at = 0; at < 12; at++) {
			const doors = machine();
			const id = await claimed(doors);
			await doors.clock.advance(3_600_000);
			doors.files.faults.crashAt(at);
			await ask(doors, verb, id, ...words).catch(() => {});
			doors.files.reboot();
			const before = states(doors);
			await poll(doors);
			expect(states(doors)).toEqual(before);
		}
	},
);

test("an answer that was cut is never read as one", async () => {
	for (let at = 0; at < 12; at++) {
		const doors = machine();
		const id = await claimed(doors);
		doors.files.faults.crashAt(at, { tear: true });
		await ask(doors, "reply", id, "--message", "all of it").catch(() => {});
		doors.files.reboot();
		await doors.clock.advance(61_000);
		await poll(doors);
		const { rc, out } = await ask(doors, "fetch", id, "results");
		if (rc === 0) expect(out).toBe("all of it");
		else expect([2, 3]).toContain(rc);
	}
});
