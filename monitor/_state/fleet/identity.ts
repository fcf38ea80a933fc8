/** `<worktree>/.thrum/identities/<agent>.json`: who lives in a worktree (contract 09 §6.1). Not redirected. */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import {
	isObject,
	type JsonObject,
	parseObject,
	textAt,
} from "../json-object.ts";

export interface Identity {
	readonly name: string;
	readonly role: string;
	readonly module: string;
	readonly worktree: string;
	readonly branch: string | null;
	readonly intent: string | null;
	readonly runtime: string;
	readonly tmuxSession: string;
	readonly agentPid: number | null;
	readonly updatedAt: string;
}

export function identitiesDir(worktree: string): string {
	return join(worktree, ".thrum/identities");
}

function identityPath(worktree: string, agent: string): string {
	return join(identitiesDir(worktree), `${agent}.json`);
}

/** Makes the folder; flushed to disk. */
export function writeIdentity(files: Files, id: Identity): WriteResult {
	files.mkdir(identitiesDir(id.worktree), 0o700);
	const text = `${JSON.stringify(render(id), null, "\t")}\n`;
	return files.writeAtomic(identityPath(id.worktree, id.name), text, {
		mode: 0o600,
		fsync: true,
	});
}

/** The name in the single identity file of the worktree; null when there is none, or more than one. */
export function soleIdentity(
	files: Pick<Files, "list" | "read">,
	worktree: string,
): string | null {
	const dir = identitiesDir(worktree);
	const listed = files.list(dir);
	const own =
		listed.kind === "ok"
			? listed.names.filter((name) => name.endsWith(".json"))
			: [];
	const [only] = own;
	if (only === undefined || own.length > 1) return null;
	const read = files.read(join(dir, only));
	return read.kind === "ok" ? identityName(read.text) : null;
}

/** `agent.name` in any case: the real writer emits `Name`, its documentation shows `name`. */
export function identityName(text: string): string | null {
	const agent = parseObject(text)?.agent;
	if (!isObject(agent)) return null;
	const keys = Object.keys(agent).map((key) => [key.toLowerCase(), key]);
	const key = keys.find(([lower]) => lower === "name")?.[1];
	return key === undefined ? null : textAt(agent, key);
}

function render(id: Identity): JsonObject {
	const { name, role, module } = id;
	return {
		version: 1,
		repo_id: "",
		agent: { kind: "agent", name, role, module, display: name },
		worktree: id.worktree,
		...(id.branch === null ? {} : { branch: id.branch }),
		...(id.intent === null ? {} : { intent: id.intent }),
		...(id.agentPid === null ? {} : { agent_pid: id.agentPid }),
		preferred_runtime: id.runtime,
		runtime: id.runtime,
		tmux_session: `${id.tmuxSession}:0.0`,
		updated_at: id.updatedAt,
	};
}
