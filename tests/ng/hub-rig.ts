/** Verbs of `ng` before a stand-in GitHub: real HTTP, a fake machine. */
import { dispatch } from "../../monitor/_ng/dispatch.ts";
import { NG_VERBS } from "../../monitor/ng-verbs.ts";
import {
	CACHE_PATH,
	KEY_PATH,
	openRig,
	PRIVATE_KEYS,
	type Rig,
	STATE_DIR,
} from "../github/rig.ts";
import type { StandInOptions } from "../github/stand-in/server.ts";
import type { Ran } from "./rig.ts";

export const S = STATE_DIR;
/** The folder that verbs are called from; no clone, unless a test says so. */
export const CWD = "/n/somewhere";

export interface HubRig extends Rig {
	ng(...argv: string[]): Promise<Ran>;
	/** As `ng`, with this text on standard input. */
	ngWith(stdin: string, ...argv: string[]): Promise<Ran>;
	/** The caller stands in a clone of this URL. */
	cloneOf(url: string): void;
	/** `METHOD /path?query` of each request so far, those for tokens left out. */
	asked(): readonly string[];
	/** Requests that change something. */
	writes(): readonly string[];
	/** Events of the action log. */
	events(): readonly Readonly<Record<string, string>>[];
}

export function hubRig(
	opts: {
		readonly over?: Readonly<Record<string, string>>;
		readonly standIn?: Partial<StandInOptions>;
		/** How fast the clock runs: see `inTime`. */
		readonly stepMs?: number;
	} = {},
): HubRig {
	const rig = openRig(
		opts.standIn === undefined ? {} : { standIn: opts.standIn },
	);
	const { doors, standIn } = rig;
	rig.configure(opts.over);
	doors.files.seedDir("/n/reports");
	doors.files.seedDir(CWD);
	doors.proc.add({ pid: doors.proc.pid, ppid: 1, cwd: CWD });
	doors.proc.answer("git", {
		rc: 128,
		stderr: "fatal: not a git repository (or any of the parent directories)",
	});
	const asked = () =>
		standIn.requests
			.map(({ line }) => line)
			.filter((line) => !line.includes("/access_tokens"));
	const ngWith = async (stdin: string, ...argv: string[]) => {
		const out: string[] = [];
		const err: string[] = [];
		const rc = await rig.inTime(
			dispatch(argv, NG_VERBS, {
				doors,
				codeRoot: "/code",
				out: (line) => out.push(line),
				err: (line) => err.push(line),
				errPlain: (line) => err.push(line),
				stdin: async () => stdin,
				pacing: { kind: "scheduler" },
			}),
			opts.stepMs,
		);
		return { rc, out: out.join("\n"), err: err.join("\n") };
	};
	return {
		...rig,
		ngWith,
		ng: (...argv) => ngWith("", ...argv),
		cloneOf: (url) => doors.proc.answer("git", `${url}\n`),
		asked,
		writes: () => asked().filter((line) => !line.startsWith("GET ")),
		events: () =>
			rig
				.state("action-log.jsonl")
				.split("\n")
				.filter(Boolean)
				.map((line) => JSON.parse(line)),
	};
}

export { CACHE_PATH, KEY_PATH, PRIVATE_KEYS };
