/** Nights side by side, each in one of several processes; what they answer comes in the order of their seeds. */
import { join } from "node:path";
import { BUN_FLAGS, CODE_ROOT } from "../monitor/_sys/names.ts";
import type { NightResult } from "./night.ts";

const PLAYER = join(CODE_ROOT, "sim/player.ts");

/** What a process is asked to play. */
export interface Ask {
	readonly seed: number;
	readonly hours: number;
}

/**
 * Hands out `asks` in their order while `goesOn()`, and answers the results of all that were handed
 * out, in the same order. A process that ends with a night in hand is that night's violation.
 */
export async function* sideBySide(
	asks: readonly Ask[],
	jobs: number,
	goesOn: () => boolean,
): AsyncGenerator<NightResult> {
	const results = asks.map(() => Promise.withResolvers<NightResult | null>());
	let next = 0;
	const drain = async () => {
		const player = startPlayer();
		for (let at = next++; at < asks.length; at = next++) {
			const ask = asks[at];
			const done = ask && goesOn() ? await player.plays(ask) : null;
			results[at]?.resolve(done);
		}
		player.end();
	};
	const drained = Promise.all(Array.from({ length: jobs }, drain));
	for (const { promise } of results) {
		const result = await promise;
		if (result !== null) yield result;
	}
	await drained;
}

interface Player {
	plays(ask: Ask): Promise<NightResult>;
	end(): void;
}

function startPlayer(): Player {
	let process_ = spawn(() => {});
	return {
		plays: async (ask) => {
			const { promise, resolve } = Promise.withResolvers<NightResult>();
			process_.hears(resolve);
			process_.child.send(ask);
			const ended = process_.child.exited.then((code) => broken(ask, code));
			const result = await Promise.race([promise, ended]);
			const { exitCode, signalCode } = process_.child;
			if (exitCode !== null || signalCode !== null) process_ = spawn(() => {});
			return result;
		},
		end: () => process_.child.kill(),
	};
}

function spawn(first: (result: NightResult) => void) {
	let listener = first;
	const child = Bun.spawn(
		// As fast with a small heap, and several of them stand side by side.
		[process.execPath, "--smol", ...BUN_FLAGS, PLAYER],
		{
			env: {
				...process.env,
				// Its last tier compiles for longer than what it compiles is run.
				BUN_JSC_useFTLJIT: "false",
				// What a night gives back the next one takes again.
				MIMALLOC_PURGE_DELAY: "-1",
			},
			stdio: ["ignore", "inherit", "inherit"],
			ipc: (result: NightResult) => listener(result),
		},
	);
	return {
		child,
		hears: (next: (result: NightResult) => void) => {
			listener = next;
		},
	};
}

function broken({ seed }: Ask, code: number): NightResult {
	return {
		seed,
		simulatedMs: 0,
		digest: "",
		violations: [`the process that played it ended with ${code}`],
		lines: [],
	};
}
