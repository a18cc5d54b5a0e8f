import type { Attachment, ScenarioResult } from '#scenarios/harness/z-results.ts'

const imageTypes = /^image\/(png|jpeg|webp)$/
// A page far beyond this opens slowly; all images are in results.json anyway.
const mostCharacters = 4 * 1024 * 1024

export const isImage = ({ mimeType }: Pick<Attachment, 'mimeType'>): boolean =>
  imageTypes.test(mimeType)

/** Images of a run, each distinct one once. */
export interface ImageTable {
  /** Number of an image in `images`; undefined where the page has no room for it. */
  numberOf(attachment: Attachment): number | undefined
  /** In base64. */
  readonly images: readonly string[]
}

/** Picks the images that a page shows, those of failed scenarios first, as far as there is room. */
export function createImageTable(scenarios: readonly ScenarioResult[]): ImageTable {
  const numbers = new Map<string, number>()
  let room = mostCharacters
  const isFailed = ({ verdict }: ScenarioResult) => verdict === 'failed'
  const ordered = [
    ...scenarios.filter(isFailed),
    ...scenarios.filter((scenario) => !isFailed(scenario)),
  ]
  for (const { base64 } of ordered.flatMap(({ attachments }) => attachments.filter(isImage))) {
    if (numbers.has(base64) || base64.length > room) continue
    room -= base64.length
    numbers.set(base64, numbers.size)
  }
  return { numberOf: ({ base64 }) => numbers.get(base64), images: [...numbers.keys()] }
}
