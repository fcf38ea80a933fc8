/** Runs what the test plan says: the two checks of the whole tree, and each `bun test`. */
import { join } from "node:path";
import type { ExecResult } from "../../_sys/doors.ts";
import type { VerbContext } from "../verb.ts";
import { type Job, jobArgs } from "./groups.ts";
import { type Tally, tally } from "./junit.ts";

/** Type check and lint, side by side; a failure prints what the tool said. */
export async function runChecks(
	ctx: VerbContext,
	env: Readonly<Record<string, string>>,
): Promise<Tally[]> {
	const check = async (name: string, argv: readonly string[]) => {
		const [program = "", ...args] = argv;
		const bin = join(ctx.codeRoot, "node_modules/.bin", program);
		const ran = await ctx.doors.proc.exec([bin, ...args], {
			timeoutMs: 5 * 60_000,
			cwd: ctx.codeRoot,
			env,
			signal: ctx.interrupted,
		});
		const ok = ran.kind === "exited" && ran.rc === 0;
		if (!ok) ctx.print(`${name} failed:\n${words(ran)}`);
		return { passed: ok ? 1 : 0, skipped: 0, failures: ok ? [] : [name] };
	};
	const done = await Promise.all([
		check("type check", ["tsc", "--noEmit"]),
		check("lint", ["biome", "check", "."]),
	]);
	ctx.print("type check and lint: done");
	return done;
}

/**
 * Counts from the JUnit report: a job that died before it was written has lost its files. Prints the output only of a
 * failed one. The bun is that of package.json: an older one on PATH runs nexus, but not every flag of its tests.
 */
export async function runJob(
	job: Job,
	{ doors, codeRoot, print, interrupted: signal }: VerbContext,
	env: Readonly<Record<string, string>>,
	scratch: string,
): Promise<Tally> {
	const junitPath = join(scratch, `${doors.random.hex(8)}.junit.xml`);
	const startedMs = doors.clock.monoMs();
	const ran = await doors.proc.exec(
		[join(codeRoot, "node_modules/.bin/bun"), ...jobArgs(job, junitPath)],
		{ timeoutMs: job.limitMs, cwd: codeRoot, env, signal },
	);
	const xml = doors.files.read(junitPath);
	const found = tally(xml.kind === "ok" ? xml.text : "", job.files);
	if (ran.kind === "aborted") return found;
	if (found.failures.length > 0) print(words(ran));
	const seconds = Math.round((doors.clock.monoMs() - startedMs) / 1000);
	const what =
		job.files.length === 1 ? job.files[0] : `${job.files.length} files`;
	print(
		`${job.group}: ${what}: ${found.passed} passed, ${found.failures.length} failed (${seconds} s)`,
	);
	return found;
}

function words(ran: ExecResult): string {
	switch (ran.kind) {
		case "exited":
			return `${ran.stdout}${ran.stderr}`.trim();
		case "timeout":
			return `${ran.stdout}${ran.stderr}\nended by its time limit`.trim();
		case "failed":
			return ran.reason;
		case "not-found":
			return `${ran.program}: not found`;
		case "aborted":
			return "aborted";
	}
}
