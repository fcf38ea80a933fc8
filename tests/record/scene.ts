/** Scenes of the real Claude Code: how to bring one about, and what the screen alone must be read as. */
import type { Claude, ClaudeOptions } from "../support/claude-harness.ts";
import type { ModelReply, ModelRule } from "../support/model-server.ts";
import type { PrivateTmux } from "../support/private-tmux.ts";

export interface Stage {
	readonly claude: Claude;
	readonly tmux: PrivateTmux;
	/** Opens a gate of the scripted model. */
	release(gate: string): void;
	/** Does the reader see a dialog? */
	isBlocked(): boolean;
}
export type Step = (stage: Stage) => Promise<void> | void;

export interface Scene {
	readonly name: string;
	/** States that count as right; the first is the usual one. */
	readonly want: readonly string[];
	/** Releases differ in what opens a view: where Claude Code's own session file says `idle`, idle is right too. */
	readonly bySession?: boolean;
	/** Keys that the line must carry. */
	readonly keys?: Readonly<Record<string, string>>;
	/** Brings the scene about; fails when this release does not have it. */
	readonly play: readonly Step[];
	/** Back to an empty input box, for the next scene of the act. */
	readonly leave?: readonly Step[];
}

/** One Claude Code and the scenes that are played in it, in order. */
export interface Act {
	readonly name: string;
	readonly options?: Partial<Omit<ClaudeOptions, "tmux" | "model">>;
	readonly rules?: readonly ModelRule[];
	/** Files of the work folder, by name. */
	readonly files?: Readonly<Record<string, string>>;
	/** Claude Code's `.claude.json` in a config folder of the act's own: for first-start dialogs. */
	readonly config?: object;
	/** Every message is refused at this usage limit (`limit-server.ts`). */
	readonly limit?: string;
	/** Runs below a shell that stays when Claude Code ends. */
	readonly inShell?: boolean;
	/** Text on the screen once it is up; default: the input box. */
	readonly opensWith?: RegExp;
	readonly scenes: readonly Scene[];
}

/** How long a step waits for a screen. A release that lacks the scene costs this much. */
const LIMIT_MS = 9000;

export const pause =
	(ms: number): Step =>
	() =>
		Bun.sleep(ms);
export const type =
	(text: string): Step =>
	({ claude }) =>
		claude.type(text);
export const press =
	(...keys: string[]): Step =>
	async ({ claude }) => {
		for (const key of keys) {
			claude.press(key);
			await Bun.sleep(80);
		}
	};
export const see =
	(what: RegExp): Step =>
	async ({ claude }) =>
		void (await claude.waitForScreen(what, LIMIT_MS));
export const lose =
	(what: RegExp): Step =>
	async ({ claude }) =>
		void (await claude.waitForScreen((s) => !what.test(s), LIMIT_MS));
/** Types a prompt and sends it. */
export const say =
	(prompt: string): Step =>
	async ({ claude }) => {
		claude.type(prompt);
		await claude.waitForScreen(
			(s) => s.includes(prompt.slice(0, 12)),
			LIMIT_MS,
		);
		await Bun.sleep(250);
		claude.press("Enter");
		await Bun.sleep(300);
	};
/** A slash command; the pause lets the completion menu settle. */
export const command = (name: string): readonly Step[] => [
	type(name),
	pause(500),
	press("Enter"),
	pause(700),
];
export const release =
	(gate: string): Step =>
	({ release: open }) =>
		open(gate);
/** A bracketed paste of `text`. */
export const paste =
	(text: string): Step =>
	async ({ claude, tmux }) => {
		const file = `${tmux.dir}/paste.txt`;
		await Bun.write(file, text);
		tmux.run("load-buffer", "-b", "scene", file);
		tmux.run("paste-buffer", "-p", "-b", "scene", "-t", claude.paneId);
	};

/** Empties the box. */
export const clear: readonly Step[] = [press("C-u", "C-u"), pause(150)];
export const dismiss: readonly Step[] = [press("Escape"), pause(400)];

/** Escape until no dialog is up; one too many would open another one. */
export const dismissAll: readonly Step[] = [
	async ({ claude, isBlocked }) => {
		for (const key of ["Escape", "Escape", "Escape", "C-c"]) {
			if (!isBlocked()) return;
			claude.press(key);
			await Bun.sleep(700);
		}
	},
];

export const IDLE = ["idle", "autosuggest-only"] as const;

export function rule(when: string, ...replies: ModelReply[]): ModelRule {
	return { when, replies };
}
export function text(words: string): ModelReply {
	return { kind: "text", text: words };
}
export function tool(
	name: string,
	input: Readonly<Record<string, unknown>>,
	said?: string,
): ModelReply {
	return { kind: "tool", name, input, ...(said ? { text: said } : {}) };
}
