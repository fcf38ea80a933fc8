/**
 * The product loads some modules when it first needs them, which takes real time that no simulated
 * clock sees. One throw-away machine loads them all, so that no later play depends on how fast.
 */
import { signAtOnce } from "./github.ts";
import { makeWorld } from "./world.ts";

export async function warmUp(): Promise<void> {
	signAtOnce();
	const world = makeWorld(0);
	world.startWatcher();
	for (let i = 0; i < 200; i++) {
		await world.doors.clock.advance(50);
		await Bun.sleep(2);
	}
	await world.doors.clock.advance(120_000);
	world.end();
}
