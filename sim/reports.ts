/** What must hold of every report that an orchestrator was sent. */
import type { World } from "./world.ts";

type Told = ReturnType<World["delivered"]>;

/** Less than any cooldown: what says the same again so soon was told by mistake. */
const SOON_MS = 120_000;
const FRAME =
	/^(?:=== nexus state changed at .* ===|\*If unsure .*|--- nexus-emit-sig .*|\s*)$/;
const COMMENTS = /^=== nexus state changed at \S+ \(comments\) ===\n/;

/** Without its head, its signature and blank lines; null: no report. */
function rowsOf(text: string): readonly string[] | null {
	return text.startsWith("=== nexus state changed at ")
		? text.split("\n").filter((line) => !FRAME.test(line))
		: null;
}

/** So many times `excused` may the same comments come again too soon: their way has no gate but its cooldowns. */
export function brokenReports(told: Told, excused: number): readonly string[] {
	const empty = told.filter(({ text }) => rowsOf(text)?.length === 0);
	const nagging = told.filter(({ text, atMs }, i) => {
		if (!COMMENTS.test(text)) return false;
		const rows = rowsOf(text)?.join("\n");
		return told
			.slice(0, i)
			.some(
				(before) =>
					atMs - before.atMs < SOON_MS &&
					COMMENTS.test(before.text) &&
					rowsOf(before.text)?.join("\n") === rows,
			);
	});
	return [
		...(empty.length > 0 ? [`${empty.length} reports said nothing`] : []),
		...(nagging.length > excused
			? [`${nagging.length} reports of comments said the same again`]
			: []),
	];
}
