/** `jev_watcher_filter`: judges the captures of a manifest (contract 09 §13). It never approves, denies or types. */
import { join } from "node:path";
import {
	DEFAULT_FILTER,
	filterRows,
	MAX_CONCURRENCY,
} from "../../monitor/_fleet/jev/filter.ts";
import { findKeys } from "../../monitor/_fleet/jev/keys.ts";
import type { Asking } from "../../monitor/_fleet/jev/providers.ts";
import {
	parseManifest,
	writeDecisions,
} from "../../monitor/_state/fleet/jev-decisions.ts";
import { parseCli } from "../../monitor/_sys/cli.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";

export const USAGE = `usage: jev_watcher_filter.ts --manifest F --out-dir D [--env-file F] [--timeout 8] [--retries 1]
         [--concurrency 4] [--max-request-bytes 750000] [--egress-audit-dir D]`;

const FLAGS = {
	"--manifest": "value",
	"--out-dir": "value",
	"--env-file": "value",
	"--timeout": "value",
	"--retries": "value",
	"--concurrency": "value",
	"--max-request-bytes": "value",
	"--egress-audit-dir": "value",
} as const;

export interface FilterAnswer {
	readonly exitCode: 0 | 1 | 2;
	readonly out?: string;
	readonly err?: string;
}
type FilterDoors = Pick<Doors, "files" | "clock" | "proc" | "net">;

/** Exit code 2 for usage. Figures beyond their bounds are refused, never cut. */
export async function runFilter(
	doors: FilterDoors,
	argv: readonly string[],
): Promise<FilterAnswer> {
	const cli = parseCli(argv, { flags: FLAGS });
	if (cli.kind === "help") return { exitCode: 0, out: USAGE };
	if (cli.kind === "refused") return usage(cli.message);
	const manifestFile = cli.value("--manifest");
	const dir = cli.value("--out-dir");
	if (!manifestFile || !dir)
		return usage("--manifest and --out-dir are needed");
	const number = (flag: keyof typeof FLAGS, otherwise: number, most = 1e9) => {
		const text = cli.value(flag);
		if (text === undefined) return otherwise;
		const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
		return value <= most ? value : Number.NaN;
	};
	const numbers = {
		timeoutMs: number("--timeout", DEFAULT_FILTER.timeoutMs / 1000) * 1000,
		retries: number("--retries", DEFAULT_FILTER.retries),
		concurrency: number(
			"--concurrency",
			DEFAULT_FILTER.concurrency,
			MAX_CONCURRENCY,
		),
		maxRequestBytes: number(
			"--max-request-bytes",
			DEFAULT_FILTER.maxRequestBytes,
		),
	};
	if (Object.values(numbers).some(Number.isNaN) || numbers.concurrency < 1)
		return usage(
			`a whole number is needed; --concurrency 1 to ${MAX_CONCURRENCY}`,
		);
	const read = doors.files.read(manifestFile);
	if (read.kind !== "ok") return failed(`${manifestFile} cannot be read`);
	const manifest = parseManifest(read.text);
	if (manifest.kind === "bad")
		return failed(`${manifestFile}: ${manifest.why}`);
	const { env } = doors.proc;
	const envFile = cli.value("--env-file") ?? (env.ROSTER_JEV_ENV_FILE || null);
	const keys = findKeys(doors.files, env, envFile) ?? NO_KEYS;
	const audit = auditIn(doors, cli.value("--egress-audit-dir"));
	const asking = { doors, keys, audit, ...numbers };
	const summary = await filterRows(
		{ asking, files: doors.files, ...numbers },
		manifest.rows,
	);
	const written = writeDecisions(doors.files, dir, summary);
	if (written.kind !== "ok") return failed(`${dir}: ${written.reason}`);
	const { archive_only, attention } = summary;
	return {
		exitCode: 0,
		out: JSON.stringify({ archive_only, attention, out_dir: dir }),
	};
}

const NO_KEYS = { typesafe: null, openrouter: null };

/** A copy of each body that leaves the machine, in the order in which they leave. */
function auditIn(
	{ files }: FilterDoors,
	dir: string | undefined,
): Asking["audit"] {
	if (dir === undefined) return undefined;
	let count = 0;
	return (provider, body) => {
		files.mkdir(dir, 0o700);
		const name = `${String(++count).padStart(4, "0")}-${provider}.json`;
		files.writeAtomic(join(dir, name), body, { mode: 0o600 });
	};
}

function failed(why: string): FilterAnswer {
	return { exitCode: 1, err: `jev_watcher_filter: ${why}` };
}

function usage(why: string): FilterAnswer {
	return { exitCode: 2, err: `jev_watcher_filter: ${why}\n${USAGE}` };
}
