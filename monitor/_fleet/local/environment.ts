/** The environment of an agent's session (contract 09 §6.3). Pure. */
import { binDir } from "../../_state/fleet/store.ts";
import type { SessionRequest } from "../fleet.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What the session is given. A long-lived tmux server leaks the identity of whoever started it, so every other `THRUM_*`
 * of ours or of the server's is set empty. `global` is what `show-environment -g` prints.
 */
export function sessionEnv(
	s: SessionRequest,
	thrumDir: string,
	own: Env,
	global: string,
): Readonly<Record<string, string>> {
	const said: Readonly<Record<string, string>> = {
		...identityEnv(s),
		PATH: `${binDir(thrumDir)}:${own.PATH ?? ""}`,
	};
	const leaked = [...Object.keys(own), ...globalNames(global)].filter((name) =>
		/^THRUM_[A-Z0-9_]*$/.test(name),
	);
	const emptied = Object.fromEntries(leaked.map((name) => [name, ""]));
	return { ...emptied, ...said };
}

/** Who the agent is. */
export function identityEnv(
	s: Pick<SessionRequest, "agent" | "role" | "module" | "cwd" | "intent">,
): Readonly<Record<string, string>> {
	return {
		THRUM_NAME: s.agent,
		THRUM_AGENT_ID: s.agent,
		THRUM_ROLE: s.role,
		THRUM_MODULE: s.module,
		THRUM_HOME: s.cwd,
		...(s.intent === undefined ? {} : { THRUM_INTENT: s.intent }),
	};
}

/** A leading `-` marks a variable that is removed. */
function globalNames(text: string): readonly string[] {
	return text.split("\n").flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
}
