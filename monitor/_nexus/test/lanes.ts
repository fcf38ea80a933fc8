/** Runs jobs side by side in a given number of lanes. */

/**
 * Each item once, `width` at a time, the next one as soon as a lane is free.
 * Results in the order of the items; a rejection rejects the whole.
 */
export async function inLanes<T, R>(
	items: readonly T[],
	width: number,
	run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
	const queue = items.map((item, index) => ({ item, index }));
	const done: { readonly index: number; readonly result: R }[] = [];
	const lane = async () => {
		for (let next = queue.shift(); next !== undefined; next = queue.shift())
			done.push({ index: next.index, result: await run(next.item) });
	};
	await Promise.all(Array.from({ length: width }, lane));
	return done.sort((a, b) => a.index - b.index).map(({ result }) => result);
}
