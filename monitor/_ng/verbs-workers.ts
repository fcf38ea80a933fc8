/** The verbs of `ng` that are about workers and their windows. Part of the table that dispatch and index read. */
import { frontFor } from "./front.ts";
import type { NgVerbRow } from "./verb.ts";

export const WORKER_VERBS: readonly NgVerbRow[] = [
	{
		name: "request",
		category: "Workers",
		args: "file | await | fetch | list | show | reqfile | dir | ack | reply | fail …",
		meaning: "ask the orchestrator, answer a worker",
		...frontFor("requestChannel"),
	},
	{
		name: "skeptic",
		category: "Workers",
		args: "init | ask | poll | await | answer | await-answer | reconcile | close | reset | list | status | nudge | dir | reqfile …",
		meaning: "a reviewer's questions to a worker, and their answers",
		...frontFor("skepticChannel"),
	},
	{
		name: "decision-ack",
		category: "Workers",
		args: "<window> <fp> | <path> | <window> --all [--reason t]",
		meaning: "a worker's question has been dealt with",
		load: () => import("./decision-ack.ts"),
	},
	{
		name: "spawn-decision",
		category: "Workers",
		args: "<window> [--topic s]",
		meaning: "follow up there, or start a new worker",
		load: () => import("./spawn-decision.ts"),
	},
	{
		name: "respawn",
		category: "Workers",
		args: "<window|session-id> [--window N] [--workdir P] [--model M] [--replace] [--nudge|--no-nudge] [--dry-run]",
		meaning: "resume a worker's session in a window of its own",
		load: () => import("./respawn.ts"),
	},
	{
		name: "retire-preflight",
		category: "Workers",
		args: "<window> …",
		meaning: "may this window be killed; looks only",
		...frontFor("retirePreflight"),
	},
	{
		name: "retire-window",
		category: "Workers",
		args: "<window> [--reason t] [--dry-run] [--keep-window] [--assume-absent] [--strict]",
		meaning: "gate, kill, prune and verify",
		load: () => import("./retire-window.ts"),
	},
	{
		name: "pane-state",
		category: "Workers",
		args: "<window> | --all …",
		meaning: "what a pane does right now",
		...frontFor("paneState"),
	},
	{
		name: "paste-followup",
		category: "Workers",
		args: "<window> --message <text> …",
		meaning: "paste into a worker's pane, with proof",
		...frontFor("pasteFollowup"),
	},
	{
		name: "write-probe",
		category: "Workers",
		args: "[--quiet] <path>…",
		meaning: "can files be made there",
		...frontFor("writeProbe"),
	},
	{
		name: "declare-wait",
		category: "Workers",
		args: "<kind> <id> [<desc>] …",
		meaning: "say what outside work this worker waits for",
		...frontFor("declareWait"),
	},
	{
		name: "declare-no-wait",
		category: "Workers",
		args: "<kind> <id> …",
		meaning: "say that this worker does not wait for it",
		...frontFor("declareNoWait"),
	},
];
