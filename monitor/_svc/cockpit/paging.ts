/** Which service rows a page shows (contract 06 §7.3). Pure. */
import { lineCost } from "./geometry.ts";

/** One service's lines, and whether somebody should look. */
export interface Block {
	readonly lines: readonly string[];
	readonly wantsAttention: boolean;
}
export interface Page {
	readonly blocks: readonly Block[];
	/** From 1, clamped to the last one. */
	readonly page: number;
	readonly pages: number;
	/** Null on the only page. */
	readonly indicator: string | null;
	/** The indicator tells of trouble out of sight. */
	readonly isAlarming: boolean;
}

/**
 * Who wants attention stands on every page, and the rest turns; when those alone would fill the screen, everything
 * turns, they first.
 */
export function pageOf(
	blocks: readonly Block[],
	budget: number,
	cols: number,
	wished: number,
): Page {
	const cost = (some: readonly Block[]) =>
		some
			.flatMap(({ lines }) => lines)
			.reduce((sum, line) => sum + lineCost(line, cols), 0);
	if (cost(blocks) <= budget)
		return { blocks, page: 1, pages: 1, indicator: null, isAlarming: false };
	const attention = blocks.filter((b) => b.wantsAttention);
	const rest = blocks.filter((b) => !b.wantsAttention);
	const room = budget - 1;
	const pinned = cost(attention) < room ? attention : [];
	const turning = pinned === attention ? rest : [...attention, ...rest];
	const pages = packed(turning, room - cost(pinned), cost);
	const page = Math.min(Math.max(1, wished), pages.length);
	const shown = [...pinned, ...(pages[page - 1] ?? [])];
	const hidden = blocks.filter((b) => !shown.includes(b));
	const hiddenAttention = hidden.filter((b) => b.wantsAttention).length;
	const where = `page ${page}/${pages.length} (n next, p prev)`;
	return {
		blocks: shown,
		page,
		pages: pages.length,
		isAlarming: hiddenAttention > 0,
		indicator:
			hiddenAttention > 0
				? `! ${hiddenAttention} unhealthy + ${hidden.length - hiddenAttention} healthy hidden — ${where}`
				: `+${hidden.length} more UP — ${where}`,
	};
}

/** Greedily; a block that fits nowhere has a page of its own. */
function packed(
	blocks: readonly Block[],
	room: number,
	cost: (some: readonly Block[]) => number,
): readonly (readonly Block[])[] {
	const pages: Block[][] = [];
	for (const block of blocks) {
		const last = pages.at(-1);
		if (last !== undefined && cost([...last, block]) <= room) last.push(block);
		else pages.push([block]);
	}
	return pages.length === 0 ? [[]] : pages;
}
