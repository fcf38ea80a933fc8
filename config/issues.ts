/** What is wrong with a configuration, and where (contract 07 §1). Types only. */

export interface Position {
	readonly line: number;
	readonly col: number;
}

/**
 * `key` is dotted, empty for the file as a whole. With `expected`, `got` is the value as JSON, cut
 * and redacted; without, `message` says it all.
 */
export interface ConfigIssue {
	readonly key: string;
	readonly line?: number;
	readonly col?: number;
	readonly message: string;
	readonly expected?: string;
	readonly got?: string;
}
