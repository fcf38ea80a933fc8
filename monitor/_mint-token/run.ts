/**
 * `mint-token`: an installation token or an App JWT on stdout (contract 02 §3). On every other exit
 * stdout is empty: an empty token makes client tools fall back to the person's login, and a pull
 * request once shipped under the operator because of it.
 */
import { envNames, type FileKey } from "../../config/schema.ts";
import { BOT_KEYS, type GitHubApp, gitHubSetup } from "../_github/app.ts";
import {
	type KeyProblem,
	keyProblemText,
	openAppKey,
} from "../_github/app-key.ts";
import { openGitHub } from "../_github/github.ts";
import { exposureLines, keyExposure } from "../_github/key-exposure.ts";
import { tokenProblemText } from "../_github/token.ts";
import { parseCli } from "../_sys/cli.ts";
import type { Doors } from "../_sys/doors.ts";
import { programName } from "../_sys/names.ts";
import { readMinterConfig } from "./config.ts";

export interface MintFrom {
	readonly doors: Doors;
	readonly codeRoot: string;
	/** The one line of stdout. */
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

/** 0 printed, 1 unknown flag, 2 configuration, 3 not minted, 4 key exposed, 5 `--check-key`: neither clean nor exposed. */
export async function mintToken(
	argv: readonly string[],
	from: MintFrom,
): Promise<number> {
	const { doors, err } = from;
	const cli = parseCli(argv, {
		flags: { "--jwt-only": "switch", "--check-key": "switch" },
	});
	if (cli.kind === "help") {
		err(usage());
		return 0;
	}
	if (cli.kind === "refused") return refuse(from, cli.message);
	const jwtOnly = cli.on("--jwt-only");
	const checkKey = cli.on("--check-key");
	if (jwtOnly && checkKey)
		return refuse(from, "--jwt-only and --check-key are mutually exclusive");
	const read = await readMinterConfig(doors, from.codeRoot);
	if (read.kind === "bad") return fail(from, 2, read.lines);
	for (const line of read.warnings) err(line);
	const setup = gitHubSetup(read.config, read.home.root);
	if (setup.kind !== "on") {
		const missing = setup.kind === "off" ? BOT_KEYS : setup.missing;
		return fail(from, 2, missing.map(missingKey));
	}
	if (checkKey) return reportExposure(from, setup.app.keyPath);
	return jwtOnly
		? printJwt(from, setup.app)
		: printToken(from, setup.app, read.home.stateDir);
}

async function printToken(
	from: MintFrom,
	app: GitHubApp,
	stateDir: string,
): Promise<number> {
	const { doors } = from;
	const log = { info: from.err, warn: from.err };
	const gitHub = openGitHub({ doors: { ...doors, log }, app, stateDir });
	const got = await gitHub.tokens.installationToken();
	if (got.kind === "ok") {
		from.out(got.token);
		return 0;
	}
	return fail(from, got.kind === "not-minted" ? 3 : exitOf(got), [
		tokenProblemText(got),
	]);
}

async function printJwt(from: MintFrom, app: GitHubApp): Promise<number> {
	const key = await openAppKey(from.doors, app.appId, app.keyPath);
	if (key.kind !== "ok") return fail(from, exitOf(key), [keyProblemText(key)]);
	from.out((await key.jwt()).jwt);
	return 0;
}

function reportExposure(from: MintFrom, path: string): number {
	const { files } = from.doors;
	if (files.stat(path).kind === "absent")
		return fail(from, 2, [keyProblemText({ kind: "key-absent", path })]);
	const exposure = keyExposure(files, path);
	const lines = exposureLines(path, exposure);
	if (exposure.verdict === "ok") {
		for (const line of lines) from.out(line);
		return 0;
	}
	for (const line of lines) from.err(line);
	return exposure.verdict === "exposed" ? 4 : 5;
}

function missingKey(key: FileKey): string {
	return `${key} is required (not in the file; env ${envNames(key).join(" or ")} not set)`;
}

function exitOf(problem: KeyProblem): number {
	switch (problem.kind) {
		case "key-absent":
		case "key-unreadable":
			return 2;
		case "key-unusable":
			return 3;
		case "key-exposed":
			return 4;
	}
}

function refuse(from: MintFrom, message: string): number {
	return fail(from, 1, [message, usage()]);
}

function fail(from: MintFrom, rc: number, lines: readonly string[]): number {
	for (const line of lines) from.err(line);
	return rc;
}

function usage(): string {
	return `usage: ${programName("mintToken")} [--jwt-only | --check-key]
prints an installation token of the configured GitHub App (--jwt-only: an App JWT, without a request)
exit: 0 printed, 1 usage, 2 configuration or key file, 3 not minted, 4 key exposed, 5 (--check-key) neither clean nor exposed`;
}
