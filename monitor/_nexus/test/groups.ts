/** Which test files run together, and how (pure). A file says by its name, its folder or its imports which real parts it needs. */

/** `real`: real tmux, disks and processes. `claude`: the real Claude Code as well. */
export type Group = "unit" | "real" | "claude";

export interface TestFile {
	/** Relative to the code root. */
	readonly path: string;
	readonly group: Group;
}

/** One run of `bun test`. */
export interface Job {
	readonly group: Group;
	readonly files: readonly string[];
	/** Worker processes inside the run. */
	readonly workers: number;
	/** Hang guard, ms. */
	readonly limitMs: number;
}

const MINUTE_MS = 60_000;
/** Of a test that names no limit of its own. bun's five seconds are a matter of luck on a crowded machine. */
const TEST_LIMIT_MS = 30_000;

/** The group of a test file by its place and its source. */
export function groupOf(path: string, source: string): Group {
	if (path.startsWith("tests/claude/") || imports(source, "claude-harness"))
		return "claude";
	const real = path.endsWith(".real.test.ts") || path.startsWith("tests/tmux/");
	return real || imports(source, "private-tmux") ? "real" : "unit";
}

function imports(source: string, support: string): boolean {
	return new RegExp(`from "[^"]*/${support}\\.ts";$`, "m").test(source);
}

/** Files whose path holds one of the filters; all when there is none. */
export function matching(
	paths: readonly string[],
	filters: readonly string[],
): readonly string[] {
	return filters.length === 0
		? paths
		: paths.filter((path) => filters.some((f) => path.includes(f)));
}

/**
 * Units share two workers, which hold a crash to its file. What drives real programs has a process a
 * file, those with Claude Code first: they are the long ones.
 */
export function planJobs(files: readonly TestFile[]): readonly Job[] {
	const of = (group: Group) =>
		files.filter((f) => f.group === group).map((f) => f.path);
	const units = of("unit");
	const unitJobs: Job[] =
		units.length === 0
			? []
			: [
					{
						group: "unit",
						files: units,
						workers: 2,
						limitMs: 10 * MINUTE_MS,
					},
				];
	const alone = (group: Group): Job[] =>
		of(group).map((path) => ({
			group,
			files: [path],
			workers: 1,
			limitMs: 8 * MINUTE_MS,
		}));
	return [...unitJobs, ...alone("claude"), ...alone("real")];
}

/** argv of a job, after the program itself. */
export function jobArgs(job: Job, junitPath: string): readonly string[] {
	return [
		"test",
		"--only-failures",
		`--timeout=${TEST_LIMIT_MS}`,
		...(job.workers > 1 ? [`--parallel=${job.workers}`] : []),
		"--reporter=junit",
		`--reporter-outfile=${junitPath}`,
		...job.files.map((file) => `./${file}`),
	];
}
