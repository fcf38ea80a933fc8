/** Whatever is asked of a fleet kept here, by whomever: an exit code, a harmless message, and no file outside of the fleet. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Answer } from "../../resources/_thrum-shim/command.ts";
import { COMMANDS, runShim } from "../../resources/_thrum-shim/commands.ts";
import { type LocalRig, localRig, REPO } from "../fleet/local-rig.ts";
import { NASTY_WORDS, nastyText } from "./nasty.ts";

const UP = "../../../../etc/cron.d/x";
const word = fc.oneof(
	fc.constantFrom(
		"w1",
		"boss",
		"a",
		UP,
		"/etc/cron.d/x",
		"..",
		"@a",
		"user:op",
	),
	fc.constantFrom("10s", "1", '["a"]', "{}", "* * * * *", "claude", "--"),
	fc.constantFrom(...NASTY_WORDS),
	nastyText,
);

function shim(rig: LocalRig, as: string, argv: readonly string[]) {
	const { doors } = rig;
	const env = { ...doors.proc.env, THRUM_NAME: as };
	return runShim(argv, async () => ({
		fleet: rig.open(as === "" ? undefined : as),
		local: { ...rig.ctx, doors: { ...doors, proc: { ...doors.proc, env } } },
		cwd: REPO,
		stdin: async () => UP,
		version: "1.2.3",
	}));
}

describe.each(COMMANDS.map((command) => [command.words, command] as const))(
	"thrum %s",
	(words, { flags = {}, required = [], needs = 0, takes = needs }) => {
		/** As it wants to be called, with anything in each place, and some of what it may be given beside. */
		const call = fc
			.tuple(
				fc.array(word, { minLength: needs, maxLength: takes }),
				fc.subarray(Object.keys(flags)),
			)
			.chain(([given, some]) => {
				const named = [...new Set([...required, ...some])].map((flag) =>
					flags[flag] === "switch"
						? fc.constant([flag])
						: word.map((value) => [`${flag}=${value}`]),
				);
				return fc
					.tuple(fc.constant(given), ...named)
					.map((parts) => [...words.split(" "), ...parts.flat()]);
			});

		test("ends, and stays in its fleet", async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom("a", "w1", UP, ""),
					fc.array(call, { minLength: 1, maxLength: 2 }),
					async (as, calls) => {
						const rig = localRig();
						const before = new Set(rig.doors.files.paths("/"));
						for (const argv of calls) isFine(await shim(rig, as, argv));
						const made = rig.doors.files
							.paths("/")
							.filter((path) => !before.has(path));
						expect(made.filter((path) => !isOfFleet(path))).toEqual([]);
					},
				),
				{ numRuns: 40 },
			);
		});
	},
);

function isFine({ exitCode, err = "" }: Answer): void {
	expect(Number.isInteger(exitCode) && exitCode >= 0 && exitCode < 126).toBe(
		true,
	);
	expect(err).not.toMatch(/^\s+at .*[:(]\d+/m);
}

/** A worktree of an agent is made beside the repository, where the caller says. */
function isOfFleet(path: string): boolean {
	return /^\/(?:repo|tmp)\//.test(path);
}
