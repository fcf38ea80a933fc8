/** The demo's GitHub on disk: the files of the stand-in, and the configuration that leads to it. Values only. */
import { join } from "node:path";

export interface StandInFiles {
	/** The App's private key, as an operator has it from GitHub. */
	readonly appKey: string;
	/** What the stand-in is started with: the App's public key, repositories, who holds which token. */
	readonly settings: string;
	/** The stand-in's whole world, in one file. */
	readonly world: string;
	/** Written by the stand-in once it listens. */
	readonly port: string;
	readonly log: string;
}

/** Files below `dir`; none is made here. */
export function standInFilesAt(dir: string): StandInFiles {
	return {
		appKey: join(dir, "app.pem"),
		settings: join(dir, "settings.json"),
		world: join(dir, "world.json"),
		port: join(dir, "port"),
		log: join(dir, "stand-in.log"),
	};
}

const APP_ID = 1;
const INSTALLATION_ID = 2;

/** Who the App is, what it may do and what it hears. */
export function standInSettings(
	files: StandInFiles,
	opts: {
		readonly publicKey: string;
		readonly bot: string;
		readonly repo: string;
		/** Login by personal access token. */
		readonly userTokens: Readonly<Record<string, string>>;
	},
): object {
	const [account = ""] = opts.repo.split("/");
	return {
		app: {
			id: APP_ID,
			slug: opts.bot,
			publicKey: opts.publicKey,
			installations: [{ id: INSTALLATION_ID, account, repos: [] }],
			permissions: { contents: "write", issues: "write", metadata: "read" },
			events: ["issues", "issue_comment"],
			hasWebhook: true,
		},
		repos: [opts.repo],
		userTokens: opts.userTokens,
		file: files.world,
		portFile: files.port,
	};
}

/** The demo's `nexus.yml`: an operator's, with GitHub elsewhere and a quicker cadence, for people who wait. */
export function demoConfig(
	files: StandInFiles,
	opts: {
		readonly apiUrl: string;
		readonly bot: string;
		readonly repo: string;
		readonly operator: string;
	},
): string {
	return `github:
  repo: ${opts.repo}
  user_login: ${opts.operator}
  bot_app_id: ${APP_ID}
  bot_installation_id: ${INSTALLATION_ID}
  bot_pem_path: ${files.appKey}
  bot_login: ${opts.bot}
  api_url: ${opts.apiUrl}
monitor:
  interval_seconds: 15
  # The checkout that the demo was started from is not its to judge.
  clone_drift:
    enabled: false
  version_restart:
    enabled: false
`;
}
