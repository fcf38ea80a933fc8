/** A worker of the burst, as a process of its own: `<window> <requests> <decisions>`. Prints the ids of its requests, in order. */
import { requestChannel } from "../../monitor/_request/dispatch.ts";
import { hookDoors } from "../../monitor/_sys/hook-doors.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { emitDecision } from "../../monitor/hooks/_decision.ts";

const [window = "", requests = "0", decisions = "0"] = process.argv.slice(2);
const doors = realDoors({ logPrefix: window });
const hook = hookDoors();
const print = (line: string) => void process.stdout.write(`${line}\n`);

for (let n = 0; n < Number(requests); n++) {
	const text = ["--slug", "job", "--message", `${window} asks ${n}`];
	await requestChannel(["file", "--origin", window, ...text], {
		doors,
		codeRoot: CODE_ROOT,
		out: print,
		err: print,
		outBytes: () => {},
		stdin: async () => new Uint8Array(),
	});
	if (n >= Number(decisions)) continue;
	const payload = {
		notification_type: "permission_prompt",
		message: `${window} wants to do thing ${n}`,
		session_id: window,
	};
	const stateDir = process.env.NEXUS_STATE_DIR ?? "";
	await emitDecision({ ...hook, payload, stateDir });
}
