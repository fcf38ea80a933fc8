/** What the fake tmux does with each command. */
import type {
	TmuxCommand,
	TmuxFailure,
	TmuxResult,
} from "../../monitor/_sys/doors.ts";
import type { FakeFiles } from "./files.ts";
import type { FakeTmux } from "./tmux.ts";
import type { FakePane, FakeSession, FakeWindow } from "./tmux-model.ts";

const OK: TmuxResult = { kind: "ok", stdout: "" };

export function carryOut(
	tmux: FakeTmux,
	files: FakeFiles,
	cmd: TmuxCommand,
): TmuxResult {
	const { model } = tmux;
	if ("target" in cmd && cmd.target !== undefined) {
		if (!/^[@%$]\d+$/.test(cmd.target))
			return refused(`target is not an id: ${cmd.target}`);
		if (model.find(cmd.target) === null) return gone("target", cmd.target);
	}
	const at = (id: string) => model.find(id);
	switch (cmd.kind) {
		case "send-keys": {
			const pane = at(cmd.target)?.pane;
			// Keys into a corpse are swallowed.
			if (pane === undefined || pane.dead === "1") return OK;
			for (const key of cmd.keys) {
				pane.keys.push(key);
				pane.onKey(key, pane);
			}
			return OK;
		}
		case "load-buffer": {
			const read = files.read(cmd.path);
			if (read.kind !== "ok") return refused(`${cmd.path}: ${read.kind}`);
			model.buffers.set(cmd.buffer, read.text);
			return OK;
		}
		case "paste-buffer":
			return paste(tmux, cmd.buffer, at(cmd.target)?.pane);
		case "delete-buffer":
			return model.buffers.delete(cmd.buffer)
				? OK
				: refused(`unknown buffer: ${cmd.buffer}`);
		case "rename-window": {
			const window = at(cmd.target)?.window;
			if (window !== undefined) {
				window.name = cmd.name;
				window.options["automatic-rename"] = "off";
			}
			return OK;
		}
		case "kill-window": {
			const window = at(cmd.target)?.window;
			if (window !== undefined) model.closeWindow(window);
			return OK;
		}
		case "move-window": {
			const window = at(cmd.target)?.window;
			const session = model.sessions.find((s) => s.id === cmd.session);
			if (session === undefined) return gone("session", cmd.session);
			if (session.windows.some((w) => w.index === cmd.index))
				return refused(`index in use: ${cmd.index}`);
			const link = session.windows.find((w) => w.window === window);
			if (link !== undefined) link.index = cmd.index;
			return OK;
		}
		case "select-window": {
			const window = at(cmd.target)?.window;
			for (const s of model.sessions)
				if (
					(cmd.session === undefined || s.id === cmd.session) &&
					s.windows.some((w) => w.window === window)
				)
					s.current = window ?? null;
			if (window !== undefined) window.bell = false;
			return OK;
		}
		case "new-session": {
			if (model.sessions.some((s) => s.name === cmd.name))
				return refused(`duplicate session: ${cmd.name}`);
			const peer = model.sessions.find((s) => s.id === cmd.groupWith);
			const session = model.session(cmd.name, peer);
			const window =
				session.current ?? model.window(session, cmd.windowName ?? "sh");
			return printed(session, window);
		}
		case "kill-session":
			model.sessions = model.sessions.filter((s) => s.id !== cmd.target);
			return OK;
		case "new-window": {
			const session = model.sessions.find((s) => s.id === cmd.session);
			if (session === undefined) return gone("session", cmd.session);
			return printed(session, model.window(session, cmd.name));
		}
		case "split-pane": {
			const found = at(cmd.target);
			const session = model.sessions.find((s) =>
				s.windows.some(({ window }) => window === found?.window),
			);
			if (found === null || session === undefined)
				return gone("pane", cmd.target);
			return printed(session, found.window, model.split(found.pane));
		}
		case "kill-pane": {
			const pane = at(cmd.target)?.pane;
			if (pane !== undefined) model.closePane(pane);
			return OK;
		}
		case "respawn-pane":
		case "title-pane":
			return OK;
		case "set-option": {
			const session = model.sessions.find((s) => s.id === cmd.target);
			if (cmd.scope === "session" && session !== undefined)
				session.options[cmd.name] = cmd.value;
			const window = cmd.target && at(cmd.target)?.window;
			if (cmd.scope === "window" && window)
				window.options[cmd.name] = cmd.value;
			return OK;
		}
		case "show-option": {
			const value = at(cmd.target)?.window.options[cmd.name];
			const stdout = value === undefined ? "" : `${value}\n`;
			return { kind: "ok", stdout };
		}
		case "unset-option":
			delete at(cmd.target)?.window.options[cmd.name];
			return OK;
		case "has-session":
			return model.sessions.some((s) => s.name === cmd.name)
				? OK
				: gone("session", cmd.name);
	}
}

function paste(
	tmux: FakeTmux,
	buffer: string,
	pane: FakePane | undefined,
): TmuxResult {
	const text = tmux.model.buffers.get(buffer);
	if (text === undefined) return refused(`no buffer ${buffer}`);
	// tmux looks in the same breath as it pastes (_sys/tmux-commands.ts).
	if (pane?.dead === "1") return refused("no buffer the-pane-is-dead");
	tmux.model.buffers.delete(buffer);
	pane?.pastes.push(text);
	pane?.onPaste(text, pane);
	return OK;
}

function printed(
	session: FakeSession,
	window: FakeWindow,
	pane = window.pane,
): TmuxResult {
	const ids = `${session.id}|${window.id}|${pane.id}`;
	return { kind: "ok", stdout: `${ids}\n` };
}

export function gone(what: string, id: string): TmuxFailure {
	return refused(`can't find ${what}: ${id}`);
}
export function noServer(): TmuxFailure {
	return refused("no server running on /tmp/tmux-1000/default");
}
function refused(stderr: string): TmuxFailure {
	return { kind: "failed", rc: 1, stderr };
}
