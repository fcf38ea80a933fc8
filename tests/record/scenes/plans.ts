/** Plan mode: entering it, and the plan that waits for a yes. */
import {
	type Act,
	dismiss,
	IDLE,
	pause,
	press,
	rule,
	say,
	see,
	text,
	tool,
} from "../scene.ts";

const LONG = Array.from({ length: 80 }, (_, i) => `${i}`).join("\n");

export const PLANS: Act = {
	name: "plans",
	options: { permissionMode: "plan" },
	rules: [
		rule(
			"plan it",
			tool("ExitPlanMode", { plan: "# Plan\n\n1. Read\n2. Write\n3. Test" }),
		),
		rule(
			"long plan",
			tool("ExitPlanMode", {
				plan: `# Plan\n\n${LONG.replaceAll("\n", "\n\n")}`,
			}),
		),
	],
	scenes: [
		{ name: "plan-mode", want: IDLE, play: [pause(500)] },
		{
			name: "plan-approval",
			want: ["blocked"],
			play: [
				say("plan it"),
				see(/Would you like|proceed|Exit plan/),
				pause(500),
			],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "plan-approval-long",
			want: ["blocked"],
			play: [
				say("long plan"),
				see(/Would you like|proceed|Exit plan/),
				pause(500),
			],
			leave: [press("Escape"), pause(900)],
		},
	],
};

export const ENTER_PLAN: Act = {
	name: "enter-plan",
	options: { permissionMode: "default" },
	rules: [rule("think first", tool("EnterPlanMode", {}), text("Planned."))],
	scenes: [
		{
			name: "enter-plan-consent",
			want: ["blocked", ...IDLE],
			play: [say("think first"), see(/plan mode/), pause(900)],
			leave: dismiss,
		},
	],
};
