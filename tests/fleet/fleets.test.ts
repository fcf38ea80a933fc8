import { describe } from "bun:test";
import { fleetConformance } from "./conformance.ts";

describe("local", () => fleetConformance("local"));
describe("the stand-in thrum", () => fleetConformance("thrum"));
