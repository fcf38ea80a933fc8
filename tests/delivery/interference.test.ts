/**
 * The whole sequence, with something happening between any two of its steps. Whatever it is and
 * whenever it comes: no Enter answers a dialog, chooses from a menu or sends a human's words,
 * nothing is sent twice, and what is called delivered was delivered.
 */
import { describe, expect, test } from "bun:test";
import { HUNG, REFUSED } from "../fakes/tmux.ts";
import { EMIT, makeRig, NO_PICTURE, type Rig } from "./rig.ts";

const EVENTS: Readonly<Record<string, (rig: Rig) => void>> = {
	"a permission dialog opens": ({ repl }) =>
		repl.set({ overlay: "permission" }),
	"a dialog opens and closes again": ({ doors, repl }) => {
		repl.set({ overlay: "askuq" });
		doors.clock.after(700, () => repl.set({ overlay: null }));
	},
	"a completion menu opens": ({ repl }) => repl.set({ menu: "/compact" }),
	"a human starts to type": ({ repl }) => repl.humanTypes("hold on"),
	"a human types slowly": ({ doors, repl }) => {
		for (const [n, letter] of [..."wait"].entries())
			doors.clock.after(n * 150, () => repl.humanTypes(letter));
	},
	"a human clears the box": ({ repl }) => repl.set({ box: [] }),
	"a turn begins": ({ repl }) => repl.set({ busy: true }),
	"the agent leaves insert mode": ({ repl }) => repl.set({ vim: "insert" }),
	"the agent holds two Enters": ({ repl }) => repl.set({ holds: 2 }),
	"the agent ignores Enter": ({ repl }) => repl.set({ holds: 99 }),
	"the transcript stops": ({ repl }) => repl.set({ records: false }),
	"the transcript is replaced": ({ doors, repl }) =>
		void doors.files.writeAtomic(repl.transcript, "{}\n"),
	"the screen cannot be read for ever": ({ repl }) =>
		repl.set({ script: [NO_PICTURE] }),
	"the screen cannot be read for a moment": ({ repl }) =>
		repl.set({ script: [NO_PICTURE, NO_PICTURE, {}] }),
	"the pane dies": ({ repl }) => {
		repl.window.pane.dead = "1";
	},
	"the window closes": ({ doors, repl }) =>
		doors.tmux.model.closeWindow(repl.window),
	"the server restarts": ({ doors }) =>
		doors.tmux.model.restart(doors.clock.now()),
	"the window is renamed": ({ repl }) => {
		repl.window.name = "w;'x y'";
	},
	"tmux refuses the next call": ({ doors }) =>
		void doors.tmux.fail(() => true, REFUSED, 1),
	"tmux refuses from now on": ({ doors }) =>
		void doors.tmux.fail(() => true, REFUSED),
	"tmux hangs once": ({ doors }) => void doors.tmux.fail(() => true, HUNG, 1),
	"tmux hangs from now on": ({ doors }) =>
		void doors.tmux.fail(() => true, HUNG),
	"the disk fills": ({ doors }) => {
		doors.files.faults.freeBytes = 0;
	},
};

/** Every step of an undisturbed delivery, and some more where a disturbed one goes on. */
const STEPS = 14;

describe.each(Object.entries(EVENTS))("%s", (_name, happens) => {
	test.each(Array.from({ length: STEPS }, (_, at) => at))(
		"before step %i",
		async (at) => {
			const rig = makeRig();
			const { repl } = rig;
			let step = 0;
			// An event between the last look and the Enter's own tmux call is out of anyone's
			// reach; every other moment is covered.
			rig.onStep((name) => {
				if (name !== "Enter" && step++ === at) happens(rig);
			});
			const result = await rig.deliver().catch(onlyOurOwn);
			if (result === null) return;

			expect(repl.wrongs).toEqual([]);
			const copies = repl.sent.filter((text) => text === EMIT).length;
			expect(repl.sent.length).toBeLessThanOrEqual(1);
			if (result.rc === 0) expect(copies).toBe(1);
			if (result.outcome.endsWith("before-paste"))
				expect(repl.window.pane.pastes).toEqual([]);
			const stuck = repl.box.some((piece) => piece.text === EMIT);
			const alive =
				repl.window.pane.dead === "0" &&
				rig.doors.tmux.model.sessions.length > 0;
			const full = rig.doors.files.faults.freeBytes === 0;
			if (stuck && alive && !full) expect(rig.leftover()).toBe(EMIT);
			expect(rig.doors.files.paths("/tmp")).toEqual([]);
		},
	);
});

/** The rig resolves the window itself; an event before that is not the primitive's to handle. */
function onlyOurOwn(cause: unknown): null {
	expect(String(cause)).toContain("no target window");
	return null;
}
