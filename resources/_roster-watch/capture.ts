/** One member's picture: by the fleet, else by its machine's own tmux (contract 09 §12.2 steps 3 and 4). */
import { basename } from "node:path";
import type { CaptureDoc, Fleet, Member } from "../../monitor/_fleet/fleet.ts";
import {
	isDestination,
	remoteTmuxCapture,
	runSsh,
} from "../../monitor/_fleet/ssh.ts";
import { known } from "../../monitor/_fleet/ssh-targets.ts";
import type { CaptureRoute } from "../../monitor/_state/fleet/capture-record.ts";
import { sessionNameOf } from "../../monitor/_state/fleet/names.ts";
import type { RosterEntry } from "../../monitor/_state/fleet/watch-params.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import {
	bothFailedLine,
	classifyBothFailed,
	isBindingTrouble,
	liveProof,
	type PidLook,
} from "./classify.ts";

export const REQUESTED_LINES = 30;
const KEEP_ALIVE = [
	...["-o", "ServerAliveInterval=5"],
	...["-o", "ServerAliveCountMax=1"],
];

export interface Look {
	readonly doors: Pick<Doors, "proc" | "clock">;
	readonly fleet: Pick<Fleet, "capture" | "captureDoc">;
	/** With the classifier a document is taken, which knows suggestions from text. */
	readonly withDocument: boolean;
}
export interface Picture {
	readonly agent: string;
	readonly kind: "seen" | "degraded" | "failed";
	/** What goes into the capture file. */
	readonly raw: string;
	readonly route: CaptureRoute;
	readonly primaryRc: number;
	/** Null: SSH was not asked. */
	readonly sshRc: number | null;
	readonly document: CaptureDoc | null;
	/** By the roster, else by the team. */
	readonly runtime: string | null;
	readonly member: Member | null;
}

/** Never throws. `raw` is what was seen, or the words in which the last way failed. */
export async function captureMember(
	look: Look,
	entry: RosterEntry,
	member: Member | null,
	daemonId: string | undefined,
): Promise<Picture> {
	const { agentId: agent } = entry;
	const first = await primary(look, agent, daemonId);
	const runtime = entry.runtime ?? member?.runtime ?? null;
	const primaryRc = first.exitCode;
	const base = { agent, member, runtime, primaryRc, document: null };
	if (first.exitCode === 0)
		return {
			...base,
			kind: "seen",
			raw: first.text,
			route: "primary",
			sshRc: null,
			document: first.document,
		};
	const second = await overSsh(look.doors, entry, member);
	if (second?.exitCode === 0)
		return {
			...base,
			kind: "seen",
			raw: second.text,
			route: "ssh_fallback",
			sshRc: 0,
		};
	const pid = isBindingTrouble(first.text)
		? await lookAtPid(look.doors, member)
		: "unknown";
	const proof = liveProof(member, look.doors.clock.now(), pid);
	const kind = classifyBothFailed(first.text, proof);
	const tried =
		second === null
			? []
			: [
					`--- SSH fallback failed for ${agent} (exit ${second.exitCode}) ---`,
					second.text.trimEnd(),
				];
	const verdict = bothFailedLine(agent, kind, proof);
	return {
		...base,
		kind,
		route: "both_failed",
		raw: [first.text.trimEnd(), ...tried, verdict]
			.filter((part) => part !== "")
			.join("\n"),
		sshRc: second?.exitCode ?? null,
	};
}

interface Primary {
	readonly exitCode: number;
	readonly text: string;
	readonly document: CaptureDoc | null;
}

/** A fleet that gives no documents still gives pictures. */
async function primary(
	{ fleet, withDocument }: Look,
	agent: string,
	daemonId: string | undefined,
): Promise<Primary> {
	const o = {
		lines: REQUESTED_LINES,
		...(daemonId === undefined ? {} : { daemonId }),
	};
	const document = withDocument ? await fleet.captureDoc(agent, o) : null;
	const lines = document?.ok ? document.lines.join("\n") : "";
	if (lines.trim() !== "") return { exitCode: 0, text: `${lines}\n`, document };
	const shot = await fleet.capture(agent, o);
	return shot.ok
		? { exitCode: 0, text: shot.text, document: null }
		: { exitCode: shot.exitCode || 1, text: shot.detail, document: null };
}

interface Ssh {
	readonly exitCode: number;
	readonly text: string;
}

/** Null: nobody says where, or it is this machine. The first session that exists is the one. */
async function overSsh(
	{ proc }: Pick<Doors, "proc">,
	entry: RosterEntry,
	member: Member | null,
): Promise<Ssh | null> {
	const place = placeOf(entry, member);
	if (place === null) return null;
	const { host, sessions } = place;
	if (isHere(proc, host)) return null;
	let last: Ssh | null = null;
	for (const session of sessions) {
		const command = remoteTmuxCapture(session, REQUESTED_LINES);
		const end = await runSsh({ proc }, host, command, KEEP_ALIVE);
		const isBlank = end.exitCode === 0 && end.stdout.trim() === "";
		last = {
			exitCode: isBlank ? 1 : end.exitCode,
			text: end.exitCode === 0 ? end.stdout : end.text,
		};
		// Without a connection another name changes nothing.
		if (last.exitCode === 0 || end.exitCode === 255) return last;
	}
	return last;
}

/** What is declared half is no place, and is not completed by a guess. */
function placeOf(
	{ agentId, hostname, tmuxSession }: RosterEntry,
	member: Member | null,
): { readonly host: string; readonly sessions: readonly string[] } | null {
	if (hostname !== undefined || tmuxSession !== undefined) {
		const isWhole = known(hostname) && known(tmuxSession);
		return isWhole && isDestination(hostname)
			? { host: hostname, sessions: [tmuxSession] }
			: null;
	}
	const host = member?.hostname;
	if (!known(host) || !isDestination(host)) return null;
	const base = basename(member?.worktree ?? "");
	const names = [sessionNameOf(agentId), base, base.replaceAll(".", "-")];
	const sessions = [...new Set(names.filter((name) => name !== ""))];
	return { host, sessions };
}

function isHere({ hostname }: Pick<Doors["proc"], "hostname">, host: string) {
	const bare = (name: string) => name.replace(/\..*$/, "").toLowerCase();
	return (
		host === "localhost" ||
		host === "127.0.0.1" ||
		host === "::1" ||
		bare(host) === bare(hostname)
	);
}

/** On its own host: a pid of another machine says nothing here. */
async function lookAtPid(
	{ proc }: Pick<Doors, "proc">,
	member: Member | null,
): Promise<PidLook> {
	const pid = member?.agentPid;
	if (member === null || pid === undefined) return "unknown";
	const host = member.hostname ?? "";
	if (member.isLocal && (host === "" || isHere(proc, host))) {
		const found = proc.stat(pid);
		if (found.kind === "absent") return "gone";
		return found.kind === "ok"
			? sameProcess(member, found.value.startTicks)
			: "unknown";
	}
	if (!isDestination(host)) return "unknown";
	const command = `cat /proc/${pid}/stat 2>/dev/null || kill -0 ${pid}`;
	const end = await runSsh({ proc }, host, command, KEEP_ALIVE);
	if (end.exitCode !== 0) return end.exitCode === 255 ? "unknown" : "gone";
	// Behind the name, which may hold blanks and brackets: field 3 is the first.
	const fields = end.stdout.slice(end.stdout.lastIndexOf(")") + 2).split(" ");
	return sameProcess(member, fields[19]);
}

/** With a recorded start time the process must have it. */
function sameProcess(
	{ agentStart }: Member,
	start: string | undefined,
): PidLook {
	if (agentStart === undefined || agentStart === "") return "runs";
	if (!start) return "unknown";
	return start === agentStart ? "runs" : "gone";
}
