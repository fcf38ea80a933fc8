/** `repository`: mostly addresses. */
import { iso, type Place } from "../place.ts";
import type { Repo } from "../world.ts";
import { nodeId, renderPerson } from "./person.ts";

export function renderRepo(place: Place, repo: Repo) {
	const { apiBase, webBase } = place;
	const [owner = "", name = ""] = repo.fullName.split("/");
	const url = `${apiBase}/repos/${repo.fullName}`;
	const page = `${webBase}/${repo.fullName}`;
	const open = repo.issues.filter((issue) => issue.state === "open").length;
	const created = iso(1_600_000_000);
	return {
		id: repo.id,
		node_id: nodeId("R", repo.id),
		name,
		full_name: repo.fullName,
		private: repo.isPrivate,
		owner: renderPerson(place, owner),
		html_url: page,
		description: null,
		fork: false,
		url,
		...addresses(url),
		git_url: `git://${new URL(webBase).host}/${repo.fullName}.git`,
		ssh_url: `git@${new URL(webBase).hostname}:${repo.fullName}.git`,
		clone_url: `${page}.git`,
		svn_url: page,
		homepage: null,
		mirror_url: null,
		size: 0,
		stargazers_count: 0,
		watchers_count: 0,
		language: null,
		has_issues: true,
		has_projects: false,
		has_downloads: true,
		has_wiki: false,
		has_pages: false,
		has_discussions: false,
		forks_count: 0,
		archived: false,
		disabled: false,
		open_issues_count: open,
		license: null,
		allow_forking: true,
		is_template: false,
		web_commit_signoff_required: false,
		topics: [],
		visibility: repo.isPrivate ? "private" : "public",
		forks: 0,
		open_issues: open,
		watchers: 0,
		default_branch: repo.defaultBranch,
		created_at: created,
		updated_at: created,
		pushed_at: created,
		custom_properties: {},
	};
}

function addresses(url: string): Readonly<Record<string, string>> {
	const tails = {
		archive: "{archive_format}{/ref}",
		assignees: "assignees{/user}",
		blobs: "git/blobs{/sha}",
		branches: "branches{/branch}",
		collaborators: "collaborators{/collaborator}",
		comments: "comments{/number}",
		commits: "commits{/sha}",
		compare: "compare/{base}...{head}",
		contents: "contents/{+path}",
		contributors: "contributors",
		deployments: "deployments",
		downloads: "downloads",
		events: "events",
		forks: "forks",
		git_commits: "git/commits{/sha}",
		git_refs: "git/refs{/sha}",
		git_tags: "git/tags{/sha}",
		hooks: "hooks",
		issue_comment: "issues/comments{/number}",
		issue_events: "issues/events{/number}",
		issues: "issues{/number}",
		keys: "keys{/key_id}",
		labels: "labels{/name}",
		languages: "languages",
		merges: "merges",
		milestones: "milestones{/number}",
		notifications: "notifications{?since,all,participating}",
		pulls: "pulls{/number}",
		releases: "releases{/id}",
		stargazers: "stargazers",
		statuses: "statuses/{sha}",
		subscribers: "subscribers",
		subscription: "subscription",
		tags: "tags",
		teams: "teams",
		trees: "git/trees{/sha}",
	};
	return Object.fromEntries(
		Object.entries(tails).map(([name, tail]) => [
			`${name}_url`,
			`${url}/${tail}`,
		]),
	);
}
