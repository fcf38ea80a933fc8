/** Waiting for the outside world, with a limit that says what was being waited for. */

/**
 * Asks every 50 ms until the answer is a truthy one.
 * Throws after `limitMs` with `what` and the last words of `describe`.
 */
export async function waitUntil<T>(
	what: string,
	ask: () => T | Promise<T>,
	opts: { readonly limitMs?: number; readonly describe?: () => string } = {},
): Promise<NonNullable<T>> {
	const limitMs = opts.limitMs ?? 20_000;
	const deadline = performance.now() + limitMs;
	for (;;) {
		const answer = await ask();
		if (answer) return answer;
		if (performance.now() > deadline)
			throw new Error(
				`waited ${limitMs} ms for ${what}\n${opts.describe?.() ?? ""}`,
			);
		await Bun.sleep(50);
	}
}
