/** What no verb publishes, whatever it is asked for: a file that holds a credential of this nexus, and a text that has one in it. */

import { join, resolve } from "node:path";
import { configCachePath } from "../_state/config-cache.ts";
import { credentialFiles } from "../_state/credential-identity.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors, Files } from "../_sys/doors.ts";
import { userHome } from "../_sys/user-home.ts";

interface Holder {
	readonly path: string;
	readonly what: string;
}

/** Why this file is not published; null: it may be. Links, hard ones too, are seen through: what counts is the file. */
export function secretFileFlaw(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	path: string,
	settings: Settings,
): string | null {
	const asked = fileId(files, path);
	const holder = holders(settings, proc.env).find(
		(one) => fileId(files, one.path) === asked,
	);
	return holder === undefined
		? null
		: `it is ${holder.what}, which is never published`;
}

/** Why this text is not published; null: it may be. Bytes of any kind are looked through. */
export function secretTextFlaw(text: string | Uint8Array): string | null {
	const plain =
		typeof text === "string" ? text : Buffer.from(text).toString("latin1");
	if (PRIVATE_KEY.test(plain))
		return "there is a private key in it, which is never published";
	return TOKEN.test(plain)
		? "there is a GitHub token in it, which is never published"
		: null;
}

/** A key's head alone is talk of keys; with what follows it is one. Line ends may be escaped, as in JSON. */
const PRIVATE_KEY =
	/-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|[A-Z][A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\n|\\n))*[A-Za-z0-9+/=]{24}/;
/** As GitHub makes them: of an installation, a person, an OAuth app, a refresh. */
const TOKEN =
	/(?<![A-Za-z0-9_])(?:gh[oprsu]_[A-Za-z0-9_]{30,}|github_pat_[A-Za-z0-9_]{60,})/;

function holders(
	{ home, config, configPath }: Settings,
	env: Readonly<Record<string, string | undefined>>,
): readonly Holder[] {
	const below = (path: string) => resolve(home.root, path);
	const key = config["github.bot_pem_path"] ?? "";
	return [
		...(key === ""
			? []
			: [{ path: below(key), what: "the App's private key" }]),
		{
			path: below(config["github.bot_token_cache"]),
			what: "the cache of the bot's token",
		},
		...[configPath, join(home.root, "config/nexus.yml")].flatMap((path) =>
			path === null ? [] : [{ path, what: "the configuration" }],
		),
		{
			path: configCachePath(home.stateDir),
			what: "the copy of the configuration",
		},
		{
			path:
				env.NEXUS_USER_PAT_FILE ||
				join(userHome(env), ".claude/.nexus-user-pat"),
			what: "the operator's token",
		},
		{
			path: credentialFiles(env).credentials,
			what: "Claude Code's credentials",
		},
	];
}

/** The same for every name of one file. */
function fileId(files: Files, path: string): string {
	const found = files.stat(path);
	return found.kind === "ok"
		? `${found.stat.dev}:${found.stat.ino}`
		: `at ${path}`;
}
