/** Lines of an action log. */

export type LogEntry = readonly [
	event: string,
	at: number,
	fields: Readonly<Record<string, string>>,
];

/** `at` in epoch seconds. */
export function logLines(entries: readonly LogEntry[]): string {
	return entries
		.map(([event, at, fields]) => {
			const ts = new Date(at * 1000).toISOString();
			const line = { ts, agent: "monitor", event, ...fields };
			return `${JSON.stringify(line)}\n`;
		})
		.join("");
}
