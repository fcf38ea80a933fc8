/** The App's private key: read when it is needed, and never farther than the signature (contract 02 §3). */
import type { Clock, Files } from "../_sys/doors.ts";
import { type Exposure, keyExposure } from "./key-exposure.ts";

export type KeyProblem =
	| { readonly kind: "key-absent"; readonly path: string }
	| {
			readonly kind: "key-unreadable";
			readonly path: string;
			readonly reason: string;
	  }
	/** Other users of this machine can read it: it is not used at all. */
	| {
			readonly kind: "key-exposed";
			readonly path: string;
			readonly exposure: Exposure;
	  }
	/** It is there, and no RSA key in PEM form. */
	| { readonly kind: "key-unusable"; readonly path: string };

export interface AppKey {
	readonly kind: "ok";
	/** An App JWT of when the key was opened, or for a clock that is `skewSeconds` ahead of ours. */
	jwt(skewSeconds?: number): Promise<AppJwt>;
}
export interface AppJwt {
	readonly jwt: string;
	/** ISO 8601. */
	readonly expiresAt: string;
}

const MAX_KEY_BYTES = 64 * 1024;

/** Reads the key and proves by a first signature that it can sign. */
export async function openAppKey(
	doors: { readonly files: Files; readonly clock: Clock },
	appId: string,
	path: string,
): Promise<AppKey | KeyProblem> {
	const read = doors.files.read(path, MAX_KEY_BYTES);
	if (read.kind === "absent") return { kind: "key-absent", path };
	if (read.kind === "unreadable")
		return { kind: "key-unreadable", path, reason: read.reason };
	const exposure = keyExposure(doors.files, path);
	if (exposure.verdict === "exposed")
		return { kind: "key-exposed", path, exposure };
	const { default: githubAppJwt } = await import("universal-github-app-jwt");
	const sign = async (skewSeconds: number): Promise<AppJwt> => {
		const signed = await githubAppJwt({
			// GitHub takes both, and hands out ids as numbers.
			id: /^\d{1,15}$/.test(appId) ? Number(appId) : appId,
			privateKey: read.text,
			now: doors.clock.now() + skewSeconds,
		});
		const expiresAt = new Date(signed.expiration * 1000).toISOString();
		return { jwt: signed.token, expiresAt };
	};
	try {
		const first = await sign(0);
		return {
			kind: "ok",
			jwt: async (skewSeconds = 0) =>
				skewSeconds === 0 ? first : sign(skewSeconds),
		};
	} catch {
		// The error may quote what it could not read, so it is dropped.
		return { kind: "key-unusable", path };
	}
}

/** One line for stderr. */
export function keyProblemText(problem: KeyProblem): string {
	const { path } = problem;
	switch (problem.kind) {
		case "key-absent":
			return `private key not found: ${path}`;
		case "key-unreadable":
			return `private key not readable: ${path} (${problem.reason})`;
		case "key-exposed":
			return `private key exposed to other local users: ${path} (${problem.exposure.reason}); not signing; chmod 600 ${path}`;
		case "key-unusable":
			return `private key cannot sign: ${path} is not an RSA key in PEM form`;
	}
}
