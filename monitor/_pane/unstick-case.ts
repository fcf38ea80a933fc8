/** Which of the dialogs that hold a pane up is this? (contract 04 §8.2). Pure; the first rule that matches wins. */
import {
	isLiveMenu,
	PERMISSION_MENU,
	RATE_LIMIT_MENU,
	readMenu,
} from "./menu.ts";
import type { OverlayKind } from "./overlays.ts";
import { type PermissionPrompt, permissionPrompt } from "./permission.ts";
import { bareText } from "./rows.ts";

/** Letters as operators know them: A permission, B rate limit, D question of the target, W question of a worker, S start-up. */
export type UnstickCase =
	| { readonly kind: "S"; readonly overlay: StartDialogKind }
	/** `why`: the watcher must not answer it. */
	| {
			readonly kind: "A-refuse";
			readonly prompt: PermissionPrompt;
			readonly why: Refusal;
	  }
	| { readonly kind: "A"; readonly prompt: PermissionPrompt }
	| { readonly kind: "B" }
	| { readonly kind: "D" }
	| { readonly kind: "W" };

export type Refusal =
	| { readonly verdict: "danger"; readonly marker: string }
	| { readonly verdict: "veto"; readonly pattern: string }
	| { readonly verdict: "relay" | "not-shown" | "unlisted" };

export const START_DIALOGS = [
	"workspace-trust",
	"bypass-permissions",
	"resume-summary",
	"theme",
	"login",
] as const satisfies readonly OverlayKind[];
export type StartDialogKind = (typeof START_DIALOGS)[number];

export interface PaneText {
	/** The visible rows, and some that scrolled away above them. */
	readonly rows: readonly string[];
	/** The live dialog by the pane reader, or null. */
	readonly overlay: string | null;
	/** The window that gets the reports. */
	readonly isTarget: boolean;
	/** Why a prompt must not be answered, or null. */
	readonly refusal: (prompt: PermissionPrompt) => Refusal | null;
}

/** Null: nothing here holds the pane up. */
export function classifyPane(pane: PaneText): UnstickCase | null {
	const { rows, overlay } = pane;
	const start = START_DIALOGS.find((kind) => kind === overlay);
	if (start !== undefined) return { kind: "S", overlay: start };
	const prompt = permissionPrompt(rows);
	// An arm that refuses comes before every arm that sends a key.
	const why = prompt === null ? null : pane.refusal(prompt);
	if (prompt !== null && why !== null) return { kind: "A-refuse", prompt, why };
	switch (lowestDialog(rows)) {
		case "rate-limit":
			return { kind: "B" };
		case "question":
			return { kind: pane.isTarget ? "D" : "W" };
		default:
			return prompt === null ? null : { kind: "A", prompt };
	}
}

/**
 * Of several dialogs in a text the one whose title stands lowest is live, and what stands above it is
 * quoted: a question's footer is a permission prompt's own, too. Null: none of these three.
 */
export function lowestDialog(
	rows: readonly string[],
): "permission" | "rate-limit" | "question" | null {
	const permission = readMenu(rows, PERMISSION_MENU);
	const prompt = isLiveMenu(permission) ? (permission.titleRow ?? -1) : -1;
	const limit = readMenu(rows, RATE_LIMIT_MENU);
	if (isLiveMenu(limit) && (limit.titleRow ?? -1) > prompt) return "rate-limit";
	if ((questionRow(rows) ?? -1) > prompt) return "question";
	return prompt < 0 ? null : "permission";
}

/** Row of the last `Chat about this` of a question dialog with its footer, or null. */
export function questionRow(rows: readonly string[]): number | null {
	const bare = rows.map(bareText);
	const other = bare.findIndex((text) => OTHER_ANSWER.test(text));
	const chat = bare.findLastIndex((text) => CHAT.test(text));
	if (other < 0 || chat < other) return null;
	const last = rows.filter((row) => row.trim() !== "").slice(-3);
	return last.some((row) => row.includes("Esc to cancel")) ? chat : null;
}

const OTHER_ANSWER = /^(?:\[.\] )?Type something\.?$/;
const CHAT = /^Chat about this$/;
