/** The life of a request, tried out: the verbs and the watcher on a fake disk. */
import { requestsConfig } from "../../../monitor/_emit/local-providers.ts";
import { renderPendingRequests } from "../../../monitor/_emit/pending-requests.ts";
import { requestChannel } from "../../../monitor/_request/dispatch.ts";
import {
	parseRequestName,
	REQUEST_STATES,
	type RequestState,
} from "../../../monitor/_state/requests.ts";
import { watcherConfig } from "../../config/watcher-config.ts";
import { type FakeDoors, fakeDoors } from "../../fakes/doors.ts";
import { diagram, type Edge } from "./diagram.ts";

const STATE = "/root/monitor/.state";
const INBOX = `${STATE}/requests`;
const ID = "20260511T200001Z-w-x";

const VERBS = [
	["ng request ack", ["ack", ID]],
	["ng request reply", ["reply", ID, "--message", "so"]],
	["ng request fail", ["fail", ID, "--reason", "no"]],
] as const;
const TIMES = [
	["the watcher", 0],
	["the watcher, after a minute", 61],
	["the watcher, after days", 300_000],
] as const;

export async function requestLife(): Promise<string> {
	const edges: Edge[] = [{ from: "[*]", to: "new", why: "ng request file" }];
	for (const from of REQUEST_STATES) {
		for (const [why, argv] of VERBS)
			edges.push({ why, ...(await after(from, (doors) => call(doors, argv))) });
		for (const [why, seconds] of TIMES) {
			const edge = await after(from, async (doors) => {
				await doors.clock.advance(seconds * 1000);
				await poll(doors);
			});
			// What happens at once happens later, too.
			const isKnown = edges.some(
				(e) =>
					e.from === from &&
					e.to === edge.to &&
					e.why.startsWith("the watcher"),
			);
			if (!isKnown) edges.push({ why, ...edge });
		}
	}
	return diagram(edges.filter(({ from, to }) => from !== to));
}

async function after(
	from: RequestState,
	act: (doors: FakeDoors) => Promise<unknown>,
): Promise<{ from: string; to: string }> {
	const doors = fakeDoors({
		now: 1_785_000_000,
		auto: true,
		proc: { env: { NEXUS_ROOT: "/root", HOME: "/h" } },
	});
	const text = `---\nrequest: ${ID}\norigin: w\nkind: question\nstate: new\n---\n\n## Request\n\nx\n`;
	doors.files.seed(`${INBOX}/${ID}.${from}.md`, text);
	await act(doors);
	const [path] = doors.files
		.paths(INBOX)
		.flatMap((one) => parseRequestName(one.slice(INBOX.length + 1)) ?? []);
	return { from, to: path?.state ?? "[*]" };
}

function call(doors: FakeDoors, argv: readonly string[]) {
	return requestChannel(argv, {
		doors,
		codeRoot: "/code",
		out: () => {},
		err: () => {},
		outBytes: () => {},
		stdin: async () => new Uint8Array(),
	});
}

function poll(doors: FakeDoors) {
	const config = requestsConfig(watcherConfig());
	const how = { everything: false, afterGap: false };
	const look = { stateDir: STATE, inbox: INBOX, config, ...how };
	return renderPendingRequests(doors, look);
}
