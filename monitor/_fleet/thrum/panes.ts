/** Panes through thrum: pictures, keys, texts (contract 09 §5). */
import { fail, ok } from "../failure.ts";
import type {
	CaptureDoc,
	CaptureResult,
	Fleet,
	FleetCaps,
	FleetFailure,
	R,
	SendVerdict,
} from "../fleet.ts";
import { badKey } from "../keys.ts";
import type { FleetDeps } from "../open.ts";
import { detectPermission } from "../permission.ts";
import { verdict } from "../verdict.ts";
import { ARGV } from "./argv.ts";
import type { Thrum } from "./call.ts";
import { CAP_NAMES } from "./caps.ts";
import { captureDocOf, jsonIn, sessionsIn } from "./parse.ts";

type PaneCalls = Pick<
	Fleet,
	"capture" | "captureDoc" | "sendKeys" | "sendText" | "detect"
>;
const DEFAULT_LINES = 50;

/** An agent is addressed by name where the build takes it, else by its session. */
export function thrumPanes(
	deps: FleetDeps,
	thrum: Thrum,
	caps: () => R<FleetCaps>,
): PaneCalls {
	/** What this build calls an agent: its name, or that of its session. */
	async function addressOf(agent: string, can: FleetCaps): R<string> {
		// It would be read as a flag: the help of a verb is no pane.
		if (agent.startsWith("-"))
			return fail("not-found", `no name of an agent: ${agent}`);
		if (can.captureByAgent) return ok(agent);
		const asked = await thrum(ARGV.sessions);
		if (asked.kind !== "ok") return asked;
		const rows = sessionsIn(jsonIn(asked.value.stdout));
		if (rows === null)
			return fail("failed", "thrum tmux status: no session list in its answer");
		const own = rows.find((row) => row.agent === agent);
		return own === undefined
			? fail("not-found", `no session of agent @${agent}`)
			: ok(own.name);
	}
	async function addressed(
		agent: string,
	): R<{ readonly who: string; readonly can: FleetCaps }> {
		const can = await caps();
		if (can.kind !== "ok") return can;
		const who = await addressOf(agent, can.value);
		return who.kind === "ok" ? ok({ who: who.value, can: can.value }) : who;
	}
	async function captured(
		agent: string,
		o: { readonly lines?: number; readonly daemonId?: string },
		further: (can: FleetCaps) => readonly string[] | string,
	): R<string> {
		const to = await addressed(agent);
		if (to.kind !== "ok") return to;
		const words = further(to.value.can);
		if (typeof words === "string") return fail("refused", words);
		const lines = o.lines ?? DEFAULT_LINES;
		const argv = ARGV.capture(to.value.who, lines, o.daemonId);
		const shot = await thrum([...argv, ...words]);
		return shot.kind === "ok" ? ok(shot.value.stdout) : shot;
	}
	async function sent(argv: readonly string[]): Promise<SendVerdict> {
		const done = await thrum(argv, { answers: [0, 3, 4] });
		if (done.kind !== "ok")
			// A send that hung may have been typed.
			return verdict(done.kind === "timeout" ? 4 : 1, done.stderr);
		const { exitCode, stdout, stderr } = done.value;
		const detail = (stderr || stdout).trim();
		return verdict(exitCode === 3 ? 3 : exitCode === 4 ? 4 : 0, detail);
	}

	return {
		capture: async (agent, o = {}) => {
			const shot = await captured(agent, o, () => []);
			return shot.kind === "ok" ? pictureOf(shot.value) : notCaptured(shot);
		},
		captureDoc: async (agent, o = {}) => {
			const shot = await captured(agent, o, (can) =>
				can.captureFormats
					? ["--format=json"]
					: `this thrum has no ${CAP_NAMES.captureFormats}`,
			);
			if (shot.kind !== "ok") return noDoc(agent, shot.stderr);
			return (
				captureDocOf(jsonIn(shot.value), agent) ??
				noDoc(agent, "thrum tmux capture: no document in its answer")
			);
		},
		sendKeys: async (agent, keys) => {
			const bad = badKey(keys);
			if (bad !== undefined || keys.length === 0)
				return verdict(2, `no key: ${bad ?? "none given"}`);
			const to = await addressed(agent);
			if (to.kind !== "ok") return verdict(1, to.stderr);
			// Never degraded to typing the key as text.
			if (!to.value.can.keys)
				return verdict(1, `this thrum has no ${CAP_NAMES.keys}`);
			return sent(ARGV.sendKeys(to.value.who, keys));
		},
		sendText: async (agent, text, o = {}) => {
			const to = await addressed(agent);
			if (to.kind !== "ok") return verdict(1, to.stderr);
			const cleaned = deps.hands.clean(text, o.command ?? false);
			if (cleaned.trim() === "") return verdict(1, "nothing to type");
			// It would be read as a flag.
			const word = cleaned.startsWith("-") ? `Message: ${cleaned}` : cleaned;
			return sent(ARGV.sendText(to.value.who, word));
		},
		detect: async (paneText, runtime) => {
			const can = await caps();
			if (can.kind !== "ok") return can;
			const named = can.value.detect
				? await detectByThrum(deps, thrum, paneText, runtime)
				: null;
			if (named !== null) return ok(named.id);
			const { question } = deps.hands;
			return ok(detectPermission(runtime, paneText, question)?.id ?? null);
		},
	};
}

/** Null: thrum gave no verdict, and ours counts. */
async function detectByThrum(
	{ doors }: FleetDeps,
	thrum: Thrum,
	paneText: string,
	runtime: string,
): Promise<{ readonly id: string | null } | null> {
	const { files } = doors;
	const dir = tempDirIn(files);
	if (dir === null) return null;
	const path = `${dir}/pane`;
	const written = files.writeAtomic(path, paneText, { mode: 0o600 });
	const asked =
		written.kind === "ok"
			? await thrum(ARGV.detect(path, runtime), { answers: [0, 1] })
			: null;
	files.removeTree(dir);
	if (asked?.kind !== "ok") return null;
	const { exitCode, stdout, stderr } = asked.value;
	const id = stdout.trim();
	if (exitCode === 0) return id === "" ? null : { id };
	return id === "" && stderr.trim() === "" ? { id: null } : null;
}

/** Null on a full disk: our own look needs no file. */
function tempDirIn(files: FleetDeps["doors"]["files"]): string | null {
	try {
		return files.makeTempDir("nexus-detect-");
	} catch {
		return null;
	}
}

function pictureOf(text: string): CaptureResult {
	return text.trim() === ""
		? { ok: false, failure: "empty", exitCode: 1, detail: "empty output" }
		: { ok: true, text, route: "primary" };
}

function notCaptured(failure: FleetFailure): CaptureResult {
	const what =
		failure.kind === "not-found"
			? "not-found"
			: isProxyFailure(failure.stderr)
				? "proxy"
				: "error";
	const { exitCode, stderr } = failure;
	return { ok: false, failure: what, exitCode, detail: stderr };
}

/** The daemon could not reach the machine on which the agent lives; only this is reason to ask it directly (contract 09 §11.1). */
export function isProxyFailure(text: string): boolean {
	return (
		/rpcrouter: caller-peer lacks required capability|peer unreachable|circuit open, dial skipped/.test(
			text,
		) ||
		text
			.split("\n")
			.some(
				(line) =>
					/\bpro\b/i.test(line) && /requires|license|upgrade/i.test(line),
			)
	);
}

function noDoc(agent: string, error: string): CaptureDoc {
	const nothing = { lines: [], lineCount: 0, footer: null, ghostLines: [] };
	return { agent, ok: false, ...nothing, error };
}
