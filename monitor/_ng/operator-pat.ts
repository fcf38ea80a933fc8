/** The operator's own token, where the bot's is not let in. Never one from `GH_TOKEN` or `GITHUB_TOKEN`, which carry the bot's. */
import type { Doors } from "../_sys/doors.ts";

const LIMIT_MS = 10_000;

/** What `gh` keeps for the operator; null: nothing, or it cannot be asked. `host`: of the web site. */
export async function ghToken(
	{ proc }: Pick<Doors, "proc">,
	host: string,
): Promise<string | null> {
	const env = ownLogin(proc.env);
	const argv = ["gh", "auth", "token"];
	const ran = await proc.exec(
		host === "github.com" ? argv : [...argv, "--hostname", host],
		{ timeoutMs: LIMIT_MS, env },
	);
	const token = ran.kind === "exited" && ran.rc === 0 ? ran.stdout.trim() : "";
	return /^\S+$/.test(token) ? token : null;
}

/** Without the tokens that `gh` would prefer to the operator's login. */
function ownLogin(
	env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
	const { NEXUS_OPERATOR_GH_CONFIG_DIR: folder, ...given } = env;
	const kept = Object.entries(given).flatMap(([name, value]) =>
		value === undefined || BOT_TOKENS.test(name)
			? []
			: [[name, value] as const],
	);
	return {
		...Object.fromEntries(kept),
		...(folder ? { GH_CONFIG_DIR: folder } : {}),
	};
}

const BOT_TOKENS = /^(?:GH|GITHUB)(?:_ENTERPRISE)?_TOKEN$/;
