/** The shell that runs a registry's commands, and the environment they get. */
import { SESSION_VARIABLES } from "../_sys/claude-env.ts";
import type { Proc } from "../_sys/doors.ts";

/** bash where there is one: registries are written by people who type into it. */
export function shellOf(proc: Pick<Proc, "which">): string {
	return proc.which("bash") ?? "/bin/sh";
}

/** Who asked must make no difference: neither the pane nor the session of a caller goes along. */
const CALLERS_OWN = /^(?:TMUX_PANE|SVC_.*|NEXUS_SERVICE_.*)$/;

/** Ours without what is the caller's own; `$NEXUS_ROOT` and `$NEXUS_STATE_DIR` always name this nexus. */
export function serviceEnvironment(
	env: Proc["env"],
	home: { readonly root: string; readonly stateDir: string },
): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env))
		if (value !== undefined && !isCallersOwn(name)) kept[name] = value;
	return { ...kept, NEXUS_ROOT: home.root, NEXUS_STATE_DIR: home.stateDir };
}

function isCallersOwn(name: string): boolean {
	return (
		CALLERS_OWN.test(name) || SESSION_VARIABLES.some((own) => own === name)
	);
}
