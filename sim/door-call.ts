/** One call of a door of a simulated process, as a trace and a fault name it: `files.writeAtomic /s/x`, `tmux.panes`. */

export interface DoorCall {
	readonly door: "files" | "tmux" | "net" | "proc" | "locks" | "clock";
	readonly op: string;
	readonly on: string;
}

/** What changes the disk: a crash may come before any of these. */
const CHANGES: ReadonlySet<string> = new Set<string>([
	"writeAtomic",
	"writeNew",
	"append",
	"truncate",
	"touch",
	"remove",
	"rename",
	"copy",
	"mkdir",
	"removeTree",
	"renameNew",
	"mkdirNew",
]);
export const isChange = (call: DoorCall): boolean =>
	call.door === "files" && CHANGES.has(call.op);

/** Is it answered by a promise? */
export const isAsync = (door: DoorCall["door"], op: string): boolean =>
	door !== "proc" || op === "exec" || op === "foreground";

/** What a call is about, in a word. */
export function nameOf(arg: unknown): string {
	if (typeof arg === "string") return arg;
	if (Array.isArray(arg)) return arg.join(" ");
	if (typeof arg === "object" && arg !== null && "kind" in arg)
		return String(arg.kind);
	return "";
}
