/** How large a file may be that is uploaded, bytes (contract 05 §11.3). GitHub takes larger blobs, but not in one request. */

const DEFAULT = 40 * 1024 * 1024;

/** `NEXUS_ASSET_MAX_BYTES`, where it is a whole number. */
export function maxAssetBytes(
	env: Readonly<Record<string, string | undefined>>,
): number {
	const given = env.NEXUS_ASSET_MAX_BYTES ?? "";
	return /^[1-9]\d{0,11}$/.test(given) ? Number(given) : DEFAULT;
}
