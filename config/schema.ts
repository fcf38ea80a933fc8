/**
 * Every key there is (contract 07 §11) and the types that follow from it: a misspelled key does
 * not compile. The validator built from this table is in `file-schema.ts`.
 */
import type { Leaf } from "./leaves.ts";
import { channels } from "./schema/channels.ts";
import { core } from "./schema/core.ts";
import { emit } from "./schema/emit.ts";
import { envOnly } from "./schema/env-only.ts";
import { fleet } from "./schema/fleet.ts";
import { identity } from "./schema/identity.ts";
import { liveness } from "./schema/liveness.ts";
import { notifications } from "./schema/notifications.ts";
import { services } from "./schema/services.ts";
import { sources } from "./schema/sources.ts";
import { statusSurface } from "./schema/status-surface.ts";
import { unstick } from "./schema/unstick.ts";
import { workers } from "./schema/workers.ts";

/** Titles and rows in the order of contract 07 §11, for the reference page. */
export const SECTIONS: readonly {
	readonly title: string;
	readonly rows: Readonly<Record<string, Leaf<unknown>>>;
}[] = [
	{ title: "Identity and GitHub", rows: identity },
	{ title: "Notifications", rows: notifications },
	{ title: "Status surface", rows: statusSurface },
	{ title: "Watcher core", rows: core },
	{ title: "Workers and recovery", rows: workers },
	{ title: "Context, reviewers, requests", rows: channels },
	{ title: "Emit", rows: emit },
	{ title: "GitHub sources", rows: sources },
	{ title: "Liveness and respawn", rows: liveness },
	{ title: "Unstick and limits", rows: unstick },
	{ title: "Services, versions, archive", rows: services },
	{ title: "Fleet kit", rows: fleet },
	{ title: "Environment only", rows: envOnly },
];

/** The keys of the file, in the order of the template. */
export const FILE_KEYS = {
	...identity,
	...notifications,
	...statusSurface,
	...core,
	...workers,
	...channels,
	...emit,
	...sources,
	...liveness,
	...unstick,
	...services,
	...fleet,
};

/** File keys by dotted name, environment-only knobs by the name of their variable. */
export const CONFIG_KEYS = { ...FILE_KEYS, ...envOnly };

/** The key of the open map; its value is a command line by runtime. */
export const RUNTIMES_KEY = "monitor.fleet.runtimes.<rt>.command";

/** The variables that override a key, first non-empty wins. */
export function envNames(key: ConfigKey): readonly string[] {
	return isFileKey(key) ? CONFIG_KEYS[key].env : [key];
}

/** Whether the dotted name is a key of the file; narrows it to one that `config[…]` takes. */
export function isFileKey(key: string): key is FileKey {
	return Object.hasOwn(FILE_KEYS, key);
}

export type FileKey = keyof typeof FILE_KEYS;
export type ConfigKey = keyof typeof CONFIG_KEYS;
export type ConfigValue<K extends ConfigKey> =
	(typeof CONFIG_KEYS)[K] extends Leaf<infer T> ? T : never;

/** Where a value came from. `derived`: worked out from other keys. */
export type Source = "env" | "file" | "default" | "derived";

/** The values in force, frozen, indexed by key: `config["monitor.interval_seconds"]` is a number. */
export type Config = Readonly<{ [K in ConfigKey]: ConfigValue<K> }> & {
	source(key: ConfigKey): Source;
};
