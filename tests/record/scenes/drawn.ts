/** Turns under settings that change how they are drawn. */
import {
	type Act,
	clear,
	IDLE,
	pause,
	press,
	rule,
	say,
	see,
	text,
	type,
} from "../scene.ts";

/** The same turn under settings that change how it is drawn. */
function drawn(name: string, settings: Readonly<Record<string, unknown>>): Act {
	return {
		name: `drawn-${name}`,
		options: { settings },
		rules: [
			rule("hang", { kind: "hang", text: "Thinking about it.\n\nSo" }),
			rule("hello", text("Hello to you.")),
		],
		scenes: [
			{
				name: `idle-${name}`,
				want: IDLE,
				play: [say("hello"), see(/Hello to you/), pause(1500)],
			},
			{
				name: `busy-${name}`,
				want: ["busy"],
				play: [say("hang now"), pause(2500)],
			},
			{
				name: `busy-draft-${name}`,
				want: ["user-typing"],
				play: [type("half typed"), pause(400)],
				leave: [...clear, press("Escape"), pause(800), ...clear],
			},
		],
	};
}

export const DRAWN: readonly Act[] = [
	drawn("still", { prefersReducedMotion: true }),
	drawn("light", { theme: "light" }),
	drawn("ansi", { theme: "dark-ansi" }),
	drawn("inline", { tui: "default" }),
	drawn("fullscreen", { tui: "fullscreen" }),
];
