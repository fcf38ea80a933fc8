/** The real `Proc` door. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Proc } from "./doors.ts";
import { errnoOf } from "./errno.ts";
import { execProgram, findProgram } from "./exec.ts";
import {
	procArgv,
	procEnviron,
	procLink,
	procOwner,
	procStat,
	procTable,
} from "./proc-fs.ts";
import { spawnDetached } from "./spawn-detached.ts";
import { tcpListeners } from "./tcp-listeners.ts";

/** Ticks of `utime` and `startTicks`: USER_HZ, the same on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;

/** A zombie is not `alive`. What cannot be read answers with the third answer of its question, never with a guess. */
export function realProc(): Proc {
	return {
		pid: process.pid,
		ppid: process.ppid,
		uid: process.getuid?.() ?? -1,
		execPath: process.execPath,
		env: process.env,
		hostname: hostname(),
		bootId: () => readLine("/proc/sys/kernel/random/boot_id") ?? "unknown",
		pidNamespace: () => {
			try {
				return readlinkSync("/proc/self/ns/pid");
			} catch {
				return "unknown";
			}
		},
		ticksPerSecond: () => TICKS_PER_SECOND,
		bootTime: () => {
			const line = /^btime (\d+)$/m.exec(readLine("/proc/stat") ?? "");
			return line === null ? null : Number(line[1]);
		},
		alive: (pid) => {
			const answer = sendSignal(pid, 0);
			if (answer !== "sent" && answer !== "refused") return false;
			const stat = procStat(pid);
			return stat.kind !== "ok" || stat.value.state !== "Z";
		},
		stat: procStat,
		table: procTable,
		argv: procArgv,
		environ: procEnviron,
		exe: (pid) => procLink(pid, "exe"),
		cwd: (pid) => procLink(pid, "cwd"),
		owner: procOwner,
		listeners: tcpListeners,
		signal: (pid, sig) => sendSignal(pid, sig) ?? "refused",
		exec: execProgram,
		foreground,
		spawnDetached,
		which: (program) => findProgram(program, process.env.PATH),
	};
}

async function foreground(argv: readonly string[]): Promise<number | null> {
	try {
		// Without `env` Bun hands on the environment we were started with, not what we made of it.
		return await Bun.spawn([...argv], {
			env: { ...process.env },
			stdio: ["inherit", "inherit", "inherit"],
		}).exited;
	} catch {
		return null;
	}
}

/** Null for a number that addresses more than one process or group: 0 is our own group, -1 everybody, 1 the machine. */
function sendSignal(
	pid: number,
	sig: NodeJS.Signals | 0,
): "sent" | "gone" | "refused" | null {
	if (!Number.isInteger(pid) || pid === 0 || pid === -1) return null;
	if (pid === 1 && sig !== 0) return null;
	try {
		process.kill(pid, sig);
		return "sent";
	} catch (e) {
		return errnoOf(e) === "ESRCH" ? "gone" : "refused";
	}
}

function readLine(path: string): string | null {
	try {
		return readFileSync(path, "utf8").trim();
	} catch {
		return null;
	}
}
