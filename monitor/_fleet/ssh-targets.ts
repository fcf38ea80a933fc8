/** Which machine a member of a roster lives on, by what is declared (contract 09 §11 step 2). Never a guess. */
import { textAt } from "../_state/json-object.ts";
import type { Fleet } from "./fleet.ts";
import { isDestination, sshDestination } from "./ssh.ts";
import type { SshTarget } from "./ssh-fallback.ts";

export interface Placed {
	readonly agentId: string;
	readonly hostname?: string;
	readonly tmuxSession?: string;
}
export interface SshTargets {
	/** By agent; who is not in it has no way over SSH. */
	readonly of: ReadonlyMap<string, SshTarget>;
	/** Who has none, for the log: a line for each reason. */
	readonly notes: readonly string[];
}
/** A text says why they are not known. */
type Machines = readonly unknown[] | string;
type States = Pick<Fleet, "stateGet" | "stateScopes">;

/** What the roster says of a member wins; else its box, looked up among the machines that are known. */
export async function resolveSshTargets(
	fleet: States,
	roster: readonly Placed[],
): Promise<SshTargets> {
	const of = new Map<string, SshTarget>();
	const without = new Map<string, readonly string[]>();
	let asked: Promise<Machines> | undefined;
	const machines = () => {
		asked ??= topology(fleet);
		return asked;
	};
	for (const member of roster) {
		const found =
			declared(member) ?? (await byBox(fleet, member.agentId, machines));
		if (typeof found !== "string") of.set(member.agentId, found);
		else without.set(found, [...(without.get(found) ?? []), member.agentId]);
	}
	const notes = [...without].map(
		([why, agents]) => `ssh-fallback NONE for ${agents.join(" ")}: ${why}`,
	);
	return { of, notes };
}

/** Null: the roster does not say, or says only half. */
function declared({ hostname, tmuxSession }: Placed): SshTarget | null {
	const isWhole = known(hostname) && known(tmuxSession);
	if (!isWhole || !isDestination(hostname)) return null;
	return { kind: "session", destination: hostname, session: tmuxSession };
}

async function byBox(
	fleet: States,
	agent: string,
	machines: () => Promise<Machines>,
): Promise<SshTarget | string> {
	const row = await fleet.stateGet("agent_pool", agent);
	if (row.kind !== "ok") return `agent_pool: ${row.stderr}`;
	const box = textAt(row.value, "box");
	if (!known(box)) return "no box";
	const rows = await machines();
	if (typeof rows === "string") return rows;
	const machine = rows.find((one) => textAt(one, "hostname") === box);
	if (machine === undefined) return `no topology row of ${box}`;
	return targetOf(machine) ?? `the topology row of ${box} names no target`;
}

function targetOf(machine: unknown): SshTarget | null {
	const target = textAt(machine, "ssh", "target");
	const user = textAt(machine, "ssh", "user");
	const repo = textAt(machine, "repo_path");
	if (!known(target) || !known(repo)) return null;
	const destination = sshDestination(known(user) ? user : "", target);
	return isDestination(destination)
		? { kind: "repo", destination, repo }
		: null;
}

/** The list has no values, so each row is asked for. A row that cannot be read is left out. */
async function topology(fleet: States): Promise<Machines> {
	const scopes = await fleet.stateScopes("topology");
	if (scopes.kind !== "ok") return `topology: ${scopes.stderr}`;
	const rows: unknown[] = [];
	for (const scope of scopes.value) {
		const row = await fleet.stateGet("topology", scope);
		if (row.kind === "ok") rows.push(row.value);
	}
	return rows;
}

/** What was left to be filled in is no value. */
export function known(text: string | null | undefined): text is string {
	return !!text && !/^(?:PENDING|T(?:ODO|BD)$)/.test(text.trim());
}
