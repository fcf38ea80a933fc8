/**
 * Who is logged in, as a hash, and the hash that was seen last: `unstick/credential.{gate,sig}` (contract 04 §8.6).
 * Of the credentials only their presence is looked at; no token is kept, logged or handed on.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { isObject, parseObject, textAt, valueAt } from "./json-object.ts";
import { unstickDir } from "./unstick.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface CredentialFiles {
	readonly config: string;
	readonly credentials: string;
}

/** Below `CLAUDE_CONFIG_DIR`, where the two lie side by side; else in the home, where they do not. */
export function credentialFiles(env: Env): CredentialFiles {
	const dir = env.CLAUDE_CONFIG_DIR;
	if (dir)
		return {
			config: join(dir, ".claude.json"),
			credentials: join(dir, ".credentials.json"),
		};
	const home = env.HOME ?? "";
	return {
		config: join(home, ".claude.json"),
		credentials: join(home, ".claude/.credentials.json"),
	};
}

/** mtime and size of both: they are read only when this changed. */
export function credentialGate(
	files: Files,
	{ config, credentials }: CredentialFiles,
): string {
	return [config, credentials]
		.map((path) => {
			const found = files.stat(path);
			if (found.kind !== "ok") return found.kind;
			return `${found.stat.mtimeMs}.${found.stat.size}`;
		})
		.join(" ");
}

/** First 16 hex of SHA-1 of `<account>|<organization>`; null: logged out, torn or unreadable, which is never a change. */
export function credentialSignature(
	files: Files,
	{ config, credentials }: CredentialFiles,
): string | null {
	const read = (path: string) => {
		const text = files.read(path);
		return text.kind === "ok" ? parseObject(text.text) : null;
	};
	const login = valueAt(read(credentials), "claudeAiOauth");
	if (!isObject(login) || !Object.hasOwn(login, "accessToken")) return null;
	const account = valueAt(read(config), "oauthAccount");
	const uuid = textAt(account, "accountUuid");
	if (uuid === null) return null;
	const organization = textAt(account, "organizationUuid") ?? "";
	return createHash("sha1")
		.update(`${uuid}|${organization}`)
		.digest("hex")
		.slice(0, 16);
}

export interface CredentialMemory {
	readonly gate: string | null;
	readonly signature: string | null;
}

/** Null for a hash that was never kept, or cannot be read. */
export function readCredentialMemory(
	files: Files,
	stateDir: string,
): CredentialMemory {
	const read = (name: string) => {
		const text = files.read(join(unstickDir(stateDir), name));
		return text.kind === "ok" ? text.text.trim() || null : null;
	};
	return { gate: read("credential.gate"), signature: read("credential.sig") };
}

/** A null leaves its file alone. The signature goes first: a gate without it would never be looked behind again. */
export function writeCredentialMemory(
	files: Files,
	stateDir: string,
	memory: CredentialMemory,
): void {
	const dir = unstickDir(stateDir);
	files.mkdir(dir);
	const write = (name: string, text: string | null) => {
		if (text !== null) files.writeAtomic(join(dir, name), `${text}\n`);
	};
	write("credential.sig", memory.signature);
	write("credential.gate", memory.gate);
}
