/** GitHub's bad days: a fault at a time, for some seconds, by the seed. */
import { redeliver } from "../../tests/github/stand-in/events.ts";
import type { Fault, FaultRow } from "../../tests/github/stand-in/faults.ts";
import type { RealGitHub } from "../../tests/support/real-github.ts";
import type { Ledger } from "./ledger.ts";
import type { Night } from "./night.ts";

interface Front {
	readonly name: string;
	readonly row: Pick<FaultRow, "on" | "executed" | "times">;
	readonly fault: Fault;
	readonly lastsMs: number;
}

const DELIVERIES = "GET /app/hook/deliveries";
const ANY = /./;
const WRITES = /^(POST|PUT|PATCH) \/repos/;

const FRONTS: readonly Front[] = [
	{ name: "5xx", row: { on: ANY }, fault: { kind: "server" }, lastsMs: 12_000 },
	{
		name: "secondary limit",
		row: { on: ANY, times: 2 },
		fault: { kind: "secondary", retryAfter: 8 },
		lastsMs: 15_000,
	},
	{
		name: "truncated JSON",
		row: { on: ANY, times: 3 },
		fault: { kind: "truncated" },
		lastsMs: 20_000,
	},
	{
		name: "no answer",
		row: { on: DELIVERIES, times: 1 },
		fault: { kind: "no-answer" },
		lastsMs: 20_000,
	},
	{
		name: "stalled body",
		row: { on: DELIVERIES, times: 1 },
		fault: { kind: "stalled-body" },
		lastsMs: 20_000,
	},
	{
		name: "empty answer",
		row: { on: ANY, times: 2 },
		fault: { kind: "empty" },
		lastsMs: 15_000,
	},
	{
		name: "void token",
		row: { on: ANY, times: 1 },
		fault: { kind: "unauthorized" },
		lastsMs: 15_000,
	},
	{
		name: "half of GraphQL",
		row: { on: "POST /graphql" },
		fault: { kind: "graphql-partial" },
		lastsMs: 20_000,
	},
	{
		name: "write whose answer is lost",
		row: { on: WRITES, times: 1, executed: true },
		fault: { kind: "server" },
		lastsMs: 20_000,
	},
];

/** Until it is over; nothing is left wrong then. */
export async function makeWeather(
	github: RealGitHub,
	ledger: Ledger,
	{ chance, sleep, isOver, pauseMs }: Night & { readonly pauseMs: number },
): Promise<void> {
	const note = (name: string) =>
		ledger.weather.set(name, (ledger.weather.get(name) ?? 0) + 1);
	while (!isOver()) {
		await sleep(pauseMs * (0.5 + chance()));
		if (isOver()) break;
		const at = Math.floor(chance() * (FRONTS.length + 1));
		const front = FRONTS[at];
		if (front === undefined) {
			note("redelivery");
			redeliverOne(github, chance());
			continue;
		}
		note(front.name);
		const cure = github.faults.add({ ...front.row, fault: front.fault });
		await sleep(front.lastsMs);
		cure();
	}
	github.faults.clear();
}

function redeliverOne({ place }: RealGitHub, chance: number): void {
	const { deliveries } = place.state;
	const delivery = deliveries[Math.floor(chance * deliveries.length)];
	if (delivery !== undefined) redeliver(place, delivery.id);
}
