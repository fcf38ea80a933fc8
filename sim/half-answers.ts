/** Answers that are only half of one: of tmux, which says that all is well, and of programs that were killed, or never run. */
import type { ExecOptions, ExecResult } from "../monitor/_sys/doors.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";
import type { PROC_FAULTS } from "./act.ts";

export interface Halves {
	/** So many answers of tmux from now on. */
	tmux: number;
	/** What becomes of every program that is run. */
	exec: (typeof PROC_FAULTS)[number] | null;
}

export function halfAnswers({ clock, proc, tmux }: FakeDoors): Halves {
	const halves: Halves = { tmux: 0, exec: null };
	const isHalf = () => halves.tmux > 0 && halves.tmux-- > 0;
	const half = (text: string) => text.slice(0, text.length / 2);

	const { panes, capture } = tmux;
	tmux.panes = async (signal) => {
		const listed = await panes(signal);
		if (listed.kind !== "ok" || !isHalf()) return listed;
		// The real door misses its end mark.
		return { kind: "failed", rc: 0, stderr: "list-panes was cut short" };
	};
	tmux.capture = async (id, opts, signal) => {
		const shown = await capture(id, opts, signal);
		if (shown.kind !== "ok" || !isHalf()) return shown;
		return { ...shown, stdout: half(shown.stdout) };
	};

	const { exec } = proc;
	proc.exec = async (argv, opts) => {
		if (halves.exec === "exec-hangs") return hangs(opts);
		if (halves.exec === "exec-fails")
			return { kind: "failed", reason: "fork: EAGAIN" };
		const ran = await exec(argv, opts);
		// A check that ends with 137 before its time says so itself (contract 06 §4).
		const isCheck = opts.env?.NEXUS_SERVICE_CHECK !== undefined;
		if (halves.exec !== "exec-killed" || ran.kind !== "exited" || isCheck)
			return ran;
		return { ...ran, rc: 137, stdout: half(ran.stdout) };
	};
	async function hangs(opts: ExecOptions): Promise<ExecResult> {
		const how = await clock.sleep(opts.timeoutMs, opts.signal);
		if (how === "aborted") return { kind: "aborted" };
		return { kind: "timeout", stdout: "", stderr: "" };
	}
	return halves;
}
