import { describe, expect, test } from "bun:test";
import { nextDeliveryState } from "../../monitor/_delivery/health.ts";
import { DEFAULT_TIMINGS, timingsOf } from "../../monitor/_delivery/timings.ts";
import {
	emitDeliveryFailPath,
	lastEmitDeliveryPath,
	readEmitDelivery,
	writeEmitDelivery,
} from "../../monitor/_state/emit-delivery.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { STATE } from "./rig.ts";

const NOW = 1_785_261_600;

function stateDisk() {
	const { files } = fakeDoors();
	files.seedDir(STATE);
	return files;
}

describe("delivery health", () => {
	test("a delivery ends the count", () => {
		expect(nextDeliveryState({ lastAt: 5, failures: 2 }, 0, 3, NOW)).toEqual({
			next: { lastAt: NOW, failures: 0 },
			alert: null,
			restart: false,
		});
	});

	test.each([2, 5, 7] as const)(
		"rc %i is a fact about the orchestrator and counts for nothing",
		(rc) => {
			const prev = { lastAt: 5, failures: 2 };
			expect(nextDeliveryState(prev, rc, 3, NOW)).toEqual({
				next: prev,
				alert: null,
				restart: false,
			});
		},
	);

	test.each([1, 3, 4, 6] as const)(
		"rc %i counts, is said, and asks for a restart at the limit",
		(rc) => {
			const second = nextDeliveryState(
				{ lastAt: null, failures: 1 },
				rc,
				3,
				NOW,
			);
			expect(second).toMatchObject({
				next: { lastAt: null, failures: 2 },
				restart: false,
			});
			expect(second.alert).toContain(`rc=${rc}`);
			expect(nextDeliveryState(second.next, rc, 3, NOW)).toMatchObject({
				next: { failures: 3 },
				restart: true,
			});
		},
	);
});

describe("its files", () => {
	test("come back as they were written; no failures = no count file", () => {
		const files = stateDisk();
		writeEmitDelivery(files, STATE, { lastAt: NOW, failures: 2 });
		expect(files.text(lastEmitDeliveryPath(STATE))).toBe(`${NOW}\n`);
		expect(files.text(emitDeliveryFailPath(STATE))).toBe("2\n");
		expect(readEmitDelivery(files, STATE)).toEqual({
			lastAt: NOW,
			failures: 2,
		});
		writeEmitDelivery(files, STATE, { lastAt: NOW, failures: 0 });
		expect(files.has(emitDeliveryFailPath(STATE))).toBe(false);
	});

	test.each(["", "x", "-3", "2 3"])(
		"anything but digits (%p) counts as absent",
		(text) => {
			const files = stateDisk();
			files.seed(lastEmitDeliveryPath(STATE), text);
			files.seed(emitDeliveryFailPath(STATE), text);
			expect(readEmitDelivery(files, STATE)).toEqual({
				lastAt: null,
				failures: 0,
			});
		},
	);
});

test("the environment's knobs set the timings; a poll of 0 s is no busy loop", () => {
	const knobs = {
		PD_POLL_SECONDS: 0,
		PD_BEFORE_ENTER_SECONDS: 1,
		PD_CONFIRM_WINDOWS: [2, 4],
		PD_HELD_CHECK_SECONDS: 0.5,
		MONITOR_PASTE_LOCK_TIMEOUT_SECONDS: 7,
		MONITOR_PASTE_RENDER_RECHECK_SECONDS: 1.5,
	};
	expect(timingsOf(knobs)).toEqual({
		...DEFAULT_TIMINGS,
		pollMs: 20,
		beforeEnterMs: 1000,
		confirmWindowsMs: [2000, 4000],
		heldCheckMs: 500,
		lockMs: 7000,
		renderRecheckMs: 1500,
	});
});
