/** The sources of comments before a stand-in GitHub: poll them, read what they queued, staged and logged. */
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import { snapshotGithubRaw } from "../../monitor/_github/backstop.ts";
import {
	deliveriesMemory,
	snapshotDeliveries,
} from "../../monitor/_github/deliveries.ts";
import { atMost } from "../../monitor/_github/open-marks.ts";
import type { SearchContext } from "../../monitor/_github/search.ts";
import { drainQueue, endDrain } from "../../monitor/_state/deliveries-queue.ts";
import { readProcessed } from "../../monitor/_state/processed-comments.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { BOT, OPERATOR, openRig, REPO, STATE_DIR } from "./rig.ts";

export const OTHER = "acme/other";
export const LISTING = "GET /app/hook/deliveries";
export const PAYLOAD = "GET /app/hook/deliveries/{delivery_id}";
export const GRAPHQL = "POST /graphql";

export interface SourceRigOptions {
	readonly config?: { readonly [K in ConfigKey]?: ConfigValue<K> };
}

export function openSources(opts: SourceRigOptions = {}) {
	const rig = openRig();
	const { doors, standIn, gitHub } = rig;
	const config = watcherConfig({
		"github.repo": REPO,
		"github.user_login": OPERATOR,
		"github.bot_login": BOT,
		...opts.config,
	});
	standIn.acts.createRepo(OTHER);
	const memory = deliveriesMemory();
	let start = 0;
	const never = new AbortController().signal;
	const from = (signal: AbortSignal) => ({
		doors,
		gitHub,
		stateDir: STATE_DIR,
		config,
		signal,
	});
	return {
		...rig,
		config,
		deliveries: (signal = never, changed = config) =>
			snapshotDeliveries({ ...from(signal), config: changed, memory }),
		search: (signal = never, changed = config) =>
			snapshotGithubRaw({ ...from(signal), config: changed }),
		/** For one search alone. */
		context: (): SearchContext => ({
			...from(never),
			reactions: atMost(20, gitHub),
			processed: readProcessed(doors.files, STATE_DIR),
		}),
		drain: async () => {
			const live = new Set<string>();
			const drained = await drainQueue(doors, STATE_DIR, { pid: 7, live });
			endDrain(doors.files, drained);
			return drained.text;
		},
		seed: (name: string, text: string, mtime?: number) =>
			doors.files.seed(
				`${STATE_DIR}/${name}`,
				text,
				mtime === undefined ? {} : { mtime },
			),
		cursor: () => rig.state("last-delivery-cursor.txt"),
		/** The lines of the requests since the last `forget`; of one route when given. */
		asked: (route?: string) =>
			standIn.requests
				.slice(start)
				.filter((r) => route === undefined || r.route === route)
				.map((r) => r.line),
		forget: () => {
			start = standIn.requests.length;
		},
		/** GUID of the newest delivery. */
		newest: () => `${standIn.place.state.deliveries.at(-1)?.guid}\n`,
		alerts: () =>
			rig
				.state("watcher-alerts.log")
				.split("\n")
				.filter((line) => line !== ""),
	};
}
export type SourceRig = ReturnType<typeof openSources>;
