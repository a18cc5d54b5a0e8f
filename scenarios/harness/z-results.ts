import { z } from 'zod'
import { zHop } from './z-control-answers.ts'

const zFailure = z.object({
  /** `expectation_failed`, `time_limit`, `interrupted`, or the code of what was thrown. */
  code: z.string(),
  message: z.string(),
  /** Title of the step that failed. */
  step: z.string().optional(),
  expected: z.unknown().optional(),
  actual: z.unknown().optional(),
  stack: z.string().optional(),
})

const zStep = z.object({
  title: z.string(),
  /** Milliseconds since the scenario began. */
  beganAt: z.number(),
  durationMilliseconds: z.number(),
  verdict: z.enum(['passed', 'failed']),
})

const zAttachment = z.object({
  name: z.string(),
  mimeType: z.string(),
  base64: z.string(),
  /** Number of the step that attached it, from 1; 0 outside any step. */
  step: z.int(),
})

/** A hop and the number of the step that caused it, from 1; 0 outside any step. */
const zScenarioHop = zHop.extend({ step: z.int() })

/** What a check of the conformance kit adds to its result. */
const zCheckResult = z.object({
  /** Stable, for example `V05`. */
  id: z.string(),
  plan: z.string(),
  /**
   * Who demands it: `spec` a statement of the profile, `final` a clause of the final OpenID standards or
   * of one that they build on, `practice` neither.
   */
  level: z.enum(['spec', 'final', 'practice']),
  expectation: z.enum(['accept', 'refuse', 'advice']),
  /** Statements of the profile that demand it; `paragraph` is `docs/profile/PAGE.md#ID`. */
  rules: z.array(z.object({ id: z.string(), text: z.string(), paragraph: z.string().optional() })),
  /** Clauses of standards behind it, with their titles. */
  clauses: z.array(z.string()),
  sends: z.string(),
  decides: z.string(),
  /** Where the verdict was seen, for example `status poll: $.status = FAILED`. */
  verdictSource: z.string().optional(),
  /** What was found, in a sentence; where nothing was observed, what is missing to observe it. */
  reason: z.string(),
})

const zScenarioResult = z.object({
  /** `suite/name/algorithm`. */
  id: z.string(),
  suite: z.string(),
  name: z.string(),
  algorithm: z.string(),
  title: z.string(),
  category: z.string(),
  description: z.string(),
  references: z.array(z.object({ document: z.string(), section: z.string() })),
  /** Its source, relative to the repository. */
  file: z.string().optional(),
  /** Checks alone: `warned` breaks what the profile does not demand; `inconclusive` showed nothing. */
  verdict: z.enum(['passed', 'failed', 'warned', 'inconclusive', 'interrupted', 'not-run']),
  startedAt: z.iso.datetime().optional(),
  durationMilliseconds: z.number(),
  steps: z.array(zStep),
  failure: zFailure.optional(),
  /** Why it was not run, where the testbed cannot serve it. */
  skipReason: z.string().optional(),
  attachments: z.array(zAttachment),
  hops: z.array(zScenarioHop),
  /** The command that runs just this one again. */
  repeat: z.string(),
  check: zCheckResult.optional(),
})

/** The forms in which a system under test sent one kind of message. */
const zDialectSummary = z.object({
  /** For example `credential-request`. */
  kind: z.string(),
  messages: z.int(),
  members: z.array(
    z.object({
      path: z.string(),
      /** Which revisions have it so. */
      follows: z.string(),
      clause: z.string(),
      /** What the profile has instead, if it differs. */
      documents: z.string().optional(),
    }),
  ),
})

/** Of a run of the conformance kit: what was tested, and by which kit. */
const zConformance = z.object({
  plan: z.string(),
  target: z.object({
    name: z.string(),
    description: z.string().optional(),
    /** By what they are, for example `issuer`. */
    addresses: z.record(z.string(), z.string()),
  }),
  /** Warnings count as failures, and what is inconclusive as well. */
  strict: z.boolean(),
  kitVersion: z.string(),
  /** Of the kit's source. */
  commit: z.string().optional(),
  dialect: z.array(zDialectSummary).optional(),
})

/** `results.json`: everything the other reports are made of. */
export const zResults = z.object({
  schemaVersion: z.literal(1),
  startedAt: z.iso.datetime(),
  durationMilliseconds: z.number(),
  interrupted: z.boolean(),
  /** Environment of `testbed.json` that it ran against. */
  environment: z.string(),
  /** Names and keys of the scenarios follow from it. */
  seed: z.string().optional(),
  pattern: z.string().optional(),
  shard: z.string().optional(),
  /** What went wrong around the scenarios, for example that hops could not be read. */
  warnings: z.array(z.string()),
  conformance: zConformance.optional(),
  scenarios: z.array(zScenarioResult),
})

export type Results = z.infer<typeof zResults>
export type ScenarioResult = z.infer<typeof zScenarioResult>
export type ScenarioHop = z.infer<typeof zScenarioHop>
export type StepResult = z.infer<typeof zStep>
export type Attachment = z.infer<typeof zAttachment>
export type Failure = z.infer<typeof zFailure>
export type CheckResult = z.infer<typeof zCheckResult>
export type DialectSummary = z.infer<typeof zDialectSummary>
export type Conformance = z.infer<typeof zConformance>
export type Verdict = ScenarioResult['verdict']

/** Whether a check could not be decided because the kit itself went wrong: no target answers for that. */
export const isKitFault = ({ failure }: Pick<ScenarioResult, 'failure'>): boolean =>
  failure?.code === 'kit_error'

/**
 * Puts the results of several workers together, each of which ran a part of the scenarios; `ids` is
 * their order in the whole. What is said of the run as such is taken from the first.
 */
export function mergeResults(
  parts: readonly [Results, ...Results[]],
  ids: readonly string[],
): Results {
  const byId = new Map(parts.flatMap(({ scenarios }) => scenarios).map((each) => [each.id, each]))
  const [first] = parts
  const startedAt = parts.map((part) => part.startedAt).sort()[0] ?? first.startedAt
  const endedAt = Math.max(
    ...parts.map((part) => Date.parse(part.startedAt) + part.durationMilliseconds),
  )
  return {
    ...first,
    startedAt,
    durationMilliseconds: endedAt - Date.parse(startedAt),
    interrupted: parts.some(({ interrupted }) => interrupted),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
    scenarios: ids.map((id) => byId.get(id)).filter((result) => result !== undefined),
  }
}
