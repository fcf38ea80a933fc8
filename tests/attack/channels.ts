/** The channels of requests and of reviews on a fake machine. `ng` starts them as programs of their own, which fakes do not run. */
import { requestChannel } from "../../monitor/_request/dispatch.ts";
import { skepticChannel } from "../../monitor/_skeptic/dispatch.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

export type ChannelName = "request" | "skeptic";
export interface Said {
	readonly rc: number;
	readonly out: string;
	readonly err: string;
}

/** A machine with a root and a worker's window, from which both can be asked. */
export function channelDoors(): FakeDoors {
	const env = { NEXUS_ROOT: "/root", HOME: "/h", NEXUS_WORKER_WINDOW: "w2" };
	const doors = fakeDoors({ auto: true, proc: { env } });
	doors.files.seedDir("/root");
	return doors;
}

export async function askChannel(
	doors: FakeDoors,
	channel: ChannelName,
	...argv: readonly string[]
): Promise<Said> {
	const out: string[] = [];
	const err: string[] = [];
	const ctx = {
		doors,
		codeRoot: "/code",
		out: (line: string) => void out.push(line),
		err: (text: string) => void err.push(text),
	};
	const rc =
		channel === "skeptic"
			? await skepticChannel(argv, { ...ctx, stdin: async () => "words\n" })
			: await requestChannel(argv, {
					...ctx,
					outBytes: (bytes) => void out.push(bytes.toString()),
					stdin: async () => Buffer.from("words\n"),
				});
	return { rc, out: out.join("\n"), err: err.join("\n") };
}
