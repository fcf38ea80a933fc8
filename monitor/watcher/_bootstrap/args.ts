/** Flags of bootstrap (contract 01 §19). Pure. */
import { type Cli, parseCli } from "../../_sys/cli.ts";

export const BOOTSTRAP_USAGE = `usage: bootstrap.ts [--no-update-ack]
  Sees to it that a watcher runs, then prints the reports that were missed.
  --no-update-ack  print them again next time`;

/** `--no-update-ack` leaves the mark of what was handed over where it is. */
export function parseBootstrapArgs(argv: readonly string[]): Cli {
	return parseCli(argv, { flags: { "--no-update-ack": "switch" } });
}
