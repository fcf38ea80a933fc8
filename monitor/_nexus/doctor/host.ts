/** The machine under nexus: its C library, its clock, its locks, the state folder, the sandbox, the user. Decisions only. */
import type { LockAttempt, LockProbe, WriteResult } from "../../_sys/doors.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Names in the folders of the dynamic loader. */
export function checkLibc(loaders: readonly string[]): Check {
	const name = "C library";
	if (loaders.some((file) => file.startsWith("ld-linux")))
		return ok(name, "glibc");
	if (loaders.some((file) => file.startsWith("ld-musl")))
		return fail(
			name,
			"musl: file locks do not work here",
			"use a system with glibc (Debian, Ubuntu)",
		);
	return warn(
		name,
		"no known dynamic loader found",
		"Debian and Ubuntu are tested",
	);
}

/** How far the clock may lag behind what this machine wrote itself, seconds. */
const CLOCK_SLACK_SECONDS = 120;

/** Times are epoch seconds; null = unknown. */
export function checkClock(facts: {
	readonly now: number;
	readonly bootTime: number | null;
	/** The newest time that can only lie in the past: the checkout's, the state folder's. */
	readonly newestWrite: number | null;
}): Check {
	const { now, bootTime, newestWrite } = facts;
	const advice = "set the clock (timedatectl set-ntp true), then look again";
	if (newestWrite !== null && now < newestWrite - CLOCK_SLACK_SECONDS)
		return fail(
			"clock",
			`${newestWrite - now} s behind files that are already written`,
			advice,
		);
	if (bootTime !== null && now < bootTime)
		return fail("clock", "says a time before the machine started", advice);
	return ok("clock", "sane");
}

/** By a file that was really written there. */
export function checkStateDir(dir: string, probe: WriteResult): Check {
	return probe.kind === "ok"
		? ok("state dir", `${dir} is writable`)
		: fail(
				"state dir",
				`${dir} cannot be written (${probe.code})`,
				"give this user the folder, free the disk, or set NEXUS_STATE_DIR",
			);
}

/** What a first hold and a second look at the same lock said. */
export function checkFlock(first: LockAttempt, second: LockProbe): Check {
	const advice =
		"put the state dir on a local disk: without locks two watchers could run";
	if (first.kind === "cannot-open")
		return fail("flock", `no lock could be opened (${first.reason})`, advice);
	if (first.kind === "held")
		return warn("flock", "another doctor holds the lock", "look again");
	return second.kind === "held"
		? ok("flock", "works")
		: fail("flock", "a lock that is held reads as free", advice);
}

/** None is a warning: `./nexus` itself refuses until the operator has accepted that. */
export function checkSandbox(
	verdict: "in-sandbox" | "accepted" | "refused",
): Check {
	if (verdict === "in-sandbox") return ok("sandbox", "inside one");
	if (verdict === "accepted")
		return ok("sandbox", "none; accepted by the operator");
	return warn(
		"sandbox",
		"none: agents will act with your account's full rights",
		"start inside a sandbox, or accept it once: ./nexus --i-accept-no-sandbox",
	);
}

/** Claude Code ends at once when root starts it without permission prompts, unless the environment calls this a sandbox. */
export function checkUser(uid: number, isSandbox: string | undefined): Check {
	const name = "user";
	if (uid !== 0) return ok(name, "not root");
	return isSandbox === "1"
		? ok(name, "root, in what IS_SANDBOX=1 calls a sandbox")
		: fail(
				name,
				"root: Claude Code refuses to run without permission prompts",
				"use an ordinary account; in a sandbox, IS_SANDBOX=1 in the environment that tmux is started from",
			);
}

/** What tmux opens a worker's window with: `SHELL`, else the account's. Null: nobody says, and tmux takes sh. */
export function checkShell(shell: string | null): Check {
	const name = "shell";
	return shell !== null && /\/(?:nologin|false)$/.test(shell)
		? fail(
				name,
				`${shell} ends at once, and with it every window that tmux opens for a worker`,
				"SHELL=/bin/bash in the environment that tmux is started from, or `set -g default-shell /bin/bash` in ~/.tmux.conf",
			)
		: ok(name, shell ?? "/bin/sh");
}

/** The shell in a user's row of `/etc/passwd`; null without one. */
export function loginShell(passwd: string, uid: number): string | null {
	const rows = passwd.split("\n").map((line) => line.split(":"));
	return rows.find((row) => row[2] === `${uid}`)?.[6] || null;
}
