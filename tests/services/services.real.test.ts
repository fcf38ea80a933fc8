/** Services as real processes, on a root of their own. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { stopGroup } from "../../monitor/_services/group-stop.ts";
import { runHealthcheck } from "../../monitor/_services/healthcheck.ts";
import { launchService } from "../../monitor/_services/launch.ts";
import { supervisorState } from "../../monitor/_services/supervisor.ts";
import type { ServiceRow } from "../../monitor/_state/services-registry.ts";
import {
	parseRecord,
	supervisorRecordPath,
} from "../../monitor/_state/supervisor-record.ts";
import { programArgv } from "../../monitor/_sys/names.ts";
import { membersOf } from "../../monitor/_sys/process-group.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { openRealRoot, type RealRoot } from "../support/real-root.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 60_000;
const doors = realDoors();
let root: RealRoot;
let home: { root: string; stateDir: string };
beforeEach(() => {
	root = openRealRoot();
	home = { root: root.root, stateDir: root.stateDir };
	mkdirSync(join(root.root, "web"));
});
afterEach(async () => {
	const dir = join(root.stateDir, "services");
	const names = existsSync(dir) ? readdirSync(dir) : [];
	for (const name of names.filter((n) => n.endsWith(".pid"))) {
		const record = parseRecord(readFileSync(join(dir, name), "utf8"));
		if (record !== null) await stopGroup(doors, record.pid);
	}
	await root.close();
}, LIMIT);

function row(launch: string, healthcheck = "true"): ServiceRow {
	const workdir = join(root.root, "web");
	return {
		name: "web",
		workdir,
		launch,
		healthcheck,
		logfile: join(workdir, "serve.log"),
		policy: "auto-restart",
	};
}
async function launched(service: ServiceRow): Promise<number> {
	const done = await launchService(doors, home, service);
	if (done.kind === "failed") throw new Error(done.why);
	return done.pid;
}
const registry = (...rows: readonly string[]) =>
	writeFileSync(
		join(root.root, "monitor/services.registry"),
		`${rows.join("\n")}\n`,
	);
const said = (name: string) =>
	readFileSync(join(root.root, "web", name), "utf8");

describe("a launched service", () => {
	test(
		"is a session of its own, keeps none of our descriptors, and wrote its own record",
		async () => {
			// As the watcher does: the instance lock is held while it starts a service.
			const lockPath = join(root.stateDir, "nexus-instance.lock");
			const lock = doors.locks.hold(lockPath);
			if (lock.kind !== "acquired") throw new Error(lock.kind);
			const service = row("while :; do echo up; sleep 1; done");
			const pid = await launched(service);
			lock.lock.release();
			// Whoever revives the watcher finds its lock free.
			expect(doors.locks.probe(lockPath).kind).toBe("free");

			const fds = readdirSync(`/proc/${pid}/fd`).map((fd) =>
				readlinkSync(`/proc/${pid}/fd/${fd}`),
			);
			expect(fds.filter((to) => to.includes(root.stateDir))).toEqual([]);
			expect(fds.slice(0, 3)).toEqual([
				"/dev/null",
				service.logfile,
				service.logfile,
			]);
			const stat = doors.proc.stat(pid);
			expect(stat).toMatchObject({ value: { pgid: pid, sid: pid } });
			expect(
				parseRecord(
					readFileSync(supervisorRecordPath(root.stateDir, "web"), "utf8"),
				),
			).toEqual({
				pid,
				ns: doors.proc.pidNamespace(),
				startTicks: stat.kind === "ok" ? stat.value.startTicks : "",
			});
			expect(supervisorState(doors, root.stateDir, service)).toEqual({
				kind: "alive",
				pid,
			});
			expect(statSync(service.logfile).mode & 0o777).toBe(0o640);
			await waitUntil("its words", () => said("serve.log").startsWith("up\n"));
		},
		LIMIT,
	);

	test(
		"runs its command as a terminal would: quotes, pipes, $ and all",
		async () => {
			await launched(
				row(
					`FOO="a b" bash -c 'printf "%s|%s\\n" "$FOO" "$NEXUS_ROOT" | tr a-z A-Z >"out file"; exec sleep 60'`,
				),
			);
			const wanted = `A B|${root.root.toUpperCase()}\n`;
			await waitUntil("its output", () => {
				try {
					return said("out file") === wanted;
				} catch {
					return false;
				}
			});
		},
		LIMIT,
	);

	test(
		"ends with all its children, one that ignores TERM too",
		async () => {
			const pid = await launched(
				row("bash -c 'trap \"\" TERM; sleep 60' & sleep 60; wait"),
			);
			expect(await stopGroup(doors, pid)).toEqual({ kind: "stopped" });
			expect(membersOf(doors, pid)).toEqual([]);
		},
		LIMIT,
	);

	test("whose wrapper becomes another program stays its supervisor, and ends as one", async () => {
		const service = row("./last-supervised");
		const wrapper = join(service.workdir, "last-supervised");
		writeFileSync(wrapper, "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
		const pid = await launched(service);
		await waitUntil("the other program", () => {
			const argv = doors.proc.argv(pid);
			return argv.kind === "ok" && argv.value[0] === "sleep";
		});
		const state = () => supervisorState(doors, root.stateDir, service);
		expect(state()).toEqual({ kind: "alive", pid });
		expect(await stopGroup(doors, pid)).toEqual({ kind: "stopped" });
		expect(state()).toEqual({ kind: "stale", reason: "process-gone" });
	});

	test("of a misspelt command is a failed launch, with the shell's words in the log", async () => {
		const done = await launchService(doors, home, row("./no-such-program"));
		expect(done.kind).toBe("failed");
		expect(said("serve.log")).toContain("no-such-program");
	});
});

describe("a check", () => {
	test(
		"that hangs is ended with its children at the bound",
		async () => {
			const hung = row("true", "sleep 61 & echo $! >child; sleep 61");
			const verdict = await runHealthcheck(doors, home, hung, {
				boundSeconds: 1,
			});
			expect(verdict).toEqual({
				kind: "unknown",
				why: "did not finish within 1s",
			});
			const child = Number(said("child"));
			await waitUntil("its child's end", () => !doors.proc.alive(child));
		},
		LIMIT,
	);

	test("does not find itself by its own text", async () => {
		const self = row("true", "pgrep -f surely-nobody-runs-this >/dev/null");
		expect(
			(await runHealthcheck(doors, home, self, { boundSeconds: 20 })).kind,
		).toBe("down");
	});

	test("does not find another that looks for the same words", async () => {
		mkdirSync(join(root.stateDir, "services"), { recursive: true });
		const names = ["a", "ab", "abc", "abcd", "abcde", "abcdef"];
		const verdicts = await Promise.all(
			names.map((name) =>
				runHealthcheck(doors, home, row("true", `pgrep -f nobody-${name}`), {
					boundSeconds: 20,
				}),
			),
		);
		expect(verdicts.map((v) => v.kind)).toEqual(names.map(() => "down"));
	});

	test(
		"of a status that is broken off is ended with it, and leaves nothing behind",
		async () => {
			registry(
				`web\t${root.root}\ttrue\ttrap '' INT TERM; echo $$ >check; sleep 61; :`,
			);
			const { env } = root;
			const argv = programArgv(process.execPath, "svc", ["status"]);
			const status = Bun.spawn([...argv], { env, stdout: "ignore" });
			const path = join(root.root, "check");
			const pid = await waitUntil("its check", () =>
				existsSync(path) ? Number(readFileSync(path, "utf8")) : null,
			);
			status.kill("SIGINT");
			expect(await status.exited).toBe(130);
			await waitUntil("the check's end", () => !doors.proc.alive(pid));
			expect(readdirSync(join(root.root, "tmp"))).toEqual([]);
		},
		LIMIT,
	);

	test("is done when it is done, though a grandchild holds its stderr", async () => {
		const begun = row("true", "(sleep 2; :) & echo refused >&2; exit 3");
		const start = doors.clock.monoMs();
		expect(
			await runHealthcheck(doors, home, begun, { boundSeconds: 20 }),
		).toEqual({ kind: "down", rc: 3, detail: "refused" });
		expect(doors.clock.monoMs() - start).toBeLessThan(2000);
	});
});

test(
	"up from nothing, up again, down, up: what runs is left alone, what is down comes back",
	async () => {
		registry(
			"web\t$NEXUS_ROOT/web\twhile :; do echo $$ >alive; sleep 1; done\ttest -s alive && grep -q . /proc/$(cat alive)/cmdline",
		);
		const up = () =>
			root.run("svc", ["up", "--no-orchestrator", "--no-workers"]);
		const pids = () => [
			root.pid(),
			parseRecord(root.state("services/web.pid"))?.pid,
		];
		const first = await up();
		expect(first.err).toContain("[recover] web: relaunched");
		expect(first.rc).toBe(0);
		const before = pids();
		await waitUntil("the service", () =>
			existsSync(join(root.root, "web/alive")),
		);
		const again = await up();
		expect(again.err).toContain("[recover] watcher: healthy");
		expect(again.err).toContain("[recover] web: healthy");
		expect(pids()).toEqual(before);
		expect((await root.run("svc", ["status", "web"])).rc).toBe(0);

		expect((await root.run("svc", ["down"])).rc).toBe(0);
		expect(root.groups()).toEqual([]);
		expect(root.state("services/web.pid")).toBe("");
		const quiet = await root.run("bootstrapRecover", ["--dry-run"]);
		expect(quiet.err).not.toMatch(/would (relaunch|run|resume)/);
		expect((await up()).rc).toBe(0);
		expect(root.groups()).toHaveLength(1);
	},
	LIMIT,
);

test(
	"what a killed wrapper left running is found by its group: restart takes it over, start ends it first, stop too",
	async () => {
		registry(
			[
				...["web", join(root.root, "web")],
				...["sleep 601 & echo $! >child; wait", "test -f up"],
			].join("\t"),
		);
		const child = () => Number(said("child"));
		const orphaned = async () => {
			await waitUntil("its child", () => (child() > 0 ? true : null));
			const record = parseRecord(root.state("services/web.pid"));
			if (record === null) throw new Error("no record");
			process.kill(record.pid, "SIGKILL");
			return child();
		};
		await root.run("svc", ["start", "web"]);
		const served = await orphaned();
		writeFileSync(join(root.root, "web/up"), "");
		expect((await root.run("svc", ["stop", "web"])).err).toContain(
			"the daemon runs unsupervised",
		);
		expect(doors.proc.alive(served)).toBe(true);
		// Somebody else would answer for ever: the check is none of the child's.
		expect((await root.run("svc", ["restart", "web"])).err).toContain(
			"someone else serves that endpoint",
		);
		expect(doors.proc.alive(served)).toBe(false);

		rmSync(join(root.root, "web/up"));
		for (const verb of ["start", "restart", "stop"]) {
			rmSync(join(root.root, "web/child"));
			await root.run("svc", ["start", "web"]);
			const left = await orphaned();
			expect([verb, (await root.run("svc", [verb, "web"])).rc]).toEqual([
				verb,
				0,
			]);
			expect([verb, doors.proc.alive(left)]).toEqual([verb, false]);
			await root.run("svc", ["stop", "web"]);
		}
	},
	LIMIT,
);

test(
	"the registry's faults have their line, their exit code, and cost no other service",
	async () => {
		registry("# mine", "bad\t/x\tonly three", "ok\t/tmp\tl\th");
		const listed = await root.run("svc", ["list"]);
		expect(listed.out).toBe("ok\t/tmp\tl\th\t/tmp/serve.log\tauto-restart\n");
		expect(listed.err).toContain("services.registry line 2: ");
		writeFileSync(join(root.root, "monitor/services.registry"), "");
		for (const [program, args] of [
			["svc", ["list"]],
			["svc", ["status"]],
			["svc", ["start", "ok"]],
			["bootstrapRecover", ["--list"]],
		] as const) {
			const ran = await root.run(program, args);
			expect(ran.rc).toBe(79);
			expect(`${ran.out}${ran.err}`.toLowerCase()).toContain(
				"registry not readable",
			);
		}
	},
	LIMIT,
);
