/** Services on fake doors: checks that answer as the test says, ticks at its times, the section and its delivery. */
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import { serviceHealthSection } from "../../monitor/_emit/service-health.ts";
import { readIncidentKv } from "../../monitor/_state/service-incident.ts";
import type { ExecOptions } from "../../monitor/_sys/doors.ts";
import { healthMemory } from "../../monitor/watcher/_service_health/look-after.ts";
import { serviceHealthTick } from "../../monitor/watcher/_service_health.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

export const KEYS = {
	grace: "monitor.service_health.grace_seconds",
	cooldown: "monitor.service_health.restart_cooldown_seconds",
	ceiling: "monitor.service_health.flap_ceiling",
} as const;
export const ROOT = "/srv/nexus";
export const STATE = `${ROOT}/monitor/.state`;
/** Epoch second 0 of the tests' own time. */
export const T0 = 1_800_000_000;

export interface HealthRigOptions {
	readonly config?: { readonly [K in ConfigKey]?: ConfigValue<K> };
	/** Lines of the registry; default: one service `web`. */
	readonly registry?: readonly string[];
	/** Exit code of `svc restart`. */
	readonly svc?: (service: string) => number;
}

export function registryLine(name: string, policy = ""): string {
	return `${name}\t/w\tbash serve-${name}.sh\tcheck ${name}\t\t${policy}`;
}

/** What a check says on its way out, by its exit code. */
const WORDS: Readonly<Record<number, string>> = { 7: "connection refused\n" };
/** What a check does: its exit code, or it hangs. */
export type Answer = number | "hang";

export function healthRig(opts: HealthRigOptions = {}) {
	const doors: FakeDoors = fakeDoors({ now: T0, auto: true });
	const { files, clock, proc } = doors;
	const answers = new Map<string, Answer>();
	const restarts: { readonly service: string; readonly actor: string }[] = [];
	/** Seconds of the tests' time. */
	const restartedAt: number[] = [];
	files.seedDir(STATE);
	files.seedDir("/w");
	const registry = `${ROOT}/monitor/services.registry`;
	const setRegistry = (lines: readonly string[]) =>
		files.seed(registry, lines.map((l) => `${l}\n`).join(""));
	setRegistry(opts.registry ?? [registryLine("web")]);
	proc.answer("sh", async (_, execOpts: ExecOptions) => {
		const name = (execOpts.env?.NEXUS_SERVICE_CHECK ?? "").split(" ")[1] ?? "";
		const answer = answers.get(name) ?? 0;
		if (answer !== "hang")
			return {
				kind: "exited",
				rc: answer,
				stdout: "",
				stderr: WORDS[answer] ?? "",
			};
		await clock.sleep(execOpts.timeoutMs, execOpts.signal);
		return { kind: "aborted" };
	});
	proc.answer(/svc\.ts restart/, (argv, execOpts) => {
		const service = argv.at(-1) ?? "";
		restarts.push({ service, actor: execOpts.env?.SVC_RESTART_ACTOR ?? "" });
		restartedAt.push(clock.now() - T0);
		const rc = opts.svc?.(service) ?? 0;
		return { kind: "exited", rc, stdout: "", stderr: "" };
	});
	const place = {
		root: ROOT,
		stateDir: STATE,
		codeRoot: ROOT,
		config: watcherConfig(opts.config ?? {}),
	};
	let memory = healthMemory();
	const lines: string[] = [];
	const section = serviceHealthSection(place);
	const render = async () => {
		const signal = new AbortController().signal;
		return section.render({ doors, signal });
	};
	const at = (t: number) => {
		const ms = T0 * 1000 + t * 1000 - clock.nowMs();
		clock.stall(ms);
	};
	return {
		doors,
		files,
		clock,
		proc,
		place,
		restarts,
		restartedAt,
		lines,
		setRegistry,
		answers,
		render,
		/** A tick at `t` seconds of the tests' time. */
		tick: async (
			t: number,
			part: { readonly afterGap?: boolean; readonly signal?: AbortSignal } = {},
		) => {
			at(t);
			const run = {
				signal: part.signal ?? new AbortController().signal,
				afterGap: part.afterGap ?? false,
				log: (line: string) => lines.push(line),
				doors,
			};
			return clock.run(serviceHealthTick(run, place, memory));
		},
		/** A watcher that begins anew on the same disk. */
		restartWatcher: () => {
			memory = healthMemory();
		},
		/** Renders and delivers; the text that was delivered. */
		deliver: async () => {
			const made = await render();
			await made.commit();
			return made.text;
		},
		state: (service = "web") => readIncidentKv(files, STATE, service),
		status: (service = "web") =>
			readIncidentKv(files, STATE, service)?.get("status") ?? null,
		events: (service = "web") => {
			const path = `${STATE}/service-health/${service}.events`;
			return files.has(path)
				? files
						.text(path)
						.trimEnd()
						.split("\n")
						.map((l) => l.split("\t")[1])
				: [];
		},
		/** A record that names a living supervisor, one that does not, or none. */
		record: (kind: "alive" | "stale" | "absent", service = "web") => {
			const path = `${STATE}/services/${service}.pid`;
			if (kind === "absent") return void files.remove(path);
			proc.add({ pid: 777, argv: ["bash", `serve-${service}.sh`] });
			files.seed(path, `${kind === "alive" ? 777 : 778}\n`);
		},
		marker: (actor: string, t: number, service = "web") =>
			files.seed(
				`${STATE}/service-health/${service}.restart`,
				`actor=${actor}\nat=${T0 + t}\niso=x\n`,
			),
		at,
	};
}
export type HealthRig = ReturnType<typeof healthRig>;
