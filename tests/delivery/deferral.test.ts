import { describe, expect, test } from "bun:test";
import { pasteDeferralPath } from "../../monitor/_state/paste-deferral.ts";
import {
	decideDeferral,
	noteDeferral,
	resetDeferral,
} from "../../monitor/watcher/_paste_deferral.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { STATE } from "./rig.ts";

const LIMITS = { alertCount: 3, alertSeconds: 900 };
const NOW = 1_785_261_600;

describe("a draft that keeps reports out", () => {
	test.each([
		[
			"the first refusal begins the count",
			null,
			null,
			{ count: 1, firstAt: NOW },
			false,
		],
		[
			"many refusals in a short time are no matter",
			{ count: 9, firstAt: NOW - 899 },
			null,
			{ count: 10, firstAt: NOW - 899 },
			false,
		],
		[
			"few refusals over a long time are none either",
			{ count: 1, firstAt: NOW - 5000 },
			null,
			{ count: 2, firstAt: NOW - 5000 },
			false,
		],
		[
			"three over 15 minutes are said",
			{ count: 2, firstAt: NOW - 900 },
			null,
			{ count: 3, firstAt: NOW - 900 },
			true,
		],
		[
			"but not twice within the hour",
			{ count: 3, firstAt: NOW - 4000 },
			NOW - 3599,
			{ count: 4, firstAt: NOW - 4000 },
			false,
		],
		[
			"and again after it",
			{ count: 9, firstAt: NOW - 9000 },
			NOW - 3600,
			{ count: 10, firstAt: NOW - 9000 },
			true,
		],
		[
			"a first refusal in the future counts from now",
			{ count: 5, firstAt: NOW + 60 },
			null,
			{ count: 6, firstAt: NOW },
			false,
		],
		[
			"an alert in the future does not mute",
			{ count: 5, firstAt: NOW - 900 },
			NOW + 60,
			{ count: 6, firstAt: NOW - 900 },
			true,
		],
	])("%s", (_rule, prev, alertedAt, next, alert) => {
		expect(decideDeferral(prev, alertedAt, NOW, LIMITS)).toEqual({
			next,
			alert,
		});
	});

	test("is counted on disk, said once an hour, and forgotten with a delivery", async () => {
		const doors = fakeDoors();
		const alerts: string[] = [];
		const deps = {
			doors,
			stateDir: STATE,
			...LIMITS,
			alert: (msg: string) => alerts.push(msg),
		};
		const start = doors.clock.now();
		for (let minute = 0; minute < 80; minute++) {
			noteDeferral(deps, "orchestrator");
			await doors.clock.advance(60_000);
		}
		expect(doors.files.text(pasteDeferralPath(STATE, "orchestrator"))).toBe(
			`80\t${start}\n`,
		);
		expect(alerts).toEqual([
			"window orchestrator: 16 pastes withheld over 15m, somebody's text is in its input box",
			"window orchestrator: 76 pastes withheld over 75m, somebody's text is in its input box",
		]);
		resetDeferral(deps, "orchestrator");
		expect(doors.files.paths(`${STATE}`)).toEqual([]);
	});
});
