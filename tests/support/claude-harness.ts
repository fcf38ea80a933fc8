/**
 * The real Claude Code in a private tmux server, against a scripted model. Everything it writes lies
 * below the server's own folder and goes with it.
 */
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import {
	claudeArgv,
	claudeConfig,
	claudeEnv,
	claudeHomeAt,
} from "../../monitor/_nexus/demo/claude-home.ts";
import type { ModelServer } from "./model-server.ts";
import type { PrivateTmux } from "./private-tmux.ts";
import { waitUntil } from "./wait-until.ts";

export interface ClaudeOptions {
	readonly tmux: PrivateTmux;
	readonly model: Pick<ModelServer, "url">;
	/** Window name; default `claude`. */
	readonly window?: string;
	/** Lives in the home and the work folder of the Claude that runs in this window. */
	readonly homeOf?: string;
	/** Work folder; default a fresh one below the server's folder. It is trusted. */
	readonly cwd?: string;
	/** Default: the binary of node_modules, or `NEXUS_TEST_CLAUDE`. */
	readonly binary?: string;
	/** Default `bypassPermissions`; `default` shows real permission prompts. */
	readonly permissionMode?: "default" | "bypassPermissions" | "plan";
	/** Vim keys in the input box. */
	readonly vim?: boolean;
	/** Written to `.claude/settings.json` of the config folder. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** `false` leaves the folder-trust dialog in place. */
	readonly trusted?: boolean;
	readonly flags?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** Do not wait for the input box (start-up dialogs). */
	readonly noWait?: boolean;
	/** Guard of every wait that names none of its own, ms. Default 20 s, and 30 s for the start. */
	readonly guardMs?: number;
}

/** What Claude Code's `sessions/<pid>.json` says, as far as tests ask. */
export interface SessionFile {
	readonly pid: number;
	readonly sessionId: string;
	readonly status?: string;
	readonly waitingFor?: string;
	/** ms since the epoch. */
	readonly statusUpdatedAt?: number;
	readonly version: string;
}

/** One line of the transcript. */
export type TranscriptRecord = Readonly<Record<string, unknown>> & {
	readonly type?: string;
};

export interface Claude {
	/** `%N` and `@N` on the private server. */
	readonly paneId: string;
	readonly windowId: string;
	readonly panePid: number;
	readonly cwd: string;
	readonly configDir: string;
	/** The visible screen, without attributes. */
	screen(): string;
	/** Types text as it is. */
	type(text: string): void;
	/** Presses named keys: `Enter`, `Escape`, `C-c`, `Up`. */
	press(...keys: string[]): void;
	/** Types a one-line prompt and sends it; resolves when it has left the input box. */
	say(prompt: string): Promise<void>;
	waitForScreen(
		what: string | RegExp | ((screen: string) => boolean),
		limitMs?: number,
	): Promise<string>;
	waitForStatus(status: string, limitMs?: number): Promise<SessionFile>;
	/** The live session file, or null. */
	session(): SessionFile | null;
	/** The records of the session's transcript so far; a torn last line is left out. */
	transcript(): readonly TranscriptRecord[];
	/** Texts of the user records that a person (or a paste) sent, oldest first. */
	userTexts(): readonly string[];
	/** Waits for a user record that holds `needle`, then tells how many do. The transcript lags the screen. */
	waitForUserText(needle: string, limitMs?: number): Promise<number>;
	/** Ends this Claude with its window. */
	close(): void;
}

const NODE_MODULES = resolve(import.meta.dir, "../../node_modules");

/** Starts Claude Code in a new window and waits for its input box. */
export async function startClaude(opts: ClaudeOptions): Promise<Claude> {
	const { tmux, window = "claude" } = opts;
	// A home of its own: a running Claude writes its configuration back, and would take the next one's trust away.
	const host = opts.homeOf ?? window;
	const where = claudeHomeAt(join(tmux.dir, "home-of", host));
	const cwd = opts.cwd ?? join(tmux.dir, "cwd", host);
	for (const dir of [where.home, where.configDir, where.tmp, cwd])
		mkdirSync(dir, { recursive: true });
	if (host === window) writeConfig(where.configDir, cwd, opts);
	const paneId = openWindow(opts, cwd, {
		...claudeEnv({
			where,
			modelUrl: opts.model.url,
			path: process.env.PATH ?? "",
			root: process.getuid?.() === 0,
		}),
		...opts.env,
	});
	const ask = (format: string) =>
		tmux.run("display-message", "-p", "-t", paneId, format);
	const panePid = Number(ask("#{pane_pid}"));
	const claude = controls(tmux, paneId, panePid, {
		windowId: ask("#{window_id}"),
		cwd,
		configDir: where.configDir,
		guardMs: opts.guardMs,
	});
	if (!opts.noWait) await claude.waitForStatus("idle", opts.guardMs ?? 30_000);
	return claude;
}

function writeConfig(dir: string, cwd: string, opts: ClaudeOptions): void {
	const config = claudeConfig(opts.trusted === false ? [] : [cwd]);
	writeFileSync(join(dir, ".claude.json"), JSON.stringify(config));
	const settings = {
		...(opts.vim ? { editorMode: "vim" } : {}),
		...opts.settings,
	};
	writeFileSync(join(dir, "settings.json"), JSON.stringify(settings));
}

function openWindow(
	opts: ClaudeOptions,
	cwd: string,
	env: Readonly<Record<string, string>>,
): string {
	const binary =
		opts.binary ??
		process.env.NEXUS_TEST_CLAUDE ??
		join(NODE_MODULES, ".bin/claude");
	const mode = opts.permissionMode ?? "bypassPermissions";
	const flags = ["--permission-mode", mode, ...(opts.flags ?? [])];
	return opts.tmux.run(
		...["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "fleet:"],
		...["-n", opts.window ?? "claude", "-c", cwd],
		...claudeArgv(env, binary, flags),
	);
}

function controls(
	tmux: PrivateTmux,
	paneId: string,
	panePid: number,
	{
		guardMs,
		...place
	}: Pick<Claude, "windowId" | "cwd" | "configDir"> &
		Pick<ClaudeOptions, "guardMs">,
): Claude {
	const screen = () => tmux.run("capture-pane", "-p", "-t", paneId);
	const session = () => readSession(place.configDir, panePid);
	const describe = () =>
		`session: ${JSON.stringify(session())}\nscreen:\n${screen()}`;
	const transcript = () => {
		const id = session()?.sessionId;
		return id === undefined ? [] : readTranscript(place.configDir, id);
	};
	const waitForScreen: Claude["waitForScreen"] = (what, limitMs = guardMs) => {
		const holds = (s: string) =>
			typeof what === "function"
				? what(s)
				: typeof what === "string"
					? s.includes(what)
					: what.test(s);
		const look = () => {
			const seen = screen();
			return holds(seen) ? seen : null;
		};
		return waitUntil(`the screen: ${what}`, look, { limitMs, describe });
	};
	const type = (text: string) =>
		void tmux.run("send-keys", "-t", paneId, "-l", "--", text);
	const press = (...keys: string[]) =>
		void tmux.run("send-keys", "-t", paneId, ...keys);
	return {
		...place,
		paneId,
		panePid,
		screen,
		session,
		transcript,
		waitForScreen,
		type,
		press,
		async say(prompt) {
			const start = prompt.slice(0, 60);
			type(prompt);
			await waitForScreen((s) => lastChevronRow(s).includes(start));
			press("Enter");
			await waitForScreen((s) => !lastChevronRow(s).includes(start));
		},
		waitForStatus: (status, limitMs = guardMs) =>
			waitUntil(
				`session status ${status}`,
				() => {
					const now = session();
					return now?.status === status ? now : null;
				},
				{ limitMs, describe },
			),
		userTexts: () => transcript().flatMap(userText),
		waitForUserText: (needle, limitMs = guardMs) =>
			waitUntil(
				`a user record with ${needle}`,
				() =>
					transcript()
						.flatMap(userText)
						.filter((text) => text.includes(needle)).length,
				{ limitMs, describe },
			),
		close: () => void tmux.run("kill-pane", "-t", paneId),
	};
}

/** The input box, or a dialog's cursor: whichever stands lowest. */
function lastChevronRow(screen: string): string {
	return screen.split("\n").findLast((row) => row.trim().startsWith("❯")) ?? "";
}

function readSession(configDir: string, pid: number): SessionFile | null {
	try {
		const path = join(configDir, "sessions", `${pid}.json`);
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return null; // not there yet, or caught in the middle of a write
	}
}

function readTranscript(configDir: string, id: string): TranscriptRecord[] {
	const projects = join(configDir, "projects");
	if (!existsSync(projects)) return [];
	const file = readdirSync(projects)
		.map((project) => join(projects, project, `${id}.jsonl`))
		.find((path) => existsSync(path));
	if (file === undefined) return [];
	const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
	return lines.map((line) => JSON.parse(line));
}

function userText(record: TranscriptRecord): string[] {
	if (record.type !== "user" || record.isMeta === true) return [];
	const content = (record.message as { content?: unknown } | undefined)
		?.content;
	if (typeof content === "string") return [content];
	if (!Array.isArray(content)) return [];
	return content.flatMap((b) => (b.type === "text" ? [String(b.text)] : []));
}
