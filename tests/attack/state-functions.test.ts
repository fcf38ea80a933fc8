/**
 * The memory on a disk that others filled: whatever stands in any of its files, whatever a window, a request or a service
 * is called, none of its functions throws, hangs, or makes a file outside of the folder it was given.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { inputOf } from "./inputs.ts";
import { nastyText } from "./nasty.ts";
import { exported } from "./parsers.ts";
import {
	type Parameter,
	STATE_FUNCTIONS,
	type StateFunction,
} from "./state-functions.ts";

const FOLDER = "/place/state";
const FILE = `${FOLDER}/file`;
/** Parameters that the program itself makes, by their names: everything else that is a text is somebody's word. */
const PLACES: Readonly<Record<string, string>> = {
	path: FILE,
	excludeFile: FILE,
	...Object.fromEntries(
		[
			...["stateDir", "stageDir", "dir", "outDir", "thrumDir", "inbox"],
			...["worktree", "codeRoot", "root"],
		].map((name) => [name, FOLDER]),
	),
};

const name = fc.oneof(
	nastyText,
	fc.constantFrom("w1", "../../../../etc/cron.d/x", "..", ".", ""),
	// To a folder that is there, from wherever a name is put.
	fc.nat({ max: 5 }).map((up) => `${"../".repeat(up)}x`),
);
const moment = fc.constantFrom(0, 1, 1_800_000_000, 10 ** 12, -1, 0.5);
const BY_TYPE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	string: name,
	"string | null": fc.option(name),
	number: moment,
	"number | null": fc.option(moment),
	boolean: fc.boolean(),
	"readonly string[]": fc.array(name, { maxLength: 4 }),
	Env: fc.constant({ HOME: FOLDER }),
	Surface: fc.constantFrom("issue_comments", "new_issues"),
	PauseBucket: fc.constantFrom("core", "app"),
	MentionSearch: fc.constantFrom("mentions", "bot_mentions"),
	SettingsRole: fc.constantFrom("worker", "orchestrator"),
	ServicePolicy: fc.constantFrom("auto-restart", "emit-only"),
	UnstickPlace: name.map((window) => ({ stateDir: FOLDER, window, kind: "k" })),
	VersionPlace: fc.constant({ stateDir: FOLDER, codeRoot: FOLDER, env: {} }),
	CredentialFiles: fc.constant({ config: FILE, credentials: FILE }),
	TokenIdentity: fc.constant({ appId: "1", installationId: "2" }),
	RegistryGround: fc.constant({
		root: FOLDER,
		home: FOLDER,
		defaultPolicy: "emit-only",
	}),
	"(text: string) => T | null": fc.constant((text: string) => text),
	"(line: string) => T | null": fc.constant((line: string) => line),
};

function argumentOf({ name, type }: Parameter): fc.Arbitrary<unknown> | null {
	const place = /^string(?: \| null)?$/.test(type) ? PLACES[name] : undefined;
	return place === undefined ? (BY_TYPE[type] ?? null) : fc.constant(place);
}
function argumentsOf(
	one: StateFunction,
): readonly fc.Arbitrary<unknown>[] | null {
	const all = one.further.map(argumentOf);
	return all.includes(null) ? null : all.flatMap((arb) => arb ?? []);
}

/** A disk on which every file and folder holds what the attacker likes; what is written goes to the fake one below. */
function filledDisk(answers: readonly unknown[]): FakeDoors {
	const doors = fakeDoors({ auto: true });
	doors.files.seedDir(FOLDER);
	let asked = 0;
	const next = () => answers[asked++ % answers.length];
	const text = () => ({ kind: "ok", text: String(next()) });
	const looks: Readonly<Record<string, () => unknown>> = {
		read: text,
		readFrom: text,
		list: () => ({
			kind: "ok",
			names: String(next())
				.split("\n")
				.filter((one) => /^[^/\0]+$/.test(one) && !/^\.\.?$/.test(one)),
		}),
	};
	const files = new Proxy(doors.files, {
		get: (target, op) => looks[String(op)] ?? Reflect.get(target, op),
	});
	return new Proxy(doors, {
		get: (target, door) =>
			door === "files" ? files : Reflect.get(target, door),
	});
}

/** Their names are made, or were judged, before they come here; each with who sees to it. */
const NAMED_BEFORE: Readonly<Record<string, string>> = {
	"component-drift.ts": "names of the registry (facts.test.ts)",
	"service-marks.ts": "names of the registry (facts.test.ts)",
	"version-record.ts": "names of the registry (facts.test.ts)",
	"emit-archive.ts": "a time and a random number",
	"reemit-backoff.ts": "the stem of a comment (emit-stem.ts)",
	"staging.ts": "a task of ours",
	"unstick.ts": "a fingerprint, and words of ours",
	"skeptic-channel.ts": "ask cleans the slug (links.test.ts)",
	"fleet/esc-cap.ts": "a hash",
	"fleet/inbox.ts": "names of agents (fleet.test.ts)",
	"fleet/nudge.ts": "names of agents (fleet.test.ts)",
	"fleet/pane-watch-files.ts": "a watcher that was started",
	"fleet/watch-params.ts": "checked before the start (start-checks.ts)",
};

const ATTACKED = STATE_FUNCTIONS.filter((one) => argumentsOf(one) !== null);

test("what is left out is a writer, handed a value that the program made", () => {
	const leftOut = STATE_FUNCTIONS.filter((one) => !ATTACKED.includes(one));
	expect(ATTACKED.length).toBeGreaterThan(300);
	expect(
		leftOut
			.filter((one) => /^(?:read|peek|list|look|find|is|has)/.test(one.export))
			.map((one) => one.name),
	).toEqual([]);
});

describe.each(ATTACKED.map((one) => [one.name, one] as const))(
	"%s",
	(_name, one) => {
		test("bears whatever it is told, and stays in its folder", async () => {
			const call = await exported(one.path, one.export);
			const onDisk = inputOf({ takes: "text", vocabulary: one.vocabulary });
			await fc.assert(
				fc.asyncProperty(
					fc.array(onDisk, { minLength: 1, maxLength: 4 }),
					fc.tuple(...(argumentsOf(one) ?? [])),
					async (answers, given) => {
						const doors = filledDisk(answers);
						await call?.(one.takes === "files" ? doors.files : doors, ...given);
						if (outside(doors).length === 0) return;
						const file = one.path.slice("monitor/_state/".length);
						if (NAMED_BEFORE[file] === undefined)
							expect(outside(doors)).toEqual([]);
					},
				),
				{ numRuns: 60 },
			);
		});
	},
);

function outside(doors: FakeDoors): readonly string[] {
	return doors.files
		.paths("/")
		.filter((path) => !path.startsWith("/place/") && !/^\/tmp\//.test(path));
}
