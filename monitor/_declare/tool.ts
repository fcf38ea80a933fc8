/** What the two wait tools share: whose heartbeat they change, and how they refuse (contract 08 §4.1). */
import { readHeartbeat } from "../_state/heartbeat.ts";
import { updateHeartbeat } from "../_state/heartbeat-update.ts";
import { seedHeartbeat } from "../_state/heartbeat-waits.ts";
import type { JsonObject } from "../_state/json-object.ts";
import { checkWaitId } from "../_state/wait-id.ts";
import { type Cli, type CliSpec, parseCli } from "../_sys/cli.ts";
import type { Clock, Files } from "../_sys/doors.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";

export interface WaitToolDoors {
	readonly files: Files;
	/** Dates a new heartbeat. */
	readonly clock: Clock;
	/** Times the lock. */
	readonly timer: Clock;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stateDir: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}
export const OK = 0;
/** Usage, no window, or a state dir that cannot be used. */
const REFUSED = 2;
export const NO_MATCH = 4;

export interface WaitCall {
	readonly cli: Extract<Cli, { kind: "ok" }>;
	readonly kind: string;
	readonly id: string;
	readonly desc: string | undefined;
	readonly window: string;
}

/** The command line, checked; or the exit code of one that was answered already. `bare`: flags that take no wait. */
export function readWaitCall(
	argv: readonly string[],
	doors: WaitToolDoors,
	tool: {
		readonly usage: string;
		readonly flags: CliSpec["flags"];
		readonly bare: readonly string[];
		readonly maxPositionals: number;
	},
): WaitCall | number {
	const refuse = (why: string) => {
		doors.err(why);
		return REFUSED;
	};
	const cli = parseCli(argv, tool);
	if (cli.kind === "help") {
		doors.out(tool.usage);
		return OK;
	}
	if (cli.kind === "refused") return refuse(`${cli.message}\n${tool.usage}`);
	const flags = Object.keys(tool.flags).filter((flag) => cli.on(flag));
	if (flags.length > 1) return refuse(`one of ${flags.join(", ")}, not both`);
	const [kind = "", id = "", desc] = cli.positionals;
	const isBare = tool.bare.some((flag) => cli.on(flag));
	const wanted = isBare ? cli.positionals.length === 0 : id !== "";
	if (!wanted) return refuse(tool.usage);
	const bad = isBare ? null : checkWaitId(kind, id);
	if (bad !== null) return refuse(bad);
	const window = doors.env.NEXUS_WORKER_WINDOW ?? "";
	const noWindow =
		window === ""
			? "NEXUS_WORKER_WINDOW is not set: this is a tool for workers"
			: validateWindowName(window);
	if (noWindow !== null) return refuse(noWindow);
	return { cli, kind, id, desc, window };
}

/** The heartbeat as it is, for a list; null when there is none. */
export function heartbeatOf(doors: WaitToolDoors, { window }: WaitCall) {
	return readHeartbeat(doors.files, doors.stateDir, window);
}

/** Changes the heartbeat, or says why that could not be. A missing or damaged one begins anew. */
export async function changeHeartbeat(
	doors: WaitToolDoors,
	{ window }: WaitCall,
	change: (heartbeat: JsonObject) => JsonObject,
): Promise<number> {
	const { files, clock, timer, stateDir } = doors;
	const done = await updateHeartbeat(
		{ files, clock: timer },
		stateDir,
		window,
		(prior) => change(prior ?? seedHeartbeat(window, clock.now())),
	);
	if (done.damagedAside !== undefined)
		doors.err(`the heartbeat was damaged; set aside as ${done.damagedAside}`);
	if (done.kind === "ok") return OK;
	doors.err(`the heartbeat cannot be written: ${done.reason}`);
	return REFUSED;
}
