/** The watcher's fake machine with a registry, whose services a test makes healthy, dead or hung. */
import { serviceLockPath } from "../../monitor/_state/service-lock.ts";
import { supervisorRecordPath } from "../../monitor/_state/supervisor-record.ts";
import type { SvcContext } from "../../monitor/_svc/verb.ts";
import { HANG } from "../fakes/proc.ts";
import { STATE, type WatcherWorld, watcherWorld } from "./watcher-world.ts";

export const REGISTRY = "/root/monitor/services.registry";

export interface ServiceWorld extends WatcherWorld {
	/** Healthchecks, by their text: the exit code, or `hang`. Default 1. */
	readonly health: Map<string, number | "hang">;
	/** What a launch does; default: a process with its record, and a check that passes from then on. */
	onLaunch: (name: string) => void;
	/** A living supervisor with its record, as a launch leaves it. */
	supervise(name: string, pid: number): void;
	readonly launches: () => readonly string[];
	readonly context: SvcContext;
	readonly printed: string[];
}

/** Rows `name`, launched by `./<name>-supervised` in `/srv/<name>`, with the healthcheck `<name> ok`. */
export async function serviceWorld(
	names: readonly string[],
	opts: {
		readonly env?: Readonly<Record<string, string>>;
		readonly recover?: readonly string[];
	} = {},
): Promise<ServiceWorld> {
	const base = await watcherWorld(opts.env ? { env: opts.env } : {});
	const { doors, settings } = base;
	const health = new Map<string, number | "hang">();
	const launched: string[] = [];
	const printed: string[] = [];
	for (const name of names) doors.files.seedDir(`/srv/${name}`);
	if (names.length > 0)
		doors.files.seed(
			REGISTRY,
			names
				.map((n) => `${n}\t/srv/${n}\t./${n}-supervised\t${n} ok\n`)
				.join(""),
		);
	doors.proc.answer("sh", (_argv, { env, signal, timeoutMs }) => {
		const how = health.get(env?.NEXUS_SERVICE_CHECK ?? "") ?? 1;
		if (how !== HANG)
			return { kind: "exited", rc: how, stdout: "", stderr: "" };
		return doors.clock
			.sleep(timeoutMs, signal)
			.then(() => ({ kind: "aborted" }) as const);
	});
	const supervise = (name: string, pid: number) => {
		const argv = ["bash", `./${name}-supervised`];
		doors.proc.add({ pid, argv, cwd: `/srv/${name}` });
		const start = pid * 10;
		doors.files.seed(
			supervisorRecordPath(STATE, name),
			`${pid}\nns=${doors.proc.pidNamespace()}\nstart=${start}\n`,
		);
	};
	const spawn = doors.proc.spawnDetached;
	const world: ServiceWorld = {
		...base,
		health,
		supervise,
		printed,
		launches: () => launched,
		onLaunch: (name) => {
			supervise(name, 7000 + launched.length);
			health.set(`${name} ok`, 0);
		},
		context: {
			doors,
			settings,
			json: false,
			colour: false,
			recover: opts.recover ?? [],
			print: (line) => void printed.push(line),
		},
	};
	doors.proc.spawnDetached = (s) => {
		const name = /\/services\/(.*)\.pid$/.exec(s.argv[4] ?? "")?.[1];
		const begun = spawn(s);
		if (begun.kind === "ok" && name !== undefined) {
			launched.push(name);
			world.onLaunch(name);
		}
		return begun;
	};
	return world;
}

export function lockedElsewhere(world: ServiceWorld, name: string): void {
	world.doors.locks.takenElsewhere(serviceLockPath(STATE, name));
}
