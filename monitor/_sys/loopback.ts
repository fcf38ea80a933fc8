/** Hosts that are this machine: plain http may go there, and nowhere else. */

/** `host` as in `URL.hostname`. */
export function isLoopback(host: string): boolean {
	return (
		host === "localhost" || host === "[::1]" || /^127(\.[0-9]+){3}$/.test(host)
	);
}
