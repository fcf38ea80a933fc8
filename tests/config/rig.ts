/** A root with a template and, maybe, a file of the operator's; asks it as `config/load.ts` does. */
import { renderExample } from "../../config/example.ts";
import { type Answer, answerLoad } from "../../config/load-cli.ts";
import type { LoadFrom } from "../../config/read.ts";
import { type FakeClock, fakeClock } from "../fakes/clock.ts";
import { type FakeFiles, fakeFiles } from "../fakes/files.ts";

export const ROOT = "/srv/nexus";
export const OWN = `${ROOT}/config/nexus.yml`;
export const EXAMPLE = `${ROOT}/config/nexus.example.yml`;
export const HOME = "/home/ada";
export const UID = 1000;

export interface Rig {
	readonly clock: FakeClock;
	readonly files: FakeFiles;
	readonly from: LoadFrom & { readonly home: string };
	readonly load: (
		argv: readonly string[],
		env?: Readonly<Record<string, string>>,
	) => Promise<Answer>;
}

/** `own` is the text of `nexus.yml`; null: there is none. The template is there unless `bare`. */
export function rig(
	own: string | null,
	opts: {
		readonly mode?: number;
		readonly uid?: number;
		readonly bare?: boolean;
	} = {},
): Rig {
	const clock = fakeClock();
	const files = fakeFiles(clock, UID);
	files.seedDir(`${ROOT}/config`);
	if (!opts.bare) files.seed(EXAMPLE, renderExample());
	const { mode = 0o600, uid = UID } = opts;
	if (own !== null) files.seed(OWN, own, { mode, uid, mtime: 1000 });
	const from = { files, clock, env: {}, root: ROOT, uid: UID, home: HOME };
	return {
		clock,
		files,
		from,
		load: (argv, env = {}) => answerLoad(argv, { ...from, env }),
	};
}

/** A file whose six required values are the operator's own; `change` maps a line of it to another. */
export function realConfig(
	change: Readonly<Record<string, string>> = {},
): string {
	const lines = {
		root: "nexus: {root: /srv/nexus}",
		github: "github:",
		user_login: "  user_login: ada",
		repo: "  repo: acme/ada-assets",
		bot_app_id: "  bot_app_id: 123456",
		bot_installation_id: "  bot_installation_id: 7654321",
		bot_pem_path: "  bot_pem_path: ~/.claude/acme.pem",
		...change,
	};
	return `${Object.values(lines)
		.filter((line) => line !== "")
		.join("\n")}\n`;
}

/** The three bot keys as the template has them. */
export const PLACEHOLDER_BOT = {
	bot_app_id: "  bot_app_id: 0000000",
	bot_installation_id: "  bot_installation_id: 000000000",
	bot_pem_path: "  bot_pem_path: ~/.claude/your-bot.pem",
};
