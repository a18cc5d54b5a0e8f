import { z } from 'zod'
import { zHop } from './z-hop.ts'

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
  verdict: z.enum(['passed', 'failed', 'interrupted', 'not-run']),
  startedAt: z.iso.datetime().optional(),
  durationMilliseconds: z.number(),
  steps: z.array(zStep),
  failure: zFailure.optional(),
  attachments: z.array(zAttachment),
  hops: z.array(zScenarioHop),
  /** The command that runs just this one again. */
  repeat: z.string(),
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
  scenarios: z.array(zScenarioResult),
})

export type Results = z.infer<typeof zResults>
export type ScenarioResult = z.infer<typeof zScenarioResult>
export type ScenarioHop = z.infer<typeof zScenarioHop>
export type StepResult = z.infer<typeof zStep>
export type Attachment = z.infer<typeof zAttachment>
export type Failure = z.infer<typeof zFailure>
export type Verdict = ScenarioResult['verdict']
