/** `capture_archive`: puts one picture, or one capture file, into the archive by hand, and forgets old ones (contract 09 §12.3). */
import { basename, resolve } from "node:path";
import {
	type ArchiveWrite,
	archiveAgentCapture,
	archiveSource,
} from "../../monitor/_state/fleet/capture-archive.ts";
import { pruneCaptures } from "../../monitor/_state/fleet/capture-prune.ts";
import {
	type CaptureRoute,
	parseGeometry,
} from "../../monitor/_state/fleet/capture-record.ts";
import { fileStamp, isoMicros } from "../../monitor/_state/fleet/time.ts";
import { captureDir } from "../../monitor/_state/fleet/watch-captures.ts";
import { parseDuration } from "../../monitor/_state/fleet/watch-params.ts";
import { type Cli, parseCli } from "../../monitor/_sys/cli.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";

export const USAGE = `usage: capture_archive.ts archive-agent --archive-dir D --agent A --raw-file F [--source-file F]
         [--capture-id I] [--capture-timestamp-utc T] [--capture-rc N] [--requested-lines 30] [--runtime R]
         [--geometry-json J] [--capture-route primary|ssh_fallback|both_failed] [--primary-rc N] [--ssh-rc N] [--final-rc N]
       capture_archive.ts archive-source --archive-dir D --source F [--capture-id I] [--capture-timestamp-utc T]
       capture_archive.ts prune --captures-dir D --older-than 14d [--dry-run]   (by itself nothing is ever removed)`;

const FLAGS = {
	"--archive-dir": "value",
	"--agent": "value",
	"--raw-file": "value",
	"--source-file": "value",
	"--source": "value",
	"--capture-id": "value",
	"--capture-timestamp-utc": "value",
	"--capture-rc": "value",
	"--requested-lines": "value",
	"--runtime": "value",
	"--geometry-json": "value",
	"--capture-route": "value",
	"--primary-rc": "value",
	"--ssh-rc": "value",
	"--final-rc": "value",
	"--captures-dir": "value",
	"--older-than": "value",
	"--dry-run": "switch",
} as const;
type Flag = keyof typeof FLAGS;
type Given = Extract<Cli, { kind: "ok" }>;
const CAPTURES = basename(captureDir("/", "a"));
const MAX_BYTES = 64 * 1024 * 1024;

export interface ArchiveAnswer {
	readonly exitCode: 0 | 1 | 2;
	readonly out?: string;
	readonly err?: string;
}

/** Exit code 2 for usage. */
export function runArchive(
	doors: Pick<Doors, "files" | "clock" | "random">,
	argv: readonly string[],
): ArchiveAnswer {
	const cli = parseCli(argv, { flags: FLAGS, maxPositionals: 1 });
	if (cli.kind === "help") return { exitCode: 0, out: USAGE };
	if (cli.kind === "refused") return usage(cli.message);
	switch (cli.positionals[0]) {
		case "archive-agent":
			return agent(doors, cli);
		case "archive-source":
			return source(doors, cli);
		case "prune":
			return prune(doors, cli);
		default:
			return usage("archive-agent, archive-source or prune");
	}
}

type ArchiveDoors = Pick<Doors, "files" | "clock" | "random">;

function agent(doors: ArchiveDoors, cli: Given): ArchiveAnswer {
	const name = cli.value("--agent");
	const rawFile = cli.value("--raw-file");
	const dir = cli.value("--archive-dir");
	if (!name || !rawFile || !dir)
		return usage("--archive-dir, --agent and --raw-file are needed");
	const numbers = readNumbers(cli);
	const route = routeOf(cli.value("--capture-route") ?? "primary");
	const measured = cli.value("--geometry-json");
	const geometry = measured === undefined ? null : parseGeometry(measured);
	if (typeof numbers === "string") return usage(numbers);
	if (route === null) return usage("--capture-route is no route");
	if (geometry?.kind === "bad")
		return usage(`--geometry-json: ${geometry.why}`);
	const raw = doors.files.readBytes(rawFile, MAX_BYTES);
	if (raw.kind !== "ok") return unreadable(rawFile);
	const sourceFile = cli.value("--source-file");
	const whole =
		sourceFile === undefined
			? null
			: doors.files.readBytes(sourceFile, MAX_BYTES);
	if (sourceFile !== undefined && whole?.kind !== "ok")
		return unreadable(sourceFile);
	return ended(
		archiveAgentCapture(archiveIn(doors, dir), {
			agent: name,
			raw: raw.bytes,
			route,
			box: null,
			geometry: geometry?.geometry ?? null,
			...identity(doors, cli),
			...numbers,
			runtime: cli.value("--runtime") ?? null,
			section: { index: 0, lineStart: null, lineEnd: null },
			source:
				whole?.kind === "ok" && sourceFile !== undefined
					? { path: sourceFile, bytes: whole.bytes }
					: null,
		}),
	);
}

function source(doors: ArchiveDoors, cli: Given): ArchiveAnswer {
	const path = cli.value("--source");
	const dir = cli.value("--archive-dir");
	if (!path || !dir) return usage("--archive-dir and --source are needed");
	const read = doors.files.readBytes(path, MAX_BYTES);
	if (read.kind !== "ok") return unreadable(path);
	const x = { path, bytes: read.bytes, ...identity(doors, cli) };
	return ended(archiveSource(archiveIn(doors, dir), x));
}

const SHORTEST_SECONDS = 86_400;

function prune({ files, clock }: ArchiveDoors, cli: Given): ArchiveAnswer {
	const dir = cli.value("--captures-dir");
	const age = parseDuration(cli.value("--older-than") ?? "");
	if (!dir || age === null || age < SHORTEST_SECONDS)
		return usage("--captures-dir, and --older-than of a day at least, as 14d");
	if (basename(resolve(dir)) !== CAPTURES)
		return usage(`--captures-dir is a folder called ${CAPTURES}`);
	const before = clock.nowMs() - age * 1000;
	const done = pruneCaptures(files, dir, before, cli.on("--dry-run"));
	if ("kind" in done) {
		const error = { error: "captures_unreadable", reason: done.why };
		return { exitCode: 1, err: JSON.stringify(error) };
	}
	const { removed, failed } = done;
	const out = JSON.stringify({
		status: cli.on("--dry-run") ? "dry_run" : "pruned",
		removed: removed.length,
		failed: failed.length,
	});
	return failed.length === 0
		? { exitCode: 0, out }
		: { exitCode: 1, out, err: JSON.stringify(failed[0]) };
}

function archiveIn({ files, random }: ArchiveDoors, dir: string) {
	return { files, dir, unique: random.hex(12) };
}

function identity({ clock }: ArchiveDoors, cli: Given) {
	const now = clock.nowMs();
	return {
		captureId: cli.value("--capture-id") ?? fileStamp(now),
		at: cli.value("--capture-timestamp-utc") ?? isoMicros(now),
	};
}

/** A text is what is wrong. */
function readNumbers(cli: Given) {
	const bad = (
		[
			"--capture-rc",
			"--primary-rc",
			"--ssh-rc",
			"--final-rc",
			"--requested-lines",
		] as const
	).find((flag) => !/^-?\d{1,9}$/.test(cli.value(flag) ?? "0"));
	if (bad !== undefined) return `${bad} needs a whole number`;
	const number = (flag: Flag) => {
		const text = cli.value(flag);
		return text === undefined ? null : Number(text);
	};
	const captureRc = number("--capture-rc") ?? 0;
	return {
		captureRc,
		finalRc: number("--final-rc") ?? captureRc,
		primaryRc: number("--primary-rc"),
		sshRc: number("--ssh-rc"),
		requestedLines: number("--requested-lines") ?? 30,
	};
}

function routeOf(word: string): CaptureRoute | null {
	return word === "primary" || word === "ssh_fallback" || word === "both_failed"
		? word
		: null;
}

function ended(done: ArchiveWrite): ArchiveAnswer {
	return done.kind === "failed"
		? { exitCode: 1, err: JSON.stringify(done.error) }
		: {
				exitCode: 0,
				out: JSON.stringify({ status: done.kind, path: done.path }),
			};
}

function unreadable(path: string): ArchiveAnswer {
	const error = { error: "archive_input_unreadable", path };
	return { exitCode: 1, err: JSON.stringify(error) };
}

function usage(why: string): ArchiveAnswer {
	return { exitCode: 2, err: `capture_archive: ${why}\n${USAGE}` };
}
