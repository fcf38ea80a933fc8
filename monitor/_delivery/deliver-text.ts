/** A text of ours into a pane that is resolved already, under its paste lock: S2 and what ends in it (contract 04 §3, §5.5). */
import type { PaneRow } from "../_sys/doors.ts";
import { type DeliverRequest, deliver } from "./deliver.ts";
import type { DeliveryDeps } from "./job.ts";
import type { DeliverResult } from "./outcome.ts";
import { recordedSessionId } from "./session-id.ts";
import { withTempFile } from "./temp-file.ts";

export interface TextDeps extends DeliveryDeps {
	/** The configured orchestrator window. */
	readonly orchestratorWindow: string;
}

export type TextRequest = Omit<
	DeliverRequest,
	"pane" | "window" | "file" | "sessionId"
> & {
	readonly window: string;
	readonly text: string;
};

/** `null`: the text could be put into no file. */
export async function deliverText(
	deps: TextDeps,
	pane: PaneRow,
	{ text, window, ...request }: TextRequest,
): Promise<DeliverResult | null> {
	const { files } = deps.doors;
	const sessionId = recordedSessionId(
		files,
		deps.stateDir,
		window,
		deps.orchestratorWindow,
	);
	return withTempFile(files, text, (file) =>
		deliver(deps, { ...request, pane, window, file, sessionId }),
	);
}

/** How a line of the watcher's ended. `unconfirmed`: sent, and nothing says that it arrived. */
export type LineEnd =
	| { readonly kind: "ok"; readonly unconfirmed: string | null }
	/** Somebody's text or a dialog is in the way: nothing was pasted. */
	| { readonly kind: "deferred"; readonly why: string }
	| { readonly kind: "failed"; readonly why: string };

/** Pure. */
export function lineEnd(
	result: Pick<DeliverResult, "rc" | "outcome"> | null,
): LineEnd {
	if (result === null) return { kind: "failed", why: "no-temporary-file" };
	const { rc, outcome } = result;
	switch (outcome) {
		case "occupied-before-paste":
		case "blocked-before-paste":
			return { kind: "deferred", why: outcome };
		case "undecidable-box":
			return { kind: "failed", why: outcome };
	}
	if (rc === 0) return { kind: "ok", unconfirmed: null };
	if (rc === 3) return { kind: "ok", unconfirmed: outcome };
	return { kind: "failed", why: outcome };
}
