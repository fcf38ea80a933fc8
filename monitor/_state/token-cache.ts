/**
 * The cached installation token (contract 02 §3), a file that every nexus of this host may share:
 * mode 0600, and bound to the App, installation and API it is for. The token is the product, the
 * cache an optimisation: no step of it may cost a token that is already held.
 */
import { dirname } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { isoEpoch, parseObject } from "./json-object.ts";

/** Whose token it is. */
export interface TokenIdentity {
	readonly appId: string;
	readonly installationId: string;
	readonly apiUrl: string;
}

/** A token with less than this left is not worth handing out, seconds. */
const LEAST_LEFT_SECONDS = 300;
const MAX_BYTES = 64 * 1024;

/** A line for stderr: what did not work, and that the token is good all the same. */
export interface CacheWarning {
	readonly warning: string;
}

/** The cached token, or null when there is none that can be used: absent, torn, foreign, about to expire. */
export function readTokenCache(
	files: Files,
	path: string,
	identity: TokenIdentity,
	now: number,
): string | null {
	const read = files.read(path, MAX_BYTES);
	if (read.kind !== "ok") return null;
	const cached = parseObject(read.text);
	if (cached === null || !isOf(cached, identity)) return null;
	const { token, expires_at_epoch: expires } = cached;
	if (!isToken(token) || typeof expires !== "number") return null;
	return expires > now + LEAST_LEFT_SECONDS ? token : null;
}

/** Makes the folder, so that a lock can stand in it. A failure is told by the write that follows. */
export function prepareTokenCache(files: Files, path: string): void {
	files.mkdir(dirname(path), 0o700);
}

/** Null when it was written. `expiresAt` as GitHub gives it, ISO 8601. */
export function writeTokenCache(
	files: Files,
	path: string,
	token: string,
	expiresAt: string,
	identity: TokenIdentity,
): CacheWarning | null {
	const expires = isoEpoch(expiresAt);
	if (expires === null)
		return warn("unparseable expires_at in GitHub's answer");
	const made = files.mkdir(dirname(path), 0o700);
	if (made.kind === "failed")
		return warn(`${made.reason}; continuing without a cache`);
	const text = renderTokenCache(token, expiresAt, expires, identity);
	const wrote = files.writeAtomic(path, text, { mode: 0o600 });
	return wrote.kind === "ok"
		? null
		: warn(`${wrote.reason}; token is valid, skipping the cache`);
}

/** After a 401: removes the file if it still holds this token, and leaves what another process has put there since. */
export function forgetToken(files: Files, path: string, token: string): void {
	const read = files.read(path, MAX_BYTES);
	if (read.kind === "ok" && parseObject(read.text)?.token === token)
		files.remove(path);
}

/** Held while a token is minted, so that processes that start together ask GitHub once. */
export function tokenLockPath(path: string): string {
	return `${path}.lock`;
}

/** A text that can stand in a header and in `GH_TOKEN=`. */
export function isToken(value: unknown): value is string {
	return (
		typeof value === "string" &&
		/^[\x21-\x7e]+$/.test(value) &&
		value !== "null"
	);
}

function renderTokenCache(
	token: string,
	expiresAt: string,
	expires: number,
	{ appId, installationId, apiUrl }: TokenIdentity,
): string {
	return `${JSON.stringify({
		token,
		expires_at: expiresAt,
		expires_at_epoch: expires,
		app_id: appId,
		installation_id: installationId,
		api_url: apiUrl,
	})}\n`;
}

/** Files of before these three fields existed are accepted. */
function isOf(
	cached: Readonly<Record<string, unknown>>,
	identity: TokenIdentity,
): boolean {
	const same = (given: unknown, own: string) =>
		given === undefined || String(given) === own;
	return (
		same(cached.app_id, identity.appId) &&
		same(cached.installation_id, identity.installationId) &&
		same(cached.api_url, identity.apiUrl)
	);
}

function warn(warning: string): CacheWarning {
	return { warning };
}
