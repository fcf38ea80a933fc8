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
	const hash = noticeHash(notice.title, notice.message);
	const why = tooMuch(recent, {
		now,
		hash,
		isEmergency: notice.priority === "emergency",
		maxPerHour: config["notifications.max_per_hour"],
	});
	if (why !== null) {
		ctx.err(`not sent: ${why}`);
		return request.isRequired ? 3 : 0;
	}
	const channels = configuredChannels(
		files,
		{
			userKey: config["notifications.pushover.user_key_path"],
			appToken: config["notifications.pushover.app_token_path"],
			topicUrl: config["notifications.ntfy.topic_url_path"],
		},
		config["notifications.desktop.enabled"],
	);
	const attempts = await notify(ctx.doors, notice, channels, ctx.pushoverApi);
	// What nobody took may be tried again at once.
	if (isAccepted(attempts)) {
		files.mkdir(home.stateDir);
		writeNoticesSent(files, home.stateDir, [...recent, { at: now, hash }]);
	}
	if (!request.isQuiet) tell(ctx, attempts, request.image);
	return notifyExit(attempts, request.isRequired);
}

const SAME_AGAIN_SECONDS = 300;

export interface RateFacts {
	readonly now: number;
	readonly hash: string;
	readonly isEmergency: boolean;
	/** 0: no limit. */
	readonly maxPerHour: number;
}

/** Why this one is not sent; null: it is. Nothing but its own repetition keeps an emergency back. */
export function tooMuch(
	recent: readonly SentNotice[],
	f: RateFacts,
): string | null {
	const same = recent.some(
		(s) => s.hash === f.hash && f.now - s.at < SAME_AGAIN_SECONDS,
	);
	if (same) return `the same went out within ${SAME_AGAIN_SECONDS} s`;
	const isFull = f.maxPerHour > 0 && recent.length >= f.maxPerHour;
	return isFull && !f.isEmergency
		? `${recent.length} went out within the hour (notifications.max_per_hour)`
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
