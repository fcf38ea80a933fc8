/** Where the world is kept: in memory, and in a file when one is named. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { App, State } from "./world.ts";

export interface Store {
	readonly state: State;
	/** After a change. */
	save(): void;
}

/** A file that is there is continued, whatever `app` says; a torn one throws. */
export function openStore(app: App, path: string | null): Store {
	const state: State =
		path !== null && existsSync(path)
			? JSON.parse(readFileSync(path, "utf8"))
			: emptyState(app);
	return {
		state,
		save: () => {
			if (path === null) return;
			writeFileSync(`${path}.new`, JSON.stringify(state));
			renameSync(`${path}.new`, path);
		},
	};
}

function emptyState(app: App): State {
	return {
		app,
		people: [{ id: app.id + 100, login: `${app.slug}[bot]`, type: "Bot" }],
		repos: [],
		deliveries: [],
		installationTokens: [],
		userTokens: {},
		attachments: {},
		ids: {},
	};
}
