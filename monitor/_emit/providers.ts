/**
 * What a report is made of, as typed sources. A part that has not landed is not there: no provider,
 * no section. Each gives text that is a pure function of facts and of what was shown, and learns
 * from its delivery alone (contract 01 §4.1).
 */
import type { Doors } from "../_sys/doors.ts";
import type { Render } from "./run-bounded.ts";

export interface EmitSection {
	readonly text: string;
	/** The text was delivered, or is a duplicate of what was. */
	commit(): void | Promise<void>;
}

export interface ProviderRun {
	readonly doors: Doors;
	readonly signal: AbortSignal;
}

/** The comments section (contract 01 §8.3). Exactly one of `commit`, `commitTold` and `release` is called. */
export interface CommentsView extends EmitSection {
	/** An earlier report with this body was delivered: only the blocks that stand in it learn, the others are put back. */
	commitTold(body: string): void | Promise<void>;
	/** Ends the claims and puts the drained blocks back. */
	release(): void | Promise<void>;
}

/** A section that is rendered while composing. */
export interface SectionProvider {
	readonly id: "drift" | "serviceHealth" | "ccUpdate" | "reportsRoll";
	render(run: ProviderRun): EmitSection | Promise<EmitSection>;
	/** A one-shot notice goes only on delivery, not when its body was a duplicate. */
	readonly oneShot?: true;
}

/** Rows that a task of their own stages. */
export interface StagedRows {
	readonly id: "idle" | "decisions" | "requests";
	/** The task, and the name of its staging file. */
	readonly task: string;
	/** For the startup sweep: what the task would stage, everything that is to be told now. Null: could not look. */
	render(run: ProviderRun): Promise<string | null>;
	/** Makes the section of what was staged. `live` names the windows there are; null: could not look. */
	section(
		run: ProviderRun,
		staged: string,
		live: ReadonlySet<string> | null,
	): StagedSection;
}

export interface StagedSection {
	readonly text: string;
	/** `body`, which carries the text, was delivered, or is a duplicate of what was. */
	commit(body: string): void | Promise<void>;
	/** `body` is that of an earlier report: only the rows that stand in it learn. Default: `commit`, which reads them from the body. */
	commitTold?(body: string): void | Promise<void>;
}

/** Why reports are held back although they could be pasted (contract 04 §9.5). */
export interface EmitHold {
	paused(now: number): boolean;
	/** `archive` is the name of the archived report. */
	record(archive: string, reason: string): void;
}

export interface EmitProviders {
	readonly composeGhNow?: (run: ProviderRun) => Promise<CommentsView>;
	/** The counts of the `workspace:` line; a dry run advances no stamp. */
	readonly prelude?: (run: ProviderRun, dryRun: boolean) => Render;
	/** Rows of the full snapshot. Without it full-state is never due. */
	readonly fullState?: (run: ProviderRun) => Render;
	readonly sections: readonly SectionProvider[];
	readonly staged: readonly StagedRows[];
	readonly hold?: (run: ProviderRun) => EmitHold;
}
