/** The stand-in as the program that a demo starts: its world outlives it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUN_FLAGS } from "../../monitor/_sys/names.ts";
import { waitUntil } from "../support/wait-until.ts";
import { OPERATOR, REPO, testApp } from "./rig.ts";

const PROGRAM = join(import.meta.dir, "stand-in/main.ts");
let dir: string;
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "stand-in-program-"));
	const settings = {
		app: testApp(),
		repos: [REPO],
		userTokens: { ghp_op: OPERATOR },
		file: join(dir, "world.json"),
		portFile: join(dir, "port"),
	};
	writeFileSync(join(dir, "settings.json"), JSON.stringify(settings));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs `act` against a started program, which is ended afterwards. */
async function whileRunning(
	act: (url: string) => Promise<void>,
): Promise<void> {
	const portFile = join(dir, "port");
	rmSync(portFile, { force: true });
	const argv = [...BUN_FLAGS, PROGRAM, join(dir, "settings.json")];
	const program = Bun.spawn([process.execPath, ...argv], {
		env: process.env,
		stderr: "inherit",
	});
	try {
		await waitUntil("the port file", () => existsSync(portFile));
		const port = readFileSync(portFile, "utf8").trim();
		await act(`http://127.0.0.1:${port}/repos/${REPO}`);
	} finally {
		program.kill("SIGKILL");
		await program.exited;
	}
}

const headers = { authorization: "Bearer ghp_op", "user-agent": "test" };

test("a person opens an issue over HTTP, and it is there after a kill -9", async () => {
	await whileRunning(async (url) => {
		const body = JSON.stringify({ title: "From a phone", body: "please" });
		const made = await fetch(`${url}/issues`, {
			method: "POST",
			headers,
			body,
		});
		expect(made.status).toBe(201);
	});
	await whileRunning(async (url) => {
		const found = await fetch(`${url}/issues/1`, { headers });
		expect(await found.json()).toMatchObject({
			title: "From a phone",
			user: { login: OPERATOR },
		});
	});
});
