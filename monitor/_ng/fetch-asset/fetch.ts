/** Two requests: the web site says where the bytes are, and the operator's token is for it alone. */
import type { Net } from "../../_sys/doors.ts";

export type Fetched =
	| {
			readonly kind: "ok";
			readonly bytes: Uint8Array;
			readonly type: string;
			readonly location: string;
	  }
	| {
			readonly kind: "failed";
			readonly rc: 2 | 3;
			readonly lines: readonly string[];
	  };

const UNKNOWN_TYPE = "application/octet-stream";

/** Never rejects; no line holds the token. */
export async function fetchAttachment(
	net: Net,
	url: string,
	pat: string,
	signal: AbortSignal,
): Promise<Fetched> {
	try {
		const headers = { authorization: `Bearer ${pat}` };
		const where = redirectOf(await net.fetch(url, { headers, signal }), url);
		if (where.kind !== "there") return where;
		const { location } = where;
		const answer = await net.fetch(location, { signal });
		if (answer.status !== 200) {
			await answer.body?.cancel();
			return failed(3, `the storage answered ${answer.status}`);
		}
		return {
			kind: "ok",
			bytes: new Uint8Array(await answer.arrayBuffer()),
			type: plainType(answer.headers.get("content-type")),
			location,
		};
	} catch {
		return failed(3, "the connection failed");
	}
}

type Where = { readonly kind: "there"; readonly location: string };

function redirectOf(
	{ status, headers }: Response,
	url: string,
): Where | Extract<Fetched, { kind: "failed" }> {
	if (status === 401 || status === 403)
		return failed(2, `the operator's token is refused (${status})`);
	if (status === 404)
		return failed(
			3,
			"not found, with the operator's token, too",
			"ask the operator to put the file on this machine, or look at the issue's timeline; do not try again",
		);
	const to = headers.get("location");
	const location = to === null ? null : URL.parse(to, url);
	if ((status !== 302 && status !== 303) || location === null)
		return failed(3, `the site answered ${status} without saying where`);
	// Never from an encrypted page to an open one.
	return location.protocol === new URL(url).protocol ||
		location.protocol === "https:"
		? { kind: "there", location: location.href }
		: failed(3, `the site points to ${location.protocol} there`);
}

/** It goes to stdout as one line. */
function plainType(given: string | null): string {
	const type = given?.replace(/[^\x20-\x7e]/g, "").trim() ?? "";
	return type === "" ? UNKNOWN_TYPE : type;
}

function failed(
	rc: 2 | 3,
	...lines: readonly string[]
): Extract<Fetched, { kind: "failed" }> {
	return { kind: "failed", rc, lines };
}
