/** A stand-in GitHub for real programs: the App's key on the disk, and the lines of the configuration that lead there. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BOT, OPERATOR, PRIVATE_KEYS, REPO, testApp } from "../github/rig.ts";
import { type StandIn, startStandIn } from "../github/stand-in/server.ts";
import type { RealRoot } from "./real-root.ts";

export interface RealGitHub extends StandIn {
	/** Says something on issue 1 of the configured repository; its id. */
	say(body: string, user?: string): number;
}

/** Rewrites the root's configuration: whatever starts there from now on acts as the App. */
export function startRealGitHub(root: RealRoot): RealGitHub {
	const standIn = startStandIn({ app: testApp() });
	standIn.acts.createRepo(REPO);
	standIn.acts.openIssue(REPO, { user: "somebody", title: "One" });
	const keyPath = join(root.root, "app.pem");
	writeFileSync(keyPath, PRIVATE_KEYS.pkcs8, { mode: 0o600 });
	const values = {
		repo: REPO,
		user_login: OPERATOR,
		bot_app_id: "123",
		bot_installation_id: "456",
		bot_pem_path: keyPath,
		bot_token_cache: join(root.root, "token.json"),
		bot_login: BOT,
		api_url: standIn.url,
	};
	const lines = Object.entries(values).map(([k, v]) => `  ${k}: "${v}"\n`);
	writeFileSync(root.configPath, `github:\n${lines.join("")}`, { mode: 0o600 });
	return {
		...standIn,
		say: (body, user = OPERATOR) =>
			standIn.acts.comment(REPO, 1, user, body).id,
	};
}
