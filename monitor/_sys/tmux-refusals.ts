/** Which commands are not even put to tmux (contract 04 §2): those it would read otherwise than they are meant. Pure. */
import type { TmuxCommand } from "./doors.ts";

/** Null when there is nothing against it. `words` are those that tmux would get. */
export function refusalOf(
	cmd: TmuxCommand,
	words: readonly string[],
): string | null {
	for (const id of idsOf(cmd))
		if (!/^[@%$]\d+$/.test(id)) return `target is not an id: ${id}`;
	for (const word of words)
		if (/[\0-\x1f\x7f]/.test(word) && cmd.kind !== "new-window")
			return "a word holds a control character";
	switch (cmd.kind) {
		case "send-keys":
			if (cmd.keys.length === 0 || cmd.keys.includes(""))
				return "no key to send";
			return null;
		case "paste-buffer":
			// It stands within a command of tmux's own language.
			return /^[\w-]+$/.test(cmd.buffer)
				? null
				: `not a buffer name: ${cmd.buffer}`;
		case "rename-window":
			return cmd.name === "" ? "the window name is empty" : null;
		case "respawn-pane":
		case "split-pane":
			return cmd.command.length === 0 ? "the command is empty" : null;
		case "new-window":
			return newWindowRefusal(cmd);
		case "new-session":
			if (cmd.groupWith !== undefined && (cmd.windowName || cmd.command))
				return "a grouped session takes no window name and no command";
			if (cmd.command?.length === 0) return "the command is empty";
			return sessionNameRefusal(cmd.name) ?? environmentRefusal(cmd.env);
		case "has-session":
			return sessionNameRefusal(cmd.name);
		default:
			return null;
	}
}

function newWindowRefusal(
	cmd: Extract<TmuxCommand, { kind: "new-window" }>,
): string | null {
	if (cmd.name === "") return "the window name is empty";
	if (/[\0-\x1f\x7f]/.test(cmd.name + (cmd.cwd ?? "")))
		return "the name or the folder holds a control character";
	if (cmd.command?.length === 0) return "the command is empty";
	if (cmd.command?.some((word) => word.includes("\0")))
		return "the command holds a NUL";
	return environmentRefusal(cmd.env);
}

function environmentRefusal(
	env: Readonly<Record<string, string>> | undefined,
): string | null {
	for (const [name, value] of Object.entries(env ?? {}))
		if (!/^[A-Za-z_]\w*$/.test(name) || value.includes("\0"))
			return `not an environment variable: ${name}`;
	return null;
}

function sessionNameRefusal(name: string): string | null {
	// tmux would turn `.` and `:` into `_` without a word, and we would look for the wrong name.
	return /^[^.:=@%$#-][^.:#]*$/.test(name)
		? null
		: `not a session name: ${name}`;
}

function idsOf(cmd: TmuxCommand): readonly string[] {
	if (cmd.kind === "new-window") return [cmd.session];
	if (cmd.kind === "move-window") return [cmd.target, cmd.session];
	if (cmd.kind === "select-window")
		return cmd.session === undefined ? [cmd.target] : [cmd.target, cmd.session];
	if (cmd.kind === "new-session")
		return cmd.groupWith === undefined ? [] : [cmd.groupWith];
	return "target" in cmd && cmd.target !== undefined ? [cmd.target] : [];
}
