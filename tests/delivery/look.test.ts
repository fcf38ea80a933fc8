import { expect, test } from "bun:test";
import { mayPressEnter } from "../../monitor/_delivery/look.ts";
import type {
	ComposerView,
	LookResult,
	PaneLook,
} from "../../monitor/_pane/types.ts";

const PAYLOAD = "please look at the queue";
const composer: ComposerView = {
	input: "typed",
	row: PAYLOAD,
	rest: [],
	shellMode: false,
};
const seen = (more: Partial<PaneLook> = {}): LookResult => ({
	kind: "ok",
	look: {
		state: "user-typing",
		input: "typed",
		overlay: null,
		menu: false,
		menuSelected: null,
		dialog: null,
		queued: false,
		composer,
		line: "",
		sessionId: null,
		...more,
	},
});

test.each([
	["our text, nothing over it", seen(), "yes"],
	["our text behind a running turn", seen({ state: "busy" }), "yes"],
	[
		"a dialog",
		seen({
			state: "blocked",
			overlay: "permission",
			composer: null,
			input: null,
		}),
		"overlay",
	],
	[
		"a dialog that left our text on the screen",
		seen({ state: "blocked" }),
		"overlay",
	],
	[
		"a completion menu over our own text",
		seen({ menu: true, menuSelected: "/status" }),
		"menu",
	],
	[
		"another text",
		seen({ composer: { ...composer, row: "please look at the queuE" } }),
		"not-ours",
	],
	[
		"our text with a row below it",
		seen({ composer: { ...composer, rest: ["and"] } }),
		"not-ours",
	],
	[
		"an empty box",
		seen({
			state: "idle",
			input: "blank",
			composer: { ...composer, input: "blank", row: "" },
		}),
		"not-ours",
	],
	[
		"a suggestion that happens to read like our text",
		seen({ input: "ghost" }),
		"not-ours",
	],
	["a box that cannot be read", seen({ input: "?" }), "unreadable"],
	["no box", seen({ composer: null }), "unreadable"],
	["a screen that nobody can tell", seen({ state: "unknown" }), "unreadable"],
	["a shell", seen({ state: "absent" }), "unreadable"],
	[
		"a failed look",
		{ kind: "unreadable", reason: "x" } as LookResult,
		"unreadable",
	],
	["a gone agent", { kind: "gone", evidence: "x" } as LookResult, "unreadable"],
])("an Enter after %s: %s", (_what, look, wanted) => {
	const permit = mayPressEnter(look, PAYLOAD);
	expect(permit.kind === "yes" ? "yes" : permit.reason).toBe(wanted as never);
});

const command = (menuSelected: string | null) =>
	seen({
		menu: menuSelected !== null,
		menuSelected,
		composer: { ...composer, row: "/status" },
	});

test.each([
	["/status", true, "yes"],
	["/statusline", true, "menu"],
	["/status", false, "menu"],
	[null, true, "yes"],
])(
	"a command with the menu at %p, asked for: %p → %s",
	(selected, asked, wanted) => {
		const permit = mayPressEnter(command(selected), "/status", asked);
		expect(permit.kind === "yes" ? "yes" : permit.reason).toBe(wanted as never);
	},
);
