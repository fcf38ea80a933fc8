/** Tables and diagrams in Markdown. Pure. */

export interface Edge {
	readonly from: string;
	readonly to: string;
	readonly why: string;
}

/** Edges of the same two ends become one, with all its reasons. */
export function diagram(edges: readonly Edge[]): string {
	const byEnds = Map.groupBy(
		edges,
		({ from, to }) => `${node(from)} --> ${node(to)}`,
	);
	const lines = [...byEnds].map(([ends, same]) => {
		const reasons = [...new Set(same.map(({ why }) => why))];
		return `    ${ends}: ${reasons.join(", ")}`;
	});
	const names = new Set(edges.flatMap(({ from, to }) => [from, to]));
	const declared = [...names]
		.filter((name) => name !== "[*]" && node(name) !== name)
		.map((name) => `    ${node(name)}: ${name}`);
	return ["```mermaid", "stateDiagram-v2", ...declared, ...lines, "```"].join(
		"\n",
	);
}

export function table(
	heads: readonly string[],
	rows: readonly (readonly string[])[],
): string {
	return [heads, heads.map(() => "---"), ...rows]
		.map((cells) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |"))
		.join("\n");
}

/** Names with dashes are no identifiers there. */
function node(name: string): string {
	return name === "[*]" ? name : name.replace(/[^A-Za-z0-9]/g, "_");
}
