/** The input box with vim keys and with a status line of the user's own. */
import { type Act, clear, IDLE, pause, press, see, type } from "../scene.ts";

const typed = { input: "typed" };

export const VIM: Act = {
	name: "vim",
	options: { vim: true },
	scenes: [
		{ name: "vim-fresh", want: IDLE, play: [pause(500)] },
		{
			name: "vim-insert-draft",
			want: ["user-typing"],
			keys: typed,
			play: [type("idraft in vim"), pause(300)],
		},
		{
			name: "vim-normal-draft",
			want: ["user-typing"],
			keys: typed,
			play: [press("Escape"), pause(300)],
		},
		{
			name: "vim-normal",
			want: IDLE,
			play: [type("dd"), pause(300)],
		},
	],
};

export const STATUSLINE: Act = {
	name: "statusline",
	options: {
		settings: {
			statusLine: {
				type: "command",
				command: "printf 'ctx 42%% | 2 shells left | main*\\n❯ second row'",
				padding: 0,
			},
		},
	},
	scenes: [
		{ name: "statusline", want: IDLE, play: [see(/ctx 42%/)] },
		{
			name: "statusline-draft",
			want: ["user-typing"],
			keys: typed,
			play: [type("typed here"), pause(400)],
			leave: clear,
		},
	],
};
