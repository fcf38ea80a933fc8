/** `unstick/`: what the unstick pass keeps of the panes it looked at (contract 04 §8). */
import { join } from "node:path";

export function unstickDir(stateDir: string): string {
	return join(stateDir, "unstick");
}
