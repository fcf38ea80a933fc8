/** `simple-user`. */
import type { Place } from "../place.ts";
import { type Person, personOf } from "../world.ts";

export function renderPerson(place: Place, login: string) {
	return personJson(place, personOf(place.state, login));
}

/** As `GET /user` shows oneself: `public-user`. */
export function renderSelf(place: Place, login: string) {
	return {
		...renderPerson(place, login),
		name: login,
		company: null,
		blog: null,
		location: null,
		email: null,
		hireable: null,
		bio: null,
		public_repos: 0,
		public_gists: 0,
		followers: 0,
		following: 0,
		created_at: "2020-01-01T00:00:00Z",
		updated_at: "2020-01-01T00:00:00Z",
	};
}

function personJson({ apiBase, webBase }: Place, person: Person) {
	const url = `${apiBase}/users/${encodeURIComponent(person.login)}`;
	return {
		login: person.login,
		id: person.id,
		node_id: nodeId("U", person.id),
		avatar_url: `${webBase}/avatars/u/${person.id}`,
		gravatar_id: "",
		url,
		html_url: `${webBase}/${person.login.replace(/\[bot\]$/, "")}`,
		followers_url: `${url}/followers`,
		following_url: `${url}/following{/other_user}`,
		gists_url: `${url}/gists{/gist_id}`,
		starred_url: `${url}/starred{/owner}{/repo}`,
		subscriptions_url: `${url}/subscriptions`,
		organizations_url: `${url}/orgs`,
		repos_url: `${url}/repos`,
		events_url: `${url}/events{/privacy}`,
		received_events_url: `${url}/received_events`,
		type: person.type,
		user_view_type: "public",
		site_admin: false,
	};
}

/** GitHub's opaque ids: not to be read, but the same for the same thing. */
export function nodeId(prefix: string, id: number | string): string {
	return `${prefix}_${Buffer.from(String(id)).toString("base64url")}`;
}
