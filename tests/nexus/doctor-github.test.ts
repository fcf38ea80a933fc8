import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { resolveConfig } from "../../config/resolve.ts";
import { gitHubFacts } from "../../monitor/_nexus/doctor/ask-github.ts";
import { readConfigFacts } from "../../monitor/_nexus/doctor/config-facts.ts";
import { checkGitHub } from "../../monitor/_nexus/doctor/github.ts";
import {
	KEY_PATH,
	openRig,
	PRIVATE_KEYS,
	REPO,
	type Rig,
	STATE_DIR,
} from "../github/rig.ts";

let rig: Rig;
beforeEach(() => {
	rig = openRig();
	rig.configure();
});
afterEach(() => rig.close());

/** `verdict finding -> advice` of each check. */
async function examine(): Promise<readonly string[]> {
	const { config } = await readConfigFacts(rig.doors, "/n");
	if (config === null) return ["no configuration"];
	const facts = await gitHubFacts(rig.doors, config, "/n", STATE_DIR);
	return checkGitHub(facts).map(
		({ verdict, finding, advice }) => `${verdict} ${finding} -> ${advice}`,
	);
}

test("an App that is set up well is told by name, and nothing is written at GitHub", async () => {
	expect(await examine()).toEqual([
		"ok only its owner can open it -> null",
		`ok ${rig.standIn.url} answers the App hub-bot, installed on ${REPO} -> null`,
	]);
	const writes = rig.standIn.requests.filter((r) => !r.line.startsWith("GET "));
	expect(writes.map((r) => r.route)).toEqual([
		"POST /app/installations/{installation_id}/access_tokens",
	]);
	expect(rig.standIn.problems).toEqual([]);
});

test("without a bot key GitHub is off, and nothing is asked", async () => {
	const tree = { github: { repo: REPO, user_login: "op" } };
	const { config } = resolveConfig(tree, {}, { root: "/n", home: "/h" });
	const facts = await gitHubFacts(rig.doors, config, "/n", STATE_DIR);
	expect(checkGitHub(facts)).toMatchObject([
		{ verdict: "ok", finding: "is off (no bot key is set)" },
	]);
	expect(rig.standIn.requests).toEqual([]);
});

test("a bad address of the API is not replaced by GitHub's own", async () => {
	rig.doors.proc.env.NEXUS_GITHUB_API_URL = "http://example.org";
	expect(await examine()).toEqual(["no configuration"]);
});

describe("what is amiss is said with what to do:", () => {
	const app = () => rig.standIn.place.state.app;
	const ROWS: readonly (readonly [string, () => unknown, string])[] = [
		[
			"half of the keys",
			() => rig.configure({ bot_app_id: '""' }),
			"fail half configured: github.bot_app_id missing -> set all three",
		],
		[
			"no key file",
			() => rig.doors.files.remove(KEY_PATH),
			`fail ${KEY_PATH}: not there -> see github.bot_pem_path`,
		],
		[
			"a key open to all",
			() => rig.doors.files.seed(KEY_PATH, PRIVATE_KEYS.pkcs8, { mode: 0o644 }),
			`-> chmod 600 ${KEY_PATH}`,
		],
		[
			"a key open to its group",
			() => rig.doors.files.seed(KEY_PATH, PRIVATE_KEYS.pkcs8, { mode: 0o640 }),
			"warn its group can open it -> chmod 600",
		],
		[
			"a wrong App id",
			() => rig.configure({ bot_app_id: "999" }),
			"fail does not take this App: Integration not found",
		],
		[
			"a wrong installation",
			() => rig.configure({ bot_installation_id: "9" }),
			"-> see github.bot_installation_id",
		],
		[
			"a repository that it is not installed on",
			() => {
				app().installations[0]!.repos = [];
			},
			`fail the App cannot see ${REPO}`,
		],
		["nobody there", () => rig.standIn.stop(), `fail no answer from`],
		[
			"a broken server",
			() =>
				rig.standIn.faults.add({ on: "GET /app", fault: { kind: "server" } }),
			"-> see github.api_url and the network",
		],
		[
			"a limit",
			() =>
				rig.standIn.faults.add({
					on: "GET /app",
					fault: { kind: "secondary" },
				}),
			"warn asks for a pause",
		],
		[
			"another name",
			() => rig.configure({ bot_login: "other" }),
			"warn github.bot_login is other, but the App is hub-bot -> set github.bot_login: hub-bot",
		],
		[
			"a permission that is missing",
			() => {
				app().permissions.contents = "read";
			},
			"warn the App lacks permissions: contents: write",
		],
		[
			"an event that is missing",
			() => app().events.shift(),
			"warn the App does not subscribe to: issues",
		],
		[
			"no webhook",
			() => {
				app().hasWebhook = false;
			},
			"keeps no delivery log -> set any URL",
		],
	];
	test.each(ROWS)("%s", async (_name, spoil, words) => {
		await spoil();
		expect((await examine()).join("\n")).toContain(words);
	});
});
