/** The one listing of all sessions, with user options: its format and its parser. Pure. */
import type { SessionRow } from "./doors-tmux.ts";

/** Names and values may hold anything, `|` included: each is measured (`n:` is its length in bytes). */
export function sessionFormat(options: readonly string[]): string {
	const measured = ["session_name", ...options].map(
		(name) => `#{n:${name}}|#{${name}}`,
	);
	return ["#{session_id}|#{pid}|#{start_time}", ...measured].join("|");
}

/** All rows, or null when the answer is not of the format: then nobody looked. */
export function parseSessionRows(
	stdout: string,
	options: readonly string[],
): readonly SessionRow[] | null {
	let bytes = Buffer.from(stdout);
	const rows: SessionRow[] = [];
	while (bytes.length > 0) {
		const head = /^(\$\d+)\|(\d+)\|(\d+)/.exec(bytes.toString("latin1"));
		if (head === null) return null;
		let rest = bytes.subarray(head[0].length);
		const texts: string[] = [];
		for (let i = 0; i <= options.length; i++) {
			const size = /^\|(\d+)\|/.exec(rest.toString("latin1"));
			if (size === null) return null;
			const from = size[0].length;
			const to = from + Number(size[1]);
			if (to > rest.length) return null;
			texts.push(rest.subarray(from, to).toString());
			rest = rest.subarray(to);
		}
		// An answer that was cut short does not end in a newline.
		if (rest[0] !== "\n".charCodeAt(0)) return null;
		bytes = Buffer.from(rest.subarray(1));
		const [session = "", ...values] = texts;
		rows.push({
			sessionId: head[1] ?? "",
			session,
			server: { pid: Number(head[2]), startTime: Number(head[3]) },
			options: Object.fromEntries(
				options.map((name, i) => [name, values[i] ?? ""]),
			),
		});
	}
	return rows;
}
