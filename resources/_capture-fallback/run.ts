/** `thrum-capture-fallback`: one look, or some keys, by the fleet first and over SSH second (contract 09 §11.1). */
import type { Fleet } from "../../monitor/_fleet/fleet.ts";
import { isDestination, sshDestination } from "../../monitor/_fleet/ssh.ts";
import {
	captureWithFallback,
	keysWithFallback,
	type SshTarget,
} from "../../monitor/_fleet/ssh-fallback.ts";
import { bareName } from "../../monitor/_state/fleet/names.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";

export const USAGE = `usage: thrum-capture-fallback.ts capture AGENT SSH_TARGET SSH_USER REPO_PATH
       thrum-capture-fallback.ts key AGENT SSH_TARGET SSH_USER REPO_PATH KEY [KEY …]

  SSH_TARGET NONE: no way over SSH; SSH_USER '': the target alone`;

export interface FallbackRequest {
	readonly mode: "capture" | "key";
	readonly agent: string;
	readonly ssh: SshTarget | null;
	readonly keys: readonly string[];
}
export interface Ended {
	readonly exitCode: number;
	readonly out: string;
}

/** Null: usage. */
export function parseFallback(argv: readonly string[]): FallbackRequest | null {
	const [mode, agent, target, user, repo, ...keys] = argv;
	if (mode !== "capture" && mode !== "key") return null;
	if (!agent || agent.startsWith("-") || !target) return null;
	if (user === undefined || !repo) return null;
	if ((mode === "key") !== keys.length > 0) return null;
	const destination = sshDestination(user, target);
	if (target !== "NONE" && !isDestination(destination)) return null;
	const ssh: SshTarget | null =
		target === "NONE" ? null : { kind: "repo", destination, repo };
	return { mode, agent: bareName(agent), ssh, keys };
}

/** What the winner printed, and its exit code. */
export async function runFallback(
	doors: Pick<Doors, "proc">,
	fleet: Pick<Fleet, "capture" | "sendKeys">,
	{ mode, agent, ssh, keys }: FallbackRequest,
): Promise<Ended> {
	if (mode === "key") {
		const end = await keysWithFallback(doors, fleet, agent, keys, ssh);
		return { exitCode: end.exitCode, out: end.detail };
	}
	const shot = await captureWithFallback(doors, fleet, agent, ssh);
	return shot.ok
		? { exitCode: 0, out: shot.text }
		: { exitCode: shot.exitCode, out: shot.detail };
}
