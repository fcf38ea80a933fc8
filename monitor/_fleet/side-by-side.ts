/** Many waits side by side, but not all at once. */

/** Results in the order of `items`; at most `atOnce` are under way. What `act` throws ends the whole. */
export async function sideBySide<T, R>(
	items: readonly T[],
	atOnce: number,
	act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
	const results = new Map<number, R>();
	const queue = items.entries();
	const work = async () => {
		for (const [at, item] of queue) results.set(at, await act(item));
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return [...results.entries()]
		.sort(([a], [b]) => a - b)
		.map(([, result]) => result);
}
