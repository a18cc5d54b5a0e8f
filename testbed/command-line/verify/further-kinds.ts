import type { ExplainableKind } from '#core/explanation/explainable-kind.ts'

/**
 * What `testbed verify` explains beside the messages of the protocols. A kind that needs more than
 * core has is added here; it is looked for before the others.
 */
export const furtherKinds: readonly ExplainableKind[] = []
