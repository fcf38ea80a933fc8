/** Words for keys (contract 09 §3, §6.5). Pure. */
import type { Key, NamedKey } from "./fleet.ts";

const NAMED: Readonly<Record<NamedKey, true>> = {
	Enter: true,
	Escape: true,
	Tab: true,
	BTab: true,
	Up: true,
	Down: true,
	Left: true,
	Right: true,
	Home: true,
	End: true,
	Space: true,
};

function isNamedKey(word: string): word is NamedKey {
	return Object.hasOwn(NAMED, word);
}

/** A word of several letters that names no key would be typed into the composer. */
function isKey(word: string): boolean {
	return isNamedKey(word) || /^[^\p{C}\p{Z}]$/u.test(word);
}

/** The first word that is no key; undefined when all are. */
export function badKey(keys: readonly Key[]): string | undefined {
	return keys.find((key) => !isKey(key));
}

/** `K1,K2,…` as thrum takes it; a comma is a key of its own only when it is the whole text. */
export function parseKeys(list: string): readonly string[] {
	return list === "," ? [","] : list.split(",");
}
