import { expect, test } from "bun:test";
import { resolveConfig } from "../../config/resolve.ts";
import { resolveApi } from "../../monitor/_github/api-url.ts";
import { gitHubSetup } from "../../monitor/_github/app.ts";

test.each([
	["", "https://api.github.com", "https://github.com"],
	["https://api.github.com/", "https://api.github.com", "https://github.com"],
	["https://ghe.corp/api/v3//", "https://ghe.corp/api/v3", "https://ghe.corp"],
	[
		"https://api.acme.ghe.com",
		"https://api.acme.ghe.com",
		"https://acme.ghe.com",
	],
	["http://127.0.0.1:9/", "http://127.0.0.1:9", "http://127.0.0.1:9"],
	["http://[::1]:9/api/v3", "http://[::1]:9/api/v3", "http://[::1]:9"],
	[
		"https://api.github.com.evil.example",
		"https://api.github.com.evil.example",
		"https://api.github.com.evil.example",
	],
])("%j: API %s, pages %s", (url, apiBase, webOrigin) => {
	expect(resolveApi(url)).toEqual({ apiBase, webOrigin });
});

const APP = {
	github: {
		bot_app_id: 123,
		bot_installation_id: "456",
		bot_pem_path: "keys/app.pem",
		bot_token_cache: "~/cache.json",
	},
};

function setup(tree: unknown, env: Record<string, string> = {}) {
	const from = { root: "/n", home: "/h" };
	const { config, issues } = resolveConfig(tree, env, from);
	return { ...gitHubSetup(config, "/n"), issues };
}

test("an empty address of the API is none given", () => {
	const { config, issues } = resolveConfig(
		{ github: { api_url: "" } },
		{},
		{ root: "/n", home: "/h" },
	);
	expect(issues).toEqual([]);
	expect(config["github.api_url"]).toBe("https://api.github.com");
});

test("without any bot key GitHub is off, whatever else is set", () => {
	const tree = { github: { repo: "a/b", user_login: "op", bot_login: "bot" } };
	expect(setup(tree).kind).toBe("off");
});

test("with some of the bot keys it is incomplete, and says which are missing", () => {
	const tree = { github: { bot_app_id: 123, bot_pem_path: " " } };
	expect(setup(tree)).toMatchObject({
		kind: "incomplete",
		missing: ["github.bot_installation_id", "github.bot_pem_path"],
	});
});

test("paths stand below the root or the home", () => {
	expect(setup(APP)).toMatchObject({
		kind: "on",
		app: {
			appId: "123",
			installationId: "456",
			keyPath: "/n/keys/app.pem",
			cachePath: "/h/cache.json",
		},
	});
});

test("the environment names another API, and a bad one is an issue, not a fallback", () => {
	const url = "http://127.0.0.1:1234";
	expect(setup(APP, { NEXUS_GITHUB_API_URL: url })).toMatchObject({
		app: { place: { apiBase: url } },
		issues: [],
	});
	for (const bad of [
		"http://example.org",
		"ftp://x",
		"api.github.com",
		"https://u:p@ghe.acme.test",
	])
		expect(setup(APP, { NEXUS_GITHUB_API_URL: bad }).issues).toMatchObject([
			{ env: "NEXUS_GITHUB_API_URL" },
		]);
});
