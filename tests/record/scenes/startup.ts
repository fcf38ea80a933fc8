/** What stands in the way before the first prompt, and what stays after the last. */
import {
	type Act,
	command,
	IDLE,
	pause,
	press,
	rule,
	say,
	see,
	text,
} from "../scene.ts";

const onboarded = { theme: "dark", hasCompletedOnboarding: true };
const mcpServers = { mcpServers: { odd: { command: "cat" } } };

export const STARTUP: readonly Act[] = [
	{
		name: "trust",
		options: { trusted: false },
		config: { ...onboarded, bypassPermissionsModeAccepted: true },
		opensWith: /trust/,
		scenes: [
			{
				name: "trust",
				want: ["blocked"],
				keys: { overlay: "workspace-trust" },
				play: [pause(500)],
			},
			{
				name: "trust-second",
				want: ["blocked"],
				keys: { overlay: "workspace-trust" },
				play: [press("Down"), pause(300)],
			},
		],
	},
	{
		name: "bypass",
		config: onboarded,
		opensWith: /trust|Bypass Permissions mode/,
		scenes: [
			{
				name: "bypass-warning",
				want: ["blocked"],
				keys: { overlay: "bypass-permissions" },
				play: [
					async (stage) => {
						// The trust dialog may come first; its order of options differs by release.
						const screen = stage.claude.screen();
						if (!/trust this folder/.test(screen)) return;
						if (!/❯ (?:1\. )?Yes/.test(screen)) stage.claude.press("Down");
						await Bun.sleep(300);
						stage.claude.press("Enter");
					},
					see(/Bypass Permissions mode/),
					pause(500),
				],
			},
		],
	},
	{
		name: "onboarding",
		config: {},
		opensWith: /text style|theme|Welcome/i,
		scenes: [
			{
				name: "onboarding-theme",
				want: ["blocked"],
				keys: { overlay: "theme" },
				play: [pause(800)],
			},
			{
				name: "onboarding-next",
				want: ["blocked"],
				play: [press("Enter"), pause(1500)],
			},
			{
				name: "onboarding-third",
				want: ["blocked", ...IDLE],
				play: [press("Enter"), pause(1500)],
			},
		],
	},
	{
		name: "mcp",
		options: { permissionMode: "default" },
		files: { ".mcp.json": JSON.stringify(mcpServers) },
		opensWith: /MCP/,
		scenes: [{ name: "mcp-approval", want: ["blocked"], play: [pause(500)] }],
	},
	{
		name: "resume-picker",
		options: { flags: ["--resume"] },
		opensWith: /Resume|No conversations/i,
		scenes: [
			{
				name: "resume-picker",
				want: ["blocked", "absent"],
				play: [pause(900)],
			},
		],
	},
	{
		name: "exit",
		inShell: true,
		rules: [rule("remember", text("I will."))],
		scenes: [
			{
				name: "idle-in-shell",
				want: IDLE,
				play: [say("remember me"), see(/I will/), pause(1200)],
			},
			{
				name: "exited",
				want: ["absent"],
				play: [...command("/exit"), see(/shell prompt/), pause(500)],
			},
		],
	},
];
