/** What is wrong with a configuration, and where (contract 07 §1). Types only. */

export interface Position {
	readonly line: number;
	readonly col: number;
}

/**
 * `key` is dotted, empty for the file as a whole. `message` says it all; `expected` and `got` (as
 * JSON, cut and redacted) are its parts when a value is at fault.
 */
export interface ConfigIssue {
	readonly key: string;
	/** The variable at fault, when it is not the file. */
	readonly env?: string;
	readonly line?: number;
	readonly col?: number;
	readonly message: string;
	readonly expected?: string;
	readonly got?: string;
}
