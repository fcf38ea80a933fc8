/** Asks GitHub who the configured App is, and what it can see. Reads only. */
import type { Config } from "../../../config/schema.ts";
import { type GitHubApp, gitHubSetup } from "../../_github/app.ts";
import { type GitHub, openGitHub } from "../../_github/github.ts";
import { keyExposure } from "../../_github/key-exposure.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { AppAnswer, AppFacts, GitHubFacts } from "./github.ts";

const DEADLINE_MS = 10_000;

/** `root`: the nexus root, below which relative paths stand. */
export async function gitHubFacts(
	doors: Doors,
	config: Config,
	root: string,
	stateDir: string,
): Promise<GitHubFacts> {
	const setup = gitHubSetup(config, root);
	if (setup.kind !== "on") return setup;
	const { app } = setup;
	const repo = config["github.repo"] ?? "";
	return {
		kind: "on",
		keyPath: app.keyPath,
		exposure: keyExposure(doors.files, app.keyPath),
		apiBase: app.place.apiBase,
		repo,
		botLogin: config["github.bot_login"],
		asked: await askGitHub(openGitHub({ doors, app, stateDir }), app, repo),
	};
}

async function askGitHub(
	gitHub: GitHub,
	app: GitHubApp,
	repo: string,
): Promise<AppAnswer> {
	const deadlineMs = DEADLINE_MS;
	const known = await gitHub.app("GET /app", {}, { deadlineMs, read: readApp });
	if (known.kind === "failed") return { ...known, at: "app" };
	const installed = await gitHub.app(
		"GET /app/installations/{installation_id}",
		{ installation_id: Number(app.installationId) },
		{ deadlineMs, read: anything },
	);
	if (installed.kind === "failed") return { ...installed, at: "installation" };
	const seen = await gitHub.get(`repos/${repo}`, {
		deadlineMs,
		read: anything,
	});
	if (seen.kind === "failed") return { ...seen, at: "repository" };
	const log = await gitHub.app(
		"GET /app/hook/deliveries",
		{ per_page: 1 },
		{ deadlineMs, read: anything },
	);
	const isMissing = log.kind === "failed" && log.failure.kind === "not_found";
	return {
		kind: "ok",
		app: known.value,
		keepsDeliveries: log.kind === "ok" ? true : isMissing ? false : null,
	};
}

function anything(data: unknown): true | null {
	return typeof data === "object" && data !== null ? true : null;
}

function readApp(data: unknown): AppFacts | null {
	if (typeof data !== "object" || data === null) return null;
	const slug: unknown = Reflect.get(data, "slug");
	const permissions: unknown = Reflect.get(data, "permissions");
	const events: unknown = Reflect.get(data, "events");
	if (typeof slug !== "string" || !Array.isArray(events)) return null;
	if (typeof permissions !== "object" || permissions === null) return null;
	return {
		slug,
		permissions: Object.fromEntries(
			Object.entries(permissions).map(([name, level]) => [name, String(level)]),
		),
		events: events.map(String),
	};
}
