/** Reads the text that a verb is about to post, and says what it got (contract 05 §2.6). */
import { type Body, bodyReceipt, readBody } from "../_sys/body.ts";
import type { NgContext } from "./verb.ts";

const MIN_BYTES = 200;

/** Null: there is none, and it has been said. */
export async function bodyToPost(
	given: string | undefined,
	{ doors, stdin, err }: NgContext,
	opts: { readonly receipt: boolean } = { receipt: false },
): Promise<Extract<Body, { kind: "ok" }> | null> {
	const body = await readBody({ files: doors.files, stdin }, given);
	if (body.kind === "refused") {
		err(body.message);
		return null;
	}
	const set = doors.proc.env.NG_BODY_MIN_BYTES ?? "";
	const minBytes = /^\d{1,9}$/.test(set) ? Number(set) : MIN_BYTES;
	if (opts.receipt) for (const line of bodyReceipt(body, minBytes)) err(line);
	return body;
}
