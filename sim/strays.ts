/** Rejections that nobody handled while a night was played: each is a bug, but for what a killed process still had in hand. */
import { SimulatedCrash } from "../tests/fakes/faults.ts";

const strays: string[] = [];

/** From now on they are kept instead of ending this process. */
export function keepStrays(): void {
	process.on("unhandledRejection", (error) => {
		if (error instanceof SimulatedCrash) return;
		strays.push(error instanceof Error ? (error.stack ?? "") : `${error}`);
	});
}

/** Those since the last call, in words. */
export function takeStrays(): readonly string[] {
	return strays.splice(0).map((stray) => `a stray rejection: ${stray}`);
}
