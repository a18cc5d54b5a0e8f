import { z } from 'zod'
import { zResults } from '#scenarios/harness/z-results.ts'

/** `typ` of a signed result, by which it is known (RFC 8725, 3.11). */
export const signedResultType = 'conformance-result+jwt'

/** The algorithms that a signed result may have. */
export const signedResultAlgorithms = ['ES256', 'ES256K', 'EdDSA'] as const

const zCount = z.int().min(0)
const zScenario = zResults.shape.scenarios.element

/**
 * Payload of a signed result: what was tested, with which kit, and the verdict on each check.
 * `results_sha256` is the SHA-256 of the `results.json` that it belongs to, in hex, as `sha256sum`
 * prints it.
 */
export const zSignedResult = z.object({
  iss: z.string().min(1),
  /** Unix seconds: when it was signed. */
  iat: z.int(),
  plan: z.string(),
  target: z.object({ name: z.string(), addresses: z.record(z.string(), z.string()) }),
  /** When the plan was begun. */
  started_at: z.iso.datetime(),
  kit: z.object({ version: z.string(), commit: z.string().optional() }),
  strict: z.boolean(),
  /** The run was cut off: checks that would have failed may not have run. */
  interrupted: z.boolean(),
  /** Expression that picked the checks; left out where all of the plan were asked for. */
  selection: z.string().optional(),
  counts: z.object({
    passed: zCount,
    failed: zCount,
    warned: zCount,
    inconclusive: zCount,
    skipped: zCount,
  }),
  checks: z.array(
    z.object({
      id: z.string(),
      level: z.enum(['spec', 'final', 'practice']),
      verdict: zScenario.shape.verdict,
      reason: z.string(),
    }),
  ),
  results_sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type SignedResult = z.infer<typeof zSignedResult>
