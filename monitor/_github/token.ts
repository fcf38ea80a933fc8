/**
 * Installation tokens (contract 02 §3): from the cache that all processes share, else minted once for
 * all of them. There is no other identity to fall back to: a failure is a failure.
 */
import { isoEpoch } from "../_state/json-object.ts";
import {
	forgetToken,
	isToken,
	prepareTokenCache,
	readTokenCache,
	tokenLockPath,
	writeTokenCache,
} from "../_state/token-cache.ts";
import { withDeadline } from "../_sys/deadline.ts";
import type { Doors } from "../_sys/doors.ts";
import { type GitHubApp, identityOf } from "./app.ts";
import { type KeyProblem, keyProblemText } from "./app-key.ts";
import { failure, type GhFailure } from "./errors.ts";
import type { Answer } from "./send.ts";

export type TokenAnswer =
	| { readonly kind: "ok"; readonly token: string }
	| KeyProblem
	| { readonly kind: "not-minted"; readonly failure: GhFailure };

export interface TokenProvider {
	/** Bounded by 15 s in total. Two callers at once get one token. */
	installationToken(signal?: AbortSignal): Promise<TokenAnswer>;
	/** After a 401: this token is not served again. One that another process has put in its place is. */
	invalidate(token: string): void;
}

/** GitHub's answer to the exchange. */
export interface Minted {
	readonly token: string;
	/** ISO 8601. */
	readonly expiresAt: string;
}

export interface TokenFrom {
	readonly doors: Pick<Doors, "files" | "clock" | "locks">;
	readonly app: GitHubApp;
	/** The exchange: an App JWT for an installation token. */
	readonly mint: (deadlineMs: number) => Promise<Answer<Minted> | KeyProblem>;
	/** A line for stderr or the log; never holds a token. */
	readonly warn: (line: string) => void;
}

const TOTAL_MS = 15_000;
/** Another process may be minting; it has its own 15 s, and this one must still have time for an exchange. */
const LOCK_WAIT_MS = 7_000;
const LEAST_LEFT_SECONDS = 300;

/**
 * One a process: calls at the same time share one minting. No caller's signal ends it, for others may wait for the
 * same token.
 */
export function tokenProvider(from: TokenFrom): TokenProvider {
	const { doors, app } = from;
	const { files, clock, locks } = doors;
	const identity = identityOf(app);
	let held: { token: string; expires: number | null } | null = null;
	let flight: Promise<TokenAnswer> | null = null;
	/** The file may go on holding it, where nothing can be removed. */
	let refused: string | null = null;

	/** The disk first: another process may have minted since. */
	function known(): string | null {
		const now = clock.now();
		const cached = readTokenCache(files, app.cachePath, identity, now);
		if (cached !== null && cached !== refused) return cached;
		if (held === null) return null;
		const { token, expires } = held;
		return expires === null || expires > now + LEAST_LEFT_SECONDS
			? token
			: null;
	}

	/** No caller's signal ends it: others may be waiting for the same token. */
	async function mintOnce(): Promise<TokenAnswer> {
		const end = clock.monoMs() + TOTAL_MS;
		prepareTokenCache(files, app.cachePath);
		const path = tokenLockPath(app.cachePath);
		const lock = await locks.acquireWithin(path, LOCK_WAIT_MS);
		try {
			const token = known();
			if (token !== null) return { kind: "ok", token };
			const minted = await from.mint(end - clock.monoMs());
			if (minted.kind === "failed")
				return { kind: "not-minted", failure: minted.failure };
			return minted.kind === "ok" ? keep(minted.value) : minted;
		} finally {
			// Without the lock two processes mint at worst one token each.
			if (lock.kind === "acquired") lock.lock.release();
		}
	}

	function keep({ token, expiresAt }: Minted): TokenAnswer {
		held = { token, expires: isoEpoch(expiresAt) };
		const { cachePath } = app;
		const trouble = writeTokenCache(
			files,
			cachePath,
			token,
			expiresAt,
			identity,
		);
		if (trouble !== null) from.warn(`token cache: ${trouble.warning}`);
		return { kind: "ok", token };
	}

	return {
		installationToken: async (signal) => {
			const token = known();
			if (token !== null) return { kind: "ok", token };
			flight ??= mintOnce().finally(() => {
				flight = null;
			});
			const minting = flight;
			const got = await withDeadline(clock, TOTAL_MS, signal, () => minting);
			if (got.kind === "threw") throw got.error;
			return got.kind === "ok"
				? got.value
				: {
						kind: "not-minted",
						failure: failure("timeout", { message: got.why }),
					};
		},
		invalidate: (token) => {
			refused = token;
			if (held?.token === token) held = null;
			forgetToken(files, app.cachePath, token);
		},
	};
}

/** The answer of the exchange, or null when it is not one. */
export function readMinted(data: unknown): Minted | null {
	if (typeof data !== "object" || data === null) return null;
	const token: unknown = Reflect.get(data, "token");
	const expiresAt: unknown = Reflect.get(data, "expires_at");
	if (!isToken(token)) return null;
	return { token, expiresAt: typeof expiresAt === "string" ? expiresAt : "" };
}

/** One line: why there is no token. */
export function tokenProblemText(
	problem: Exclude<TokenAnswer, { kind: "ok" }>,
): string {
	if (problem.kind !== "not-minted") return keyProblemText(problem);
	const { status, message, kind } = problem.failure;
	return `minting an installation token failed: ${status === null ? kind : `HTTP ${status}`}: ${message}`;
}
