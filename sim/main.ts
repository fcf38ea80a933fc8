#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * `./nexus sim`: whole nights of the watcher on a simulated machine on which everything goes wrong
 * (docs/developers-map.md). Exit 0 when nothing broke, 1 when something did, 2 for wrong arguments.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { parseCli } from "../monitor/_sys/cli.ts";
import { excerpt } from "../monitor/_sys/excerpt.ts";
import { type NightResult, playNight } from "./night.ts";
import { REST_HOURS } from "./run.ts";
import { drawNight, type Night, nightHours } from "./schedule.ts";
import { type Ask, sideBySide } from "./side-by-side.ts";
import { keepStrays } from "./strays.ts";
import { warmUp } from "./warm-up.ts";

const USAGE = `usage: nexus sim [--hours H] [--minutes M] [--from N] [--jobs J] | --seed N [--hours H] | --replay FILE...
    plays nights of up to 168 simulated hours and the rest after them, each with a seed of its own, until
    H hours (default 24) are over or M minutes of real time have passed
  --from N        the first seed (default: the clock's); the others follow it
  --jobs J        so many processes at once (default: the cores)
  --seed N        plays the night of this seed alone, of up to H hours (default 168), and prints its trace if it breaks
  --replay FILE   plays nights that were kept as JSON, {"seed": N, "schedule": [...]}, one after another`;

/** A week. */
const NIGHT_HOURS = 168;
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
		// Further files to replay, as a shell's `*.json` names them.
		maxPositionals: Number.POSITIVE_INFINITY,
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
	const { positionals } = cli;
	if (replay !== undefined) {
		const nights = [replay, ...positionals].map(keptNight);
		const wrong = nights.find((night) => "wrong" in night);
		if (wrong !== undefined) return refuse(wrong.wrong);
		return oneByOne(nights.filter((night) => "night" in night));
	}
	if (positionals.length > 0)
		return refuse(`unexpected argument: ${excerpt(positionals.join(" "))}`);
	if (seed !== undefined) {
		const night = drawNight(seed, hours || NIGHT_HOURS);
		return oneByOne([{ name: `seed ${seed}`, night }]);
	}
	return many({
		hours: hours || 24,
		minutes: minutes ?? Number.POSITIVE_INFINITY,
		// Those of the clock, so that no two runs play the same.
		from: from ?? Math.floor(Date.now() / 1000) % 1_000_000_000,
		jobs: Math.max(1, Math.floor(jobs ?? availableParallelism())),
	});
}

interface NamedNight {
	readonly name: string;
	readonly night: Night;
}

function keptNight(file: string): NamedNight | { readonly wrong: string } {
	try {
		const night: Night = JSON.parse(readFileSync(file, "utf8"));
		if (typeof night.seed === "number" && Array.isArray(night.schedule))
			return { name: basename(file, ".json"), night };
		return { wrong: `--replay: no kept night: ${excerpt(file)}` };
	} catch (error) {
		return { wrong: `--replay: ${excerpt(`${file}: ${String(error)}`)}` };
	}
}

/** All of them, whatever becomes of one. */
async function oneByOne(nights: readonly NamedNight[]): Promise<number> {
	keepStrays();
	await warmUp();
	let failed = 0;
	for (const { name, night } of nights) {
		const result = await playNight(night);
		tell(name, result);
		const { simulatedMs, digest, violations } = result;
		const isWhole = violations.length === 0;
		if (!isWhole) failed++;
		say(
			`${name}: ${(simulatedMs / MS_PER_HOUR).toFixed(1)} h, digest ${digest}, ${isWhole ? "whole" : "BROKEN"}`,
		);
	}
	return failed === 0 ? 0 : 1;
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
		tell(`seed ${result.seed}`, result);
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

function tell(name: string, { violations, lines }: NightResult): void {
	for (const violation of violations) say(`${name}: BROKEN ${violation}`);
	for (const line of lines) say(line);
}

function refuse(message: string): number {
	process.stderr.write(`nexus sim: ${message}\n${USAGE}\n`);
	return 2;
}
