/** What a fleet of agents can do, whoever keeps it (contract 09 §3). Types only. */

export type BackendName = "thrum" | "local";
export type NamedKey =
	| "Enter"
	| "Escape"
	| "Tab"
	| "BTab"
	| "Up"
	| "Down"
	| "Left"
	| "Right"
	| "Home"
	| "End"
	| "Space";
/** A string that is no `NamedKey` is exactly one printable character ("1", "y", "A"); `isKey` decides. */
export type Key = NamedKey | (string & Record<never, never>);

export interface Member {
	readonly agentId: string;
	readonly role: string;
	readonly module?: string;
	readonly runtime?: string;
	readonly worktree?: string;
	readonly branch?: string;
	readonly hostname?: string;
	readonly isLocal: boolean;
	/** "%12" (local) or "name:0.0" (thrum). */
	readonly tmuxTarget?: string;
	readonly tmuxSession?: string;
	readonly tmuxState: "alive" | "stale" | "dead" | "unknown";
	readonly agentPid?: number;
	/** Field 22 of /proc/<pid>/stat: a pid alone is nobody. */
	readonly agentStart?: string;
	readonly sessionId?: string;
	readonly lastSeen?: string;
	readonly inboxTotal?: number;
	/** thrum's liveness word; "" or "alive" count as alive. */
	readonly state?: string;
}

export type CaptureFailure = "not-found" | "proxy" | "empty" | "error";
export type CaptureResult =
	| {
			readonly ok: true;
			readonly text: string;
			readonly route: "primary" | "ssh";
	  }
	| {
			readonly ok: false;
			readonly failure: CaptureFailure;
			readonly exitCode: number;
			readonly detail: string;
	  };
export interface CaptureFooter {
	readonly model?: string;
	readonly ctx?: string;
	readonly ctxUsedPct?: number;
}
export interface CaptureDoc {
	readonly agent: string;
	readonly runtime?: string;
	readonly ok: boolean;
	readonly lines: readonly string[];
	readonly lineCount: number;
	readonly footer: CaptureFooter | null;
	/** Indices into `lines` of what the program only suggests. */
	readonly ghostLines: readonly number[];
	readonly composerText?: string;
	readonly error?: string;
}
export interface SendVerdict {
	readonly exitCode: 0 | 1 | 2 | 3 | 4;
	readonly verdict: "delivered" | "error" | "usage" | "withheld" | "unknown";
	readonly detail: string;
}
export interface Worktree {
	readonly path: string;
	readonly branch: string;
	readonly reused: boolean;
	readonly branchCreated: boolean;
}
export interface MonitorSpec {
	readonly name: string;
	readonly argv: readonly string[];
	readonly match: string;
	readonly to: string;
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly schedule: string;
	readonly notifyOnSuccess: boolean;
}
export interface MonitorView {
	readonly id: string;
	readonly name: string;
	readonly argv: readonly string[];
	readonly match: string;
	readonly target: string;
	readonly cwd: string;
	readonly envKeys: readonly string[];
	readonly schedule: string;
	readonly status: "running" | "stopped" | "dead";
	readonly pid?: number;
	readonly createdAt: string;
	readonly updatedAt: string;
	readonly lastExitCode?: number;
	readonly lastExitAt?: string;
}
export interface Msg {
	readonly messageId: string;
	readonly from: string;
	readonly to: readonly string[];
	readonly body: string;
	readonly createdAt: string;
	readonly replyTo?: string;
	readonly isRead: boolean;
}
export interface FleetCaps {
	readonly keys: boolean;
	readonly notifyOnSuccess: boolean;
	readonly detect: boolean;
	readonly scopedTeam: boolean;
	readonly captureFormats: boolean;
	readonly captureByAgent: boolean;
	readonly modelPin: boolean;
	readonly state: boolean;
}

export type FleetFailure = {
	readonly kind:
		| "unreachable"
		| "not-found"
		| "exists"
		| "refused"
		| "usage"
		| "timeout"
		| "failed";
	readonly exitCode: number;
	readonly stderr: string;
};
export type Done<T> = { readonly kind: "ok"; readonly value: T } | FleetFailure;
export type R<T> = Promise<Done<T>>;

export interface SessionRequest {
	readonly session: string;
	readonly cwd: string;
	readonly agent: string;
	readonly role: string;
	readonly module: string;
	readonly intent?: string;
	readonly runtime?: string;
	readonly model: string;
	readonly effort: string;
	readonly runId: string;
}
export interface LaunchRequest {
	readonly session: string;
	readonly runtime: string;
	readonly model: string;
	readonly effort: string;
}
export interface Pin {
	readonly model: string;
	readonly effort: string;
	readonly runtime?: string;
}
export interface CaptureOptions {
	/** Default 50. */
	readonly lines?: number;
	readonly daemonId?: string;
}
export interface Sent {
	readonly messageId: string;
	readonly recipients: readonly string[];
}

/** Every expected failure is a value; error text is never handed on as a pane. */
export interface Fleet {
	readonly backend: BackendName;
	readonly repoRoot: string;
	readonly thrumDir: string;
	caps(): R<FleetCaps>;
	whoami(): R<Member | null>;
	team(o?: { readonly includeOffline?: boolean }): R<readonly Member[]>;
	/** Offline members included. */
	member(agentId: string): R<Member | null>;
	worktreeCreate(
		name: string,
		o?: { readonly branch?: string; readonly base?: string },
	): R<Worktree>;
	worktreeRemove(
		w: Worktree,
		name: string,
		o: { readonly deleteBranch: boolean },
	): R<void>;
	sessionCreate(s: SessionRequest): R<void>;
	sessionLaunch(s: LaunchRequest): R<{ readonly warning?: string }>;
	sessionExists(session: string): R<boolean>;
	/** True: a session was ended. `onlyRunId`: only one that carries this tag. */
	sessionKill(session: string, o?: { readonly onlyRunId?: string }): R<boolean>;
	sessionRestart(
		session: string,
		o: Pin,
	): R<{ readonly snapshotLines: number; readonly warning?: string }>;
	capture(agent: string, o?: CaptureOptions): Promise<CaptureResult>;
	captureDoc(agent: string, o?: CaptureOptions): Promise<CaptureDoc>;
	sendKeys(agent: string, keys: readonly Key[]): Promise<SendVerdict>;
	/** `command`: a slash command is meant. */
	sendText(
		agent: string,
		text: string,
		o?: { readonly command?: boolean },
	): Promise<SendVerdict>;
	send(to: string, body: string, o?: { readonly replyTo?: string }): R<Sent>;
	/** Without `unread` what is listed becomes read. */
	inbox(o?: {
		readonly unread?: boolean;
		readonly limit?: number;
	}): R<readonly Msg[]>;
	sent(o?: {
		readonly unread?: boolean;
		readonly to?: string;
		readonly limit?: number;
	}): R<readonly Msg[]>;
	/** Name of the permission pattern that stands in the text. */
	detect(paneText: string, runtime: string): R<string | null>;
	monitorStart(m: MonitorSpec): R<{ readonly id: string }>;
	monitorList(o?: { readonly all?: boolean }): R<readonly MonitorView[]>;
	monitorShow(nameOrId: string): R<MonitorView | null>;
	monitorStop(nameOrId: string): R<void>;
	/** Stops and frees the name. */
	monitorDelete(nameOrId: string): R<void>;
	/** The entry's value. */
	stateGet(kind: string, scope: string): R<unknown | null>;
	stateScopes(kind: string): R<readonly string[]>;
}
