/**
 * `./nexus test [filter…]`: type check, lint, then every test. The last line is
 * `N passed, N failed`; a failing type check or lint counts as one failure. Exit 0 iff none failed.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { isolatedEnv, MADE_FOR_TESTS } from "./environment.ts";
import { groupOf, type Job, matching, planJobs } from "./test/groups.ts";
import { runChecks, runJob } from "./test/jobs.ts";
import { sum, type Tally } from "./test/junit.ts";
import { inLanes } from "./test/lanes.ts";
import { merged, secondLook } from "./test/second-look.ts";
import { DIFF, ensureTools, GIT, JQ, TMUX } from "./tools.ts";
import type { Verb, VerbContext } from "./verb.ts";

/** As a shell reports Ctrl-C. */
const INTERRUPTED = 130;
/** Real programs mostly wait, so two of them share the machine. */
const LANES = 2;
const NOTHING: Tally = { passed: 0, skipped: 0, failures: [] };

export const run: Verb = async (filters, ctx) => {
	const { doors, print, codeRoot } = ctx;
	const missing = await ensureTools(doors, [TMUX, GIT, JQ, DIFF], print);
	if (missing !== null) {
		print(missing);
		print("0 passed, 1 failed");
		return 1;
	}
	const scratch = doors.files.makeTempDir("nexus-tests-");
	// A stray write to ~ or a stray tmux call of a test ends up in the scratch folder.
	const made = isolatedEnv(doors.proc.env, {
		home: scratch,
		tmp: scratch,
		tmuxDir: scratch,
		binDir: join(codeRoot, "node_modules/.bin"),
	});
	const env = { ...made, [MADE_FOR_TESTS]: "1" };
	try {
		const files = matching(testFiles(doors.files, codeRoot), filters);
		if (files.length === 0) print("no test file matches");
		const jobs = planJobs(
			files.map((path) => ({ path, group: groupOf(path, source(ctx, path)) })),
		);
		const tallies: Tally[] = [];
		// Checks are of the whole tree; who names a few tests wants those alone.
		if (filters.length === 0) tallies.push(...(await runChecks(ctx, env)));
		const firstLook = async (job: Job) =>
			ctx.interrupted.aborted ? NOTHING : runJob(job, ctx, env, scratch);
		const units = jobs.filter((job) => job.group === "unit");
		const others = jobs.filter((job) => job.group !== "unit");
		const first = [
			...(await inLanes(units, 1, firstLook)),
			...(await inLanes(others, LANES, firstLook)),
		];
		for (const [i, job] of [...units, ...others].entries()) {
			const tally = first[i] ?? NOTHING;
			// Alone on the machine: what only wanted a quiet core passes here.
			const again = secondLook(job, tally);
			if (again === null || ctx.interrupted.aborted) {
				tallies.push(tally);
				continue;
			}
			const both = merged(tally, await runJob(again, ctx, env, scratch));
			for (const name of both.flaky) print(`FLAKY ${name}`);
			tallies.push(both.tally);
		}
		return ctx.interrupted.aborted ? INTERRUPTED : report(sum(tallies), print);
	} finally {
		doors.files.removeTree(scratch);
	}
};

function report(total: Tally, print: (line: string) => void): number {
	for (const failure of total.failures) print(`FAILED ${failure}`);
	if (total.skipped > 0) print(`${total.skipped} skipped`);
	print(`${total.passed} passed, ${total.failures.length} failed`);
	return total.failures.length === 0 && total.passed > 0 ? 0 : 1;
}

function testFiles(files: Files, codeRoot: string): readonly string[] {
	const below = (dir: string): string[] => {
		const listed = files.list(join(codeRoot, dir));
		const names = listed.kind === "ok" ? listed.names : [];
		return names.flatMap((name) => {
			const path = `${dir}/${name}`;
			if (path.endsWith(".test.ts")) return [path];
			const stat = files.stat(join(codeRoot, path));
			return stat.kind === "ok" && stat.stat.kind === "dir" ? below(path) : [];
		});
	};
	return below("tests");
}

function source({ doors, codeRoot }: VerbContext, path: string): string {
	const read = doors.files.read(join(codeRoot, path));
	return read.kind === "ok" ? read.text : "";
}
