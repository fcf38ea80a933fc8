/** Usage limits: the notice, the menu, and what is left when they are dismissed. */
import {
	type Act,
	dismissAll,
	pause,
	press,
	type Scene,
	say,
	see,
} from "../scene.ts";

const hit: Scene = {
	name: "limit-hit",
	// Releases differ in whether a menu opens by itself.
	want: ["over-limit", "blocked"],
	play: [say("hello there"), see(/hit your/), pause(2500)],
	leave: [...dismissAll, pause(500)],
};
const dismissed: Scene = {
	name: "limit-dismissed",
	want: ["over-limit"],
	play: [press("Escape"), pause(1200)],
};

function act(claim: string): Act {
	const scenes = [hit, dismissed].map((scene) => ({
		...scene,
		name: `${scene.name}-${claim.replaceAll("_", "-")}`,
	}));
	return { name: `limit-${claim}`, limit: claim, scenes };
}

export const LIMITS: readonly Act[] = [
	act("five_hour"),
	act("seven_day"),
	act("seven_day_opus"),
];
