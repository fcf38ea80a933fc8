/**
 * Writing the text of an issue: every such write goes this way (contract 05 §10.5). GitHub answers 200 to a text that is too
 * long, gives back what was sent, and stores nothing, so it is read again before it counts.
 */
import { COMMAND_MS } from "./deadline.ts";
import { failureLine } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { findIssue } from "./issue.ts";
import { textAt } from "./json-look.ts";
import { ownerAndName } from "./target-repo.ts";

export type BodyWrite =
	| { readonly kind: "ok"; readonly url: string }
	| { readonly kind: "failed"; readonly why: string }
	/** Perhaps written, perhaps not. */
	| { readonly kind: "unverified"; readonly why: string };

const LARGEST_BODY_BYTES = 262_144;

/** Null: room enough. */
export function sizeWarning(body: string): string | null {
	const bytes = Buffer.byteLength(body);
	return bytes >= LARGEST_BODY_BYTES * 0.9
		? `WARNING: the issue's text has ${bytes} of ${LARGEST_BODY_BYTES} bytes`
		: null;
}

/** `label`: what is written, for the messages. */
export async function patchIssueBody(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	number: string,
	body: string,
	label: string,
): Promise<BodyWrite> {
	const excess = Buffer.byteLength(body) - LARGEST_BODY_BYTES;
	if (excess > 0)
		return failed(
			`${label}: ${excess} bytes too many for an issue; nothing was sent`,
		);
	const patched = await gitHub.rest(
		"PATCH /repos/{owner}/{repo}/issues/{issue_number}",
		{ ...ownerAndName(repo), issue_number: Number(number), body },
		{
			deadlineMs: COMMAND_MS,
			read: (data) => ({
				url: textAt(data, "html_url"),
				body: textAt(data, "body"),
			}),
		},
	);
	if (patched.kind === "failed")
		return failed(`${label}: ${failureLine(patched.failure)}`);
	const { url, body: echoed } = patched.value;
	if (url === null) return failed(`${label}: the PATCH was not taken`);
	if (echoed === null)
		return unverified(
			`${label}: unverified: GitHub did not say what it stored`,
		);
	if (!isSame(echoed, body))
		return failed(`${label}: what GitHub took is not what was to be sent`);
	const now = await findIssue(gitHub, repo, number);
	if (now.kind === "failed")
		return unverified(
			`${label}: unverified: it could not be read again: ${failureLine(now.failure)}`,
		);
	return isSame(now.value.body, body)
		? { kind: "ok", url }
		: failed(`${label}: THE WRITE DID NOT LAND: ${url} holds another text`);
}

function isSame(a: string, b: string): boolean {
	const plain = (text: string) => text.replaceAll("\r", "").replace(/\n+$/, "");
	return plain(a) === plain(b);
}

function failed(why: string): BodyWrite {
	return { kind: "failed", why };
}

function unverified(why: string): BodyWrite {
	return { kind: "unverified", why };
}
