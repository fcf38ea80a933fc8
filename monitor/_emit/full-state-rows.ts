/** The `--- workspace snapshot ---` rows, one a worker (contract 03 §12.9). Pure. */
import type { PaneStateName } from "../_pane/types.ts";
import { formatAge } from "../_sys/age.ts";

export interface SnapshotWorker {
	readonly window: string;
	readonly state: PaneStateName;
	/** Seconds since its last engagement. */
	readonly idleSeconds: number;
	/** When the state is `over-limit`. */
	readonly resetAt: string | null;
	/** Who gets a crashed turn going again; null: none crashed. */
	readonly recovery: string | null;
	/** Seconds since the operator's last sign; null: he is not at it. */
	readonly operatorAwaySeconds: number | null;
}

/** `engagedGraceSeconds`: from then on an absent operator is mentioned. */
export function snapshotRow(
	w: SnapshotWorker,
	engagedGraceSeconds: number,
): string {
	return `  - ${w.window} ${textOf(w, engagedGraceSeconds)}\n`;
}

function textOf(w: SnapshotWorker, engagedGraceSeconds: number): string {
	const { state } = w;
	const idle = `idle ${formatAge(w.idleSeconds)}`;
	switch (state) {
		case "busy":
		case "user-typing":
		case "working-background":
		case "working-self-paced":
			return `(active, state=${state})`;
		case "absent":
		case "blocked":
			return `pane-absent (state=${state})`;
		case "over-limit":
			return `OVER-LIMIT (resets ${w.resetAt ?? "unknown"})`;
		default:
	}
	if (w.recovery !== null)
		return `interrupted (${idle}; turn crashed, recovery=${w.recovery})`;
	const away = w.operatorAwaySeconds;
	if (away === null) return `${idle} (state=${state})`;
	const gone =
		away > engagedGraceSeconds ? `operator away ${formatAge(away)}; ` : "";
	return `operator-engaged (${gone}${idle}, state=${state})`;
}
