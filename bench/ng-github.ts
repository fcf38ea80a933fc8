#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * How long an agent waits for the verbs of `ng` that ask GitHub, beyond what GitHub takes: p50 and p95 of the wall time
 * less the time that a stand-in GitHub needed for its answers. `--runs N` (default 15). Wanted: each p50 under 150 ms;
 * above it the exit code is 1.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OPERATOR, PRIVATE_KEYS, REPO, testApp } from "../tests/github/rig.ts";
import { startStandIn } from "../tests/github/stand-in/server.ts";
import { bareBun, numberFlag, percentile, report } from "./measure.ts";

const LIMIT_MS = 150;
const runs = numberFlag("runs", 15);
const NG = resolve(import.meta.dir, "../monitor/ng");
const root = mkdtempSync(join(tmpdir(), "bench-ng-github-"));
const github = startStandIn({ app: testApp() });
/** What the stand-in needed for its answers: it checks each against GitHub's description, and is no measure. */
let answeringMs = 0;
const between = Bun.serve({
	hostname: "127.0.0.1",
	port: 0,
	fetch: async (request) => {
		const { pathname, search } = new URL(request.url);
		const began = performance.now();
		const answer = await fetch(`${github.url}${pathname}${search}`, {
			method: request.method,
			headers: request.headers,
			body: request.method === "GET" ? null : await request.bytes(),
		});
		const body = await answer.bytes();
		answeringMs += performance.now() - began;
		return new Response(body, {
			status: answer.status,
			headers: answer.headers,
		});
	},
});

function reportText(n: number): string {
	const titles = [
		...["Summary", "What Was Done", "Current State"],
		...["What Remains", "How to Resume"],
	];
	const sections = titles.map(
		(title) => `## ${title}\n\n${`It was measured again, ${n}. `.repeat(40)}\n`,
	);
	return `---\nproject: bench\ndate: 2026-01-01\nsession-id: 00000000-0000-4000-8000-000000000000\nstatus: completed\n---\n\n# A report\n\n${sections.join("\n")}`;
}

/** Each run of a verb is about a thing of its own. */
const calls: readonly (readonly [string, (n: number) => readonly string[]])[] =
	[
		["ng issue view", () => ["issue", "view", "1"]],
		["ng process", () => ["process", String(comment())]],
		[
			"ng reply",
			() => ["reply", "1", "--body-file", file("reply.txt", "Done.")],
		],
		["ng upload", (n) => ["upload", file(`up-${n}.md`, reportText(n))]],
		[
			"ng wrap-up",
			(n) => [
				...["wrap-up", "1", file(`reports/bench_${n}.md`, reportText(n))],
				...["--trigger-comment", String(comment())],
			],
		],
	];

function comment(): number {
	return github.acts.comment(REPO, 1, OPERATOR, "please").id;
}

function file(name: string, text: string): string {
	const path = join(root, name);
	writeFileSync(path, text);
	return path;
}

/** Wall time less the stand-in's, ms. */
async function beyondGitHub(args: readonly string[]): Promise<number> {
	const { PATH = "" } = process.env;
	const env = { HOME: root, PATH, NEXUS_ROOT: root };
	const stdio = { stdout: "pipe", stderr: "pipe", stdin: "ignore" } as const;
	answeringMs = 0;
	const began = performance.now();
	const child = Bun.spawn([NG, ...args], {
		...stdio,
		cwd: root,
		env: { ...env, NEXUS_BUN: process.execPath },
	});
	const rc = await child.exited;
	const ms = performance.now() - began - answeringMs;
	if (rc !== 0)
		throw new Error(`${args[0]}: ${await new Response(child.stderr).text()}`);
	return ms;
}

try {
	github.acts.createRepo(REPO);
	github.acts.openIssue(REPO, { user: OPERATOR, title: "One" });
	github.acts.commitFile(REPO, "README.md", "hi");
	for (const dir of ["config", "reports"]) mkdirSync(join(root, dir));
	writeFileSync(join(root, "app.pem"), PRIVATE_KEYS.pkcs8, { mode: 0o600 });
	const lines = [
		...["github:", `  repo: ${REPO}`, `  user_login: ${OPERATOR}`],
		...["  bot_app_id: 123", "  bot_installation_id: 456"],
		...["  bot_pem_path: app.pem", "  bot_token_cache: token.json"],
		"  bot_login: hub-bot",
		`  api_url: http://127.0.0.1:${between.port}`,
	];
	const config = join(root, "config/nexus.yml");
	writeFileSync(config, `${lines.join("\n")}\n`, { mode: 0o600 });
	// What the stand-in does for the first time takes it long, and holds up the next.
	for (const [, argsOf] of calls) await beyondGitHub(argsOf(runs));
	const bare = Array.from({ length: runs }, bareBun);
	console.log(`${"".padEnd(18)}    p50       p95`);
	print("bun -e 0", bare, Number.POSITIVE_INFINITY);
	for (const [name, argsOf] of calls) {
		const samples: number[] = [];
		for (let n = 0; n < runs; n++) {
			// A rest: the pace of many agents' writes is another thing.
			rmSync(join(root, "monitor/.state/github-writes"), { force: true });
			samples.push(await beyondGitHub(argsOf(n)));
		}
		print(name, samples, LIMIT_MS);
	}
} finally {
	await between.stop(true);
	await github.stop();
	rmSync(root, { recursive: true, force: true });
}

function print(name: string, ms: readonly number[], limitMs: number): void {
	const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
	const isSlow = p50 > limitMs;
	if (Number.isFinite(limitMs))
		report({
			name: `${name}, beyond GitHub`,
			value: p50,
			unit: "ms",
			limit: limitMs,
		});
	if (isSlow) process.exitCode = 1;
	console.log(
		`${name.padEnd(18)}${p50.toFixed(1).padStart(6)} ms ${p95.toFixed(1).padStart(6)} ms${isSlow ? "  too slow" : ""}`,
	);
}
