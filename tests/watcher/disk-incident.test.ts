/** A disk that cannot be written, told on GitHub (contract 07 §11.8), before a stand-in that is asked over real HTTP. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { FsMode } from "../../monitor/_sys/fs-guard.ts";
import {
	diskIncident,
	onEachTurn,
	tellDisk,
} from "../../monitor/watcher/_loop/disk-incident.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { OPERATOR, openRig, REPO, type Rig, STATE_DIR } from "../github/rig.ts";
import { waitUntil } from "../support/wait-until.ts";

let rig: Rig;
beforeEach(() => {
	rig = openRig();
});
afterEach(() => rig.close());

const place = (escalate = true): Parameters<typeof diskIncident>[1] => ({
	root: "/n",
	stateDir: STATE_DIR,
	config: {
		...watcherConfig(),
		"github.repo": REPO,
		"github.user_login": OPERATOR,
		"monitor.rofs_alarm.github_escalation_enabled": escalate,
	},
});
/** Issues and comments that were posted. */
const posts = () =>
	rig.standIn.requests.filter(({ line }) => /^POST .*\/issues\b/.test(line));
const overview = () =>
	rig.standIn.acts.openIssue(REPO, {
		user: OPERATOR,
		title: "O",
		labels: ["nexus:overview"],
	});
const warnings = () => rig.doors.log.messages("warn").join("\n");

describe("what is told", () => {
	test("is an issue, and a word in the overview that calls the operator and names it, from a disk that takes nothing", async () => {
		const board = overview();
		rig.doors.files.faults.readOnly = true;
		await rig.inTime(tellDisk(rig.gitHub, rig.doors, place()));
		const [issue, word] = posts().map(({ body }) => body);
		expect(issue?.title).toBe("The watcher's disk cannot be written (host-a)");
		expect(issue?.body).toContain(`\`${STATE_DIR}\` on host-a`);
		expect(word?.body).toStartWith(`@${OPERATOR} the watcher on host-a `);
		expect(word?.body).toEndWith(`/${REPO}/issues/2`);
		expect(posts()[1]?.line).toEndWith(`/issues/${board.number}/comments`);
	});

	test("is the issue alone where there is no overview, and the log says so", async () => {
		await rig.inTime(tellDisk(rig.gitHub, rig.doors, place()));
		expect(posts()).toHaveLength(1);
		expect(warnings()).toContain("no overview issue");
	});

	test("is nothing where GitHub refuses, and the log says so", async () => {
		rig.standIn.faults.add({
			on: "POST /repos/{owner}/{repo}/issues",
			fault: { kind: "forbidden" },
		});
		overview();
		await rig.inTime(tellDisk(rig.gitHub, rig.doors, place()));
		expect(posts()).toHaveLength(1);
		expect(warnings()).toContain("disk incident: no issue: ");
	});
});

describe("it is told", () => {
	const D = "degraded";
	test.each<[string, readonly (readonly [FsMode, number])[], number]>([
		[
			"when the disk turns, once",
			[
				["ok", 1],
				[D, 1],
				[D, 9999],
				[D, 1],
			],
			1,
		],
		["also when it was so from the first look", [[D, 1]], 1],
		[
			"never of a disk that is well",
			[
				["ok", 1],
				["ok", 1],
			],
			0,
		],
		[
			"not again within the hour",
			[
				[D, 1],
				["ok", 3597],
				[D, 1],
			],
			1,
		],
		[
			"again after it",
			[
				[D, 1],
				["ok", 3599],
				[D, 1],
			],
			2,
		],
	])("%s", (_name, looks, count) => {
		let told = 0;
		const { clock } = rig.doors;
		const look = onEachTurn(clock, () => void told++);
		for (const [mode, seconds] of looks) {
			look(mode);
			clock.stall(seconds * 1000);
		}
		expect(told).toBe(count);
	});

	test.each([
		["on GitHub", true, true, 1],
		["to nobody while GitHub is off", true, false, 0],
		["to nobody where that is switched off", false, true, 0],
	])("%s", async (_name, escalate, isOn, count) => {
		const look = (on: boolean, app: Rig["app"] | null) =>
			diskIncident(rig.doors, place(on), app)("degraded");
		overview();
		look(escalate, isOn ? rig.app : null);
		// One that is surely told begins behind it, and both words come in their order.
		look(true, rig.app);
		const words = () =>
			posts().filter(({ line }) => line.endsWith("/comments")).length;
		const all = waitUntil("the words", () => words() >= count + 1);
		await rig.inTime(all);
		expect(words()).toBe(count + 1);
	});
});
