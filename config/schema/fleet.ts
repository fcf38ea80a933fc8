/** The kit for stewards of a roster of agents (contract 07 §11.10b, 09 §2.4). */
import { bool, commands, integer, oneOf, seconds, str } from "../leaves.ts";

/** The one open key: any `<rt>` of these characters is known. */
export const RUNTIME_NAME = /^[a-z0-9_-]+$/;

export const fleet = {
	"monitor.fleet.backend": oneOf("auto", ["auto", "thrum", "local"], {
		env: "MONITOR_FLEET_BACKEND",
		doc: "Who keeps agents and their messages; auto: whoever is recorded, else thrum when it is up and able, else tmux and files.",
	}),
	"monitor.fleet.thrum_bin": str("thrum", {
		env: "MONITOR_FLEET_THRUM_BIN",
		doc: "The thrum program.",
	}),
	"monitor.fleet.tick_seconds": seconds(10, {
		zeroDisables: true,
		env: "MONITOR_FLEET_TICK_SECONDS",
		doc: "Cadence of the fleet's jobs.",
	}),
	"monitor.fleet.run_timeout_seconds": seconds(600, {
		min: 1,
		env: "MONITOR_FLEET_RUN_TIMEOUT_SECONDS",
		doc: "Bound of one job.",
	}),
	"monitor.fleet.message_limit_bytes": integer(65536, {
		min: 1024,
		unit: "bytes",
		env: "MONITOR_FLEET_MESSAGE_LIMIT_BYTES",
		doc: "Largest message.",
	}),
	"monitor.fleet.nudge": bool(true, {
		env: "MONITOR_FLEET_NUDGE",
		doc: "Tell an agent's pane that it has mail.",
	}),
	"monitor.fleet.stability_gap_seconds": seconds(2, {
		env: "MONITOR_FLEET_STABILITY_GAP_SECONDS",
		doc: "Time between two looks that must agree before keys are sent.",
	}),
	"monitor.fleet.runtimes.<rt>.command": commands(
		{
			claude: "claude --model {model} --effort {effort}",
			codex: "codex --model {model} -c model_reasoning_effort={effort}",
			opencode: "opencode --model {model}",
			cursor: "agent --model {model}",
		},
		{
			env: "MONITOR_FLEET_RUNTIME_<RT>_COMMAND",
			doc: "How an agent of a runtime is started; any runtime may be named.",
			notInTemplate: "an open map",
		},
	),
};
