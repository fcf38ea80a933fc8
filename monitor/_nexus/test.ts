/**
 * `./nexus test [filter…]`: type check, lint, then every test. The last line is
 * `N passed, N failed`; a failing type check or lint counts as one failure. Exit 0 iff none failed.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { groupOf, matching, planJobs } from "./test/groups.ts";
import { runChecks, runJob } from "./test/jobs.ts";
import { sum, type Tally } from "./test/junit.ts";
import { DIFF, definedEnv, ensureTools, GIT, JQ, TMUX } from "./tools.ts";
import type { Verb, VerbContext } from "./verb.ts";

export const run: Verb = async (filters, ctx) => {
	const { doors, print, codeRoot } = ctx;
	const missing = await ensureTools(doors, [TMUX, GIT, JQ, DIFF], print);
	if (missing !== null) {
		print(missing);
		print("0 passed, 1 failed");
		return 1;
	}
	const scratch = doors.files.makeTempDir("nexus-tests-");
	const env = testEnv(doors.proc.env, codeRoot, scratch);
	try {
		const files = matching(testFiles(doors.files, codeRoot), filters);
		const jobs = planJobs(
			files.map((path) => ({ path, group: groupOf(source(ctx, path)) })),
		);
		const tallies: Tally[] = [];
		// Checks are of the whole tree; who names a few tests wants those alone.
		if (filters.length === 0) tallies.push(...(await runChecks(ctx, env)));
		for (const job of jobs) tallies.push(await runJob(job, ctx, env, scratch));
		return report(sum(tallies), print);
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

/**
 * Tests see a home, a temporary folder and a tmux socket folder of their own, and no setting of the
 * person who runs them; programs of ours find the project's bun first.
 */
export function testEnv(
	env: Readonly<Record<string, string | undefined>>,
	codeRoot: string,
	scratch: string,
): Readonly<Record<string, string>> {
	const kept = Object.entries(definedEnv(env)).filter(
		([name]) =>
			!/^(TMUX|NEXUS_|MONITOR_|WATCHER_|CLAUDE|ANTHROPIC|XDG_)/.test(name),
	);
	return {
		...Object.fromEntries(kept),
		PATH: `${join(codeRoot, "node_modules/.bin")}:${env.PATH ?? ""}`,
		HOME: scratch,
		TMPDIR: scratch,
		TMUX_TMPDIR: scratch,
	};
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
