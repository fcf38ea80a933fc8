/** Verbs of `ng` on a fake machine: root at /root, checkout at /code. */
import { dispatch } from "../../monitor/_ng/dispatch.ts";
import { NG_VERBS } from "../../monitor/ng-verbs.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

export const S = "/root/monitor/.state";

export interface NgRig {
	readonly doors: FakeDoors;
	/** Runs a call, as the shell would after `ng`. */
	ng(...argv: string[]): Promise<Ran>;
	/** The folder it is called from. */
	standIn(dir: string): void;
}
export interface Ran {
	readonly rc: number;
	readonly out: string;
	readonly err: string;
}

export function ngRig(
	env: Readonly<Record<string, string | undefined>> = {},
): NgRig {
	const doors = fakeDoors({
		auto: true,
		proc: { env: { NEXUS_ROOT: "/root", HOME: "/h", ...env } },
	});
	const { proc } = doors;
	doors.files.seedDir("/root");
	return {
		doors,
		standIn: (cwd) => proc.add({ pid: proc.pid, ppid: proc.ppid, cwd }),
		ng: async (...argv) => {
			const out: string[] = [];
			const err: string[] = [];
			const rc = await dispatch(argv, NG_VERBS, {
				doors,
				codeRoot: "/code",
				out: (line) => out.push(line),
				err: (line) => err.push(line),
				errPlain: (line) => err.push(line),
				stdin: async () => "",
				pacing: { kind: "scheduler" },
			});
			return { rc, out: out.join("\n"), err: err.join("\n") };
		},
	};
}
