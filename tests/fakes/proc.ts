/** The `Proc` door over a table of processes that the test writes; runs nothing. */
import type {
	Clock,
	ExecOptions,
	ExecResult,
	Listener,
	Looked,
	Proc,
	ProcStat,
	SpawnDetached,
} from "../../monitor/_sys/doors.ts";

type Signal = Parameters<Proc["signal"]>[1];
/** Exit codes of what a signal ended. */
const KILLED_BY: Readonly<Record<Signal, number>> = {
	SIGHUP: 129,
	SIGINT: 130,
	SIGKILL: 137,
	SIGTERM: 143,
	SIGCONT: 0,
	SIGSTOP: 0,
};

export interface FakeProcess {
	readonly pid: number;
	/** Default 1. */
	readonly ppid?: number;
	/** Default: the pid, a group and session of its own. */
	readonly pgid?: number;
	readonly sid?: number;
	readonly comm?: string;
	readonly state?: string;
	readonly utime?: number;
	readonly stime?: number;
	readonly startTicks?: string;
	readonly argv?: readonly string[];
	readonly environ?: Readonly<Record<string, string>>;
	readonly exe?: string;
	readonly cwd?: string;
	/** Signals that it survives (SIGKILL is never survived unless listed: a process in uninterruptible sleep). */
	readonly survives?: readonly Signal[];
	/** Belongs to another user: alive, but nothing of it can be read and no signal is taken. */
	readonly foreign?: boolean;
}

/** What an `exec` answers. `hang` runs into the caller's limit; a number is an exit code without output. */
export type ExecAnswer =
	| string
	| number
	| "hang"
	| ExecResult
	| { readonly rc?: number; readonly stdout?: string; readonly stderr?: string }
	| ((
			argv: readonly string[],
			opts: ExecOptions,
	  ) => ExecResult | Promise<ExecResult>);
export const HANG = "hang" as const;

export interface FakeProc extends Proc {
	readonly env: Record<string, string | undefined>;
	add(process: FakeProcess): void;
	/** It ended so; default 0. */
	end(pid: number, exitCode?: number): void;
	/** Answers `exec` calls whose program name (or whole command line, for a pattern) matches. The latest match wins. */
	answer(match: string | RegExp, answer: ExecAnswer): void;
	readonly execs: {
		readonly argv: readonly string[];
		readonly opts: ExecOptions;
	}[];
	readonly spawned: (SpawnDetached & { readonly pid: number })[];
	readonly signals: { readonly pid: number; readonly sig: Signal }[];
	/** Programs on PATH, by name. */
	readonly programs: Map<string, string>;
	/** TCP sockets that listen. */
	listening: readonly Listener[];
	/** /proc cannot be read. */
	tableUnreadable: boolean;
	/** The next `spawnDetached` fails so. */
	spawnFails: string | null;
}

export interface FakeProcOptions {
	readonly pid?: number;
	readonly uid?: number;
	readonly env?: Readonly<Record<string, string | undefined>>;
	readonly hostname?: string;
	readonly bootId?: string;
	readonly pidNamespace?: string;
	readonly processes?: readonly FakeProcess[];
}

export function fakeProc(clock: Clock, opts: FakeProcOptions = {}): FakeProc {
	const pid = opts.pid ?? 4242;
	const table = new Map<number, FakeProcess>();
	const answers: {
		match: string | RegExp;
		answer: ExecAnswer;
	}[] = [];
	const exits = new Map<number, (exitCode: number) => void>();
	let nextPid = 50_000;
	for (const p of [
		{ pid: 1, ppid: 0, comm: "init" },
		// The fake tmux's server: a table that lacks it proves nothing about panes.
		{ pid: 900, comm: "tmux: server" },
		{ pid, comm: "bun", argv: ["bun", "main.ts"] },
		...(opts.processes ?? []),
	])
		table.set(p.pid, p);

	function looked<T>(
		target: number,
		read: (p: FakeProcess) => T | undefined,
	): Looked<T> {
		if (proc.tableUnreadable)
			return { kind: "unknown", reason: "/proc is not readable" };
		const p = table.get(target);
		if (p === undefined) return { kind: "absent" };
		const value = p.foreign ? undefined : read(p);
		return value === undefined
			? { kind: "unknown", reason: "EACCES" }
			: { kind: "ok", value };
	}

	function hit(target: number, sig: Signal): "sent" | "gone" | "refused" {
		const p = table.get(target);
		if (p === undefined) return "gone";
		if (p.foreign) return "refused";
		if (sig === "SIGSTOP") table.set(target, { ...p, state: "T" });
		else if (sig === "SIGCONT") table.set(target, { ...p, state: "S" });
		else if (!p.survives?.includes(sig)) proc.end(target, KILLED_BY[sig]);
		return "sent";
	}

	const proc: FakeProc = {
		pid,
		ppid: 1,
		uid: opts.uid ?? 1000,
		execPath: "/opt/bun/bin/bun",
		env: { HOME: "/home/op", PATH: "/usr/bin:/bin", ...opts.env },
		hostname: opts.hostname ?? "host-a",
		bootId: () => opts.bootId ?? "boot-1",
		pidNamespace: () => opts.pidNamespace ?? "pid:[4026531836]",
		ticksPerSecond: () => 100,
		// A day before the start; it moves with the wall clock alone, as the kernel's does.
		bootTime: () =>
			Math.floor((clock.nowMs() - clock.monoMs()) / 1000) - 85_400,
		alive: (target) => table.has(target) && table.get(target)?.state !== "Z",
		stat: (target) => {
			if (proc.tableUnreadable)
				return { kind: "unknown", reason: "/proc is not readable" };
			const p = table.get(target);
			return p === undefined
				? { kind: "absent" }
				: { kind: "ok", value: statOf(p) };
		},
		table: () =>
			proc.tableUnreadable
				? { kind: "unknown", reason: "/proc is not readable" }
				: { kind: "ok", value: [...table.values()].map(statOf) },
		argv: (target) => looked(target, (p) => p.argv ?? []),
		environ: (target) => looked(target, (p) => p.environ ?? {}),
		exe: (target) => looked(target, (p) => p.exe ?? p.argv?.[0]),
		cwd: (target) => looked(target, (p) => p.cwd ?? "/"),
		owner: (target) => {
			const p = table.get(target);
			if (p === undefined) return { kind: "absent" };
			return { kind: "ok", value: p.foreign ? proc.uid + 1 : proc.uid };
		},
		listeners: () => ({ kind: "ok", value: proc.listening }),
		signal: (target, sig) => {
			proc.signals.push({ pid: target, sig });
			if (target >= 0) return hit(target, sig);
			const members = [...table.values()].filter(
				(p) => (p.pgid ?? p.pid) === -target,
			);
			const how = members.map((p) => hit(p.pid, sig));
			if (how.includes("sent")) return "sent";
			return how[0] ?? "gone";
		},
		exec: async (argv, execOpts) => {
			proc.execs.push({ argv, opts: execOpts });
			if (execOpts.signal?.aborted) return { kind: "aborted" };
			const line = argv.join(" ");
			const program = (argv[0] ?? "").split("/").at(-1) ?? "";
			const found = answers.findLast(({ match }) =>
				typeof match === "string" ? match === program : match.test(line),
			);
			if (found === undefined) return { kind: "not-found", program };
			const ran = await respond(found.answer, argv, execOpts, clock);
			if (ran.kind === "exited") {
				execOpts.onOutput?.(ran.stdout, "stdout");
				execOpts.onOutput?.(ran.stderr, "stderr");
			}
			return ran;
		},
		foreground: async (argv) => {
			const ran = await proc.exec(argv, { timeoutMs: 60_000 });
			return ran.kind === "exited" ? ran.rc : null;
		},
		spawnDetached: (s) => {
			if (proc.spawnFails !== null)
				return { kind: "failed", reason: proc.spawnFails };
			const child = nextPid++;
			proc.spawned.push({ ...s, pid: child });
			table.set(child, { pid: child, argv: s.argv, environ: s.env });
			const { promise, resolve } = Promise.withResolvers<number>();
			exits.set(child, resolve);
			return { kind: "ok", pid: child, exited: promise };
		},
		which: (program) => proc.programs.get(program) ?? null,
		add: (p) => {
			table.set(p.pid, p);
		},
		end: (target, exitCode = 0) => {
			table.delete(target);
			exits.get(target)?.(exitCode);
		},
		answer: (match, answer) => {
			answers.push({ match, answer });
		},
		execs: [],
		spawned: [],
		signals: [],
		programs: new Map(),
		tableUnreadable: false,
		listening: [],
		spawnFails: null,
	};
	return proc;
}

async function respond(
	answer: ExecAnswer,
	argv: readonly string[],
	opts: ExecOptions,
	clock: Clock,
): Promise<ExecResult> {
	if (answer === HANG) {
		const how = await clock.sleep(opts.timeoutMs, opts.signal);
		return how === "aborted"
			? { kind: "aborted" }
			: { kind: "timeout", stdout: "", stderr: "" };
	}
	if (typeof answer === "function") return answer(argv, opts);
	const exited = { kind: "exited", rc: 0, stdout: "", stderr: "" } as const;
	if (typeof answer === "string") return { ...exited, stdout: answer };
	if (typeof answer === "number") return { ...exited, rc: answer };
	return "kind" in answer ? answer : { ...exited, ...answer };
}

function statOf(p: FakeProcess): ProcStat {
	return {
		pid: p.pid,
		ppid: p.ppid ?? 1,
		pgid: p.pgid ?? p.pid,
		sid: p.sid ?? p.pid,
		comm: p.comm ?? p.argv?.[0]?.split("/").at(-1) ?? "sh",
		state: p.state ?? "S",
		utime: p.utime ?? 0,
		stime: p.stime ?? 0,
		startTicks: p.startTicks ?? String(p.pid * 10),
	};
}
