/** The text that is to be pasted, and whether it can be (contract 04 §7). */
import { clean } from "../_delivery/clean.ts";
import type { Files } from "../_sys/doors.ts";
import type { FollowupArgs } from "./args.ts";

export type Message =
	| { readonly kind: "ok"; readonly text: string }
	| { readonly kind: "refused"; readonly message: string };

/** `stdin` is null when it is a terminal: waiting for somebody to type would look like hanging. */
export async function readMessage(
	{ from, command }: Pick<FollowupArgs, "from" | "command">,
	files: Pick<Files, "read">,
	stdin: (() => Promise<string>) | null,
): Promise<Message> {
	const read = await textOf(from, files, stdin);
	if (read.kind === "refused") return read;
	const { text } = clean(read.text, { command });
	if (text.trim() === "") return refused("the message is empty");
	if (command && !/^\/\S[^\n]*$/.test(text.trim()))
		return refused("--command takes one line that starts with /");
	return { kind: "ok", text: command ? text.trim() : read.text };
}

async function textOf(
	from: FollowupArgs["from"],
	files: Pick<Files, "read">,
	stdin: (() => Promise<string>) | null,
): Promise<Message> {
	switch (from.kind) {
		case "message":
			return { kind: "ok", text: from.text };
		case "stdin":
			return stdin === null
				? refused("no message: give --file or --message, or pipe it in")
				: { kind: "ok", text: await stdin() };
		case "file": {
			const read = files.read(from.path);
			if (read.kind === "ok") return { kind: "ok", text: read.text };
			const why = read.kind === "absent" ? "no such file" : read.reason;
			return refused(`--file ${from.path}: ${why}`);
		}
	}
}

function refused(message: string): Message {
	return { kind: "refused", message };
}
