/** The text that a verb posts: from a file, or from standard input (contract 05 §2.6). */
import type { Files } from "./doors.ts";

export type Body =
	| {
			readonly kind: "ok";
			/** Without its trailing line ends. */
			readonly text: string;
			readonly from: "file" | "stdin";
			/** The file's path, or `stdin`. */
			readonly name: string;
	  }
	| { readonly kind: "refused"; readonly message: string };

export interface BodyDoors {
	readonly files: Pick<Files, "read">;
	readonly stdin: () => Promise<string>;
}

/** `given`: the value of `--body-file`. What is said of an empty body names the input, never the subject. */
export async function readBody(
	{ files, stdin }: BodyDoors,
	given: string | undefined,
): Promise<Body> {
	if (given === undefined || given === "-") {
		const text = withoutLineEnds(await stdin());
		if (text !== "") return { kind: "ok", text, from: "stdin", name: "stdin" };
		const how = given === undefined ? "no --body-file" : "--body-file -";
		return refused(`empty body: ${how}, and standard input is empty`);
	}
	const read = files.read(given);
	if (read.kind === "absent") return refused(`body file not found: ${given}`);
	if (read.kind === "unreadable")
		return refused(`body file ${given} cannot be read: ${read.reason}`);
	const text = withoutLineEnds(read.text);
	if (text !== "") return { kind: "ok", text, from: "file", name: given };
	return refused(
		read.text === ""
			? `empty body: ${given} exists, but has 0 bytes`
			: `empty body: ${given} holds nothing but line ends`,
	);
}

/** What goes to stderr before a body is posted. `minBytes`: a file below it is likely not the one that was meant. */
export function bodyReceipt(
	{ text, from, name }: Extract<Body, { kind: "ok" }>,
	minBytes: number,
): readonly string[] {
	const bytes = Buffer.byteLength(text);
	const receipt = `posting ${bytes} bytes (${[...text].length} chars) from ${name}`;
	if (from === "stdin" || bytes >= minBytes) return [receipt];
	return [
		receipt,
		`WARNING: ${name} has only ${bytes} bytes (NG_BODY_MIN_BYTES is ${minBytes}): is it the right file?`,
	];
}

function withoutLineEnds(text: string): string {
	return text.replace(/[\r\n]+$/, "");
}

function refused(message: string): Body {
	return { kind: "refused", message };
}
