/** The fake tmux's inside: sessions, windows and panes as plain objects that a test changes at will. */
import type { PaneRow, TmuxServer } from "../../monitor/_sys/doors.ts";

export interface FakePane {
	readonly id: string;
	pid: number | null;
	/** The literal flag; `"1"` = a corpse kept by remain-on-exit. */
	dead: string;
	width: number;
	height: number;
	cursorX: number;
	cursorY: number;
	/** Visible rows, escapes included; missing rows down to `height` are blank. */
	screen: string;
	/** Rows above the screen, oldest first. */
	history: readonly string[];
	/** Keys that arrived, in order. */
	readonly keys: string[];
	/** Texts that were pasted, in order. */
	readonly pastes: string[];
	/** What the program in the pane does with a key or a paste. Default: a terminal that echoes. */
	onKey: (key: string, pane: FakePane) => void;
	onPaste: (text: string, pane: FakePane) => void;
}
export interface FakeWindow {
	readonly id: string;
	name: string;
	bell: boolean;
	/** Epoch seconds. */
	activity: number;
	panes: FakePane[];
	/** The active pane; a window has one always. */
	pane: FakePane;
	/** Options of the window's own. */
	readonly options: Record<string, string>;
}
export interface FakeSession {
	readonly id: string;
	readonly name: string;
	/** Shared between grouped sessions. */
	readonly windows: { index: number; window: FakeWindow }[];
	current: FakeWindow | null;
	/** Options of the session's own, `@name` and others. */
	readonly options: Record<string, string>;
}

export interface Model {
	server: TmuxServer;
	sessions: FakeSession[];
	readonly buffers: Map<string, string>;
	/** What the server gives to every new pane, beside PATH. */
	readonly environment: Record<string, string>;
	session(name: string, groupWith?: FakeSession): FakeSession;
	window(session: FakeSession, name: string): FakeWindow;
	/** Window and pane that an id means; a window's or session's id means its active pane. */
	find(id: string): { window: FakeWindow; pane: FakePane } | null;
	closeWindow(window: FakeWindow): void;
	closePane(pane: FakePane): void;
	/** A pane below this one; the cursor stays where it is. */
	split(pane: FakePane): FakePane;
	rows(): PaneRow[];
	/** A new server: other ids, nothing left. */
	restart(nowSeconds: number): void;
}

export function makeModel(nowSeconds: number): Model {
	let nextId = 1;
	let nextPid = 30_000;

	const model: Model = {
		server: { pid: 900, startTime: nowSeconds - 3600 },
		sessions: [],
		buffers: new Map(),
		environment: {},
		session: (name, groupWith) => {
			const made: FakeSession = {
				id: `$${nextId++}`,
				name,
				windows: groupWith?.windows ?? [],
				current: groupWith?.current ?? null,
				options: {},
			};
			model.sessions.push(made);
			return made;
		},
		window: (session, name) => {
			const pane = makePane(`%${nextId++}`, nextPid++);
			const window = {
				id: `@${nextId++}`,
				name,
				bell: false,
				activity: nowSeconds,
				panes: [pane],
				pane,
				options: {},
			};
			const last = session.windows.at(-1)?.index ?? -1;
			session.windows.push({ index: last + 1, window });
			session.current ??= window;
			return window;
		},
		find: (id) => {
			const session = model.sessions.find((s) => s.id === id);
			if (session?.current)
				return { window: session.current, pane: session.current.pane };
			for (const s of model.sessions)
				for (const { window } of s.windows) {
					if (window.id === id) return { window, pane: window.pane };
					const pane = window.panes.find((p) => p.id === id);
					if (pane !== undefined) return { window, pane };
				}
			return null;
		},
		closeWindow: (window) => {
			for (const s of model.sessions) {
				const at = s.windows.findIndex((w) => w.window === window);
				if (at >= 0) s.windows.splice(at, 1);
				if (s.current === window) s.current = s.windows[0]?.window ?? null;
			}
			model.sessions = model.sessions.filter((s) => s.windows.length > 0);
		},
		split: (pane) => {
			const made = makePane(`%${nextId++}`, nextPid++);
			const panes = model.find(pane.id)?.window.panes ?? [];
			panes.splice(panes.indexOf(pane) + 1, 0, made);
			return made;
		},
		closePane: (pane) => {
			const found = model.find(pane.id);
			if (found === null) return;
			const { window } = found;
			window.panes = window.panes.filter((p) => p !== pane);
			const rest = window.panes[0];
			if (rest === undefined) model.closeWindow(window);
			else if (window.pane === pane) window.pane = rest;
		},
		rows: () =>
			model.sessions.flatMap((s) =>
				s.windows.flatMap(({ index, window }) =>
					window.panes.map((pane, paneIndex) => ({
						sessionId: s.id,
						session: s.name,
						windowId: window.id,
						windowIndex: index,
						paneId: pane.id,
						paneIndex,
						windowActive: s.current === window,
						paneActive: window.pane === pane,
						paneDead: pane.dead,
						panePid: pane.pid,
						width: pane.width,
						height: pane.height,
						cursorX: pane.cursorX,
						cursorY: pane.cursorY,
						bell: window.bell,
						server: model.server,
						windowActivity: window.activity,
						windowName: window.name,
					})),
				),
			),
		restart: (now) => {
			model.server = { pid: model.server.pid + 100, startTime: now };
			model.sessions = [];
			model.buffers.clear();
		},
	};
	return model;
}

/** A row for tests of pure functions. */
export function paneRow(part: Partial<PaneRow> = {}): PaneRow {
	return {
		sessionId: "$0",
		session: "main",
		windowId: "@1",
		windowIndex: 0,
		paneId: "%1",
		paneIndex: 0,
		windowActive: true,
		paneActive: true,
		paneDead: "0",
		panePid: 30_000,
		width: 120,
		height: 40,
		cursorX: 0,
		cursorY: 0,
		bell: false,
		server: { pid: 900, startTime: 1_785_258_000 },
		windowActivity: 1_785_258_060,
		windowName: "w",
		...part,
	};
}

/** The rows that `capture-pane` prints: the whole height, each ended by a newline. */
export function screenRows(pane: FakePane): string[] {
	const rows = pane.screen === "" ? [] : pane.screen.split("\n");
	while (rows.length < pane.height) rows.push("");
	return rows.slice(-pane.height);
}

function makePane(id: string, pid: number): FakePane {
	return {
		id,
		pid,
		dead: "0",
		width: 120,
		height: 40,
		cursorX: 0,
		cursorY: 0,
		screen: "",
		history: [],
		keys: [],
		pastes: [],
		onKey: echoKey,
		onPaste: (text, pane) => {
			pane.screen += text;
		},
	};
}

/** A terminal in cooked mode: what is typed is shown. */
function echoKey(key: string, pane: FakePane): void {
	if (key === "Enter") pane.screen += "\n";
	else if (key === "BSpace") pane.screen = pane.screen.replace(/[^\n]$/u, "");
	else if (key === "Space") pane.screen += " ";
	else if (!/^(Escape|Up|Down|Left|Right|Tab|C-.|M-.)$/.test(key))
		pane.screen += key;
}
