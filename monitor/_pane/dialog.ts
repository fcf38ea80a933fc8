/** The dialog of one picture, read (contract 04 §3, §8). Pure; the pane reader has said already that one is up. */
import {
	askedFingerprint,
	dialogFingerprint,
	questionFingerprint,
} from "./fingerprint.ts";
import { type MenuVerdict, RATE_LIMIT_MENU, readMenu } from "./menu.ts";
import type { OverlayKind } from "./overlays.ts";
import { type PermissionPrompt, permissionPrompt } from "./permission.ts";
import { type DialogOption, dialogOptions } from "./start-dialog.ts";
import {
	lowestDialog,
	START_DIALOGS,
	type StartDialogKind,
} from "./unstick-case.ts";

export type DialogView =
	| { readonly kind: "permission"; readonly prompt: PermissionPrompt }
	| { readonly kind: "rate-limit"; readonly verdict: MenuVerdict }
	/** Nobody has typed an answer of his own into it. */
	| {
			readonly kind: "question";
			readonly fingerprint: string;
			/** The same wherever its cursor stands, and whatever is ticked. */
			readonly asked: string;
	  }
	| {
			readonly kind: "start";
			readonly overlay: StartDialogKind;
			/** Of all rows but the cursor. */
			readonly fingerprint: string;
			readonly options: readonly DialogOption[];
	  }
	| { readonly kind: "other" };

/** Null without a live dialog. Of several titles the lowest is the dialog's; those above it are quoted. */
export function dialogView(
	rows: readonly string[],
	overlay: OverlayKind | null,
): DialogView | null {
	if (overlay === null) return null;
	const start = START_DIALOGS.find((kind) => kind === overlay);
	if (start !== undefined)
		return {
			kind: "start",
			overlay: start,
			fingerprint: dialogFingerprint(rows),
			options: dialogOptions(rows),
		};
	switch (lowestDialog(rows)) {
		case "rate-limit": {
			const { verdict } = readMenu(rows, RATE_LIMIT_MENU);
			return { kind: "rate-limit", verdict };
		}
		case "question":
			return {
				kind: "question",
				fingerprint: questionFingerprint(rows),
				asked: askedFingerprint(rows),
			};
		default: {
			const prompt = permissionPrompt(rows);
			return prompt === null
				? { kind: "other" }
				: { kind: "permission", prompt };
		}
	}
}
