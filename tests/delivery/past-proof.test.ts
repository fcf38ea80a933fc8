/** A text that was under way when its watcher ended: did it arrive? (contract 04 §5.2, §5.5.) */
import { describe, expect, test } from "bun:test";
import { provePast } from "../../monitor/_delivery/past-proof.ts";
import { EMIT, makeRig, type Rig, SIGNATURE, TARGET } from "./rig.ts";

const asked = (rig: Rig) =>
	provePast(rig.deps, {
		window: TARGET,
		needle: SIGNATURE,
		at: rig.doors.clock.now(),
	});
const PASTED = [{ text: EMIT, pasted: true }];

/** A watcher died with this text in the box. */
function withTextInBox(): Rig {
	const rig = makeRig();
	rig.seedLeftover(EMIT);
	rig.repl.set({ box: PASTED });
	return rig;
}

describe("a text of a watcher that was killed", () => {
	test("has arrived when a record holds it, and no key is sent", async () => {
		const rig = makeRig();
		await rig.deliver(EMIT);
		rig.steps.length = 0;
		expect(await asked(rig)).toBe("yes");
		expect(rig.keys()).toEqual([]);
	});

	test("that lies in the box gets its Enter, and has arrived", async () => {
		const rig = withTextInBox();
		expect(await asked(rig)).toBe("yes");
		expect(rig.repl.sent).toEqual([EMIT]);
		expect(rig.keys()).toEqual(["Enter"]);
	});

	test("that lies in the box with somebody's words after it is left there", async () => {
		const rig = withTextInBox();
		rig.repl.humanTypes(", wait");
		expect(await asked(rig)).toBe("open");
		expect(rig.keys()).toEqual([]);
	});

	test("that lies in the box under a dialog is left there", async () => {
		const rig = withTextInBox();
		rig.repl.set({ overlay: "permission" });
		expect(await asked(rig)).toBe("open");
		expect(rig.keys()).toEqual([]);
	});

	test("has not arrived when its session says nothing of it and its box is empty", async () => {
		const rig = makeRig();
		await rig.deliver("something else altogether");
		rig.steps.length = 0;
		expect(await asked(rig)).toBe("no");
		expect(rig.keys()).toEqual([]);
	});

	test("cannot be told where nobody knows a session", async () => {
		const rig = makeRig();
		rig.repl.set({ sessionId: null });
		expect(await asked(rig)).toBe("unknown");
	});

	test("is looked for in the session of the pin, too, when another one runs there by now", async () => {
		const rig = makeRig();
		await rig.deliver(EMIT);
		const [, pin = ""] =
			/([0-9a-f-]{36})\.jsonl$/.exec(rig.repl.transcript) ?? [];
		rig.doors.files.seed(
			`${rig.deps.stateDir}/orchestrator-session-id`,
			`${pin}\n`,
		);
		rig.repl.set({ sessionId: "cccccccc-0000-4000-8000-000000000000" });
		expect(await asked(rig)).toBe("yes");
	});
});
