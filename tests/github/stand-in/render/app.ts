/** `integration`, `installation`, `hook-delivery-item`. */
import { iso, type Place } from "../place.ts";
import { type Delivery, findRepo, type Installation } from "../world.ts";
import { nodeId, renderPerson } from "./person.ts";

const CREATED = iso(1_600_000_000);

export function renderApp(place: Place) {
	const { app } = place.state;
	return {
		id: app.id,
		slug: app.slug,
		node_id: nodeId("A", app.id),
		client_id: `Iv1.${app.id}`,
		owner: renderPerson(place, app.installations[0]?.account ?? "acme"),
		name: app.slug,
		description: null,
		external_url: "https://example.org",
		html_url: `${place.webBase}/apps/${app.slug}`,
		created_at: CREATED,
		updated_at: CREATED,
		permissions: app.permissions,
		events: app.events,
		installations_count: app.installations.length,
	};
}

export function renderInstallation(place: Place, installation: Installation) {
	const { apiBase, webBase, state } = place;
	const { id, account } = installation;
	const url = `${apiBase}/app/installations/${id}`;
	return {
		id,
		account: renderPerson(place, account),
		repository_selection: "selected",
		access_tokens_url: `${url}/access_tokens`,
		repositories_url: `${apiBase}/installation/repositories`,
		html_url: `${webBase}/organizations/${account}/settings/installations/${id}`,
		app_id: state.app.id,
		app_slug: state.app.slug,
		target_id: 1,
		target_type: "Organization",
		permissions: state.app.permissions,
		events: state.app.events,
		created_at: CREATED,
		updated_at: CREATED,
		single_file_name: null,
		has_multiple_single_files: false,
		single_file_paths: [],
		suspended_by: null,
		suspended_at: null,
	};
}

export function renderDelivery(place: Place, row: Delivery) {
	const repo = findRepo(place.state, row.repo);
	return {
		id: BigInt(row.id),
		guid: row.guid,
		delivered_at: iso(row.at),
		redelivery: row.redelivery,
		duration: 0.1,
		status: "OK",
		status_code: 200,
		event: row.event,
		action: row.action,
		installation_id: place.state.app.installations[0]?.id ?? null,
		repository_id: repo?.id ?? null,
		throttled_at: null,
	};
}
