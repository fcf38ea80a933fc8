/** The verbs of `ng` that are about GitHub. Part of the table that dispatch and index read. */
import type { NgVerbRow } from "./verb.ts";

const TRIAGE = "Comments and issues to take on";
const THREADS = "Replies and issues";
const FILES = "Files";
const HAND_OFF = "Hand-off";
const DASHBOARD = "Dashboard";

const reply = {
	category: THREADS,
	args: "<n> [--body-file p|-] [--repo o/n]",
	valueFlags: ["--body-file", "--repo"],
	load: () => import("./reply.ts"),
};
const close = {
	category: THREADS,
	args: "<n> [--comment t] [--repo o/n]",
	valueFlags: ["--comment", "--repo"],
	load: () => import("./close.ts"),
};

export const GITHUB_VERBS: readonly NgVerbRow[] = [
	{
		name: "process",
		category: TRIAGE,
		args: "<comment-id> [--repo o/n]",
		meaning: "take an operator's comment on: eyes, and its text",
		load: () => import("./process.ts"),
	},
	{
		name: "process-issue",
		category: TRIAGE,
		args: "<n> [--repo o/n]",
		meaning: "take an operator's issue on",
		load: () => import("./process-issue.ts"),
	},
	{
		name: "react",
		category: TRIAGE,
		args: "<comment-id> <eyes|rocket> [--repo o/n]",
		meaning: "mark a comment",
		load: () => import("./react.ts"),
	},
	{
		name: "react-issue",
		category: TRIAGE,
		args: "<n> <eyes|rocket> [--repo o/n]",
		meaning: "mark an issue",
		load: () => import("./react-issue.ts"),
	},
	{
		name: "show",
		category: TRIAGE,
		args: "<comment-id> [--meta] [--repo o/n]",
		meaning: "the whole text of a comment",
		load: () => import("./show.ts"),
	},
	{
		name: "suppress-emit",
		category: TRIAGE,
		args: "<comment-id> [--repo o/n] [--reason t]",
		meaning: "never report this comment again",
		valueFlags: ["--reason"],
		load: () => import("./suppress-emit.ts"),
	},
	{ name: "reply", meaning: "comment on an issue or pull request", ...reply },
	{ name: "comment", meaning: "the same as reply", ...reply },
	{
		name: "comment-edit",
		category: THREADS,
		args: "<id> (--expect-updated-at ts | --force) [--body-file p|-] [--repo o/n]",
		meaning: "replace a comment's text, unless somebody else has",
		valueFlags: ["--expect-updated-at", "--body-file", "--repo"],
		load: () => import("./comment-edit.ts"),
	},
	{ name: "close", meaning: "close an issue", ...close },
	{
		name: "issue",
		category: THREADS,
		args: "<n> | view | create | comment | close …",
		meaning: "state and title of an issue; or one of the verbs below",
		group: true,
		load: () => import("./issue.ts"),
	},
	{
		name: "issue view",
		category: THREADS,
		args: "<n> [--with-body] [--with-comments] [--repo o/n]",
		meaning: "an issue, if asked for with text and comments",
		load: () => import("./issue-view.ts"),
	},
	{
		name: "issue create",
		category: THREADS,
		args: "--title t [--body-file p|-] [--label l]… [--repo o/n]",
		meaning: "open an issue",
		valueFlags: ["--title", "--body-file", "--label", "--repo"],
		load: () => import("./issue-create.ts"),
	},
	{ name: "issue comment", meaning: "the same as reply", ...reply },
	{ name: "issue close", meaning: "the same as close", ...close },
	{
		name: "upload",
		category: FILES,
		args: "<path> [--issue n] [--repo-path p] [--shape pin|latest] [--message m] [--asset-repo o/n]",
		meaning: "put a file into the asset repository; prints its address",
		valueFlags: ["--issue", "--repo-path", "--shape", "--message"],
		load: () => import("./upload.ts"),
	},
	{
		name: "fetch-asset",
		category: FILES,
		args: "<url> [--out p] [--image-only]",
		meaning: "fetch an attachment of a comment",
		valueFlags: ["--out"],
		load: () => import("./fetch-asset.ts"),
	},
	{
		name: "wrap-up",
		category: HAND_OFF,
		args: "<issue> <report> [--trigger-comment id] [--repo o/n] [--trigger-repo o/n] [--comment-body-file p | --no-comment] [--allow-stub] [--retain reason | --no-retain] [--shape pin|latest] [--dry-run]",
		meaning: "publish the report, tell the thread, close the trigger",
		valueFlags: [
			"--trigger-comment",
			"--repo",
			"--trigger-repo",
			"--comment-body-file",
			"--retain",
			"--shape",
		],
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
		valueFlags: ["--window"],
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
		valueFlags: ["--body-file"],
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
		valueFlags: ["--body-file"],
		load: () => import("./dashboard/validate.ts"),
	},
];
