/** tmux's door. Types only. */

/** Identity of a tmux server: ids (`@N`, `%N`) are valid for one server only (contract 00 C1). */
export interface TmuxServer {
	readonly pid: number;
	readonly startTime: number;
}
/** One row of `list-panes -a`. */
export interface PaneRow {
	readonly sessionId: string;
	readonly session: string;
	readonly windowId: string;
	readonly windowIndex: number;
	readonly paneId: string;
	readonly paneIndex: number;
	readonly windowActive: boolean;
	readonly paneActive: boolean;
	/** The literal flag: only `"1"` is dead, anything but `0`/`1` is undecided. */
	readonly paneDead: string;
	readonly panePid: number | null;
	readonly width: number;
	readonly height: number;
	readonly cursorX: number;
	readonly cursorY: number;
	readonly bell: boolean;
	readonly server: TmuxServer;
	/** Last output in the window, epoch seconds; a redraw or a blinking cursor counts. */
	readonly windowActivity: number | null;
	readonly windowName: string;
}
export type TmuxFailure =
	| { readonly kind: "no-tmux" }
	/** tmux ran and refused, or answered what cannot be believed. */
	| { readonly kind: "failed"; readonly rc: number; readonly stderr: string }
	| { readonly kind: "hung" }
	| { readonly kind: "aborted" };
export type TmuxResult =
	| { readonly kind: "ok"; readonly stdout: string }
	| TmuxFailure;
export type PaneRows =
	| { readonly kind: "ok"; readonly rows: readonly PaneRow[] }
	| TmuxFailure;
/** A session with the values of the options that were asked for; an option that is not set is "". */
export interface SessionRow {
	readonly sessionId: string;
	readonly session: string;
	readonly server: TmuxServer;
	readonly options: Readonly<Record<string, string>>;
}
export type SessionRows =
	| { readonly kind: "ok"; readonly rows: readonly SessionRow[] }
	| TmuxFailure;
/** What one client's captures gave: text per pane id; a pane missing from the map could not be captured. */
export type Captures =
	| { readonly kind: "ok"; readonly text: ReadonlyMap<string, string> }
	| TmuxFailure;

/** A tmux command as data; `_sys/tmux.ts` holds the one argv builder and runner. */
export type TmuxCommand =
	| {
			readonly kind: "send-keys";
			readonly target: string;
			readonly keys: readonly string[];
	  }
	| {
			readonly kind: "load-buffer";
			readonly buffer: string;
			readonly path: string;
	  }
	| {
			readonly kind: "paste-buffer";
			readonly buffer: string;
			readonly target: string;
	  }
	| { readonly kind: "delete-buffer"; readonly buffer: string }
	| {
			readonly kind: "rename-window";
			readonly target: string;
			readonly name: string;
	  }
	| { readonly kind: "kill-window"; readonly target: string }
	| {
			/** Fails when the index is taken. The window stays in the background. */
			readonly kind: "move-window";
			readonly target: string;
			readonly session: string;
			readonly index: number;
	  }
	| {
			readonly kind: "select-window";
			readonly target: string;
			/** Only this session (`$N`) turns to the window; without it tmux picks one that shows it. */
			readonly session?: string;
	  }
	| {
			readonly kind: "new-session";
			readonly name: string;
			readonly cwd?: string;
			/** Group with this session (`-t`). */
			readonly groupWith?: string;
			readonly windowName?: string;
			readonly width?: number;
			readonly height?: number;
			readonly env?: Readonly<Record<string, string>>;
			readonly command?: readonly string[];
	  }
	| { readonly kind: "kill-session"; readonly target: string }
	| {
			readonly kind: "new-window";
			readonly session: string;
			readonly name: string;
			readonly cwd?: string;
			/** Without one: the operator's shell. */
			readonly command?: readonly string[];
			/** `remain-on-exit`, set by the same client: a program that ends at once would take its window along. */
			readonly keepsCorpse?: boolean;
			readonly env?: Readonly<Record<string, string>>;
	  }
	| {
			/** Ends what runs in the pane and starts this in its place; the pane keeps its id. */
			readonly kind: "respawn-pane";
			readonly target: string;
			readonly cwd?: string;
			readonly command: readonly string[];
	  }
	| {
			/** A pane below this one, so many hundredths of its height; the cursor stays where it is. Prints its ids. */
			readonly kind: "split-pane";
			readonly target: string;
			readonly percent: number;
			readonly command: readonly string[];
	  }
	| {
			readonly kind: "title-pane";
			readonly target: string;
			readonly title: string;
	  }
	| { readonly kind: "kill-pane"; readonly target: string }
	| {
			readonly kind: "set-option";
			readonly scope: "server" | "session" | "window";
			readonly target?: string;
			readonly name: string;
			readonly value: string;
	  }
	| {
			/** Prints the window's own value; nothing while it follows the default. */
			readonly kind: "show-option";
			readonly target: string;
			readonly name: string;
	  }
	| {
			/** The window follows the default again. */
			readonly kind: "unset-option";
			readonly target: string;
			readonly name: string;
	  }
	| { readonly kind: "has-session"; readonly name: string };

/** tmux. Sockets come from the environment (`TMUX`, `TMUX_TMPDIR`), never from `-L` (contract 00 R9). Every call has its own limit. */
export interface Tmux {
	/** Runs one command; targets are ids only (`@N`, `%N`, `$N`), never bare names. */
	run(cmd: TmuxCommand, signal?: AbortSignal): Promise<TmuxResult>;
	/** All panes of the server. Zero rows with rc 0 is `failed` ("could not look", R3). No server running is `failed`. */
	panes(signal?: AbortSignal): Promise<PaneRows>;
	/** All sessions, with user options (`@name`). Zero rows is `failed`, as for `panes`. */
	sessions(
		options: readonly string[],
		signal?: AbortSignal,
	): Promise<SessionRows>;
	/** `show-environment -g`: what the server gives to every new pane. */
	globalEnvironment(signal?: AbortSignal): Promise<TmuxResult>;
	/** `capture-pane -p -e -N` of each pane in ONE client (`source-file -`). */
	captureAll(
		paneIds: readonly string[],
		signal?: AbortSignal,
	): Promise<Captures>;
	/** One `capture-pane`; `escapes` = `-e -N` (a look), else plain text with `-J`. `history` = `-S -<n>`. */
	capture(
		paneId: string,
		opts: { readonly escapes: boolean; readonly history?: number },
		signal?: AbortSignal,
	): Promise<TmuxResult>;
	/** `list-panes -t <id>`: does the id exist on this server? `failed`→"unknown" only when tmux itself could not be asked. */
	exists(id: string, signal?: AbortSignal): Promise<"yes" | "no" | "unknown">;
	/** What `tmux -V` prints; needs no server. */
	version(signal?: AbortSignal): Promise<TmuxResult>;
}
