/** How to make Claude Code fire its hooks. Each scene is a session of its own: a refused prompt stays in the next request. */
import type { ClaudeOptions } from "../../support/claude-harness.ts";
import type { ModelReply, ModelRule } from "../../support/model-server.ts";
import { pause, press, type Step, say, tool } from "../scene.ts";

export interface HookScene {
	readonly name: string;
	readonly prompt: string;
	readonly replies: readonly ModelReply[];
	/** For the prompts of subagents. */
	readonly rules?: readonly ModelRule[];
	/** After the prompt; then the turn's end is waited for. */
	readonly play?: readonly Step[];
	/** The turn never ends by itself. */
	readonly endless?: boolean;
	/** The model API refuses as for an account at this usage limit. */
	readonly limit?: string;
	readonly options?: Partial<ClaudeOptions>;
}

const blocked: Step = ({ claude }) =>
	claude.waitForStatus("waiting").then(() => {});
/** The notice of a prompt comes some seconds after the prompt. */
const NOTICE_MS = 8000;
const answer = [blocked, pause(NOTICE_MS), press("Enter")];
const bash = (command: string, more: object = {}) =>
	tool("Bash", { command, description: "A command", ...more });
const BYPASS = { permissionMode: "bypassPermissions" } as const;

export const HOOK_SCENES: readonly HookScene[] = [
	{
		name: "tool-use",
		prompt: "run a command",
		replies: [bash("echo hello")],
		options: BYPASS,
	},
	{
		name: "failed-tool",
		prompt: "run a command that fails",
		replies: [bash("exit 3")],
		options: BYPASS,
	},
	{
		name: "permission",
		prompt: "write a file",
		replies: [tool("Write", { file_path: "note.txt", content: "hello" })],
		play: answer,
	},
	{
		name: "question",
		prompt: "ask me something",
		replies: [
			tool("AskUserQuestion", {
				questions: [
					{
						question: "Which colour?",
						header: "Colour",
						multiSelect: false,
						options: [
							{ label: "Red", description: "The first" },
							{ label: "Blue", description: "The second" },
						],
					},
				],
			}),
		],
		play: answer,
	},
	{
		name: "escape",
		prompt: "think for ever",
		replies: [{ kind: "hang", text: "Let me think" }],
		play: [
			async ({ claude }) => void (await claude.waitForStatus("busy")),
			pause(800),
			press("Escape"),
		],
	},
	{
		name: "subagent",
		prompt: "delegate this",
		replies: [
			tool("Agent", {
				description: "A small job",
				prompt: "small job for a subagent",
				subagent_type: "general-purpose",
			}),
		],
		rules: [{ when: "small job", replies: [bash("echo from below")] }],
		options: BYPASS,
	},
	{
		name: "wake-up",
		prompt: "wake up later",
		replies: [
			tool("ScheduleWakeup", {
				delaySeconds: 600,
				reason: "to look again",
				prompt: "look again",
			}),
		],
		options: BYPASS,
	},
	{
		name: "background",
		prompt: "start something in the background",
		replies: [bash("sleep 1", { run_in_background: true })],
		options: BYPASS,
		play: [pause(2500)],
	},
	{
		name: "idle-notice",
		prompt: "say something",
		replies: [{ kind: "text", text: "Something." }],
		play: [pause(66_000)],
	},
	...(
		[
			[
				"throttled",
				429,
				"Server is temporarily limiting requests (not your usage limit)",
			],
			["rejected", 429, "Too many tokens"],
			["server-error", 500, undefined],
			["overloaded", 529, undefined],
			["unauthorized", 401, undefined],
			["bad-request", 400, "messages.1: thinking blocks cannot be modified"],
		] as const
	).map(([name, status, message]) => ({
		name,
		prompt: `a turn that ends with ${status}`,
		replies: [{ kind: "error", status, message } as const],
	})),
	...["five_hour", "seven_day"].map((limit) => ({
		name: `limit-${limit.replace("_", "-")}`,
		prompt: "hello there",
		replies: [],
		limit,
		play: [pause(2500)],
		endless: true,
	})),
];

export function rulesOf(scene: HookScene): readonly ModelRule[] {
	const own = { when: scene.prompt, replies: scene.replies };
	return [...(scene.rules ?? []), own];
}

export const opening = (scene: HookScene): Step => say(scene.prompt);
