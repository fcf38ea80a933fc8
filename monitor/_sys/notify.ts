/** Reaching the operator: which channels there are, in which order they are tried, and what came of it (contract 06 §15). */
import type { Files } from "./doors.ts";
import {
	type Notice,
	type NotifyDoors,
	PUSHOVER_API,
	sendDesktop,
	sendNtfy,
	sendPushover,
	type Tried,
} from "./notify-channels.ts";
import { type MailWay, sendMail } from "./notify-mail.ts";

/** Nothing is configured by default. */
export interface Channels {
	readonly pushover: { readonly user: string; readonly token: string } | null;
	/** Address of the topic. */
	readonly ntfy: string | null;
	readonly desktop: boolean;
	/** For emergencies alone. */
	readonly mail: MailWay | null;
}
export interface ChannelFiles {
	readonly userKey: string;
	readonly appToken: string;
	readonly topicUrl: string;
}

export type Attempt = Tried & {
	readonly channel: "pushover" | "ntfy" | "email" | "desktop";
};

/** Pushover, and ntfy when that is not there or failed; an emergency by mail, too, and the desktop beside them. Each try is bounded. Never throws. */
export async function notify(
	doors: NotifyDoors,
	notice: Notice,
	channels: Channels,
	pushoverApi = PUSHOVER_API,
): Promise<readonly Attempt[]> {
	const attempts: Attempt[] = [];
	const { pushover, ntfy, mail } = channels;
	if (pushover !== null)
		attempts.push({
			channel: "pushover",
			...(await sendPushover(doors, notice, pushover, pushoverApi)),
		});
	if (ntfy !== null && !isAccepted(attempts))
		attempts.push({
			channel: "ntfy",
			...(await sendNtfy(doors, notice, ntfy)),
		});
	if (mail !== null && notice.priority === "emergency")
		attempts.push({
			channel: "email",
			...(await sendMail(doors, notice, mail)),
		});
	if (channels.desktop)
		attempts.push({
			channel: "desktop",
			...(await sendDesktop(doors, notice)),
		});
	return attempts;
}

/** Accepted by a channel, which is all that can be known: not that anybody read it. */
export function isAccepted(attempts: readonly Attempt[]): boolean {
	return attempts.some(({ kind }) => kind === "accepted");
}

/** 0 accepted by any, or nothing asked of anybody; 2 required but unconfigured; 3 all failed; 4 no program to carry it. */
export function notifyExit(
	attempts: readonly Attempt[],
	isRequired: boolean,
): 0 | 2 | 3 | 4 {
	if (isAccepted(attempts) || !isRequired) return 0;
	if (attempts.length === 0) return 2;
	return attempts.every(({ kind }) => kind === "missing") ? 4 : 3;
}

/** `open` needs no credential; the others have theirs in a file, and one that others may read counts as not there. */
export function configuredChannels(
	files: Pick<Files, "stat" | "read">,
	paths: ChannelFiles,
	open: Pick<Channels, "desktop" | "mail">,
): Channels {
	const user = secretOf(files, paths.userKey);
	const token = secretOf(files, paths.appToken);
	return {
		pushover: user === null || token === null ? null : { user, token },
		ntfy: secretOf(files, paths.topicUrl),
		desktop: open.desktop,
		mail: open.mail,
	};
}

function secretOf(
	files: Pick<Files, "stat" | "read">,
	path: string,
): string | null {
	const look = files.stat(path);
	if (look.kind !== "ok" || look.stat.kind !== "file") return null;
	if (![0o600, 0o400].includes(look.stat.mode & 0o777)) return null;
	const read = files.read(path, 4096);
	return (read.kind === "ok" && read.text.trimEnd()) || null;
}
