#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What looking after services costs beyond their checks: the tick of `service_health` and of `version_check` over
 * `--services N` (default 20) healthy, supervised services at their cadences. The checks are bare shells (`true <name>`); the
 * same shells alone, started as cheaply as can be, are taken off. `--ticks N` (default 30). Wanted: below 0.5 CPU
 * seconds a minute for twenty services.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { healthMemory } from "../monitor/watcher/_service_health/look-after.ts";
import { serviceHealthTick } from "../monitor/watcher/_service_health.ts";
import {
	versionMemory,
	versionTick,
} from "../monitor/watcher/_version_restart.ts";
import { watcherConfig } from "../tests/config/watcher-config.ts";
import { numberFlag, report } from "./measure.ts";
import { doors as real } from "./world.ts";

const WANTED = 0.5;
const services = numberFlag("services", 20);
const ticks = numberFlag("ticks", 30);
const config = watcherConfig();

const root = mkdtempSync(join(tmpdir(), "nexus-bench-"));
const stateDir = join(root, "monitor/.state");
mkdirSync(join(stateDir, "services"), { recursive: true });
const names = Array.from({ length: services }, (_, n) => `service-${n}`);
writeFileSync(
	join(root, "monitor/services.registry"),
	names
		.map((name) => `${name}\t${root}\tbun serve.sh\ttrue ${name}\n`)
		.join(""),
);
writeFileSync(join(root, "serve.sh"), "while :; do serve; done\n");
// This bench stands for their supervisor: a pid that lives.
for (const name of names)
	writeFileSync(join(stateDir, `services/${name}.pid`), `${process.pid}\n`);

const env = { ...real.proc.env, NEXUS_SERVICES_REGISTRY: undefined };
const doors = { ...real, proc: { ...real.proc, env } };
const run = {
	doors,
	afterGap: false,
	signal: new AbortController().signal,
	log: (line: string) => console.log(line),
};
const place = {
	root,
	stateDir,
	codeRoot: CODE_ROOT,
	target: "orchestrator",
	config,
	panesThisTick: async () => ({ kind: "no-tmux" }) as const,
};
const health = healthMemory();
const versions = versionMemory();

try {
	const healthCpu = await cpuOf(() => serviceHealthTick(run, place, health));
	const versionCpu = await cpuOf(() => versionTick(run, place, versions));
	const bareCpu = bareShells() / ticks;
	const perMinute = (seconds: number, every: number) => (seconds * 60) / every;
	const every = config["monitor.service_health.interval_seconds"];
	const looks = perMinute(healthCpu.all - bareCpu, every);
	const own = perMinute(healthCpu.own, every);
	const version = perMinute(
		versionCpu.all,
		config["monitor.version_restart.interval_seconds"],
	);
	console.log(
		`${services} services, CPU s a minute: service_health ${looks.toFixed(3)} beyond the bare checks (${own.toFixed(3)} in the watcher itself), version_check ${version.toFixed(3)}`,
	);
	report({
		name: `looking after ${services} services`,
		value: looks + version,
		unit: "CPU s/min",
		limit: WANTED,
	});
	if (looks + version > WANTED) process.exitCode = 1;
} finally {
	rmSync(root, { recursive: true, force: true });
}

/** CPU seconds of one tick: of this process, and with its ended children. */
async function cpuOf(
	tick: () => Promise<unknown>,
): Promise<{ readonly own: number; readonly all: number }> {
	// The first one reads what the next ones remember.
	await tick();
	const before = { own: ownSeconds(), children: childSeconds() };
	for (let n = 0; n < ticks; n++) await tick();
	const own = (ownSeconds() - before.own) / ticks;
	return { own, all: own + (childSeconds() - before.children) / ticks };
}

function ownSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6;
}

/** User and system time of ended children: fields 16 and 17. */
function childSeconds(): number {
	const read = real.files.read("/proc/self/stat");
	const text = read.kind === "ok" ? read.text : "";
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[13]) + Number(fields[14])) / real.proc.ticksPerSecond();
}

/** The checks themselves: a shell each, and nothing around it. */
function bareShells(): number {
	let micros = 0;
	for (let n = 0; n < ticks * services; n++) {
		const { resourceUsage } = Bun.spawnSync(["bash", "-c", "true"]);
		micros += Number(resourceUsage.cpuTime.total);
	}
	return micros / 1e6;
}
