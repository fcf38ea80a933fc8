/**
 * Every word and glyph of Claude Code's screens that the reader knows, and nothing else: when a
 * release changes its wording, this is the file to change. Structure (where a region stands, what
 * lies below what) decides first; these texts only say what a region is.
 *
 * Seen on 2.0.72, 2.1.6, 2.1.119, 2.1.197, 2.1.284 and 2.1.332, unless a text names its releases.
 * `tests/record` plays the scenes of any other one and tells what is read wrong.
 */

/** Input box: chevron and no-break space. A transcript's user message has an ASCII space instead. */
export const COMPOSER = /^[ \u2500-\u259f]*❯\u00a0/;
/** Shell mode and its kin: `!`, `#` or `&` in place of the chevron. */
export const MODE_COMPOSER = /^[!#&]\u00a0/;
/** The chevron of releases before 2.1.0. */
export const OLD_COMPOSER = /^>\u00a0/;
/** A message that the user sent, in the transcript. */
export const USER_MESSAGE = /^[❯>] /;
/** In the upper rule of a box whose draft is taller than itself. */
export const ROWS_ABOVE = /^─+ ↑ \d+ more /;
/** A collapsed paste or image in the input box. */
export const CHIP = /\[(?:Pasted text|Image) #\d+[^\]]*\]/;
/** Frames, bars and shades: chrome when they are faint. */
export const BOX_GLYPH = /^[\u2500-\u259f]$/;

/** A row of a completion menu: a command (`…` where a narrow pane cut its start), a file (`+`), an agent (`*`), a resource (`◇`). */
export const MENU_ROW = /^ {0,4}(❯ )?([/…][\w:.-]+|[+*◇] \S+)/;

/** What a transcript row starts with: answer, tool call, tool output, user message, quotation, frame. */
export const TRANSCRIPT_START = /^[●⏺⎿❯>│]/;
/** The session survey has an answer's bullet, then a row of digits. */
export const SURVEY_CHOICES = /^\s+\d: \S+\s+\d: \S/;
/** Glyph of a running or finished turn at column 0 (`*` on terminals without the others). */
export const SPINNER_GLYPH = /^[·✢✳✶✻✽*] /;
/** `✶ Weaving… (12s · ↓ 840 tokens)`. */
export const SPINNER = /^[·✢✳✶✻✽*] +[^…]*\S…(?: |$)/;
/** The spinner under reduced motion wears an answer's bullet; an answer has no timer behind its first words. */
export const STILL_SPINNER = /^[●⏺] [^…]*\S… \((?:\d+[hms] ?)+(?: ·.*)?\)$/;
/** `✻ Waiting for 1 background agent to finish`: the turn goes on without a spinner. */
export const WAITING =
	/^[·✢✳✶✻✽*] Waiting for \d+ (?:background )?agents? to finish/;
export const TOKEN_COUNTER = /[↓↑] +\d+(?:\.\d+)?[kKmM]? +tokens/;
export const INTERRUPT_HINT = /esc to interrupt/i;
export const THROTTLED = /waiting for capacity|lower priority/i;
export const RETRYING = /retrying in .*?attempt +(\d+)\/(\d+)/i;
/** The whole of a status segment while a turn runs; a narrow pane cuts it. */
export const INTERRUPT_SEGMENT =
	/^esc to interrupt$|^esc(?: t(?:o(?: i\w*)?)?)? ?…$/;

/** In place of the box text while messages wait behind the running turn. */
export const QUEUE_PLACEHOLDER =
	/^[❯>][ \u00a0](?:Press up to edit queued messages|.*\bselect a queued message)/;

/**
 * All that an empty box may say by itself, but for a suggested prompt: hints after a failed turn and of the queue (2.1.332),
 * an example on an empty screen. Faint; where nothing has colours only the words tell it from a draft.
 */
export const PLACEHOLDER =
	/^(?:Try "[^"]+"|Resend your message to try again|Once fixed, resend your message|Run \/rewind to go back|Taking your message back…|Message @\S+…|Press (?:up|Enter) to (?:edit|select) (?:queued messages|(?:a queued|the selected) message)\b.*)$/;

/** Rows under the box: permission mode, vim mode. */
export const MODE_LINE =
	/^\s*(?:-- [A-Z ]+ --\s*)?(?:⏵⏵|⏸|\? for shortcuts|! for shell mode)|^\s*-- [A-Z ]+ --/;
export const HANDLE_COUNT =
	/^(\d+) (monitor|shell|background (?:bash|process|task))(?:e?s)?$/;
export const BANNER_COUNT =
	/(\d+) (?:(monitors?|shells?) still running|(background) (?:bash(?:es)?|process(?:es)?) (?:still )?running)/g;

/**
 * `Enter to select · ↑/↓ to navigate · Esc to cancel`, `←/→ tab switch · ↓ return · Esc cancel` and
 * their like. `esc to interrupt` is none.
 */
export const KEY_FOOTER =
	/\b(?:enter|esc(?:ape)?|space)(?:\/[\w↑↓]+)* to (?!interrupt)[a-z]|(?:^|·)\s*(?:enter|esc)(?:\/[\w↑↓]+)* (?!to interrupt)[a-z]|\bctrl[+-]\S+ to |[←→↑↓](?:\/[←→↑↓])? to /i;
/** Above a view that took the place of the box (2.1.3xx; before, a rule like any other). */
export const VIEW_RULE = "▔";
/** The part of it that every dialog has, whatever else it offers. */
export const LEAVING_KEYS =
	/\b(?:enter|esc(?:ape)?)(?:\/[\w↑↓]+)* (?:to )?(?!to interrupt|interrupt)[a-z]/i;
/** Older in-place history search: the box stays, keys go to the search. */
export const SEARCH_STATUS = /^\s*(?:search prompts:|no matching prompt:)/;

/** Dialog texts, compared after the row's blanks, frame, chevron and number are gone. */
export const DIALOG = {
	rateLimitTitle: /^What do you want to do\?/,
	rateLimitOption: /^Stop and wait for limit/,
	permissionStart: /^Do you want to\b/,
	bypassTitle: /Bypass Permissions mode/,
	bypassAccept: /^Yes, I accept/,
	confirmFooter: /Enter to confirm/,
	askOther: /^(?:\[.\] )?Type something\.?$/,
	askChat: /^Chat about this$/,
	/** ` ☐ Database`, `←  ☐ Database  ☒ Regions  ✔ Submit  →`. */
	askChips: /^(?:← +)?[☐☒☑] +\S/,
	askReview: /^Submit answers$/,
	trust: /trust this folder|is this a project you created or one you trust/i,
	resumeSummary: /^Resume full session as-is/,
	theme: /^Choose the text style/,
	login: /^Login$|^Select login method/,
} as const;

/** Who is limited, then when it ends. Two parts, so that a half-drawn notice is none. */
export const LIMIT_SUBJECT =
	/^(?:You['’ʼ`´]ve (?:hit|reached) your ((?:\S+ ){0,3})(?:limit|budget)|You['’ʼ`´]re out of (?:extra usage|usage credits)|((?:\S+ ){0,2}(?:usage )?)limit reached)/;
export const LIMIT_RESET =
	/^(?:(?: [·∙]|\. It) (?:your (?:\S+ )+?limit |limit )?[Rr][Ee][Ss][Ee][Tt][Ss] (?<words>\S.*)|\. Your limit will reset at (?<late>\S.*)| · set to continue automatically at (?<wait>\S.*)|\|(?<epoch>\d{10})(?!\d)|\.(?: |$))/;
/** What may stand in front of a notice on its row. */
export const LIMIT_API_ERROR =
	/^[●⏺] API Error: Request rejected \(\d+\) · (?=\S)/;
export const LIMIT_OUTPUT = /^ {0,2}⎿[\s\u00a0]+/;
/** Entries that speak of the limit themselves (2.1.332): the session has not gone on. */
export const LIMIT_ASIDE = /^[●⏺] (?:Usage limit reached|Automatic continue)\b/;
/** An aside, or a status row while Claude Code waits for the reset (2.1.332): says when, not whose limit it is. */
export const LIMIT_HINT = /^(?:[●⏺]|\s+⚠) (?=Usage limit reached · )/;
/** The row after a notice, where one stands. */
export const LIMIT_ADVICE = /^\s*\/(?:extra-usage|upgrade|usage-credits)\b/;
