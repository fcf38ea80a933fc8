/** The end of a pane's text, where a live prompt stands (contract 09 §8). Pure. */

/** An answered prompt scrolls up: matching the whole capture re-reported resolved prompts every minute. */
const WINDOW_LINES = 15;

/** The last lines of a text; blank lines at its end are dropped first: below a prompt at the top of a fresh pane stands nothing else. */
export function bottomLines(text: string, count: number): string {
	const lines = text.replaceAll("\r\n", "\n").split("\n");
	while (lines.length > 0 && (lines.at(-1) ?? "").trim() === "") lines.pop();
	return lines.slice(-count).join("\n");
}

/** Without colours and cursor movements. */
export function withoutCsi(text: string): string {
	return text.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, "");
}

/** The last lines, without escape sequences. */
export function promptWindow(pane: string): string {
	return bottomLines(withoutCsi(pane), WINDOW_LINES);
}
