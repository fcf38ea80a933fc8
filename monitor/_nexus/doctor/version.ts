/** Versions as programs print them. Pure. */

/** The first version in a program's answer: `3.3a` of `tmux 3.3a`, `3.6` of `tmux next-3.6`. */
export function versionIn(answer: string): string | null {
	return answer.match(/\d+\.\d+(?:\.\d+)*[a-z]?/)?.[0] ?? null;
}

/** Compares number by number; a letter behind the last one (`3.3a`) does not count. */
export function atLeast(version: string, oldest: string): boolean {
	const parts = (text: string) => text.split(".").map((p) => parseInt(p, 10));
	const have = parts(version);
	for (const [i, need] of parts(oldest).entries()) {
		const got = have[i] ?? 0;
		if (got !== need) return got > need;
	}
	return true;
}
