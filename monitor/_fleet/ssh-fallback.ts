/**
 * An agent on another machine that the daemon cannot reach is asked over SSH (contract 09 §11.1): the fleet first,
 * always; SSH only when the fleet's own words say that the way there is closed.
 */
import type { Doors } from "../_sys/doors.ts";
import { shellQuote } from "../_sys/shell-quote.ts";
import type {
	CaptureOptions,
	CaptureResult,
	Fleet,
	Key,
	SendVerdict,
} from "./fleet.ts";
import { remoteTmuxCapture, runSshWithKeys, type SshEnd } from "./ssh.ts";
import { isProxyFailure } from "./thrum/panes.ts";

/** Where an agent is found without the daemon: a checkout with its own `thrum`, or a session by name. */
export type SshTarget =
	| {
			readonly kind: "repo";
			readonly destination: string;
			readonly repo: string;
	  }
	| {
			readonly kind: "session";
			readonly destination: string;
			readonly session: string;
	  };
type Ssh = Pick<Doors, "proc">;
const DEFAULT_LINES = 50;

/** A line for the shell over there; every value of it is quoted. */
export function remoteCommand(
	mode: "capture" | "key",
	agent: string,
	repo: string,
	keys: readonly Key[] = [],
): string {
	const verb =
		mode === "capture"
			? `capture ${shellQuote(agent)}`
			: `send ${shellQuote(agent)} --keys ${shellQuote(keys.join(","))}`;
	return `cd ${shellQuote(repo)} && thrum tmux ${verb}`;
}

/** The fleet's own answer, unless it says that the way to the agent is closed and `ssh` is another. */
export async function captureWithFallback(
	doors: Ssh,
	fleet: Pick<Fleet, "capture">,
	agent: string,
	ssh: SshTarget | null,
	o: CaptureOptions = {},
): Promise<CaptureResult> {
	const own = await fleet.capture(agent, o);
	if (own.ok || ssh === null || !isProxyFailure(own.detail)) return own;
	return captureOverSsh(doors, agent, ssh, o.lines);
}

/** For a second look by the route of the first. Blank output is a failure: nothing was seen. */
export async function captureOverSsh(
	doors: Ssh,
	agent: string,
	ssh: SshTarget,
	lines = DEFAULT_LINES,
): Promise<CaptureResult> {
	const command =
		ssh.kind === "repo"
			? remoteCommand("capture", agent, ssh.repo)
			: remoteTmuxCapture(ssh.session, lines);
	return pictureOf(await runSshWithKeys(doors, ssh.destination, command));
}

/** A session without a checkout takes no keys: there is no `thrum` over there to press them. */
export async function keysWithFallback(
	doors: Ssh,
	fleet: Pick<Fleet, "sendKeys">,
	agent: string,
	keys: readonly Key[],
	ssh: SshTarget | null,
): Promise<Pick<SendVerdict, "detail"> & { readonly exitCode: number }> {
	const own = await fleet.sendKeys(agent, keys);
	const isRefused = own.exitCode === 1 && isProxyFailure(own.detail);
	if (ssh?.kind !== "repo" || !isRefused) return own;
	const command = remoteCommand("key", agent, ssh.repo, keys);
	const end = await runSshWithKeys(doors, ssh.destination, command);
	return { exitCode: end.exitCode, detail: end.text };
}

function pictureOf({ exitCode, stdout, text }: SshEnd): CaptureResult {
	if (exitCode !== 0)
		return { ok: false, failure: "error", exitCode, detail: text.trim() };
	return stdout.trim() === ""
		? { ok: false, failure: "empty", exitCode: 1, detail: "empty output" }
		: { ok: true, text: stdout, route: "ssh" };
}
