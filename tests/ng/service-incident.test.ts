/** The text of an incident (contract 05 §14.2). */
import { describe, expect, test } from "bun:test";
import {
	outcome,
	renderIncident,
} from "../../monitor/_ng/service-incident/render.ts";
import { parseKv } from "../../monitor/_state/kv.ts";
import { ngRig, S } from "./rig.ts";

describe("service-incident", () => {
	test("nothing known of it", async () => {
		expect(await ngRig().ng("service-incident", "web")).toEqual({
			rc: 1,
			out: "",
			err: `service-incident: nothing is known of web: no ${S}/service-health/web.state`,
		});
	});

	test.each(["", ".", "..", "../web", "a/b", "a b", "a..b", "a\u001b[2J"])(
		"what is no name of a service is part of no path: %j",
		async (name) => {
			const rig = ngRig();
			rig.doors.files.seed(
				`${S}/service-health/${name}.state`,
				"status=down\n",
			);
			const ran = await rig.ng("service-incident", name);
			expect([ran.rc, ran.out]).toEqual([1, ""]);
			expect(ran.err).toStartWith("service-incident needs a service");
			expect(ran.err).not.toContain("\u001b");
		},
	);

	test("a logfile that is relative is in the service's own folder", async () => {
		const rig = ngRig();
		const state = (more: string) =>
			rig.doors.files.seed(
				`${S}/service-health/web.state`,
				`status=down\nlogfile=web.log\n${more}`,
			);
		rig.doors.files.seed("/srv/web.log", "of /srv\n");
		rig.doors.files.seed("/root/web.log", "of the root\n");
		state("workdir=/srv\n");
		expect((await rig.ng("service-incident", "web")).out).toContain("of /srv");
		state("");
		expect((await rig.ng("service-incident", "web")).out).toContain(
			"of the root",
		);
	});

	test("of a large log the end is enough", async () => {
		const rig = ngRig();
		rig.doors.files.seed(
			`${S}/service-health/web.state`,
			"status=down\nlogfile=/l/web.log\n",
		);
		rig.doors.files.seed("/l/web.log", `first\n${"x".repeat(70_000)}\nlast\n`);
		const { out } = await rig.ng("service-incident", "web");
		expect(out).toContain("last\n");
		expect(out).not.toContain("first\n");
	});

	test("has its sections in order, and quotes what the files say", async () => {
		const rig = ngRig();
		rig.doors.files.seed(
			`${S}/service-health/web.state`,
			"status=flapping\nrestart_attempts=3\nhealth_cmd=curl -f http://x?a=b\nlogfile=/l/web.log\nfirst_unhealthy_iso=2026-01-02T03:04:05Z\n",
		);
		rig.doors.files.seed(`${S}/service-health/web.events`, "2026\tdown\t```\n");
		rig.doors.files.seed(
			"/l/web.log",
			`${Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n")}\n`,
		);
		const { rc, out } = await rig.ng("service-incident", "web");
		expect(rc).toBe(0);
		const headings = out.split("\n").filter((l) => l.startsWith("#"));
		expect(headings).toEqual([
			"# Service incident: web",
			"## Failure report",
			"## Immediate response",
			"## Root-cause fix",
			"## References",
			"### Recorded event timeline (verbatim)",
			"### Logfile tail (last 40 lines)",
			"## Worker report",
		]);
		expect(out).toContain("monitor/svc.ts restart web");
		expect(out).toContain("- First unhealthy: 2026-01-02T03:04:05Z");
		expect(out).toContain("- Healthcheck: `curl -f http://x?a=b`");
		expect(out).toContain("- Restored: —");
		expect(out).toContain("````\n2026\tdown\t```\n````");
		expect(out).toContain("line 10\n");
		expect(out).not.toContain("line 9\n");
	});

	test.each([
		["/srv/nexus", "web", "cd /srv/nexus\nmonitor/svc.ts restart web"],
		["/my work/$x", "web", "cd '/my work/$x'\nmonitor/svc.ts restart web"],
		["/n", "a;b'c", "cd /n\nmonitor/svc.ts restart 'a;b'\\''c'"],
	])("the lines to copy do what they say: %j %j", (root, service, lines) => {
		const text = renderIncident({
			service,
			state: parseKv(""),
			root,
			svc: "monitor/svc.ts",
			events: null,
			logTail: null,
			statePath: "/s",
			eventsPath: "/e",
		}).join("\n");
		expect(text).toContain(`\`\`\`sh\n${lines}\n\`\`\``);
	});

	test("events alone are enough", async () => {
		const rig = ngRig();
		rig.doors.files.seed(`${S}/service-health/web.events`, "x\n");
		expect((await rig.ng("service-incident", "web")).out).toContain(
			"- Status: unknown",
		);
	});

	test.each([
		[
			"status=recovered\nrecovered_via=self-healed (probe)",
			/recovered \(self-healed \(probe\)\).*watcher did not restart/,
		],
		[
			"status=recovered\nrestart_attempts=2",
			/recovered.*auto-restart held after 2 attempts/,
		],
		[
			"status=flapping\nrestart_attempts=3",
			/not recovered: 3 attempts did not hold; escalated/,
		],
		[
			"status=recovering\nrestart_attempts=1\nlast_check_iso=T",
			/in progress: 1 .*issued, awaiting .*T/,
		],
		[
			"status=recovered\nrestart_attempts=0\nrecovered_via=restarted by operator",
			/recovered \(restarted by operator\); no restart by the watcher/,
		],
		[
			"status=inconsistent\nsupervisor=process-gone",
			/none needed.*passes.*supervisor is gone \(process-gone\)/,
		],
		["status=emit-only", /not recovered.*not auto-restarted, by policy/],
		[
			"status=grace\ngrace_seconds=90",
			/in grace, within the 90 s window; no action yet/,
		],
		["status=down\nrestart_attempts=1", /auto-restart under way \(1\)/],
		["status=odd\nrestart_attempts=4", /odd.*4/],
		["", /unknown.*0/],
	])("outcome of %j", (state, words) => {
		expect(outcome(parseKv(state))).toMatch(words);
	});
});
