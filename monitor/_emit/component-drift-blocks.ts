/** The words of the drift section, a block a component (contract 06 §9.5, §10). Pure. */
import { type ComponentDrift, driftPath } from "../_state/component-drift.ts";
import { programName, programPath } from "../_sys/names.ts";
import { shellQuote } from "../_sys/shell-quote.ts";
import { oneLine } from "./clean-text.ts";

export interface DriftGround {
	readonly codeRoot: string;
	readonly stateDir: string;
	/** `<pid>:<start time>` of the tmux server there is; null: could not look. */
	readonly tmuxServer: string | null;
}

/** First line, indented rest, and the command that acknowledges it. */
export function driftBlock(
	drift: ComponentDrift,
	ground: DriftGround,
): readonly string[] {
	const [first = "", ...rest] = linesOf(drift, ground);
	const file = driftPath(ground.stateDir, drift.component);
	return [
		oneLine(first),
		...[...rest, `Ack/clear: rm ${shellQuote(file)}`].map(
			(line) => `  ${oneLine(line, MAX)}`,
		),
	];
}

/** A recipe is pasted as it stands: nothing of it may be cut off. */
const MAX = 2000;

function linesOf(d: ComponentDrift, ground: DriftGround): readonly string[] {
	if (d.component === "clone") return cloneLines(d, ground.codeRoot);
	const change = `${short(d.old)} -> ${short(d.new)}`;
	const note = d.note === "" ? [] : [`why: ${d.note}`];
	if (d.component === "cockpit")
		return [
			`component 'cockpit' runs older code (${change}) in window '${d.window}'`,
			"the watcher will NOT touch that window; restart it when it suits you:",
			cockpitRecipe(d, ground),
			...note,
		];
	if (d.component === "watcher")
		return [
			`component 'watcher' runs older code (${change}): needs MANUAL action`,
			...note,
			`${programName("svc")} restart watcher`,
		];
	const service = d.component.replace(/^service-/, "");
	return [
		`service '${service}' runs an older launch script (${change})`,
		...note,
		`${programName("svc")} restart ${service}`,
	];
}

/**
 * By window id, never by name: a kill by name once hit the orchestrator's own window. An id that may be another
 * server's is looked up when the line is pasted, by exact comparison, and without one nothing is done.
 */
function cockpitRecipe(d: ComponentDrift, ground: DriftGround): string {
	const open = `tmux new-window -dn ${shellQuote(d.window)} ${shellQuote(programPath("svc", ground.codeRoot))}`;
	const isKnown =
		/^@\d+$/.test(d.windowId) &&
		d.tmuxServer !== "" &&
		d.tmuxServer === ground.tmuxServer;
	if (isKnown) return `tmux kill-window -t ${d.windowId} && ${open}`;
	const awk =
		'{ i = index($0, "|"); if (substr($0, i + 1) == ENVIRON["w"]) { print substr($0, 1, i - 1); exit } }';
	return `id=$(tmux list-windows -a -F '#{window_id}|#{window_name}' | w=${shellQuote(d.window)} awk ${shellQuote(awk)}); [ -n "$id" ] && tmux kill-window -t "$id" && ${open}`;
}

function cloneLines(d: ComponentDrift, root: string): readonly string[] {
	// The branch leads the note: `<branch>: <what was found>`.
	const [branch = "", ...found] = d.note.split(": ");
	const why = found.join(": ");
	const at = shellQuote(root);
	if (d.new.startsWith("undetermined-"))
		return [
			`DEPLOYMENT STATE UNKNOWN: nobody can tell whether the primary clone is up to date with origin/${branch}`,
			`why: ${why}`,
			`git -C ${at} ls-remote origin ${shellQuote(`refs/heads/${branch}`)}`,
			"this is not a clean bill of health",
		];
	return [
		`the primary clone is BEHIND origin/${branch} (${short(d.old)} -> ${short(d.new)})`,
		`why: ${why}`,
		`git -C ${at} pull --ff-only origin ${shellQuote(branch)}`,
		"run it when no worker is mid-flight",
	];
}

/** Words of our own are told whole. */
function short(hash: string): string {
	return /^[0-9a-f]{40,64}$/.test(hash) ? hash.slice(0, 12) : hash;
}
