/** GitHub on the simulated network: the stand-in that checks every request, and the operator and strangers who write there. */
import {
	createPrivateKey,
	createSign,
	generateKeyPairSync,
	type KeyObject,
} from "node:crypto";
import type { Net } from "../monitor/_sys/doors.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";
import { BOT, OPERATOR, REPO, testApp } from "../tests/github/rig.ts";
import {
	type BareStandIn,
	openStandIn,
} from "../tests/github/stand-in/server.ts";
import type { Comment } from "../tests/github/stand-in/world.ts";
import { ROOT } from "./place.ts";

const API = "http://127.0.0.1:9";
const KEY_PATH = "/keys/app.pem";
/** As short as a signature of this kind allows: it keeps no secret, and signs four times a simulated minute. */
const KEYS = generateKeyPairSync("rsa", {
	modulusLength: 512,
	publicKeyEncoding: { type: "spki", format: "pem" },
	privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export const GITHUB_CONFIG = `github:
  repo: ${REPO}
  user_login: ${OPERATOR}
  bot_app_id: 123
  bot_installation_id: 456
  bot_pem_path: ${KEY_PATH}
  bot_token_cache: ${ROOT}/token.json
  bot_login: ${BOT}
  api_url: ${API}
`;

export interface SimGitHub {
	readonly net: Net;
	readonly standIn: BareStandIn;
	/** Returns the comment's id. */
	comments(user: string, body: string): number;
	/** As `ng process` does: EYES. */
	acknowledges(id: number): void;
	acknowledgesIssue(number: number): void;
	/** How many comments of the issue are newer than this one. */
	newerThan(id: number): number;
}

export function simGitHub({ clock, files }: FakeDoors): SimGitHub {
	files.seed(KEY_PATH, KEYS.privateKey, { mode: 0o600 });
	const { standIn, answer } = openStandIn(
		{ app: { ...testApp(), publicKey: KEYS.publicKey }, now: clock.now },
		API,
	);
	standIn.acts.createRepo(REPO);
	const issue = standIn.acts.openIssue(REPO, {
		user: OPERATOR,
		title: "The work",
		body: "All of it.",
	});
	const all = (): readonly Comment[] =>
		standIn.place.state.repos.find((repo) => repo.fullName === REPO)
			?.comments ?? [];
	const find = (id: number): Comment | undefined =>
		all().find((comment) => comment.id === id);
	return {
		standIn,
		net: {
			fetch: (url, init) =>
				url.startsWith(API)
					? untilAborted(answer(new Request(url, init)), init.signal)
					: Promise.reject(new TypeError(`nobody listens: ${url}`)),
		},
		comments: (user, body) =>
			standIn.acts.comment(REPO, issue.number, user, body).id,
		acknowledges: (id) => {
			const comment = find(id);
			if (comment !== undefined) standIn.acts.react(comment, BOT, "eyes");
		},
		acknowledgesIssue: (number) => {
			if (number === issue.number) standIn.acts.react(issue, BOT, "eyes");
		},
		newerThan: (id) => all().filter((comment) => comment.id > id).length,
	};
}

/** An answer that never comes ends with its asker's patience. */
function untilAborted(
	answer: Promise<Response>,
	signal: AbortSignal | null | undefined,
): Promise<Response> {
	if (!signal) return answer;
	return new Promise((resolve, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason), {
			once: true,
		});
		answer.then(resolve, reject);
	});
}

/** WebCrypto signs on a thread of its own, at a moment that no seed decides; here it signs at once. Returns the undoing. */
export function signAtOnce(): () => void {
	const { subtle } = crypto;
	const { importKey, sign } = subtle;
	/** Reading a key takes as long as signing with it. */
	const known = new Map<string, KeyObject>();
	Object.assign(subtle, {
		importKey: async (_format: string, der: ArrayBuffer) => {
			const text = Buffer.from(der).toString("base64");
			const key = known.get(text) ?? privateKey(text);
			known.set(text, key);
			return key;
		},
		sign: async (_name: string, key: KeyObject, data: ArrayBuffer) =>
			createSign("RSA-SHA256").update(Buffer.from(data)).sign(key),
	});
	return () => void Object.assign(subtle, { importKey, sign });
}

function privateKey(base64: string): KeyObject {
	const key = Buffer.from(base64, "base64");
	return createPrivateKey({ key, format: "der", type: "pkcs8" });
}
