/** The diff of baseline and current snapshot, by the program `diff` (contract 01 §11.2, 00 R9). */
import type { Proc } from "../_sys/doors.ts";
import { sectionLimit } from "./cap.ts";
import { cleanLines } from "./clean-text.ts";

export type LocalDiff =
	| { readonly kind: "same" }
	| { readonly kind: "differs"; readonly text: string }
	/** Could not look. */
	| { readonly kind: "unknown"; readonly reason: string };

const DIFF_TIMEOUT_MS = 10_000;
/** Of a diff that is printed. */
const DIFF_MAX_LINES = 120;

/** Exit 1 of `diff` is "differs", above 1 is "could not look". */
export async function localDiff(
	proc: Pick<Proc, "exec">,
	baselinePath: string,
	currentPath: string,
	signal: AbortSignal,
): Promise<LocalDiff> {
	const ran = await proc.exec(["diff", "-u", baselinePath, currentPath], {
		timeoutMs: DIFF_TIMEOUT_MS,
		signal,
	});
	switch (ran.kind) {
		case "exited":
			if (ran.rc === 0) return { kind: "same" };
			if (ran.rc === 1)
				return { kind: "differs", text: cleanLines(ran.stdout) };
			return { kind: "unknown", reason: `diff exited ${ran.rc}` };
		case "not-found":
			return { kind: "unknown", reason: "diff is not installed" };
		case "failed":
			return { kind: "unknown", reason: ran.reason };
		default:
			return { kind: "unknown", reason: `diff: ${ran.kind}` };
	}
}

/** So many lines of a diff come through to the reader when the sections of a report are cut at `sectionMaxLines`. */
export function shownLines(sectionMaxLines: number): number {
	return Math.min(DIFF_MAX_LINES, sectionLimit(sectionMaxLines));
}

/** The part of a diff that is printed. */
export function diffHead(diff: string): string {
	return diff.split("\n").slice(0, DIFF_MAX_LINES).join("\n");
}
