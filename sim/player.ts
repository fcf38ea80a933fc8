/** A process that plays the nights that it is asked for, one after another. */
import { playNight } from "./night.ts";
import { drawNight } from "./schedule.ts";
import type { Ask } from "./side-by-side.ts";
import { keepStrays } from "./strays.ts";
import { warmUp } from "./warm-up.ts";

keepStrays();
const warm = warmUp();
process.on("message", async ({ seed, hours }: Ask) => {
	await warm;
	process.send?.(await playNight(drawNight(seed, hours)));
	// A night's world is large and all garbage now; left to itself the heap grows to several of them.
	Bun.gc(true);
});
// Whoever asked is gone.
process.on("disconnect", () => process.exit(0));
