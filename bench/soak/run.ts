/** A soak from its first comment to its account. */
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseRequestName } from "../../monitor/_state/requests.ts";
import { TARGET } from "../../tests/support/orchestrator-world.ts";
import { accountOf, isLost, type Outcome, type Row } from "./account.ts";
import { killAtRandom, supervise } from "./kills.ts";
import { FATES, type Fate } from "./ledger.ts";
import { startNight } from "./night.ts";
import { ask, askAtRandom, typeAtRandom } from "./operator.ts";
import { timeline } from "./timeline.ts";
import { readTold } from "./told.ts";
import { watchVitals } from "./vitals.ts";
import { makeWeather } from "./weather.ts";
import { type SoakWorld, withSoakWorld } from "./world.ts";

export interface SoakOptions {
	/** How long things go wrong; what is open then has `drainMs` to come to its end. */
	readonly minutes: number;
	readonly workers: number;
	readonly seed: number;
	/** From one kill to the next. */
	readonly killMs: number;
	readonly askMs: number;
	readonly drainMs: number;
	/** Of the workers' errands, each in its turn. Default: all. */
	readonly fates?: readonly Fate[];
	/** A folder: what it needs to find out why goes there when something is missed. */
	readonly evidenceDir: string | null;
	readonly say: (line: string) => void;
}

/** The last third of a long night is without kills, so that a watcher's memory can be followed. */
const killsUntil = (minutes: number) => (minutes < 10 ? 0.9 : 0.65);

export async function soak(opts: SoakOptions): Promise<readonly Row[]> {
	const { seed, say } = opts;
	const rows: Row[] = [];
	const chance = startNight(0).of(seed, 0).chance;
	await withSoakWorld({ workers: opts.workers, chance }, async (world) => {
		await world.orchestrator();
		say("the orchestrator is briefed; the night begins");
		const stop = { now: false };
		const isOver = () => stop.now;
		const beside = [
			supervise(world, isOver),
			watchVitals(world, isOver),
			narrate(world, say, isOver),
		];
		const night = startNight(opts.minutes * 60_000);
		const of = (salt: number) => night.of(seed, salt);
		// Ctrl-C ends the night, not the account of it.
		process.once("SIGINT", night.end).once("SIGTERM", night.end);
		await Promise.all([
			askAtRandom(
				world,
				{ ...of(1), pauseMs: opts.askMs },
				opts.fates ?? FATES,
			),
			typeAtRandom(world, { ...of(2), pauseMs: opts.askMs * 3 }),
			makeWeather(world.github, world.ledger, { ...of(3), pauseMs: 40_000 }),
			killAtRandom(world, {
				...of(4),
				pauseMs: opts.killMs,
				untilShare: killsUntil(opts.minutes),
			}),
		]);
		say("the night is over; what is open comes to its end");
		await drain(world, opts);
		rows.push(...accountOf(outcomeOf(world)));
		if (isLost(rows)) {
			say(evidence(world));
			if (opts.evidenceDir !== null) keep(world, opts.evidenceDir);
		}
		stop.now = true;
		await Promise.all(beside);
	});
	return rows;
}

/** Where nothing moves the operator asks how it stands, so that the orchestrator has something to wake for. */
async function drain(
	world: SoakWorld,
	{ drainMs, say }: Pick<SoakOptions, "drainMs" | "say">,
): Promise<void> {
	const began = Date.now();
	const last = { moved: began, open: "" };
	while (Date.now() - began < drainMs) {
		await Bun.sleep(3000);
		const missed = accountOf(outcomeOf(world)).filter((row) => row.isMissed);
		if (missed.length === 0) return;
		const open = missed.map(({ what }) => what).join(", ");
		if (open !== last.open) {
			say(`still open: ${open}`);
			last.open = open;
			last.moved = Date.now();
		}
		const isLate = Date.now() - began > drainMs - 60_000;
		if (Date.now() - last.moved < 30_000 || isLate) continue;
		last.moved = Date.now();
		ask(world, "answer", null, 1);
	}
}

function outcomeOf(world: SoakWorld): Outcome {
	const { ledger, stateDir, root } = world;
	const marked = (content: "eyes" | "rocket") =>
		new Set(
			ledger.asked
				.map(({ id }) => id)
				.filter((id) => world.isMarked(id, content)),
		);
	return {
		ledger,
		told: readTold(world.configDir),
		eyes: marked("eyes"),
		rockets: marked("rocket"),
		reports: readdirSync(join(root, "reports")).filter((name) =>
			name.endsWith(".md"),
		),
		requests: requestsOf(stateDir),
		prompts: world.model.requests.flatMap(({ prompt }) => prompt ?? []),
		watchers: world.groups().length,
		orchestrators: world.orchestrators().length,
		problems: world.github.problems.length,
	};
}

function keep(world: SoakWorld, dir: string): void {
	const { ledger, github, root, stateDir, configDir, workers } = world;
	const write = (name: string, value: unknown) =>
		writeFileSync(join(dir, name), JSON.stringify(value, null, "\t"));
	mkdirSync(dir, { recursive: true });
	copyLive(stateDir, join(dir, "state"));
	copyLive(join(root, "reports"), join(dir, "reports"));
	copyLive(join(configDir, "projects"), join(dir, "projects"));
	write("ledger.json", ledger);
	write("told.json", readTold(configDir));
	write("problems.json", github.problems);
	write("comments.json", github.place.state.repos[0]?.comments);
	write(
		"screens.json",
		[TARGET, ...workers].map((window) =>
			world.paneOf(window)?.screen().split("\n"),
		),
	);
}

/** Whatever of a folder is there: files come and go while it is copied. */
function copyLive(from: string, to: string): void {
	mkdirSync(to, { recursive: true });
	for (const entry of readdirSync(from, { withFileTypes: true })) {
		const [path, copy] = [join(from, entry.name), join(to, entry.name)];
		if (entry.isDirectory()) copyLive(path, copy);
		else if (existsSync(path)) tryCopy(path, copy);
	}
}

function tryCopy(path: string, copy: string): void {
	try {
		copyFileSync(path, copy);
	} catch {
		// Gone meanwhile, or a socket.
	}
}

function evidence(world: SoakWorld): string {
	return [
		`root: ${world.root}`,
		`github: ${world.github.problems.join("\n")}`,
		world.state("watcher-alerts.log"),
		world.state("watcher.log").slice(-12_000),
		...timeline(world.ledger, readTold(world.configDir)),
		world.state("idle-state.tsv"),
		...world.workers.map(
			(window) => `${window}: ${lastLines(world.paneOf(window)?.screen())}`,
		),
	].join("\n");
}

/** Where one looks first: what the screen ends with. */
function lastLines(screen = "gone"): string {
	const lines = screen.split("\n").filter((line) => /\w/.test(line));
	return lines.slice(-4).join(" / ");
}

/** Those filed by workers, by the names of their files. */
function requestsOf(stateDir: string): Outcome["requests"] {
	const inbox = join(stateDir, "requests");
	const names = existsSync(inbox) ? readdirSync(inbox) : [];
	return names.flatMap((name) => {
		const request = parseRequestName(name);
		if (request === null) return [];
		return [
			{
				id: request.id,
				isClosed: request.state === "replied" || request.state === "done",
			},
		];
	});
}

async function narrate(
	{ ledger, isMarked }: SoakWorld,
	say: (line: string) => void,
	isOver: () => boolean,
): Promise<void> {
	for (let n = 1; !isOver(); n++) {
		await Bun.sleep(1000);
		if (n % 60 !== 0) continue;
		const { asked, kills, vitals } = ledger;
		const done = asked.filter(({ id }) => isMarked(id, "rocket")).length;
		const now = vitals.at(-1);
		say(
			`minute ${n / 60}: ${asked.length} comments, ${done} settled; ${kills.length} kills; watcher ${now?.pssMiB.toFixed(0)} MiB (own ${now?.ownMiB.toFixed(0)}), ${now?.files} files`,
		);
	}
}
