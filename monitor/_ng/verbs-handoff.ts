/** The verbs of `ng` by which work is handed over: files, wrap-up, dashboard. Part of the table that dispatch and index read. */
import type { NgVerbRow } from "./verb.ts";

const FILES = "Files";
const HAND_OFF = "Hand-off";
const DASHBOARD = "Dashboard";

export const HANDOFF_VERBS: readonly NgVerbRow[] = [
	{
		name: "upload",
		category: FILES,
		args: "<path> [--issue n] [--repo-path p] [--shape pin|latest] [--message m] [--asset-repo o/n]",
		meaning: "put a file into the asset repository; prints its address",
		load: () => import("./upload.ts"),
	},
	{
		name: "fetch-asset",
		category: FILES,
		args: "<url> [--out p] [--image-only]",
		meaning: "fetch an attachment of a comment",
		load: () => import("./fetch-asset.ts"),
	},
	{
		name: "wrap-up",
		category: HAND_OFF,
		args: "<issue> <report> [--trigger-comment id] [--repo o/n] [--trigger-repo o/n] [--comment-body-file p | --no-comment] [--allow-stub] [--retain reason | --no-retain] [--shape pin|latest] [--dry-run] [--skeptic-decision yes|no --skeptic-rationale t [--skeptic-new-round] | --skeptic-waive t | --skeptic-role --skeptic-verdict confirmed|partial|refuted --skeptic-findings n [--skeptic-contradicted n] [--skeptic-target w] [--skeptic-orig w] [--skeptic-depth n]]",
		meaning: "publish the report, tell the thread, close the trigger",
		load: () => import("./wrap-up.ts"),
	},
	{
		name: "wrap-up-check",
		category: HAND_OFF,
		args: "<window>",
		meaning: "is this window's work handed over",
		load: () => import("./wrap-up-check.ts"),
	},
	{
		name: "engaged-done",
		category: HAND_OFF,
		args: "[--window w]",
		meaning: "the operator is done in this window",
		load: () => import("./engaged-done.ts"),
	},
	{
		name: "dashboard",
		category: DASHBOARD,
		args: "get | put | scaffold | validate …",
		meaning: "the dashboard in the overview issue; one of the verbs below",
		group: true,
		load: () => import("./dashboard.ts"),
	},
	{
		name: "dashboard get",
		category: DASHBOARD,
		args: "[--stat]",
		meaning: "fetch and print it, or its sizes",
		load: () => import("./dashboard/get.ts"),
	},
	{
		name: "dashboard put",
		category: DASHBOARD,
		args: "[--body-file p|-]",
		meaning: "replace it",
		load: () => import("./dashboard/put.ts"),
	},
	{
		name: "dashboard scaffold",
		category: DASHBOARD,
		args: "",
		meaning: "its six sections, empty",
		load: () => import("./dashboard/scaffold.ts"),
	},
	{
		name: "dashboard validate",
		category: DASHBOARD,
		args: "[--body-file p|-]",
		meaning: "is it complete, and within its limits",
		load: () => import("./dashboard/validate.ts"),
	},
];
