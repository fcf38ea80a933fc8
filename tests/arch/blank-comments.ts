/** TypeScript with its comments turned to blanks, so that a law reads what runs and not what is said about it. */

const TOKEN =
	/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
/** A slash after one of these begins a regular expression, not a division. */
const REGEX =
	/(?<=(?:^|[(,=:[!&|?{};~+\-*%<>]|=>|\breturn|\btypeof|\bcase)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/gm;

export function blankComments(text: string): string {
	const tokens = new RegExp(`${REGEX.source}|${TOKEN.source}`, "gm");
	return text.replace(tokens, (token) =>
		token.startsWith("//") || token.startsWith("/*")
			? token.replace(/[^\n]/g, " ")
			: token,
	);
}
