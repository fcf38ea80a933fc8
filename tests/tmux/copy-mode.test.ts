/** An operator scrolled back in a pane and left it so: what we type still reaches the program in it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { realProc } from "../../monitor/_sys/proc.ts";
import { realRandom } from "../../monitor/_sys/random.ts";
import { realTmux } from "../../monitor/_sys/tmux.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: PrivateTmux;
let pane: string;
const tmux = () =>
	realTmux(realProc(), realRandom(), { env: server.env, limitMs: 20_000 });
const screen = () => server.run("capture-pane", "-p", "-t", pane);

beforeAll(async () => {
	server = startPrivateTmux();
	// A program that asks for bracketed pastes and shows every byte that it gets.
	const program = "printf '\\033[?2004h'; stty -echo; echo ready; exec cat -v";
	const made = ["new-window", "-d", "-P", "-F", "#{pane_id}", "sh", "-c"];
	pane = server.run(...made, program);
	await waitUntil("the program", () => screen().includes("ready"));
});
afterAll(() => server.kill());

test.each(["copy-mode", "choose-tree", "clock-mode"])(
	"%s: keys and a bracketed paste arrive, and the mode has ended",
	async (mode) => {
		server.run(mode, "-t", pane);
		const keys = [`key-${mode}`, "Enter"];
		await tmux().run({ kind: "send-keys", target: pane, keys });
		await waitUntil("the keys", () => screen().includes(`key-${mode}`));

		server.run(mode, "-t", pane);
		const path = join(server.dir, "payload");
		writeFileSync(path, `one-${mode}\ntwo`);
		await tmux().run({ kind: "load-buffer", buffer: "b", path });
		await tmux().run({ kind: "paste-buffer", buffer: "b", target: pane });
		server.run("send-keys", "-t", pane, "Enter");
		// Another paste's end stands above; this one's follows its own beginning.
		const pasted = `^[[200~one-${mode}\ntwo^[[201~`;
		await waitUntil("the paste", () => screen().includes(pasted));
		const format = "#{pane_in_mode}";
		expect(server.run("list-panes", "-t", pane, "-F", format)).toBe("0");
	},
);
