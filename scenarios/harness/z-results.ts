import { z } from 'zod'
import { zHop } from './z-control-answers.ts'

const zFailure = z.object({
  /** `expectation_failed`, `time_limit`, `interrupted`, or the code of the error. */
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
  /** Milliseconds since the start of the scenario. */
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

const zLevel = z.enum(['spec', 'final', 'practice'])

/** Another case that failed, with its level and fix if they are not those of the check. */
const zOtherCase = z.object({
  reason: z.string(),
  expected: z.unknown().optional(),
  actual: z.unknown().optional(),
  level: zLevel.optional(),
  fix: z.string().optional(),
})

/** Additional members of a result for a check of the conformance kit. */
const zCheckResult = z.object({
  /** Stable, for example `V05`. */
  id: z.string(),
  plan: z.string(),
  /**
   * The source of the requirement: `spec` a statement of the profile, `final` a clause of the final
   * OpenID standards or of a standard that they build on, `practice` neither.
   */
  level: zLevel,
  expectation: z.enum(['accept', 'refuse', 'advice']),
  /** Statements of the profile that require it; `paragraph` is `docs/profile/PAGE.md#ID`. */
  rules: z.array(z.object({ id: z.string(), text: z.string(), paragraph: z.string().optional() })),
  /** Clauses of standards that require it, with their titles. */
  clauses: z.array(z.string()),
  sends: z.string(),
  decides: z.string(),
  /** What to change in a system that fails. Absent in results of earlier versions. */
  fix: z.string().optional(),
  /** The source of the verdict, for example `status poll: $.status = FAILED`. */
  verdictSource: z.string().optional(),
  /** The finding as a sentence; if nothing was observed, what is missing to observe it. */
  reason: z.string(),
  /** Other cases of the check that failed in the same run. */
  also: z.array(zOtherCase).optional(),
  /** The target gave different answers to the same request with other values. */
  unstable: z.boolean().optional(),
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
  /**
   * Only for checks: `warned` breaks what the profile does not require; `inconclusive` could not be
   * observed.
   */
  verdict: z.enum(['passed', 'failed', 'warned', 'inconclusive', 'interrupted', 'not-run']),
  startedAt: z.iso.datetime().optional(),
  durationMilliseconds: z.number(),
  steps: z.array(zStep),
  failure: zFailure.optional(),
  /** Why it was not run, if the testbed does not meet its needs. */
  skipReason: z.string().optional(),
  attachments: z.array(zAttachment),
  hops: z.array(zScenarioHop),
  /** The command that repeats only this scenario. */
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
      /** The revisions that define this form. */
      follows: z.string(),
      clause: z.string(),
      /** The form of the profile, if it differs. */
      documents: z.string().optional(),
    }),
  ),
})

/** For a run of the conformance kit: the target, and the version of the kit. */
const zConformance = z.object({
  plan: z.string(),
  target: z.object({
    name: z.string(),
    description: z.string().optional(),
    /** By kind, for example `issuer`. */
    addresses: z.record(z.string(), z.string()),
  }),
  /** Warnings and inconclusive checks count as failures. */
  strict: z.boolean(),
  /** How many checks have no result because something that they depend on failed. */
  blocked: z.number().optional(),
  kitVersion: z.string(),
  /** Of the kit's source. */
  commit: z.string().optional(),
  dialect: z.array(zDialectSummary).optional(),
})

/** `results.json`: the source of all other reports. */
export const zResults = z.object({
  schemaVersion: z.literal(1),
  startedAt: z.iso.datetime(),
  durationMilliseconds: z.number(),
  interrupted: z.boolean(),
  /** Environment of `testbed.json` in which it ran. */
  environment: z.string(),
  /** Seed of the scenarios' names and keys. */
  seed: z.string().optional(),
  pattern: z.string().optional(),
  shard: z.string().optional(),
  /** Problems outside of the scenarios, for example that hops could not be read. */
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

/**
 * Whether a check is undecided because of an internal error in the kit, for which the target is not
 * responsible.
 */
export const isKitFault = ({ failure }: Pick<ScenarioResult, 'failure'>): boolean =>
  failure?.code === 'kit_error'

/** A run of the kit in which most checks are blocked has failed. */
export const isBlocked = ({ conformance, scenarios }: Pick<Results, 'conformance' | 'scenarios'>) =>
  (conformance?.blocked ?? 0) > scenarios.length / 2

/**
 * Merges the results of several workers, each of which ran a part of the scenarios; `ids` is their
 * order in the whole run. Properties of the run come from the first results.
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
