/**
 * Real services that go wrong in real ways: killed, hung, crash-looping, ill while alive, slow, taken off the registry,
 * two with one port. The clock of the tick is moved by the test; processes, checks, `svc` and files are real.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceHealthSection } from "../../monitor/_emit/service-health.ts";
import { stopGroup } from "../../monitor/_services/group-stop.ts";
import { launchService } from "../../monitor/_services/launch.ts";
import { readIncidentKv } from "../../monitor/_state/service-incident.ts";
import { readRegistry } from "../../monitor/_state/services-registry.ts";
import { readRecord } from "../../monitor/_state/supervisor-record.ts";
import type { Doors } from "../../monitor/_sys/doors.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { healthMemory } from "../../monitor/watcher/_service_health/look-after.ts";
import { serviceHealthTick } from "../../monitor/watcher/_service_health.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { waitUntil } from "../support/wait-until.ts";

const real = realDoors();
let root: string;
let stateDir: string;
let registry: string;
/** Milliseconds by which the tick's clocks are ahead. */
let ahead = 0;
let doors: Doors;

const FRESH = "test -n \"$(find beat -newermt '-2 seconds')\"";
/** Name, launch script, healthcheck, policy. */
const SERVICES = [
	["killed", "while :; do touch beat; sleep 0.1; done", FRESH, ""],
	["hung", "while :; do touch beat; sleep 0.1; done", FRESH, ""],
	["crashing", "exit 3", "false", ""],
	[
		"ill",
		"while :; do sleep 0.1; done",
		"echo unhealthy >&2; exit 1",
		"emit-only",
	],
	[
		"slow",
		"until test -e go; do sleep 0.1; done; touch up; while :; do sleep 0.1; done",
		"test -e up",
		"",
	],
	["leaver", "while :; do sleep 0.1; done", "false", ""],
	[
		"first",
		"bun ../serve.ts\nexit $?",
		"exec 3<>/dev/tcp/127.0.0.1/$(cat ../port)",
		"",
	],
	[
		"second",
		"bun ../serve.ts\nexit $?",
		"exec 3<>/dev/tcp/127.0.0.1/$(cat ../port) # mine",
		"",
	],
] as const;
type Name = (typeof SERVICES)[number][0];

beforeAll(async () => {
	root = mkdtempSync(join(tmpdir(), "nexus-services-"));
	stateDir = join(root, "monitor/.state");
	registry = join(root, "monitor/services.registry");
	mkdirSync(stateDir, { recursive: true });
	const config = join(root, "nexus.yml");
	writeFileSync(config, "github: {repo: acme/assets, user_login: op}\n", {
		mode: 0o600,
	});
	const env = {
		...real.proc.env,
		HOME: root,
		PATH: `${join(CODE_ROOT, "node_modules/.bin")}:${process.env.PATH}`,
		NEXUS_CONFIG: config,
		NEXUS_ROOT: root,
		NEXUS_STATE_DIR: stateDir,
		NEXUS_SERVICES_REGISTRY: registry,
	};
	const clock = {
		...real.clock,
		now: () => real.clock.now() + Math.floor(ahead / 1000),
		monoMs: () => real.clock.monoMs() + ahead,
	};
	doors = { ...real, clock, proc: { ...real.proc, env } };
	// The port is chosen by the system once, and then wanted by both.
	writeFileSync(
		join(root, "serve.ts"),
		`import { existsSync, readFileSync, writeFileSync } from "node:fs";
const port = existsSync("../port") ? Number(readFileSync("../port", "utf8")) : 0;
const s = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("ok") });
writeFileSync("../port", String(s.port));
`,
	);
	for (const [name, script] of SERVICES) {
		mkdirSync(join(root, name));
		writeFileSync(join(root, name, `${name}.sh`), script);
	}
	register(SERVICES.map(([name]) => name));
	for (const [name] of SERVICES) if (name !== "second") await launch(name);
	await waitUntil("the first listener", () => existsSync(join(root, "port")));
	await launch("second");
	await waitUntil("the beats", () =>
		["killed", "hung"].every((n) => existsSync(join(root, n, "beat"))),
	);
});

afterAll(async () => {
	for (const [name] of SERVICES) {
		const record = readRecord(real.files, stateDir, name);
		if (record.kind === "ok") await stopGroup(real, record.record.pid);
	}
	rmSync(root, { recursive: true, force: true });
});

function register(names: readonly string[]): void {
	const rows = SERVICES.filter(([name]) => names.includes(name)).map(
		([name, , check, policy]) =>
			`${name}\t${join(root, name)}\tbash ${name}.sh\t${check}\t\t${policy}\n`,
	);
	writeFileSync(registry, rows.join(""));
}
async function launch(name: Name): Promise<void> {
	const found = readRegistry(real.files, registry, {
		root,
		home: root,
		defaultPolicy: "auto-restart",
	});
	const row =
		found.kind === "rows" ? found.rows.find((r) => r.name === name) : null;
	if (!row) throw new Error(`no row of ${name}`);
	// A crash loop is no good start, and that is its part here.
	await launchService(doors, { root, stateDir }, row);
}
function pidOf(name: Name): number {
	const record = readRecord(real.files, stateDir, name);
	if (record.kind !== "ok") throw new Error(`no record of ${name}`);
	return record.record.pid;
}

const memory = healthMemory();
const lines: string[] = [];
const place = () => ({
	root,
	stateDir,
	codeRoot: CODE_ROOT,
	config: watcherConfig({
		"monitor.service_health.restart_cooldown_seconds": 100,
		"monitor.service_health.flap_ceiling": 2,
	}),
});
/** The next tick, two minutes later. */
async function tick(): Promise<void> {
	ahead += 120_000;
	const signal = new AbortController().signal;
	const log = (line: string) => void lines.push(line);
	await serviceHealthTick(
		{ signal, afterGap: false, log, doors },
		place(),
		memory,
	);
}
async function deliver(): Promise<string> {
	const signal = new AbortController().signal;
	const made = await serviceHealthSection(place()).render({ doors, signal });
	await made.commit();
	return made.text;
}
const field = (name: Name, key: string) =>
	readIncidentKv(real.files, stateDir, name)?.get(key) ?? null;
const statuses = (...names: readonly Name[]) =>
	Object.fromEntries(names.map((name) => [name, field(name, "status")]));
const events = (name: Name) =>
	readFileSync(join(stateDir, `service-health/${name}.events`), "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => line.split("\t")[1]);

test("each service ends where its trouble leads, with the incident to show for it", async () => {
	process.kill(-pidOf("killed"), "SIGKILL");
	process.kill(-pidOf("hung"), "SIGSTOP");
	const isStale = (name: Name) =>
		Date.now() - Bun.file(join(root, name, "beat")).lastModified > 2500;
	await waitUntil("the beats to grow cold", () =>
		(["killed", "hung"] as const).every(isStale),
	);
	await tick();
	expect(
		statuses("killed", "hung", "crashing", "ill", "slow", "leaver"),
	).toEqual({
		killed: "grace",
		hung: "grace",
		crashing: "grace",
		ill: "grace",
		slow: "grace",
		leaver: "grace",
	});
	expect(await deliver()).toContain("service 'slow' unhealthy since");

	// Slow to come up: its own supervisor brought it there, nobody had a hand in it.
	writeFileSync(join(root, "slow/go"), "");
	await waitUntil("the slow one", () => existsSync(join(root, "slow/up")));
	const slowPid = pidOf("slow");
	register(SERVICES.map(([name]) => name).filter((name) => name !== "leaver"));
	const [killedPid, hungPid] = [pidOf("killed"), pidOf("hung")];
	await tick();
	expect(statuses("slow", "ill", "killed", "hung", "crashing")).toEqual({
		slow: "recovered",
		ill: "emit-only",
		killed: "recovering",
		hung: "recovering",
		crashing: "recovering",
	});
	expect(field("slow", "recovered_by")).toBe("supervisor");
	expect(pidOf("slow")).toBe(slowPid);
	expect(pidOf("killed")).not.toBe(killedPid);
	expect(pidOf("hung")).not.toBe(hungPid);
	expect(real.proc.alive(hungPid)).toBe(false);
	const told = await deliver();
	expect(told).toContain("service 'leaver' LEFT THE REGISTRY");
	expect(told).toContain("diagnostic: unhealthy");
	expect(field("leaver", "status")).toBeNull();
	// Nobody but a person ends a service that was taken off the list.
	expect(real.proc.alive(pidOf("leaver"))).toBe(true);

	await waitUntil("the restarted beats", () =>
		(["killed", "hung"] as const).every((name) => !isStale(name)),
	);
	for (let n = 0; n < 2; n++) await tick();
	expect(field("killed", "recovered_by")).toBe("watcher");
	expect(field("hung", "recovered_by")).toBe("watcher");
	expect(events("killed")).toContain("restart-issued");
	expect(field("crashing", "status")).toBe("flapping");
	expect(field("crashing", "restart_attempts")).toBe("2");

	// The check of the second is answered by the first, and its own process is gone.
	expect(field("first", "status")).toBeNull();
	expect(field("second", "status")).toBe("inconsistent");
	expect(existsSync(join(stateDir, "service-health/second.restart"))).toBe(
		false,
	);
	const last = await deliver();
	for (const words of [
		"service 'killed' RECOVERED (auto-restart held)",
		"service 'crashing' DOWN and NOT auto-recovering (FLAPPING)",
		"service 'second' INCONSISTENT since",
	])
		expect(last).toContain(words);
}, 60_000);
