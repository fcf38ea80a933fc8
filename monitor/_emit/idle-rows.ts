/** What is said of idle workers: a row a window, and the form in which rows are staged (contract 03 §12.5). Pure. */
import { digits } from "../_state/kv.ts";
import { oneLine } from "./clean-text.ts";

export const IDLE_CLASSES = [
	"wrapped",
	"wrapped-but-stub",
	"no-wrap-up",
	"idle-too-long",
	"pane-absent",
	"over-limit",
	"operator-engaged",
	"engaged-close-reminder",
	"paste-unconfirmed",
	"retained",
	"idle-orphan-async",
	"interrupted",
	"idle-children-clarify",
] as const;
export type IdleClass = (typeof IDLE_CLASSES)[number];

export interface IdleRow {
	readonly window: string;
	readonly class: IdleClass;
	readonly ageSeconds: number;
	/** When this began, epoch seconds: it tells one episode from the next that reads the same. */
	readonly since: number;
	/** When the question was put that its agent waits for, or that is to be put to it; null: there is none, or nobody says when. */
	readonly askedAt: number | null;
	/** What it means depends on the class; may be empty. */
	readonly detail: string;
	/** Of `over-limit`. */
	readonly limit?: IdleLimit;
}
export interface IdleLimit {
	/** Words joined by `_`, or `unknown`. */
	readonly flavour: string;
	/** The original words of a reset time that nobody understood, else null. */
	readonly words: string | null;
}

/** `<window>\t<class>\t<age>\t<detail>\t<limit flavour>\t<limit words>\t<since>\t<asked at>`; what does not apply is empty. */
export function renderStagedIdle(rows: readonly IdleRow[]): string {
	return rows
		.map((row) => {
			const fields = [
				row.window,
				row.class,
				String(Math.floor(row.ageSeconds)),
				row.detail,
				row.limit?.flavour ?? "",
				row.limit?.words ?? "",
				String(row.since),
				String(row.askedAt ?? ""),
			];
			return `${fields.map((field) => oneLine(field)).join("\t")}\n`;
		})
		.join("");
}

/** A line that is no row costs only itself. */
export function parseStagedIdle(text: string): readonly IdleRow[] {
	return text.split("\n").flatMap((line) => {
		const [window, cls, age, detail, flavour, words, since, asked] =
			line.split("\t");
		const known = IDLE_CLASSES.find((c) => c === cls);
		const ageSeconds = digits(age);
		const began = digits(since);
		if (!window || known === undefined || ageSeconds === null || began === null)
			return [];
		return [
			{
				window,
				class: known,
				ageSeconds,
				since: began,
				askedAt: digits(asked),
				detail: detail ?? "",
				...(flavour && { limit: { flavour, words: words || null } }),
			},
		];
	});
}

/** Does a row of a staged text ask for somebody at once, rather than at the next report? */
export function hasWaitingQuestion(staged: string): boolean {
	return parseStagedIdle(staged).some(
		({ class: cls, detail }) =>
			cls === "pane-absent" && detail.startsWith(OVERLAY_WAITS),
	);
}

export const ABSENT_DETAIL =
	"claude process gone or unresponsive; relaunch or close";
const OVERLAY_WAITS =
	"overlay waits for an answer in the pane; do not relaunch or close";

/** Detail of a pane in which a dialog stands; `overlay` is its kind when it has one. */
export function overlayDetail(overlay: string | null): string {
	const kind = overlay === null ? "" : ` [${overlay}]`;
	return `${OVERLAY_WAITS}, answer it${kind}`;
}
