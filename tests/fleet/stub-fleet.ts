/** A fleet whose answers a test writes down; what it does not name must not be called. */
import { ok } from "../../monitor/_fleet/failure.ts";
import type {
	CaptureResult,
	Fleet,
	Member,
} from "../../monitor/_fleet/fleet.ts";
import { detectPermission } from "../../monitor/_fleet/permission.ts";

/** Pictures by agent, in the order in which they are asked for; the last one stays. */
export type Pictures = Readonly<
	Record<string, readonly (string | CaptureResult)[]>
>;

export interface StubFleet extends Fleet {
	/** Agents, as they were looked at. */
	readonly looked: string[];
}

export function stubFleet(
	pictures: Pictures,
	part: Partial<Fleet> = {},
): StubFleet {
	const looked: string[] = [];
	const shown = new Map<string, number>();
	const known: Partial<Fleet> = {
		backend: "thrum",
		capture: async (agent) => {
			looked.push(agent);
			const all = pictures[agent] ?? [NOBODY];
			const at = shown.get(agent) ?? 0;
			shown.set(agent, at + 1);
			const shot = all[Math.min(at, all.length - 1)] ?? NOBODY;
			return typeof shot === "string" ? seen(shot) : shot;
		},
		detect: async (text, runtime) =>
			ok(detectPermission(runtime, text)?.id ?? null),
		team: async () => ok([]),
		member: async (agentId) => ok(memberOf(agentId)),
		stateGet: async () => ok(null),
		stateScopes: async () => ok([]),
		...part,
	};
	const stub = new Proxy(
		{ ...known, looked },
		{
			get: (own: Record<string, unknown>, name) => {
				if (typeof name === "symbol" || name === "then") return undefined;
				if (name in own) return own[name];
				throw new Error(`nobody wrote down what ${name} answers`);
			},
		},
	);
	return stub as object as StubFleet;
}

export function memberOf(agentId: string, part: Partial<Member> = {}): Member {
	return {
		agentId,
		role: "worker",
		isLocal: true,
		tmuxState: "alive",
		...part,
	};
}

export function seen(text: string): CaptureResult {
	return text.trim() === ""
		? { ok: false, failure: "empty", exitCode: 1, detail: "empty output" }
		: { ok: true, text, route: "primary" };
}

export function unseen(detail: string, exitCode = 1): CaptureResult {
	return { ok: false, failure: "error", exitCode, detail };
}

const NOBODY = unseen("unknown agent");
