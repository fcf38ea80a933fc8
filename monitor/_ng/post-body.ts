/** Reads the text that a verb is about to post, and says what it got (contract 05 §2.6). */
import { resolve } from "node:path";
import type { Settings } from "../_state/settings.ts";
import { type Body, bodyReceipt, readBody } from "../_sys/body.ts";
import { linkFlaw } from "./link-flaw.ts";
import { callerFolder } from "./reports-dir.ts";
import { secretFileFlaw, secretTextFlaw } from "./secrets.ts";
import type { NgContext } from "./verb.ts";

type Text = Extract<Body, { kind: "ok" }>;

const MIN_BYTES = 200;

/** Null: there is none, or none that may be posted, and it has been said. */
export async function bodyToPost(
	given: string | undefined,
	settings: Settings,
	ctx: NgContext,
	opts: { readonly receipt: boolean } = { receipt: false },
): Promise<Text | null> {
	const body = await readText(given, ctx);
	if (body === null || isSecret(body, settings, ctx)) return null;
	const set = ctx.doors.proc.env.NG_BODY_MIN_BYTES ?? "";
	const minBytes = /^\d{1,9}$/.test(set) ? Number(set) : MIN_BYTES;
	if (opts.receipt)
		for (const line of bodyReceipt(body, minBytes)) ctx.err(line);
	return body;
}

/** Only to be looked at: what is posted of it goes through `isSecret` first. Null: there is none, and it has been said. */
export async function readText(
	given: string | undefined,
	{ doors, stdin, err }: NgContext,
): Promise<Text | null> {
	const body = await readBody({ files: doors.files, stdin }, given);
	if (body.kind === "ok") return body;
	err(body.message);
	return null;
}

/** True: it must not be posted, and why has been said. */
export function isSecret(
	{ text, from, name }: Text,
	settings: Settings,
	{ doors, err }: Pick<NgContext, "doors" | "err">,
): boolean {
	const path = from === "file" ? resolve(callerFolder(doors), name) : null;
	const ofFile =
		path === null
			? null
			: (linkFlaw(doors.files, path, settings) ??
				secretFileFlaw(doors, path, settings));
	const why = ofFile ?? secretTextFlaw(text);
	if (why === null) return false;
	err(`refused: ${name}: ${why}; nothing was sent`);
	return true;
}
