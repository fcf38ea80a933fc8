/** The ways a notice can reach the operator's phone or desktop, each as one bounded try (contract 06 §15). */
import { bell } from "./bell.ts";
import { withDeadline } from "./deadline.ts";
import type { Clock, Net, Proc } from "./doors.ts";

export interface Notice {
	readonly title: string;
	readonly message: string;
	readonly priority: "routine" | "emergency";
	readonly url: string | null;
	readonly tags: readonly string[];
}
export type Tried =
	| { readonly kind: "accepted" }
	| { readonly kind: "failed"; readonly why: string }
	/** The program that would carry it is not here. */
	| { readonly kind: "missing"; readonly why: string };

export interface NotifyDoors {
	readonly net: Net;
	readonly clock: Pick<Clock, "after" | "nowMs">;
	readonly proc: Pick<Proc, "which" | "exec" | "env">;
}

export const PUSHOVER_API = "https://api.pushover.net/1/messages.json";

const LIMIT_MS = 10_000;
/** Longer texts are refused by the services. */
const PUSHOVER_TITLE = 250;
const PUSHOVER_MESSAGE = 1024;
const NTFY_MESSAGE = 4000;

/**
 * Titles and messages are cut to what Pushover takes; an emergency is priority 1, which rings through quiet hours
 * without asking for an answer.
 */
export function sendPushover(
	doors: NotifyDoors,
	notice: Notice,
	key: { readonly user: string; readonly token: string },
	api: string,
): Promise<Tried> {
	return post(doors, api, {
		token: key.token,
		user: key.user,
		title: cut(notice.title, PUSHOVER_TITLE),
		message: cut(notice.message, PUSHOVER_MESSAGE),
		priority: notice.priority === "emergency" ? 1 : 0,
		...(notice.url !== null && { url: notice.url }),
	});
}

/** As JSON to the server's root: headers would bear no letter beyond ASCII. */
export function sendNtfy(
	doors: NotifyDoors,
	notice: Notice,
	topicUrl: string,
): Promise<Tried> {
	const at = /^(https?:\/\/.+\/)([^/?#]+)\/?$/.exec(topicUrl);
	if (at === null)
		return Promise.resolve({ kind: "failed", why: "not a topic's address" });
	const [, server = "", topic = ""] = at;
	return post(doors, server, {
		topic,
		title: notice.title,
		message: cut(notice.message, NTFY_MESSAGE),
		priority: notice.priority === "emergency" ? 5 : 3,
		...(notice.tags.length > 0 && { tags: notice.tags }),
		...(notice.url !== null && { click: notice.url }),
	});
}

/** A bubble on this machine's desktop, and the sandbox's bell. */
export async function sendDesktop(
	{ proc }: NotifyDoors,
	notice: Notice,
): Promise<Tried> {
	await bell(proc, `${notice.title}: ${notice.message}`);
	const program = proc.which("notify-send");
	if (program === null)
		return proc.which("sandbox-notify") === null
			? { kind: "missing", why: "neither notify-send nor sandbox-notify" }
			: { kind: "accepted" };
	const urgency = notice.priority === "emergency" ? "critical" : "normal";
	const words = ["--app-name=nexus", `--urgency=${urgency}`, "--"];
	const done = await proc.exec(
		[program, ...words, notice.title, notice.message],
		{ timeoutMs: LIMIT_MS },
	);
	if (done.kind === "exited" && done.rc === 0) return { kind: "accepted" };
	const why = done.kind === "exited" ? `exit code ${done.rc}` : done.kind;
	return { kind: "failed", why: `notify-send: ${why}` };
}

async function post(
	{ net, clock }: NotifyDoors,
	url: string,
	body: object,
): Promise<Tried> {
	const answer = await withDeadline(clock, LIMIT_MS, undefined, (signal) =>
		net.fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
			signal,
		}),
	);
	switch (answer.kind) {
		case "ok": {
			const { status } = answer.value;
			await answer.value.body?.cancel();
			return status >= 200 && status < 300
				? { kind: "accepted" }
				: { kind: "failed", why: `HTTP ${status}` };
		}
		case "ended":
			return { kind: "failed", why: answer.why };
		case "threw":
			// The address is a secret, and an error of the network may quote it.
			return { kind: "failed", why: "no connection" };
	}
}

function cut(text: string, max: number): string {
	const letters = [...text];
	return letters.length <= max
		? text
		: `${letters.slice(0, max - 1).join("")}…`;
}
