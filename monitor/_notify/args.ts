/** The command line of `notify` (contract 06 §15). Pure. */
import { parseCli } from "../_sys/cli.ts";
import type { Notice } from "../_sys/notify-channels.ts";

export const USAGE = `usage: notify.ts <title> <message> [--priority routine|emergency] [--url U] [--tag T]…
         [--image F] [--require-delivery] [--quiet]
  Sends a notice to the operator: Pushover, else ntfy; an emergency by mail, too; the desktop too
  where notifications.desktop.enabled is set.
  Off until a channel is configured (docs/operators-guide.md). Pictures are not sent yet.
  exit: 0 accepted, or nothing configured; 1 usage; 2 required, nothing configured; 3 required, all failed;
        4 required, and no program to carry it`;

export type NotifyRequest =
	| {
			readonly kind: "send";
			readonly notice: Notice;
			readonly isRequired: boolean;
			readonly isQuiet: boolean;
			/** `--image`, which is told that it is not sent. */
			readonly image: string | null;
	  }
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly message: string };

/** Control characters are taken out of title and message, and line breaks out of the title. */
export function parseNotifyArgs(argv: readonly string[]): NotifyRequest {
	const cli = parseCli(argv, {
		flags: {
			"--priority": "value",
			"--url": "value",
			"--image": "value",
			"--tag": "list",
			"--require-delivery": "switch",
			"--quiet": "switch",
		},
		maxPositionals: 2,
	});
	if (cli.kind !== "ok") return cli;
	const [title = "", message = ""] = cli.positionals;
	if (title === "" || message === "")
		return { kind: "refused", message: "a title and a message are needed" };
	const priority = cli.value("--priority") ?? "routine";
	if (priority !== "routine" && priority !== "emergency")
		return {
			kind: "refused",
			message: `--priority: expected routine or emergency, not ${priority}`,
		};
	return {
		kind: "send",
		notice: {
			title: plain(title).replace(/\s+/g, " "),
			message: plain(message),
			priority,
			url: cli.value("--url") ?? null,
			tags: cli.list("--tag"),
		},
		isRequired: cli.on("--require-delivery"),
		isQuiet: cli.on("--quiet"),
		image: cli.value("--image") ?? null,
	};
}

function plain(text: string): string {
	return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}
