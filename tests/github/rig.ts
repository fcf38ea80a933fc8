/** A client of ours before a stand-in GitHub: real HTTP, everything else in memory and on a clock that stands still. */
import { generateKeyPairSync } from "node:crypto";
import type { GitHubApp } from "../../monitor/_github/app.ts";
import {
	type GitHub,
	type GitHubFrom,
	openGitHub,
} from "../../monitor/_github/github.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { realNet } from "../../monitor/_sys/net.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import {
	type StandIn,
	type StandInOptions,
	startStandIn,
} from "./stand-in/server.ts";
import type { App } from "./stand-in/world.ts";

export const NOW = 1_785_000_000;
export const STATE_DIR = "/s";
export const KEY_PATH = "/keys/app.pem";
export const CONFIG_PATH = "/n/config/nexus.yml";
export const CACHE_PATH = "/home/op/.claude/token.json";
export const REPO = "acme/hub";
export const OPERATOR = "op";
export const BOT = "hub-bot";

/** Made once a process; a key of this size takes a moment. */
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** PKCS#8 and PKCS#1. */
export const PRIVATE_KEYS = {
	pkcs8: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
	pkcs1: keys.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
};
export const PUBLIC_KEY = keys.publicKey
	.export({ type: "spki", format: "pem" })
	.toString();

export function testApp(): App {
	return {
		id: 123,
		slug: BOT,
		publicKey: PUBLIC_KEY,
		installations: [{ id: 456, account: "acme", repos: [] }],
		permissions: {
			contents: "write",
			issues: "write",
			metadata: "read",
			pull_requests: "write",
		},
		events: [
			"issues",
			"issue_comment",
			"pull_request",
			"pull_request_review",
			"pull_request_review_comment",
		],
		hasWebhook: true,
	};
}

export interface Rig {
	readonly gitHub: GitHub;
	readonly standIn: StandIn;
	readonly doors: Omit<FakeDoors, "net"> & Doors;
	readonly app: GitHubApp;
	/** Another client of the same machine: shares disk, clock and locks. */
	another(opts?: Partial<GitHubFrom>): GitHub;
	/** Writes the operator's file of this bot at `/n/config/nexus.yml`, which the environment names; `over` replaces lines under `github`. */
	configure(over?: Readonly<Record<string, string>>): void;
	/** Lets the clock run beside real HTTP, so slowly that no deadline overtakes an answer that comes. `stepMs`: every 2 ms; default 50. */
	inTime<T>(promise: Promise<T>, stepMs?: number): Promise<T>;
	/** The lines of a file in the state dir; empty when it is not there. */
	state(name: string): string;
	close(): Promise<void>;
}

export function openRig(
	opts: Partial<GitHubFrom> & {
		readonly standIn?: Partial<StandInOptions>;
	} = {},
): Rig {
	const doors = { ...fakeDoors({ now: NOW }), net: realNet() };
	const standIn = startStandIn({
		app: testApp(),
		now: () => doors.clock.now(),
		...opts.standIn,
	});
	standIn.acts.createRepo(REPO);
	doors.files.seed(KEY_PATH, PRIVATE_KEYS.pkcs8, { mode: 0o600 });
	doors.files.seedDir(STATE_DIR);
	const app: GitHubApp = {
		appId: "123",
		installationId: "456",
		keyPath: KEY_PATH,
		cachePath: CACHE_PATH,
		place: { apiBase: standIn.url, webOrigin: standIn.place.webBase },
	};
	const another = (more: Partial<GitHubFrom> = {}) =>
		openGitHub({ doors, app, stateDir: STATE_DIR, ...opts, ...more });
	return {
		gitHub: another(),
		standIn,
		doors,
		app,
		another,
		configure: (over = {}) => {
			const values = {
				repo: REPO,
				user_login: OPERATOR,
				bot_app_id: "123",
				bot_installation_id: "456",
				bot_pem_path: KEY_PATH,
				bot_token_cache: CACHE_PATH,
				bot_login: BOT,
				api_url: standIn.url,
				...over,
			};
			const lines = Object.entries(values).map(
				([key, value]) => `  ${key}: ${value}\n`,
			);
			const text = `github:\n${lines.join("")}`;
			doors.files.seed(CONFIG_PATH, text, { mode: 0o600 });
			Object.assign(doors.proc.env, {
				HOME: "/home/op",
				NEXUS_ROOT: "/n",
				NEXUS_STATE_DIR: STATE_DIR,
			});
		},
		inTime: async (promise, stepMs = 50) => {
			let settled = false;
			const mark = () => {
				settled = true;
			};
			promise.then(mark, mark);
			while (!settled) {
				await Bun.sleep(2);
				if (!settled) await doors.clock.advance(stepMs);
			}
			return promise;
		},
		state: (name) => {
			const read = doors.files.read(`${STATE_DIR}/${name}`);
			return read.kind === "ok" ? read.text : "";
		},
		close: () => standIn.stop(),
	};
}
