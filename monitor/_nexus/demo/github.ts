/** The demo's GitHub: the stand-in of the tests, a program of its own, with an App whose key lies on the disk. */
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { BUN_FLAGS } from "../../_sys/names.ts";
import { demoConfig, standInSettings } from "./github-files.ts";
import { type Person, personAt } from "./person.ts";
import { startServer } from "./server.ts";
import { done, failed, type Stage, type Step } from "./stage.ts";
import { BOT, COLLEAGUE, OPERATOR, REPO } from "./world.ts";

export interface DemoGitHub {
	readonly url: string;
	readonly operator: Person;
	readonly colleague: Person;
}

/** Not of the product: whoever has it has the tests. */
const STAND_IN = "tests/github/stand-in/main.ts";
const OWNER_ONLY = { mode: 0o600 };

/** Starts it, and writes the configuration that makes nexus its App. */
export async function startGitHub(stage: Stage): Promise<Step<DemoGitHub>> {
	const { doors, world, codeRoot } = stage;
	const { files, proc, random } = doors;
	const program = join(codeRoot, STAND_IN);
	if (files.stat(program).kind !== "ok")
		return failed(
			`${program} is not there: the demo needs the tests of a clone`,
		);
	const tokens = { operator: random.hex(36), colleague: random.hex(36) };
	writeApp(stage, {
		[tokens.operator]: OPERATOR,
		[tokens.colleague]: COLLEAGUE,
	});
	const { settings, log, port } = world.gitHub;
	const url = await startServer(stage, {
		what: "the stand-in GitHub",
		argv: [proc.execPath, ...BUN_FLAGS, program, settings],
		log,
		portFile: port,
	});
	if (url.kind === "failed") return url;
	const own = { bot: BOT, repo: REPO, operator: OPERATOR, apiUrl: url.value };
	files.writeAtomic(
		world.configPath,
		demoConfig(world.gitHub, own),
		OWNER_ONLY,
	);
	return done({
		url: url.value,
		operator: personAt(doors, url.value, tokens.operator),
		colleague: personAt(doors, url.value, tokens.colleague),
	});
}

function writeApp(
	{ doors, world }: Stage,
	userTokens: Readonly<Record<string, string>>,
): void {
	const { privateKey, publicKey } = generateKeyPairSync("rsa", {
		modulusLength: 2048,
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
		publicKeyEncoding: { type: "spki", format: "pem" },
	});
	const settings = standInSettings(world.gitHub, {
		publicKey,
		userTokens,
		bot: BOT,
		repo: REPO,
	});
	const { files } = doors;
	files.writeAtomic(world.gitHub.appKey, privateKey, OWNER_ONLY);
	files.writeAtomic(
		world.gitHub.settings,
		JSON.stringify(settings),
		OWNER_ONLY,
	);
}
