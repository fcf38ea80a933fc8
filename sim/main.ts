#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * `./nexus sim [--seed N] [--hours H] [--minutes M] [--replay <file>]`: whole nights of the watcher on
 * a simulated machine on which everything goes wrong (docs/developers-map.md). Exit 0 when nothing
 * broke, 1 when something did, 2 for wrong arguments.
 */
import { readFileSync } from "node:fs";
import { parseCli } from "../monitor/_sys/cli.ts";
import { SimulatedCrash } from "../tests/fakes/faults.ts";
import { shortest, tellOf } from "./night.ts";
import { play } from "./run.ts";
import { drawNight, type Night } from "./schedule.ts";
import { warmUp } from "./warm-up.ts";

const USAGE = `usage: nexus sim [--seed N] [--hours H] [--minutes M] [--replay <file>]
    plays nights of eight simulated hours, each with a seed of its own, until H hours (default 24) are
    over or M minutes of real time have passed
  --seed N        plays the night of this seed alone, of H hours (default 8), and prints its trace
  --replay FILE   plays a night that was kept as JSON: {"seed": N, "schedule": [...]}`;

const NIGHT_HOURS = 8;
const MS_PER_HOUR = 3_600_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const strays: unknown[] = [];
process.on("unhandledRejection", (error) => {
	// What a killed process still had in hand.
	if (!(error instanceof SimulatedCrash)) strays.push(error);
});
process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseCli(argv, {
		flags: {
			"--seed": "value",
			"--hours": "value",
			"--minutes": "value",
			"--replay": "value",
		},
	});
	if (cli.kind === "help") {
		say(USAGE);
		return 0;
	}
	if (cli.kind === "refused") return refuse(cli.message);
	const numbers = { seed: 0, hours: 0, minutes: Infinity };
	for (const name of ["seed", "hours", "minutes"] as const) {
		const given = cli.value(`--${name}`);
		if (given === undefined) continue;
		const n = Number(given);
		if (!Number.isFinite(n) || n < 0)
			return refuse(`--${name}: not a number: ${given}`);
		numbers[name] = n;
	}
	const replay = cli.value("--replay");
	await warmUp();
	if (replay !== undefined)
		return (await survives(JSON.parse(readFileSync(replay, "utf8")), true))
			? 0
			: 1;
	if (cli.on("--seed"))
		return (await survives(
			drawNight(numbers.seed, numbers.hours || NIGHT_HOURS),
			true,
		))
			? 0
			: 1;
	return many(numbers.hours || 24, numbers.minutes);
}

/** Fresh seeds: those of the clock, so that no two runs play the same. */
async function many(hours: number, minutes: number): Promise<number> {
	const first = Math.floor(Date.now() / 1000) % 1_000_000_000;
	const started = performance.now();
	let simulated = 0;
	let failed = 0;
	let nights = 0;
	for (let seed = first; simulated < hours; seed++) {
		if (performance.now() - started > minutes * 60_000) break;
		const night = drawNight(seed, NIGHT_HOURS);
		const outcome = await play(night);
		simulated += outcome.simulatedMs / MS_PER_HOUR;
		nights++;
		if (outcome.violations.length === 0) continue;
		failed++;
		for (const violation of outcome.violations)
			say(`seed ${seed}: BROKEN ${violation}`);
		await tellShortest(night);
	}
	const perMinute = simulated / ((performance.now() - started) / 60_000);
	say(
		`${nights} nights, ${simulated.toFixed(0)} simulated hours (${perMinute.toFixed(0)} a minute), ${failed} broken`,
	);
	return failed + tellStrays() === 0 ? 0 : 1;
}

async function survives(night: Night, isVerbose: boolean): Promise<boolean> {
	const outcome = await play(night);
	const isWhole = outcome.violations.length === 0 && tellStrays() === 0;
	if (!isWhole) {
		for (const line of tellOf(outcome)) say(line);
		await tellShortest(night);
	}
	if (isVerbose)
		say(
			`seed ${night.seed}: ${(outcome.simulatedMs / MS_PER_HOUR).toFixed(1)} h, digest ${outcome.digest}, ${isWhole ? "whole" : "BROKEN"}`,
		);
	return isWhole;
}

async function tellShortest(night: Night): Promise<void> {
	const outcome = await play(night);
	if (outcome.violations.length === 0) return;
	const short = await shortest(night, outcome);
	say(
		`the shortest night that breaks it, for --replay: ${JSON.stringify(short)}`,
	);
	for (const line of tellOf(await play(short))) say(line);
}

function tellStrays(): number {
	for (const error of strays)
		say(
			`BROKEN a stray rejection: ${error instanceof Error ? error.stack : error}`,
		);
	return strays.length;
}

function refuse(message: string): number {
	process.stderr.write(`nexus sim: ${message}\n${USAGE}\n`);
	return 2;
}
