/**
 * The stand-in GitHub as a program of its own: `bun main.ts <settings.json>`. It writes its port to
 * `portFile` when it listens, and runs until it is ended.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { startStandIn } from "./server.ts";
import { type App, findRepo } from "./world.ts";

interface Settings {
	/** With `publicKey` as PEM text. */
	readonly app: App;
	/** The App is installed on all of them. */
	readonly repos: readonly string[];
	/** Login by personal access token. */
	readonly userTokens: Readonly<Record<string, string>>;
	/** Where the world is kept. */
	readonly file: string;
	readonly portFile: string;
	readonly port?: number;
}

const path = process.argv[2];
if (path === undefined) throw new Error("usage: main.ts <settings.json>");
const settings: Settings = JSON.parse(readFileSync(path, "utf8"));
const { app, file, portFile, port } = settings;
const standIn = startStandIn({ app, file, port: port ?? 0 });
const { state } = standIn.place;
for (const name of settings.repos)
	if (findRepo(state, name) === undefined) standIn.acts.createRepo(name);
Object.assign(state.userTokens, settings.userTokens);
standIn.save();
writeFileSync(`${portFile}.new`, `${new URL(standIn.url).port}\n`);
renameSync(`${portFile}.new`, portFile);
