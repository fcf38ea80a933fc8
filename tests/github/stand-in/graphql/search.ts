/** GitHub's issue search, as far as a watcher uses it: qualifiers, quoted words, an order. */
import { visibleRepo } from "../auth.ts";
import type { Actor } from "../http.ts";
import type { Place } from "../place.ts";
import { type Issue, type Repo, same } from "../world.ts";

export interface Hit {
	readonly repo: Repo;
	readonly issue: Issue;
}

/** Hits among what the asker can see. Throws on a qualifier that it does not know. */
export function searchIssues(
	place: Place,
	actor: Actor,
	query: string,
): readonly Hit[] {
	const words = [...query.matchAll(/"([^"]*)"|(\S+)/g)].map(
		([, quoted, plain]) => ({ quoted, plain }),
	);
	const tests: ((hit: Hit) => boolean)[] = [];
	let order = "created-desc";
	for (const { quoted, plain = "" } of words) {
		const [qualifier = "", value = ""] = plain.split(/:(.*)/s);
		if (quoted !== undefined) tests.push((hit) => says(hit, quoted));
		else if (qualifier === "sort") order = value;
		else if (plain.includes(":")) tests.push(testOf(qualifier, value));
		else tests.push((hit) => says(hit, plain));
	}
	return place.state.repos
		.filter((repo) => visibleRepo(place, actor, repo.fullName) !== undefined)
		.flatMap((repo) => repo.issues.map((issue) => ({ repo, issue })))
		.filter((hit) => tests.every((test) => test(hit)))
		.sort(byOrder(order));
}

function testOf(qualifier: string, value: string): (hit: Hit) => boolean {
	switch (`${qualifier}:${qualifier === "is" ? value : ""}`) {
		case "is:issue":
			return ({ issue }) => issue.pull === null;
		case "is:pr":
			return ({ issue }) => issue.pull !== null;
		case "is:open":
			return ({ issue }) => issue.state === "open";
		case "is:closed":
			return ({ issue }) => issue.state === "closed";
		case "repo:":
			return ({ repo }) => same(repo.fullName, value);
		case "author:":
			return ({ issue }) => same(issue.user, value);
		case "label:":
			return ({ issue }) => issue.labels.some((label) => same(label, value));
		case "mentions:":
			return (hit) => says(hit, `@${value}`);
	}
	throw new Error(`the stand-in does not know ${qualifier}:${value}`);
}

function says({ repo, issue }: Hit, words: string): boolean {
	const texts = [
		issue.title,
		issue.body,
		...repo.comments.filter((c) => c.issue === issue.number).map((c) => c.body),
	];
	return texts.some((text) => text.toLowerCase().includes(words.toLowerCase()));
}

function byOrder(order: string): (a: Hit, b: Hit) => number {
	const [field, direction] = order.split("-");
	const sign = direction === "asc" ? 1 : -1;
	const at = ({ issue }: Hit) =>
		field === "updated" ? issue.updatedAt : issue.createdAt;
	return (a, b) => sign * (at(a) - at(b) || a.issue.id - b.issue.id);
}
