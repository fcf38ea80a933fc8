/** The key of a window: its name as part of a file name (contract 08 §0). Injective, and the name itself for ordinary ones. */

/** Bytes outside `[A-Za-z0-9_-]` become `%HH`, upper-case hex of the UTF-8 bytes. */
export function windowKey(window: string): string {
	return window.replace(/[^A-Za-z0-9_-]/gu, (char) =>
		[...new TextEncoder().encode(char)]
			.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
			.join(""),
	);
}

/** The name that a key was made of; a key that nobody made stands for itself. */
export function windowFromKey(key: string): string {
	try {
		return decodeURIComponent(key);
	} catch {
		return key;
	}
}
