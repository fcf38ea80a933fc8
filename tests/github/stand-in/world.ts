/** What the stand-in GitHub remembers: plain data, so that it can be written to a file and read back. */

export interface Person {
	readonly id: number;
	readonly login: string;
	readonly type: "User" | "Bot" | "Organization";
}

export const REACTIONS = [
	"+1",
	"-1",
	"laugh",
	"confused",
	"heart",
	"hooray",
	"rocket",
	"eyes",
] as const;
export type ReactionContent = (typeof REACTIONS)[number];

export interface Reaction {
	readonly id: number;
	/** Login; null: GitHub does not say, as it does not for an App in GraphQL. */
	readonly user: string | null;
	readonly content: ReactionContent;
	readonly at: number;
}

/** What an issue, a pull request, a comment and a review comment have in common. Times are epoch seconds. */
export interface Written {
	readonly id: number;
	readonly user: string;
	body: string;
	readonly createdAt: number;
	updatedAt: number;
	reactions: Reaction[];
}
export interface Issue extends Written {
	readonly number: number;
	title: string;
	state: "open" | "closed";
	closedAt: number | null;
	labels: string[];
	/** Null: an issue and no pull request. */
	pull: Pull | null;
}
export interface Pull {
	readonly head: string;
	readonly base: string;
	headSha: string;
	readonly baseSha: string;
	mergedAt: number | null;
	mergeSha: string | null;
	reviewers: string[];
}
export interface Comment extends Written {
	readonly issue: number;
}
export interface ReviewComment extends Written {
	readonly pull: number;
	readonly path: string;
	readonly line: number;
	readonly commit: string;
	/** Id of the first comment of its thread; its own when it is that. */
	readonly thread: number;
	readonly review: number;
}
export interface Review {
	readonly id: number;
	readonly pull: number;
	readonly user: string;
	readonly body: string;
	readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
	readonly commit: string;
	readonly at: number;
}

export interface TreeEntry {
	readonly path: string;
	readonly mode: string;
	readonly type: "blob" | "tree";
	readonly sha: string;
}
export interface Commit {
	readonly sha: string;
	readonly tree: string;
	readonly parents: readonly string[];
	readonly message: string;
	readonly author: {
		readonly name: string;
		readonly email: string;
		readonly date: string;
	};
}
export interface GitData {
	/** Base64 by blob id. */
	blobs: Record<string, string>;
	trees: Record<string, readonly TreeEntry[]>;
	commits: Record<string, Commit>;
	/** Commit by full name: `refs/heads/main`. */
	refs: Record<string, string>;
}

export interface Repo {
	readonly id: number;
	readonly fullName: string;
	readonly isPrivate: boolean;
	readonly defaultBranch: string;
	/** Issues and pull requests share their numbers. */
	issues: Issue[];
	comments: Comment[];
	reviewComments: ReviewComment[];
	reviews: Review[];
	git: GitData;
}

export interface Delivery {
	/** Digits: larger than a number holds. */
	readonly id: string;
	readonly guid: string;
	readonly at: number;
	readonly redelivery: boolean;
	readonly event: string;
	readonly action: string | null;
	readonly repo: string;
	readonly payload: unknown;
}

export interface Installation {
	readonly id: number;
	readonly account: string;
	/** Full names of the repositories that it can see and write. */
	repos: string[];
}
export interface App {
	readonly id: number;
	readonly slug: string;
	/** SPKI, PEM. */
	readonly publicKey: string;
	installations: Installation[];
	/** `issues: write`, … */
	permissions: Record<string, string>;
	/** What it subscribes to. */
	events: string[];
	/** Without a webhook URL GitHub keeps no delivery log, and its listing is a 404. */
	hasWebhook: boolean;
}

export interface State {
	app: App;
	people: Person[];
	repos: Repo[];
	/** Oldest first. */
	deliveries: Delivery[];
	installationTokens: {
		readonly token: string;
		readonly installation: number;
		readonly expiresAt: number;
	}[];
	/** Personal access tokens: whose. */
	userTokens: Record<string, string>;
	/** Files attached to comments, by path below `/user-attachments/`; base64. */
	attachments: Record<string, { readonly type: string; readonly data: string }>;
	/** The last id that was given out, by kind. */
	ids: Record<string, number>;
}

/** Full names compare as GitHub compares them. */
export function findRepo(state: State, fullName: string): Repo | undefined {
	return state.repos.find((repo) => same(repo.fullName, fullName));
}

export function findIssue(repo: Repo, number: number): Issue | undefined {
	return repo.issues.find((issue) => issue.number === number);
}

/** A person who was never mentioned before is a user of that name. */
export function personOf(state: State, login: string): Person {
	const known = state.people.find((person) => same(person.login, login));
	if (known !== undefined) return known;
	const type = login.endsWith("[bot]") ? "Bot" : "User";
	const person: Person = { id: nextId(state, "person", 1000), login, type };
	state.people.push(person);
	return person;
}

/** `first`: where this kind of id begins. */
export function nextId(state: State, kind: string, first: number): number {
	const id = (state.ids[kind] ?? first - 1) + 1;
	state.ids[kind] = id;
	return id;
}

export function botLogin(state: State): string {
	return `${state.app.slug}[bot]`;
}

export function same(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}
