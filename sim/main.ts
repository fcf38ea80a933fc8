#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * `./nexus sim`: whole nights of the watcher on a simulated machine on which everything goes wrong
 * (docs/developers-map.md). Exit 0 when nothing broke, 1 when something did, 2 for wrong arguments.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseCli } from "../monitor/_sys/cli.ts";
import { type NightResult, playNight } from "./night.ts";
import { REST_HOURS } from "./run.ts";
import { drawNight, type Night, nightHours } from "./schedule.ts";
import { type Ask, sideBySide } from "./side-by-side.ts";
import { keepStrays } from "./strays.ts";
import { warmUp } from "./warm-up.ts";

const USAGE = `usage: nexus sim [--hours H] [--minutes M] [--from N] [--jobs J] | --seed N [--hours H] | --replay FILE
    plays nights of up to 48 simulated hours and the rest after them, each with a seed of its own, until
    H hours (default 24) are over or M minutes of real time have passed
  --from N        the first seed (default: the clock's); the others follow it
  --jobs J        so many processes at once (default: the cores)
  --seed N        plays the night of this seed alone, of up to H hours (default 48), and prints its trace if it breaks
  --replay FILE   plays a night that was kept as JSON: {"seed": N, "schedule": [...]}`;

const NIGHT_HOURS = 48;
const MS_PER_HOUR = 3_600_000;
const NUMBERS = ["seed", "hours", "minutes", "from", "jobs"] as const;

const say = (line: string) => process.stdout.write(`${line}\n`);
process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseCli(argv, {
		flags: {
			"--seed": "value",
			"--hours": "value",
			"--minutes": "value",
			"--from": "value",
			"--jobs": "value",
			"--replay": "value",
		},
	});
	if (cli.kind === "help") {
		say(USAGE);
		return 0;
	}
	if (cli.kind === "refused") return refuse(cli.message);
	const given: Partial<Record<(typeof NUMBERS)[number], number>> = {};
	for (const name of NUMBERS) {
		const text = cli.value(`--${name}`);
		if (text === undefined) continue;
		const n = Number(text);
		if (!Number.isFinite(n) || n < 0)
			return refuse(`--${name}: not a number: ${text}`);
		given[name] = n;
	}
	const { seed, hours, minutes, from, jobs } = given;
	const replay = cli.value("--replay");
	if (replay !== undefined)
		return one(JSON.parse(readFileSync(replay, "utf8")));
	if (seed !== undefined) return one(drawNight(seed, hours || NIGHT_HOURS));
	return many({
		hours: hours || 24,
		minutes: minutes ?? Number.POSITIVE_INFINITY,
		// Those of the clock, so that no two runs play the same.
		from: from ?? Math.floor(Date.now() / 1000) % 1_000_000_000,
		jobs: Math.max(1, Math.floor(jobs ?? availableParallelism())),
	});
}

async function one(night: Night): Promise<number> {
	keepStrays();
	await warmUp();
	const result = await playNight(night);
	tell(result);
	const { simulatedMs, digest, violations, seed } = result;
	const isWhole = violations.length === 0;
	say(
		`seed ${seed}: ${(simulatedMs / MS_PER_HOUR).toFixed(1)} h, digest ${digest}, ${isWhole ? "whole" : "BROKEN"}`,
	);
	return isWhole ? 0 : 1;
}

async function many(what: {
	readonly hours: number;
	readonly minutes: number;
	readonly from: number;
	readonly jobs: number;
}): Promise<number> {
	const asks: Ask[] = [];
	for (let seed = what.from, sum = 0; sum < what.hours; seed++) {
		asks.push({ seed, hours: NIGHT_HOURS });
		sum += nightHours(seed, NIGHT_HOURS) + REST_HOURS;
	}
	const startedMs = performance.now();
	const minutes = () => (performance.now() - startedMs) / 60_000;
	const digests = new Bun.CryptoHasher("sha256");
	let nights = 0;
	let hours = 0;
	let failed = 0;
	const results = sideBySide(asks, what.jobs, () => minutes() < what.minutes);
	for await (const result of results) {
		tell(result);
		nights++;
		hours += result.simulatedMs / MS_PER_HOUR;
		if (result.violations.length > 0) failed++;
		digests.update(result.digest);
	}
	const pace = (hours / minutes()).toFixed(0);
	say(
		`${nights} nights from seed ${what.from}, ${hours.toFixed(0)} simulated hours (${pace} a minute), digest ${digests.digest("hex").slice(0, 16)}, ${failed} broken`,
	);
	return failed === 0 ? 0 : 1;
}

function tell({ seed, violations, lines }: NightResult): void {
	for (const violation of violations) say(`seed ${seed}: BROKEN ${violation}`);
	for (const line of lines) say(line);
}

function refuse(message: string): number {
	process.stderr.write(`nexus sim: ${message}\n${USAGE}\n`);
	return 2;
}
