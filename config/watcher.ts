/** Placeholder type until the schema is in; replaced by the config builder. */
export type WatcherConfig = Readonly<Record<string, unknown>>;
