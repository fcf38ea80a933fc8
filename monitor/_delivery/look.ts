/** The look before an Enter (contract 04 §5.5 step 6): an Enter answers whatever is on the screen. */
import type { LookResult } from "../_pane/types.ts";
import { boxIsOurs } from "./box.ts";
import type { DeliveryJob } from "./job.ts";
import type { NoEnterReason } from "./outcome.ts";

export type EnterPermit =
	| { readonly kind: "yes" }
	| { readonly kind: "no"; readonly reason: NoEnterReason };

const YES: EnterPermit = { kind: "yes" };

/**
 * May an Enter be pressed now? Only when this one picture shows no overlay, no completion menu, and
 * `payload` in the box. A `command` may be entered through the menu whose selected entry is exactly its first word.
 */
export function mayPressEnter(
	seen: LookResult,
	payload: string,
	command = false,
): EnterPermit {
	if (seen.kind !== "ok") return no("unreadable");
	const { look } = seen;
	if (look.state === "blocked" || look.overlay !== null) return no("overlay");
	const ownMenu =
		command &&
		look.menuSelected !== null &&
		look.menuSelected === firstWord(payload);
	if (look.menu && !ownMenu) return no("menu");
	if (
		UNREADABLE.has(look.state) ||
		look.input === "?" ||
		look.composer === null
	)
		return no("unreadable");
	if (look.input !== "typed" || !boxIsOurs(look.composer, payload))
		return no("not-ours");
	return YES;
}

/**
 * Looks until the pasted text shows, at most `beforeEnterMs`. An overlay or a menu ends it at once:
 * it is there for somebody, and nothing that comes later makes our Enter meant for the box.
 */
export async function awaitOurText(
	job: DeliveryJob,
): Promise<EnterPermit | { readonly kind: "gone" }> {
	const { clock } = job.doors;
	await clock.sleep(job.timings.settleMs, job.signal);
	const end = clock.monoMs() + job.timings.beforeEnterMs;
	for (;;) {
		if (job.signal?.aborted) return no("aborted");
		const seen = await job.lookAt(job.pane, job.signal);
		if (seen.kind === "gone") return seen;
		const permit = mayPressEnter(seen, job.payload, job.command);
		if (permit.kind === "yes" || FINAL.has(permit.reason)) return permit;
		if (clock.monoMs() >= end) return permit;
		await clock.sleep(job.timings.pollMs, job.signal);
	}
}

const UNREADABLE: ReadonlySet<string> = new Set(["unknown", "empty", "absent"]);
const FINAL: ReadonlySet<NoEnterReason> = new Set(["overlay", "menu"]);

function no(reason: NoEnterReason): EnterPermit {
	return { kind: "no", reason };
}

function firstWord(text: string): string {
	return text.trim().split(/\s/, 1)[0] ?? "";
}
