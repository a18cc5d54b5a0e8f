/** A JSON object whose members have not been validated. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for an object in JSON; false for null and lists. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object in JSON; none if the value is anything else. */
export function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
