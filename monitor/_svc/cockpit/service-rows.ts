/** The services' rows, and the lines that stand below the table for them (contract 06 §7.1). Pure. */
import { isHealthy } from "../../_services/healthcheck.ts";
import { programName } from "../../_sys/names.ts";
import { type Row, row } from "./row.ts";
import type { ServiceLook, ServicesFacts } from "./services.ts";

/** One row a service, keyed 1 to N in the registry's order; then those that run without being in it. */
export function serviceRows(f: ServicesFacts): readonly Row[] {
	if (f.kind !== "rows") return [];
	return [
		...f.looks.map(serviceRow),
		...f.unlisted.map(({ name, pid }) => ({
			...row(
				"!",
				name,
				"UNLISTED",
				`pid:${pid}`,
				`runs, and is no longer in the registry; \`${programName("svc")} stop ${name}\` ends it`,
			),
			alarming: true,
		})),
	];
}

function serviceRow(look: ServiceLook): Row {
	const { name } = look.row;
	const status = statusOf(look);
	return {
		...row(
			String(look.position),
			name,
			status,
			supervisorCell(look, status),
			detailOf(look),
		),
		alarming: status === "DEGRADED" || (status === "DOWN" && !look.stopped),
	};
}

/** What to say of the services as a whole; empty when there is nothing. */
export function serviceLines(
	f: ServicesFacts,
	registry: string,
): readonly string[] {
	if (f.kind === "absent")
		return [`no registered services (expected at ${registry})`];
	if (f.kind === "unreadable")
		return [`REGISTRY NOT READABLE: ${registry}: ${f.error}`];
	const warnings = f.warnings.map((w) => `registry: ${w}`);
	const degraded = f.looks.filter((look) => statusOf(look) === "DEGRADED");
	const [first, ...more] = degraded.map((look) => look.row.name);
	const legend =
		first === undefined
			? []
			: [
					`DEGRADED: still serves, but its supervisor is dead and nothing will restart it; do so: ${programName("svc")} restart ${more.length === 0 ? first : "<name>"}`,
				];
	const none =
		f.looks.length === 0
			? [`no registered services (expected at ${registry})`]
			: [];
	return [...none, ...legend, ...warnings];
}

type ServiceStatus = "UP" | "DEGRADED" | "UNKNOWN" | "DOWN" | "…";

function statusOf({ verdict, supervisor }: ServiceLook): ServiceStatus {
	if (verdict === null) return "…";
	if (verdict.kind === "unknown") return "UNKNOWN";
	if (!isHealthy(verdict)) return "DOWN";
	return supervisor.kind === "stale" ? "DEGRADED" : "UP";
}

function supervisorCell(
	{ supervisor }: ServiceLook,
	status: ServiceStatus,
): string {
	switch (supervisor.kind) {
		case "alive":
			return `pid:${supervisor.pid}`;
		case "absent":
			return "-";
		case "unknown":
			return "?";
		case "stale":
			return status === "DEGRADED" ? "orphan" : "stale";
	}
}

function detailOf({ verdict, endpoint, stopped }: ServiceLook): string {
	const parts = [endpoint, saying(verdict, stopped !== null)];
	const told = parts.filter((part) => part !== "" && part !== "-");
	return told.length === 0 ? "-" : told.join("  ");
}

function saying(verdict: ServiceLook["verdict"], stopped: boolean): string {
	switch (verdict?.kind) {
		case "down":
			return stopped ? "stopped on purpose" : verdict.detail;
		case "finding":
			return verdict.detail;
		case "unknown":
			return verdict.why;
		default:
			return "";
	}
}
