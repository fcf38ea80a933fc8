/** Whole numbers on a command line: text that is none is refused, never read as 0. */
import { excerpt } from "./excerpt.ts";

export type IntFlag<T> =
	| { readonly kind: "ok"; readonly value: number | T }
	| { readonly kind: "refused"; readonly message: string };

/** A count, without sign; `absent` stands for a flag that was not given. */
export function requireInt<T>(
	flag: string,
	text: string | undefined,
	absent: T,
): IntFlag<T> {
	if (text === undefined) return { kind: "ok", value: absent };
	const value = wholeNumber(text);
	return value === null
		? {
				kind: "refused",
				message: `${flag} needs a whole number, got '${excerpt(text)}'`,
			}
		: { kind: "ok", value };
}

/** Digits alone, or null. */
export function wholeNumber(text: string | undefined): number | null {
	return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
