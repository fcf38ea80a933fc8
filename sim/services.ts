/**
 * Services on the simulated machine: a registry, processes that die, fall sick or keep a check waiting, and a `svc restart`
 * that is the real one, as a process of its own. What no careful hand would have restarted is remembered.
 */
import { serviceHealthDir } from "../monitor/_state/service-incident.ts";
import {
	openRegistry,
	type ServiceRow,
} from "../monitor/_state/services-registry.ts";
import { readSettings } from "../monitor/_state/settings.ts";
import { supervisorRecordPath } from "../monitor/_state/supervisor-record.ts";
import { run as restart } from "../monitor/_svc/restart-service.ts";
import type { ExecOptions, ExecResult } from "../monitor/_sys/doors.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";
import { SERVICES, type Service } from "./act.ts";
import { type Life, startLife } from "./life.ts";
import { ENV, ROOT, STATE } from "./place.ts";

const REGISTRY = `${ROOT}/monitor/services.registry`;
/** Looked after, and never restarted by the watcher. */
const EMIT_ONLY: Service = "tunnel";

export interface SimServices {
	/** Its process ends. */
	dies(name: Service): void;
	/** It runs, and fails its check until it is started anew. */
	sickens(name: Service): void;
	/** Its checks do not end, or do again. */
	hangs(name: Service, isHung: boolean): void;
	isWell(name: Service): boolean;
	/** How often the watcher has restarted it. */
	restarts(name: Service): number;
	/** The operator starts what is down; nothing hangs any more. */
	heal(): void;
	readonly wrongs: readonly string[];
}

interface State {
	pid: number;
	isSick: boolean;
	isHung: boolean;
	restarts: number;
}

export function simServices(
	doors: FakeDoors,
	nextPid: () => number,
): SimServices {
	const { clock, files, proc } = doors;
	const wrongs: string[] = [];
	const states = new Map<string, State>();
	const stateOf = (name: string) => {
		const state = states.get(name);
		if (state === undefined) throw new Error(`no service ${name}`);
		return state;
	};
	const isWell = (name: string) =>
		proc.alive(stateOf(name).pid) && !stateOf(name).isSick;
	const wrong = (what: string) => wrongs.push(`${clock.iso()} ${what}`);

	const rows = SERVICES.map((name) => {
		files.seedDir(`/srv/${name}`);
		const policy = name === EMIT_ONLY ? "\t/dev/null\temit-only" : "";
		return `${name}\t/srv/${name}\t./${name}-supervised\t${name} ok${policy}\n`;
	});
	files.seed(REGISTRY, rows.join(""));

	/** Its process with its record, as the first process of a launch leaves them. */
	function begins(name: string, pid: number): boolean {
		proc.add({
			pid,
			argv: ["bash", `./${name}-supervised`],
			cwd: `/srv/${name}`,
		});
		const text = `${pid}\nns=${proc.pidNamespace()}\nstart=${pid * 10}\n`;
		files.mkdir(`${STATE}/services`);
		const wrote = files.writeAtomic(supervisorRecordPath(STATE, name), text);
		return wrote.kind === "ok";
	}
	for (const name of SERVICES) {
		const pid = nextPid();
		states.set(name, { pid, isSick: false, isHung: false, restarts: 0 });
		begins(name, pid);
	}

	const spawn = proc.spawnDetached;
	proc.spawnDetached = (s) => {
		const begun = spawn(s);
		const name = /\/services\/(.*)\.pid$/.exec(s.argv[4] ?? "")?.[1];
		if (begun.kind !== "ok" || name === undefined) return begun;
		const state = stateOf(name);
		if (isWell(name)) wrong(`${name} was started beside itself`);
		if (begins(name, begun.pid)) {
			state.pid = begun.pid;
			state.isSick = false;
		} else proc.end(begun.pid, 70);
		return begun;
	};
	const signal = proc.signal;
	proc.signal = (target, sig) => {
		for (const [name, { pid }] of states)
			if (pid === Math.abs(target) && isWell(name))
				wrong(`${name} got ${sig} while it was well`);
		return signal(target, sig);
	};

	const exited = (rc: number): ExecResult => ({
		kind: "exited",
		rc,
		stdout: "",
		stderr: "",
	});
	const waits = async ({ timeoutMs, signal }: ExecOptions) =>
		(await clock.sleep(timeoutMs, signal)) === "aborted"
			? ({ kind: "aborted" } as const)
			: ({ kind: "timeout", stdout: "", stderr: "" } as const);
	proc.answer("sh", (_argv, opts) => {
		const name = opts.env?.NEXUS_SERVICE_CHECK?.split(" ")[0] ?? "";
		if (!states.has(name)) return exited(127);
		return stateOf(name).isHung ? waits(opts) : exited(isWell(name) ? 0 : 1);
	});

	const rowOf = (name: string): ServiceRow | null => {
		const opened = openRegistry(files, ENV, ROOT, "auto-restart");
		if (opened.kind !== "rows") return null;
		return opened.rows.find((row) => row.name === name) ?? null;
	};
	/** `svc restart <name>` by `actor`; its exit code. */
	async function svcRestart(name: string, life: Life): Promise<number> {
		const row = rowOf(name);
		if (row === null) return 1;
		const settings = await readSettings(life.doors, ROOT, true);
		return restart(row, {
			doors: life.doors,
			settings,
			json: false,
			colour: false,
			recover: [],
			print: () => {},
		});
	}
	function asProcess(actor: string): Life {
		const pid = nextPid();
		proc.add({ pid, comm: "bun", environ: ENV, cwd: ROOT });
		const env = { ...ENV, SVC_RESTART_ACTOR: actor };
		return startLife(doors, pid, env, () => proc.end(pid));
	}
	proc.answer(/\/svc\.ts restart /, async (argv, opts) => {
		const name = argv.at(-1) ?? "";
		if (name === EMIT_ONLY) wrong(`the watcher restarted ${name}`);
		if (isWell(name)) wrong(`the watcher restarted ${name}, which was well`);
		stateOf(name).restarts++;
		const life = asProcess(opts.env?.SVC_RESTART_ACTOR ?? "");
		const ended = await Promise.race([
			svcRestart(name, life).then(exited, () => exited(1)),
			waits(opts),
		]);
		life.kill();
		return ended;
	});

	return {
		wrongs,
		isWell,
		restarts: (name) => stateOf(name).restarts,
		dies: (name) => proc.end(stateOf(name).pid, 1),
		sickens: (name) => {
			stateOf(name).isSick = true;
		},
		hangs: (name, isHung) => {
			stateOf(name).isHung = isHung;
		},
		heal: () => {
			for (const name of SERVICES) {
				stateOf(name).isHung = false;
				const isGivenUp =
					name === EMIT_ONLY || statusOf(doors, name) === "flapping";
				if (!isGivenUp || isWell(name)) continue;
				const life = asProcess("operator");
				const over = () => life.kill();
				svcRestart(name, life).then(over, over);
			}
		},
	};
}

/** Of its open incident, as the file says. */
function statusOf({ files }: FakeDoors, name: string): string {
	const path = `${serviceHealthDir(STATE)}/${name}.state`;
	if (!files.has(path)) return "";
	return /^status=(.*)$/m.exec(files.text(path))?.[1] ?? "";
}
