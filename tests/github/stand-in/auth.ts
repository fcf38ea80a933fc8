/** Who sends a request: App JWTs are verified with the public key, tokens are looked up and expire. */
import { createPublicKey, verify } from "node:crypto";
import { type Actor, type Reply, refuse } from "./http.ts";
import type { Place } from "./place.ts";
import { botLogin, findRepo } from "./world.ts";

export type Identified =
	| { readonly kind: "actor"; readonly actor: Actor }
	| { readonly kind: "refused"; readonly reply: Reply };

/** The lifetime of an installation token, seconds. */
export const TOKEN_SECONDS = 3600;
const LONGEST_JWT_SECONDS = 600;

/** `header`: of `Authorization`. A request without one is refused: nothing here is public. */
export function identify(place: Place, header: string | null): Identified {
	const credential = /^(?:token|bearer) (\S+)$/i.exec(header ?? "")?.[1];
	if (credential === undefined)
		return refused(refuse(401, "Requires authentication"));
	if (credential.split(".").length === 3) return ofJwt(place, credential);
	const { state } = place;
	const user = state.userTokens[credential];
	if (user !== undefined) return actor({ kind: "user", login: user });
	const token = state.installationTokens.find((t) => t.token === credential);
	if (token === undefined || token.expiresAt <= place.now())
		return refused(refuse(401, "Bad credentials"));
	const installation = state.app.installations.find(
		(i) => i.id === token.installation,
	);
	return actor({
		kind: "installation",
		id: token.installation,
		login: botLogin(state),
		repos: installation?.repos ?? [],
	});
}

/** What the asker can see: its own, and what is public. */
export function visibleRepo(place: Place, actor: Actor, fullName: string) {
	const repo = findRepo(place.state, fullName);
	if (repo === undefined || actor.kind === "app") return undefined;
	if (!repo.isPrivate || actor.kind === "user") return repo;
	return mayWrite(actor, repo.fullName) ? repo : undefined;
}

export function mayWrite(actor: Actor, fullName: string): boolean {
	if (actor.kind !== "installation") return actor.kind === "user";
	return actor.repos.some(
		(name) => name.toLowerCase() === fullName.toLowerCase(),
	);
}

/** GitHub's own sentences: a client recognises a wrong clock by them. */
function ofJwt({ state, now }: Place, jwt: string): Identified {
	const [head = "", claims = "", signature = ""] = jwt.split(".");
	const header = decode(head);
	const payload = decode(claims);
	if (header === null || payload === null || header.alg !== "RS256")
		return unauthorized("A JSON web token could not be decoded");
	const { iss, iat, exp } = payload;
	if (String(iss) !== String(state.app.id))
		return refused(refuse(404, "Integration not found"));
	const good = verify(
		"RSA-SHA256",
		Buffer.from(`${head}.${claims}`),
		createPublicKey(state.app.publicKey),
		Buffer.from(signature, "base64url"),
	);
	if (!good) return unauthorized("A JSON web token could not be decoded");
	if (typeof iat !== "number" || iat > now())
		return unauthorized(
			"'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
		);
	if (typeof exp !== "number" || exp <= now())
		return unauthorized(
			"'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
		);
	if (exp > now() + LONGEST_JWT_SECONDS)
		return unauthorized(
			"'Expiration time' claim ('exp') is too far in the future",
		);
	return actor({ kind: "app" });
}

function decode(part: string): Readonly<Record<string, unknown>> | null {
	try {
		return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
	} catch {
		return null;
	}
}

function unauthorized(message: string): Identified {
	return refused(refuse(401, message));
}

function refused(reply: Reply): Identified {
	return { kind: "refused", reply };
}

function actor(who: Actor): Identified {
	return { kind: "actor", actor: who };
}
