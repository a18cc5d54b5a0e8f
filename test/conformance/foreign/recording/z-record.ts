import { z } from 'zod'

/** What a system was found to do, kept beside it so that a later run can be held against it. */
export const zRecord = z.strictObject({
  /** Version of each package of theirs. */
  versions: z.record(z.string(), z.string()),
  findings: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      level: z.string().optional(),
      verdict: z.string(),
      /** What was found, in a sentence; nothing that differs from run to run. */
      reason: z.string(),
    }),
  ),
})

export type Record = z.infer<typeof zRecord>
export type RecordedFinding = Record['findings'][number]
