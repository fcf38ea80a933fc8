/** File name of a window's per-pane state (contract 04 §2). Lossy on purpose: files named so are shared by nobody else. */

const MAX = 200;

/** Every character outside `[A-Za-z0-9._-]` becomes `_`; never a name that leaves its folder. */
export function paneKey(window: string): string {
	const key = window.replace(/[^A-Za-z0-9._-]/gu, "_").slice(0, MAX);
	return /^\.*$/.test(key) ? `_${key}` : key;
}
