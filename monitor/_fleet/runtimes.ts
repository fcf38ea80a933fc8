/** The programs that agents run (contract 09 §6.4). Pure. */
import { shellQuote } from "../_sys/shell-quote.ts";

export interface RuntimeFacts {
	/** What makes it compact its context; null: nothing does. */
	readonly compact: string | null;
	/** Takes its first prompt as the last word of its command line. */
	readonly takesPrompt: boolean;
}

export const RUNTIMES: Readonly<Record<string, RuntimeFacts>> = {
	claude: { compact: "/compact", takesPrompt: true },
	codex: { compact: "/compact", takesPrompt: true },
	opencode: { compact: "/compact", takesPrompt: false },
	cursor: { compact: "/summarize", takesPrompt: false },
	auggie: { compact: null, takesPrompt: false },
	"kiro-cli": { compact: null, takesPrompt: false },
	gemini: { compact: null, takesPrompt: false },
	amp: { compact: null, takesPrompt: false },
};

/** Safe as a key of the configuration and a word of a command line. */
export function isRuntimeName(name: string): boolean {
	return /^[A-Za-z0-9_-]+$/.test(name);
}

/** The whole text is a compact command of some runtime, and nothing else. */
export function isCompactCommand(text: string): boolean {
	return Object.values(RUNTIMES).some((r) => r.compact === text);
}

/** A line for a POSIX shell; the values are quoted. */
export function runtimeCommand(
	template: string,
	pin: { readonly model: string; readonly effort: string },
): string {
	return template
		.replaceAll("{model}", () => shellQuote(pin.model))
		.replaceAll("{effort}", () => shellQuote(pin.effort));
}

/** The program's name in a template. */
export function programOf(template: string): string {
	return template.trim().split(/\s+/, 1)[0] ?? "";
}
