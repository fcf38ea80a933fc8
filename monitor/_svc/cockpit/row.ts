/** One row of the cockpit's table. */
export interface Row {
	/** What a key press in the cockpit would be; blank = none. */
	readonly key: string;
	readonly name: string;
	readonly status: string;
	readonly supervisor: string;
	readonly detail: string;
	/** Worth red on a terminal. */
	readonly alarming: boolean;
	/** Lines below the row, red too. */
	readonly notes: readonly string[];
}

/** A quiet row. */
export function row(
	key: string,
	name: string,
	status: string,
	supervisor: string,
	detail: string,
): Row {
	return { key, name, status, supervisor, detail, alarming: false, notes: [] };
}
