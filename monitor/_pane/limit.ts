/** A usage-limit notice on the screen (contract 03 §8). */
import { resetToken } from "../_state/reset-words.ts";
import type { Activity } from "./activity.ts";
import { isSurvey, type Phrase, phrases, type Range, textAt } from "./rows.ts";
import type { Screen } from "./screen.ts";
import {
	LIMIT_ADVICE,
	LIMIT_API_ERROR,
	LIMIT_ASIDE,
	LIMIT_HINT,
	LIMIT_OUTPUT,
	LIMIT_RESET,
	LIMIT_SUBJECT,
	USER_MESSAGE,
} from "./screen-texts.ts";

export interface LimitNotice {
	readonly row: number;
	/** Normalised reset words (`3am_America/Los_Angeles`), or `unknown`. */
	readonly resetAt: string;
	/** The reset words as the screen has them; without any, the whole notice. */
	readonly words: string;
	/** `weekly`, `5-hour`, …, or `unknown`. */
	readonly flavour: string;
	/** Row that shows the session went on after the notice; null = the notice stands. */
	readonly contradictedBy: number | null;
}

/** The last notice among the rows near the end, or null. Quoted and half-drawn ones do not match. */
export function findLimit(
	screen: Screen,
	activity: Activity,
): LimitNotice | null {
	const tail = { from: tailFrom(screen), to: screen.grid.rows.length };
	const found = candidates(screen, tail).flatMap((phrase) => {
		const notice = noticeIn(screen, phrase);
		return notice === null ? [] : [{ ...notice, phrase }];
	});
	const last =
		found.findLast((f) => !LIMIT_HINT.test(f.phrase.text)) ?? found.at(-1);
	if (last === undefined) return null;
	const { phrase, ...notice } = last;
	return {
		...notice,
		row: phrase.from,
		contradictedBy: wentOn(screen, activity, phrase),
	};
}

/** The words between `your` and `limit` in a message, joined by `_`. */
export function limitFlavour(message: string): string {
	const match = LIMIT_SUBJECT.exec(message.trim());
	return flavourOf(match);
}

type Words = Pick<LimitNotice, "resetAt" | "words" | "flavour">;

function noticeIn(screen: Screen, phrase: Phrase): Words | null {
	const text = withoutLead(screen, phrase);
	const subject = text === null ? null : LIMIT_SUBJECT.exec(text);
	if (text === null || subject === null) return null;
	const reset = LIMIT_RESET.exec(text.slice(subject[0].length));
	if (reset === null) return null;
	const words =
		reset.groups?.words ??
		reset.groups?.late ??
		reset.groups?.wait ??
		reset.groups?.epoch;
	return {
		resetAt: resetToken(words ?? ""),
		words: words ?? text,
		flavour: flavourOf(subject),
	};
}

/**
 * Entries and outputs with all their indented rows, the rest as the pane's width tore it: how wide
 * Claude Code lets an entry grow differs by release.
 */
function candidates(screen: Screen, range: Range): readonly Phrase[] {
	const { rows } = screen.grid;
	return phrases(screen.grid, range).map((phrase) => {
		const lead = /^(?:[●⏺] | {0,2}⎿[\s\u00a0]+)/.exec(phrase.text)?.[0];
		if (lead === undefined) return phrase;
		const texts = [textAt(rows, phrase.from)];
		let to = phrase.from + 1;
		for (; to < range.to; to++) {
			const text = textAt(rows, to);
			const isDeep = text.search(/\S/) >= lead.length;
			if (!isDeep || LIMIT_ADVICE.test(text)) break;
			texts.push(text.trim());
		}
		return { text: texts.join(" "), from: phrase.from, to };
	});
}

/** The notice itself, when it stands where Claude Code puts one; null for a quotation. */
function withoutLead(screen: Screen, phrase: Phrase): string | null {
	const { text } = phrase;
	if (LIMIT_API_ERROR.test(text)) return text.replace(LIMIT_API_ERROR, "");
	const isStatus = phrase.from >= screen.status.from;
	if (LIMIT_HINT.test(text) && isStatus === text.startsWith(" "))
		return text.replace(LIMIT_HINT, "");
	if (isStatus) return null;
	if (!LIMIT_OUTPUT.test(text)) return text;
	const { rows } = screen.grid;
	const above = textAt(rows, phrase.from - 1);
	const isOwn =
		above === "" ||
		USER_MESSAGE.test(above) ||
		LIMIT_ADVICE.test(textAt(rows, phrase.to));
	return isOwn ? text.replace(LIMIT_OUTPUT, "") : null;
}

/** A counter above the notice belongs to the turn that hit the limit; only what stands below counts. */
function wentOn(
	screen: Screen,
	activity: Activity,
	phrase: Phrase,
): number | null {
	const { rows } = screen.grid;
	const { box } = screen;
	const until = box?.row ?? rows.length;
	for (let i = phrase.to; i < until; i++) {
		const text = textAt(rows, i);
		if (USER_MESSAGE.test(text)) return i;
		const isOther = !isSurvey(rows, i) && !LIMIT_ASIDE.test(text);
		if (/^[●⏺]/.test(text) && isOther) return i;
	}
	const turn = activity.turn.find((t) => t.row >= phrase.to);
	if (turn) return turn.row;
	const { queue } = activity;
	return queue !== null && queue >= phrase.to ? queue : null;
}

/** Rows that count as the end of the screen; the box and what hangs under it do not use them up. */
function tailFrom(screen: Screen): number {
	const { rows } = screen.grid;
	let left = TAIL_ROWS;
	let i = screen.box?.upperRule ?? screen.box?.row ?? rows.length;
	for (; i > 0 && left > 0; i--) if (textAt(rows, i - 1).trim() !== "") left--;
	return i;
}

const TAIL_ROWS = 15;

function flavourOf(subject: RegExpExecArray | null): string {
	const words = (subject?.[1] ?? subject?.[2] ?? "").trim();
	const isBudget = / budget$/.test(subject?.[0] ?? "");
	return words === "" || isBudget ? "unknown" : words.replace(/ +/g, "_");
}
