/** A text that was under way when its watcher ended: did it arrive? (contract 04 §5.2, §5.5.) */
import { describe, expect, test } from "bun:test";
import { provePast } from "../../monitor/_delivery/past-proof.ts";
import { HUNG } from "../fakes/tmux.ts";
import { SESSION } from "./fake-repl.ts";
import { EMIT, makeRig, type Rig, SIGNATURE, TARGET } from "./rig.ts";

const asked = (
	rig: Rig,
	more: { readonly at?: number; readonly signal?: AbortSignal } = {},
) =>
	provePast(rig.deps, {
		window: TARGET,
		needle: SIGNATURE,
		at: rig.doors.clock.now(),
		...more,
	});
const pinned = (rig: Rig) =>
	rig.doors.files.seed(
		`${rig.deps.stateDir}/orchestrator-session-id`,
		`${SESSION}\n`,
	);
const record = {
	type: "user",
	promptSource: "typed",
	message: { content: EMIT },
};
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

	test("has arrived when its record comes late, and not when it comes too late", async () => {
		for (const [ms, proof] of [
			[2500, "yes"],
			[3500, "no"],
		] as const) {
			const rig = makeRig();
			rig.doors.clock.after(ms, () => rig.repl.record(record));
			expect(await asked(rig)).toBe(proof);
		}
	});

	test("that lay in the box of a window that is gone, or dead, has not arrived", async () => {
		for (const ends of [
			({ repl }: Rig) => {
				repl.window.name = "another";
			},
			({ repl }: Rig) => {
				repl.window.pane.dead = "1";
			},
		]) {
			const rig = withTextInBox();
			pinned(rig);
			ends(rig);
			expect(await asked(rig)).toBe("no");
			expect(rig.keys()).toEqual([]);
		}
	});

	test("that lies in a box which nobody can look at is open", async () => {
		const rig = withTextInBox();
		pinned(rig);
		rig.doors.tmux.fail("panes", HUNG);
		expect(await asked(rig)).toBe("open");
	});

	test("of which an older paste's record speaks has not arrived: nothing was written since", async () => {
		const rig = makeRig();
		await rig.deliver(EMIT);
		const at = rig.doors.clock.now() + 60;
		expect(await asked(rig, { at })).toBe("no");
	});

	test.each([
		[
			"its session's record",
			({ doors, repl }: Rig) =>
				doors.files.faults.fail({
					path: repl.transcript,
					ops: ["read"],
					code: "EIO",
				}),
		],
		[
			"the folder of the records",
			({ doors }: Rig) =>
				doors.files.faults.fail({
					path: /projects$/,
					ops: ["list"],
					code: "EIO",
				}),
		],
	])("cannot be told where %s cannot be read", async (_, breaks) => {
		const rig = makeRig();
		breaks(rig);
		expect(await asked(rig)).toBe("unknown");
	});

	test("is asked for once, when the caller is on its way out", async () => {
		const rig = makeRig();
		const start = rig.doors.clock.monoMs();
		const end = await asked(rig, { signal: AbortSignal.abort() });
		expect(end).not.toBe("yes");
		expect(rig.doors.clock.monoMs() - start).toBeLessThan(1000);
	});

	test("is looked for in the session of the pin, too, when another one runs there by now", async () => {
		const rig = makeRig();
		await rig.deliver(EMIT);
		pinned(rig);
		rig.repl.set({ sessionId: "cccccccc-0000-4000-8000-000000000000" });
		expect(await asked(rig)).toBe("yes");
	});
});
