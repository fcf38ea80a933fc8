/** The text of a request or reply, as bytes: `--message`, `--file`, or `-` for standard input. */
import type { RequestContext } from "./verb.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export type RequestBody =
	| { readonly kind: "ok"; readonly bytes: Uint8Array }
	| { readonly kind: "none" }
	| { readonly kind: "refused"; readonly why: string };

/** Bytes as they came; `none`: no way was given. Bounded. */
export async function requestBody(
	given: {
		readonly message: string | undefined;
		readonly file: string | undefined;
		readonly stdin: boolean;
	},
	{ doors, stdin }: RequestContext,
): Promise<RequestBody> {
	const { message, file } = given;
	const ways = [message !== undefined, file !== undefined, given.stdin];
	if (ways.filter(Boolean).length > 1)
		return { kind: "refused", why: "one of --message, --file and - only" };
	if (message !== undefined)
		return { kind: "ok", bytes: new TextEncoder().encode(message) };
	if (file !== undefined) {
		const read = doors.files.readBytes(
			doors.files.realpath(file) ?? file,
			MAX_BYTES,
		);
		return read.kind === "ok"
			? read
			: {
					kind: "refused",
					why: `${file}: ${read.kind === "absent" ? "no such file" : read.reason}`,
				};
	}
	return given.stdin ? { kind: "ok", bytes: await stdin() } : { kind: "none" };
}

/** Nothing but white space. */
export function isBlank(bytes: Uint8Array): boolean {
	return new TextDecoder().decode(bytes).trim() === "";
}
