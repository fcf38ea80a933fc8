/** The dialogs of the simulated machine, and the one key that the rules let somebody press on each. */
import type { Dialog } from "../tests/unstick/fake-claude.ts";

const HARMLESS = "ls -la";

export const DIALOGS = {
	safe: { kind: "permission", command: HARMLESS },
	vetoed: { kind: "permission", command: "git push --force origin main" },
	"second-option": { kind: "permission", command: HARMLESS, selected: 1 },
	question: { kind: "question" },
	surprise: { kind: "permission", command: "rm -rf /srv" },
} as const satisfies Record<string, Dialog>;

/** Enter for the one-time yes to what no pattern vetoes; Escape for a question that an orchestrator has put to nobody. */
export function mayPress(
	dialog: Dialog,
	key: string,
	isOrchestrator: boolean,
): boolean {
	if (dialog.kind !== "permission") return isOrchestrator && key === "Escape";
	const isYes = (dialog.selected ?? 0) === 0;
	return key === "Enter" && isYes && dialog.command === HARMLESS;
}
