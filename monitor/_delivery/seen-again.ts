/** Is what a look shows the dialog that was judged? (contract 04 §3). Pure. */
import type { PermissionPrompt } from "../_pane/permission.ts";
import type { PaneLook } from "../_pane/types.ts";
import type { StartDialogKind } from "../_pane/unstick-case.ts";

/** The dialog that was judged, and the option in it that is ours to choose. */
export interface StartChoice {
	readonly overlay: StartDialogKind;
	/** Another folder's trust is another question. */
	readonly fingerprint: string;
	readonly isWanted: (label: string) => boolean;
}

/** Steps down (up when negative) from the cursor to the wanted option, or why that cannot be told. */
export function stepsOf(
	{ dialog }: PaneLook,
	{ overlay, fingerprint, isWanted }: StartChoice,
): number | "not-live" | "changed" | "incomplete" {
	if (dialog?.kind !== "start" || dialog.overlay !== overlay) return "not-live";
	if (dialog.fingerprint !== fingerprint) return "changed";
	const { options } = dialog;
	const from = options.findIndex((option) => option.isSelected);
	const to = options.findIndex((option) => isWanted(option.label));
	// A frame that is half painted shows one option, or none.
	return options.length < 2 || from < 0 || to < 0 ? "incomplete" : to - from;
}

/**
 * A look shows the visible rows alone, the judgement may have read older ones above them: what is
 * seen of the prompt's body must be the end of what was judged.
 */
export function isSamePrompt(
	judged: PermissionPrompt,
	now: PermissionPrompt,
): boolean {
	const seen = now.body.filter((row) => row !== "");
	const read = judged.body.filter((row) => row !== "");
	return (
		judged.question === now.question &&
		judged.options.join("\n") === now.options.join("\n") &&
		(seen.length > 0 || read.length === 0) &&
		seen.every((row, i) => row === read[read.length - seen.length + i])
	);
}
