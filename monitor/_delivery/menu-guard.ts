/** Keeps a completion menu from opening over our own text. */
import { wouldCollapse } from "./box.ts";

/**
 * The text as it is pasted. A last word that starts with `/` or `@` opens a menu of commands or
 * files over the box (a `/` in mid-text does so since 2.1.3xx), and an Enter would pick a row of
 * it; a blank behind the word keeps it shut. Claude Code drops the blank when the prompt is sent.
 * A collapsed paste opens no menu, and a command is meant to.
 */
export function asPasted(job: {
	readonly payload: string;
	readonly command: boolean;
}): string {
	const { payload } = job;
	if (job.command) return payload;
	const opensMenu = /(?:^|\s)[/@]\S*$/.test(payload);
	return opensMenu && !wouldCollapse(payload) ? `${payload} ` : payload;
}
