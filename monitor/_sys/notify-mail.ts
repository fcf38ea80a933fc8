/** An emergency by mail, through a relay that asks for no password (contract 06 §15). */
import type { Notice, NotifyDoors, Tried } from "./notify-channels.ts";

export interface MailWay {
	/** One address; it is the sender, too. */
	readonly to: string;
	readonly host: string;
	readonly port: number;
}

const LIMIT_MS = 10_000;
/** Bytes of a heading in one encoded word, and of a line of the body. */
const WORD_BYTES = 42;
const LINE_BYTES = 57;

/** By curl, which speaks SMTP. */
export async function sendMail(
	{ proc, clock }: NotifyDoors,
	notice: Notice,
	way: MailWay,
): Promise<Tried> {
	const curl = proc.which("curl");
	if (curl === null) return { kind: "missing", why: "no curl to send mail" };
	const flaw = mailFlaw(way);
	if (flaw !== null) return { kind: "failed", why: flaw };
	const done = await proc.exec([curl, ...curlWords(way)], {
		timeoutMs: LIMIT_MS,
		stdin: mailText(notice, way.to, clock.nowMs()),
	});
	if (done.kind === "exited" && done.rc === 0) return { kind: "accepted" };
	const why = done.kind === "exited" ? `curl: exit code ${done.rc}` : done.kind;
	return { kind: "failed", why };
}

/** Both go into a command line and into the headings of the mail; null: they may. */
export function mailFlaw({ to, host }: MailWay): string | null {
	if (!/^[A-Za-z0-9._%+=-]+@[A-Za-z0-9.-]+$/.test(to) || to.startsWith("-"))
		return "notifications.email.address is no mail address";
	return /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(host)
		? null
		: "notifications.email.smtp_host is no host name";
}

/** Without the user's own curlrc, whatever it says. */
export function curlWords({ to, host, port }: MailWay): readonly string[] {
	return [
		...["-q", "--silent", "--url", `smtp://${host}:${port}`],
		...["--mail-from", to, "--mail-rcpt", to, "--upload-file", "-"],
	];
}

/** The whole mail, lines ended as mail wants them. */
export function mailText(notice: Notice, to: string, nowMs: number): string {
	const { title, message, url } = notice;
	const body = `Event: ${title}\nIssue: ${url ?? "(no link)"}\n\n${message}\n`;
	return [
		`Date: ${new Date(nowMs).toUTCString().replace("GMT", "+0000")}`,
		`From: ${to}`,
		`To: ${to}`,
		`Subject: ${encodedWords(`[nexus] ${title}`)}`,
		"MIME-Version: 1.0",
		"Content-Type: text/plain; charset=utf-8",
		"Content-Transfer-Encoding: base64",
		"",
		...chunks(Buffer.from(body), LINE_BYTES).map((c) => c.toString("base64")),
		"",
	].join("\r\n");
}

/** Letters beyond ASCII need it, and no heading can be forged by what stands in it. */
function encodedWords(text: string): string {
	if (/^[ -~]{1,60}$/.test(text) && !text.includes("=?")) return text;
	const words: Buffer[] = [];
	let word = "";
	for (const letter of text) {
		if (Buffer.byteLength(word + letter) > WORD_BYTES) {
			words.push(Buffer.from(word));
			word = "";
		}
		word += letter;
	}
	words.push(Buffer.from(word));
	return words.map((w) => `=?UTF-8?B?${w.toString("base64")}?=`).join("\r\n ");
}

function chunks(bytes: Buffer, size: number): readonly Buffer[] {
	const count = Math.ceil(bytes.length / size);
	return Array.from({ length: count }, (_, n) =>
		bytes.subarray(n * size, (n + 1) * size),
	);
}
