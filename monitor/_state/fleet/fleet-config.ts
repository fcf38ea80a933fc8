/** `T/config.json`: the operator's words on the fleet; read only here (contract 09 §2.4). */
import { join } from "node:path";
import type { Files } from "../../_sys/doors.ts";
import { isObject, parseObject, textAt, valueAt } from "../json-object.ts";

export interface RoleModel {
	readonly model: string;
	readonly effort: string | null;
}
export interface FleetConfigFile {
	/** Role names, `@agent`, or `@user:NAME`. */
	readonly permissionSupervisors: readonly string[];
	readonly primaryRuntime: string | null;
	/** Shown to the operator, never a silent default. */
	readonly roleModels: Readonly<Record<string, RoleModel>>;
	readonly worktreeBase: string | null;
	readonly projectName: string | null;
}
export type FleetConfigRead =
	| { readonly kind: "ok"; readonly config: FleetConfigFile }
	| { readonly kind: "unusable"; readonly why: string };

const NOTHING: FleetConfigFile = {
	permissionSupervisors: [],
	primaryRuntime: null,
	roleModels: {},
	worktreeBase: null,
	projectName: null,
};

/** An absent file says nothing; a torn one is the operator's to mend, and nothing is assumed of it. */
export function readFleetConfig(
	files: Pick<Files, "read">,
	thrumDir: string,
): FleetConfigRead {
	const path = join(thrumDir, "config.json");
	const read = files.read(path);
	if (read.kind === "absent") return { kind: "ok", config: NOTHING };
	if (read.kind === "unreadable")
		return { kind: "unusable", why: `${path}: ${read.reason}` };
	const json = parseObject(read.text);
	if (json === null)
		return { kind: "unusable", why: `${path} holds no JSON object` };
	const supervisors = json.permission_supervisors;
	return {
		kind: "ok",
		config: {
			permissionSupervisors: Array.isArray(supervisors)
				? supervisors.filter((s): s is string => typeof s === "string")
				: [],
			primaryRuntime: textAt(json, "runtime", "primary"),
			roleModels: roleModels(valueAt(json, "runtime", "role_models")),
			worktreeBase: textAt(json, "worktrees", "base_path"),
			projectName: textAt(json, "project_name"),
		},
	};
}

function roleModels(map: unknown): Readonly<Record<string, RoleModel>> {
	if (!isObject(map)) return {};
	const rows = Object.entries(map).flatMap(([role, said]) => {
		const model = typeof said === "string" ? said : textAt(said, "model");
		return model ? [[role, { model, effort: textAt(said, "effort") }]] : [];
	});
	return Object.fromEntries(rows);
}
