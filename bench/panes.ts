/** Windows that show labelled captures of Claude Code and stand still. */
import { join } from "node:path";
import { expectations, FIXTURES } from "../tests/pane/fixtures.ts";
import type { PrivateTmux } from "../tests/support/private-tmux.ts";

/** Opens `worker-0` to `worker-<count - 1>` in the session `fleet`. */
export function showCaptures(
	tmux: Pick<PrivateTmux, "run">,
	count: number,
): void {
	const screens = expectations("claude-code").map(([file]) =>
		join(FIXTURES, "claude-code", file),
	);
	const show = `cat "$0"; exec tail -f /dev/null`;
	for (let n = 0; n < count; n++)
		tmux.run(
			...["new-window", "-d", "-t", "fleet:", "-n", `worker-${n}`],
			...["sh", "-c", show, screens[n % screens.length] ?? ""],
		);
}
