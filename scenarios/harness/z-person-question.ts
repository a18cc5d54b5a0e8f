import { z } from 'zod'
import type { Attachment } from './z-results.ts'

/** What a person can report about a system under test. */
export const personAnswers = ['accepted', 'refused', 'nothing', 'skipped'] as const
export type PersonAnswer = (typeof personAnswers)[number]

const zTask = z.object({
  /** Name of the verb that the person performs. */
  verb: z.enum(['accept-offer', 'present']),
  /** For the QR code, and for the button on the same device. */
  link: z.string(),
  /** The PIN, if the offer has one. */
  pin: z.string().optional(),
  /** The number of the task in the run, from 1. */
  number: z.int(),
  /** How long the kit waits for the answer. */
  timeoutMilliseconds: z.number(),
})

/**
 * What a person is asked about a system under test: to perform a task with a wallet, or whether a
 * verifier accepted. It does not reveal what the system should do.
 */
export const zPersonQuestion = z.discriminatedUnion('verb', [
  zTask,
  z.object({ verb: z.literal('watch') }),
])

export type PersonTask = z.infer<typeof zTask>
export type PersonQuestion = z.infer<typeof zPersonQuestion>

/** Characters of a note. */
const longestNote = 2000

/** Bytes of a screenshot. */
const largestScreenshot = 2 * 1024 * 1024

/** The first bytes of PNG and JPEG files in base64. */
const signatures = { iVBORw0KGgo: 'image/png', '/9j/': 'image/jpeg' } as const

/** The type of an image in base64 by its first bytes; undefined for other files. */
function imageTypeOf(base64: string): string | undefined {
  const found = Object.entries(signatures).find(([start]) => base64.startsWith(start))
  return found?.[1]
}

export const zPersonReply = z.strictObject({
  did: z.enum(personAnswers),
  /** What the system said, or what else the person saw. */
  note: z.string().max(longestNote).default(''),
  screenshot: z
    .base64()
    .max(4 * Math.ceil(largestScreenshot / 3), 'must have at most 2 MiB')
    .refine((base64) => imageTypeOf(base64) !== undefined, 'must be a PNG or JPEG image')
    .optional(),
})

export type PersonReply = z.infer<typeof zPersonReply>

/** The screenshot of a reply as an attachment of the result; undefined if there is none. */
export function screenshotOf(name: string, { screenshot }: PersonReply): Attachment | undefined {
  const mimeType = imageTypeOf(screenshot ?? '')
  if (screenshot === undefined || mimeType === undefined) return undefined
  return { name, mimeType, base64: screenshot, step: 0 }
}

/** A question as one line for a terminal. */
export const describeQuestion = ({ verb }: PersonQuestion): string =>
  verb === 'watch' ? 'Did the verifier accept the presentation?' : `${verb}: did the wallet accept?`
