/** The verbs of `ng` that are about GitHub. Part of the table that dispatch and index read. */
import type { NgVerbRow } from "./verb.ts";

const TRIAGE = "Comments and issues to take on";
const THREADS = "Replies and issues";
const PULLS = "Pull requests";
const IDENTITY = "Identity";

const reply = {
	category: THREADS,
	args: "<n> [--body-file p|-] [--repo o/n]",
	load: () => import("./reply.ts"),
};
const close = {
	category: THREADS,
	args: "<n> [--comment t] [--repo o/n]",
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
		load: () => import("./suppress-emit.ts"),
	},
	{ name: "reply", meaning: "comment on an issue or pull request", ...reply },
	{ name: "comment", meaning: "the same as reply", ...reply },
	{
		name: "comment-edit",
		category: THREADS,
		args: "<id> (--expect-updated-at ts | --force) [--body-file p|-] [--repo o/n]",
		meaning: "replace a comment's text, unless somebody else has",
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
		load: () => import("./issue-create.ts"),
	},
	{ name: "issue comment", meaning: "the same as reply", ...reply },
	{ name: "issue close", meaning: "the same as close", ...close },
	{
		name: "pr",
		category: PULLS,
		args: "create | edit | merge | view …",
		meaning: "one of the verbs below",
		group: true,
		load: () => import("./pr.ts"),
	},
	{
		name: "pr create",
		category: PULLS,
		args: "--head b --title t [--base main] [--body-file p|-] [--repo o/n] [--reviewer l | --no-reviewer]",
		meaning: "open one, and ask the operator for a review",
		load: () => import("./pr/create.ts"),
	},
	{
		name: "pr edit",
		category: PULLS,
		args: "<n> [--title t] [--body-file p|-] [--repo o/n]",
		meaning: "change its title or text",
		load: () => import("./pr/edit.ts"),
	},
	{
		name: "pr merge",
		category: PULLS,
		args: "<n> [--squash|--merge|--rebase] [--sha head] [--delete-branch] [--repo o/n]",
		meaning: "merge it, unless its head has moved",
		load: () => import("./pr/merge.ts"),
	},
	{
		name: "pr view",
		category: PULLS,
		args: "<n> [--json [f1,f2]] [--repo o/n]",
		meaning: "state, branches and title, or fields of GitHub's answer",
		load: () => import("./pr/view.ts"),
	},
	{
		name: "preflight",
		category: IDENTITY,
		args: "<owner/name>",
		meaning: "is the bot installed there, and who can change it",
		load: () => import("./preflight.ts"),
	},
	{
		name: "token",
		category: IDENTITY,
		args: "",
		meaning: "an installation token of the bot",
		load: async () => (await import("./mint.ts")).mintVerb([]),
	},
	{
		name: "mint-jwt",
		category: IDENTITY,
		args: "",
		meaning: "a JWT of the App",
		load: async () => (await import("./mint.ts")).mintVerb(["--jwt-only"]),
	},
	{
		name: "user-pat",
		category: IDENTITY,
		args: "[--validate] [--probe o/n]",
		meaning: "the operator's own token",
		load: () => import("./user-pat.ts"),
	},
	{
		name: "nexus-identity",
		category: IDENTITY,
		args: "[--upsert-overview] [--dry-run] [--repo o/n]",
		meaning: "which nexus this is; into the overview issue, if asked",
		load: () => import("./nexus-identity.ts"),
	},
];
