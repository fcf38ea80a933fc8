/** `notify`: one notice to the operator, unless it is the same again or one too many (contract 06 §15). */
import {
	noticeHash,
	readNoticesSent,
	type SentNotice,
	writeNoticesSent,
} from "../_state/notices-sent.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import {
	type Attempt,
	configuredChannels,
	isAccepted,
	notify,
	notifyExit,
} from "../_sys/notify.ts";
import type { Notice } from "../_sys/notify-channels.ts";
import type { MailWay } from "../_sys/notify-mail.ts";
import { parseNotifyArgs, USAGE } from "./args.ts";

export interface NotifyContext {
	readonly doors: Doors;
	readonly settings: () => Promise<Settings>;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
	/** Default: Pushover's own. */
	readonly pushoverApi?: string;
}

/** Exit code. A configuration that cannot be used does not keep an alert about it back: the default paths count then. */
export async function runNotify(
	argv: readonly string[],
	ctx: NotifyContext,
): Promise<number> {
	const request = parseNotifyArgs(argv);
	if (request.kind === "help") {
		ctx.out(USAGE);
		return 0;
	}
	if (request.kind === "refused") {
		ctx.err(request.message);
		ctx.err(USAGE);
		return 1;
	}
	const { files, clock } = ctx.doors;
	const { home, config } = await ctx.settings();
	const { notice } = request;
	const now = clock.now();
	const recent = readNoticesSent(files, home.stateDir, now);
	const kept = tooMuch(recent, {
		now,
		notice,
		maxPerHour: config["notifications.max_per_hour"],
	});
	if (kept !== null) {
		if (!request.isQuiet) ctx.err(`not sent: ${kept.why}`);
		// What was accepted a moment ago is delivered; what the limit holds back is not.
		return request.isRequired && kept.kind === "limit" ? 3 : 0;
	}
	const channels = configuredChannels(
		files,
		{
			userKey: config["notifications.pushover.user_key_path"],
			appToken: config["notifications.pushover.app_token_path"],
			topicUrl: config["notifications.ntfy.topic_url_path"],
		},
		{
			desktop: config["notifications.desktop.enabled"],
			mail: mailWay(config),
		},
	);
	const attempts = await notify(ctx.doors, notice, channels, ctx.pushoverApi);
	// What nobody took may be tried again at once.
	if (isAccepted(attempts)) {
		files.mkdir(home.stateDir);
		const sent = { at: now, hash: noticeHash(notice) };
		writeNoticesSent(files, home.stateDir, [...recent, sent]);
	}
	if (!request.isQuiet) tell(ctx, attempts, request.image);
	return notifyExit(attempts, request.isRequired);
}

/** Null: there is nobody to write to, or no relay. */
function mailWay(config: Settings["config"]): MailWay | null {
	const to = config["notifications.email.address"];
	const host = config["notifications.email.smtp_host"];
	const port = config["notifications.email.smtp_port"];
	return to === null || host === null ? null : { to, host, port };
}

const SAME_AGAIN_SECONDS = 300;

export interface RateFacts {
	readonly now: number;
	readonly notice: Pick<Notice, "title" | "message" | "priority">;
	/** 0: no limit. */
	readonly maxPerHour: number;
}
export interface KeptBack {
	readonly kind: "same" | "limit";
	readonly why: string;
}

/**
 * Why this one is not sent; null: it is. Nothing but its own repetition keeps an emergency back: the routine notice of
 * the same words may have rung nobody out of bed.
 */
export function tooMuch(
	recent: readonly SentNotice[],
	{ now, notice, maxPerHour }: RateFacts,
): KeptBack | null {
	const priorities =
		notice.priority === "emergency"
			? (["emergency"] as const)
			: (["routine", "emergency"] as const);
	const asLoud = priorities.map((priority) =>
		noticeHash({ ...notice, priority }),
	);
	const isSame = recent.some(
		({ at, hash }) => asLoud.includes(hash) && now - at < SAME_AGAIN_SECONDS,
	);
	if (isSame)
		return {
			kind: "same",
			why: `the same went out within ${SAME_AGAIN_SECONDS} s`,
		};
	const isFull = maxPerHour > 0 && recent.length >= maxPerHour;
	return isFull && notice.priority !== "emergency"
		? {
				kind: "limit",
				why: `${recent.length} went out within the hour (notifications.max_per_hour)`,
			}
		: null;
}

function tell(
	{ out, err }: NotifyContext,
	attempts: readonly Attempt[],
	image: string | null,
): void {
	if (image !== null) err("pictures are not sent yet; the text goes without");
	if (attempts.length === 0) out("no channel is configured; nothing was sent");
	for (const attempt of attempts)
		if (attempt.kind === "accepted") out(`${attempt.channel}: accepted`);
		else err(`${attempt.channel}: ${attempt.kind}: ${attempt.why}`);
}
