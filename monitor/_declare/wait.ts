/** `declare-wait`: a worker says what outside work it waits for, so that the watcher can wake it (contract 08 §4.1). */
import { addWait, clearWaits, removeWait } from "../_state/heartbeat-waits.ts";
import {
	changeHeartbeat,
	heartbeatOf,
	NO_MATCH,
	OK,
	readWaitCall,
	type WaitToolDoors,
} from "./tool.ts";

const USAGE = `usage: declare-wait <kind> <id> [<description>]
       declare-wait --remove <kind> <id>
       declare-wait --clear | --list`;

/** The exit code; `--remove` of what was not declared has one of its own. */
export async function declareWait(
	argv: readonly string[],
	doors: WaitToolDoors,
): Promise<number> {
	const call = readWaitCall(argv, doors, {
		usage: USAGE,
		flags: { "--remove": "switch", "--clear": "switch", "--list": "switch" },
		bare: ["--clear", "--list"],
		maxPositionals: 3,
	});
	if (typeof call === "number") return call;
	const { cli, kind, id, desc } = call;
	if (cli.on("--list")) {
		doors.out(JSON.stringify(heartbeatOf(doors, call)?.externalWaits ?? []));
		return OK;
	}
	if (cli.on("--clear")) return changeHeartbeat(doors, call, clearWaits);
	if (!cli.on("--remove"))
		return changeHeartbeat(doors, call, (heartbeat) =>
			addWait(heartbeat, desc ? { kind, id, desc } : { kind, id }),
		);
	let matched = false;
	const rc = await changeHeartbeat(doors, call, (heartbeat) => {
		const removed = removeWait(heartbeat, { kind, id });
		matched = removed.matched;
		return removed.heartbeat;
	});
	return rc === OK && !matched ? NO_MATCH : rc;
}
