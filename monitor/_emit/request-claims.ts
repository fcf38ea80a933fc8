/**
 * What the watcher does with the files of the inbox before it shows them (contract 08 §6.3, steps
 * 1–4). Pure. A moved file's age starts anew: what waited while no watcher ran must be shown before
 * it can be too old, and a failed one must be found by its producer before it is collected.
 */
import type { RequestLook, RequestState } from "../_state/requests.ts";

export interface InboxFile {
	readonly id: string;
	readonly state: RequestState;
	/** By mtime. */
	readonly ageSeconds: number;
	/** Looked at only where the decision needs it, else null. */
	readonly look: RequestLook | null;
}

export interface ClaimConfig {
	readonly maxAgeSeconds: number;
	readonly intermediateMaxAgeSeconds: number;
	readonly retentionSeconds: number;
	readonly repliedRetentionSeconds: number;
}

export type InboxAction =
	| {
			readonly kind: "move";
			readonly id: string;
			readonly from: RequestState;
			readonly to: RequestState;
			/** Logged when given. */
			readonly why?: string;
	  }
	/** The file, its replies and its reservation. */
	| {
			readonly kind: "collect";
			readonly id: string;
			readonly state: RequestState;
	  };

/** In the order of `files`; one that needs nothing has no action. */
export function planInbox(
	files: readonly InboxFile[],
	cfg: ClaimConfig,
): readonly InboxAction[] {
	return files.flatMap((file) => actionFor(file, cfg) ?? []);
}

/** States whose file must be read before it can be decided. */
export function needsLook(state: RequestState): boolean {
	return state === "new" || state === "claimed" || state === "replying";
}

function actionFor(f: InboxFile, cfg: ClaimConfig): InboxAction | null {
	switch (f.state) {
		case "new":
			return claim(f);
		case "claimed":
			if (f.look?.kind === "foreign") return failed(f, f.look.why);
			return f.ageSeconds >= cfg.maxAgeSeconds
				? failed(f, `claimed for more than ${cfg.maxAgeSeconds}s`)
				: null;
		case "replying":
		case "failing":
			return f.ageSeconds > cfg.intermediateMaxAgeSeconds ? finish(f) : null;
		case "replied":
			return collectAfter(f, cfg.repliedRetentionSeconds);
		case "done":
		case "failed":
			return collectAfter(f, cfg.retentionSeconds);
	}
}

function claim(f: InboxFile): InboxAction | null {
	switch (f.look?.kind) {
		case "ok":
			return f.look.head.request === ""
				? failed(f, "no request: field")
				: move(f, "claimed");
		case "foreign":
			return failed(f, f.look.why);
		default:
			// Gone already, or could not look: the next run sees.
			return null;
	}
}

/** A writer died between two renames. What it had finished is kept. */
function finish(f: InboxFile): InboxAction | null {
	if (f.state === "failing") return failed(f, "left half-failed");
	switch (f.look?.kind) {
		case "ok":
			return f.look.head.state.trim() === "replied"
				? { ...move(f, "replied"), why: "left half-replied" }
				: failed(f, "left half-replied, without a reply");
		case "foreign":
			return failed(f, f.look.why);
		default:
			return null;
	}
}

function collectAfter(f: InboxFile, seconds: number): InboxAction | null {
	return f.ageSeconds >= seconds
		? { kind: "collect", id: f.id, state: f.state }
		: null;
}

function failed(f: InboxFile, why: string): InboxAction {
	return { ...move(f, "failed"), why };
}

function move(
	f: InboxFile,
	to: RequestState,
): Extract<InboxAction, { kind: "move" }> {
	return { kind: "move", id: f.id, from: f.state, to };
}
