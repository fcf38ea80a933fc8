/** `declare-no-wait`: what was detected is not waited for, and is not to be detected again (contract 08 §4.1). */
import { dismissWait, undismissWait } from "../_state/heartbeat-waits.ts";
import {
	changeHeartbeat,
	heartbeatOf,
	NO_MATCH,
	OK,
	readWaitCall,
	type WaitToolDoors,
} from "./tool.ts";

const USAGE = `usage: declare-no-wait <kind> <id>
       declare-no-wait --un-dismiss <kind> <id>
       declare-no-wait --list`;

/** The exit code; `--un-dismiss` of what was not dismissed has one of its own. */
export async function declareNoWait(
	argv: readonly string[],
	doors: WaitToolDoors,
): Promise<number> {
	const call = readWaitCall(argv, doors, {
		usage: USAGE,
		flags: { "--un-dismiss": "switch", "--list": "switch" },
		bare: ["--list"],
		maxPositionals: 2,
	});
	if (typeof call === "number") return call;
	const { cli, kind, id } = call;
	if (cli.on("--list")) {
		doors.out(JSON.stringify(heartbeatOf(doors, call)?.dismissedWaits ?? []));
		return OK;
	}
	if (!cli.on("--un-dismiss"))
		return changeHeartbeat(doors, call, (heartbeat) =>
			dismissWait(heartbeat, { kind, id }),
		);
	let matched = false;
	const rc = await changeHeartbeat(doors, call, (heartbeat) => {
		const undone = undismissWait(heartbeat, { kind, id });
		matched = undone.matched;
		return undone.heartbeat;
	});
	return rc === OK && !matched ? NO_MATCH : rc;
}
